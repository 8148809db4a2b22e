#include <olab/cuda/cuda_backend.h>

#include "calls.h"
#include "clock.h"
#include "faults.h"
#include "launch_calls.h"
#include "machine.h"
#include "pipelines.h"
#include "probes/probes.h"
#include "solos.h"
#include "window.h"

#include <olab/cuda/probe.h>
#include <olab/experiment/plan.h>
#include <olab/trace/value_text.h>

#include <sys/utsname.h>

#include <memory>
#include <optional>

namespace olab::cuda {
namespace {

/// What a plan needs on its devices: streams and buffers. Made for a run, and kept for the next one if that
/// may be so (RunOptions::keepPrepared).
struct Stage {
    /// @throws Error: no such device, too-big, out of memory
    explicit Stage(const experiment::Plan& toRun)
        : planned(toRun)
        , devices(planned.firstDevice, planned.devices)
        , calls(makeCalls(planned.api, devices))
        , pipelines(planned, *calls, devices) {}
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    const experiment::Plan planned;
    const Devices devices;
    const std::unique_ptr<Calls> calls; ///< before all memory: they free it
    Pipelines pipelines;
};

constexpr Ns kClockStep = 20'000; // more than this between the two clocks over a run: one was set

/// Waits for running work: a failed run may still have work queued when its buffers are freed.
class Idle {
public:
    explicit Idle(const Devices& devices)
        : m_devices(devices) {}
    Idle(const Idle&) = delete;
    Idle& operator=(const Idle&) = delete;
    ~Idle() { m_devices.synchronizeQuietly(); }

private:
    const Devices& m_devices;
};

} // namespace

struct CudaBackend::State {
    CudaConfig config;
    std::optional<cupti::Collector> collector;
    std::unique_ptr<Stage> kept; ///< of the last run

    /// The one that is kept, if it is of this plan. Memory of another one is given back before.
    std::unique_ptr<Stage> stageFor(const experiment::Plan& planned) {
        std::unique_ptr<Stage> stage = std::move(kept);
        if (!stage || stage->planned != planned) {
            stage.reset();
            stage = std::make_unique<Stage>(planned);
        }
        return stage;
    }
    /// CUPTI must see the context creation, so it comes first; once per process.
    void start() {
        if (config.traced && !collector) {
            countDevices(); // without a driver, CUDA's errors are meaningful, CUPTI's are not
            cupti::CollectorConfig capture;
            capture.rawCuptiFile = config.rawCuptiFile;
            capture.serialKernels = config.serialKernels;
            collector.emplace(capture);
        }
    }
    cupti::Collector* tracer() { return collector ? &*collector : nullptr; }
};

CudaBackend::CudaBackend(CudaConfig config)
    : m_state(std::make_unique<State>()) {
    m_state->config = std::move(config);
}

CudaBackend::~CudaBackend() = default;

namespace {

/// One execution of a schedule: its objects, in order of teardown.
class Execution {
public:
    Execution(Stage& stage, const experiment::RunOptions& options, cupti::Collector* collector,
              RecordSink& out, const RunControl& control)
        : m_schedule(stage.planned)
        , m_devices(stage.devices)
        , m_options(options)
        , m_collector(collector)
        , m_out(out)
        , m_control(control)
        , m_calls(*stage.calls)
        , m_pipelines(stage.pipelines)
        , m_events(m_schedule, m_devices)
        , m_interference(m_schedule, m_devices)
        , m_functions(m_schedule, m_calls, m_devices)
        , m_launches(out, m_schedule)
        , m_idle(m_devices)
        , m_gate(static_cast<std::size_t>(m_schedule.threads)) {}

    void run() {
        m_devices.use(0);
        m_loops = calibrated();
        addEnvironment();
        warmUp();
        measure();
        handOverFunctions();
        m_interference.release();
        m_devices.use(0);
        if (const std::uint64_t wrong = m_pipelines.wrongElements())
            m_out.addDefect(DefectCode::DataMismatch, wrong);
        if (m_collector && m_options.solos)
            solos();
    }

private:
    RunParts parts() {
        return {m_schedule, m_devices, m_pipelines, m_calls, m_functions, m_interference,
                m_events,   m_gate,    m_collector, m_loops, m_gridLoops};
    }

    std::int64_t calibrated() {
        if (!m_schedule.kernel.launched)
            return 0;
        if (!m_schedule.grids.empty()) {
            m_control.report(0.1, "calibrating the kernels");
            m_gridLoops = calibrateGrids(m_pipelines, m_gate, m_schedule.grids, m_control);
            return 0;
        }
        if (m_options.calibratedLoops > 0)
            return m_options.calibratedLoops;
        m_control.report(0.1, "calibrating the kernel");
        return calibrateLoops(m_pipelines, m_gate, m_schedule.kernel.duration, m_control);
    }

    void addEnvironment() {
        const DeviceSet& first = m_pipelines.on(0);
        m_out.add(EnvironmentRecord{"calibration.loops", std::to_string(m_loops)});
        m_out.add(EnvironmentRecord{"gate", m_schedule.useGate ? m_gate.method() : "off"});
        m_out.add(EnvironmentRecord{"kernel.blocks", std::to_string(first.kernel().blocks)});
        m_out.add(EnvironmentRecord{"kernel.resident_blocks", std::to_string(first.residentBlocks())});
    }

    void warmUp() {
        m_control.report(0.3, "warming up");
        for (int i = 0; i < m_schedule.warmups; ++i) {
            Issuer issuer(parts(), 0, m_control.stop);
            OpId tag{0}; // the collector learns from warm-up how to attribute calls
            for (const experiment::Op& op : m_schedule.warmup) {
                issuer.issue(op, tag, KernelUse::Unchecked);
                ++tag.value;
            }
            m_devices.synchronize("warm up");
            m_control.throwIfCancelled();
        }
        m_functions.finish(m_control.stop);
        m_pipelines.startAnew();
        if (m_collector)
            m_collector->discard(m_out);
    }

    /// While records are followed, the collector's thread writes to m_out: other output waits until all of
    /// them are there.
    void measure() {
        std::optional<cupti::Collector::Following> following;
        if (m_collector)
            following.emplace(*m_collector, m_launches);
        const Ns steadyBefore = steadyNow() - traceNow();
        const WindowRecord measured = window();
        const Ns clockStep = steadyNow() - traceNow() - steadyBefore;
        m_functions.finish(m_control.stop);
        m_control.throwIfCancelled();
        if (m_collector)
            m_collector->drain(m_launches);
        m_out.add(measured);
        noteEarlyGate();
        noteClockStep(clockStep);
    }

    void handOverFunctions() {
        m_functions.handOver(
            m_out, [this](OpId op) { return m_launches.of(op); },
            [this](StreamAt at) {
                m_devices.use(at.device);
                return m_collector->numbersOf(currentContext(), at.stream); // known calls imply a collector
            });
    }

    WindowRecord window() {
        Window window(parts(), m_control, m_options.fault);
        if (!m_schedule.graph)
            return window.run();
        m_control.report(0.35, "capturing the graph");
        CapturedGraph graph(parts(), m_control.stop);
        return window.run(graph);
    }

    void solos() {
        m_control.report(0.9, "measuring each op alone");
        Issuer issuer(parts(), 0, m_control.stop);
        measureSolos(m_schedule, issuer, m_pipelines, *m_collector, m_out, m_control);
    }

    void noteEarlyGate() {
        if (const std::optional<OpId> op = m_gate.openedEarlyAt())
            m_out.addDefect(DefectCode::GateOpenedEarly, 1, 0, "at op " + std::to_string(op->value));
    }

    void noteClockStep(Ns step) {
        if (step > kClockStep || step < -kClockStep)
            m_out.addDefect(DefectCode::ClockStep, 1, kAllClasses, "by " + std::to_string(step) + " ns");
    }

    const experiment::Schedule& m_schedule;
    const Devices& m_devices;
    const experiment::RunOptions& m_options;
    cupti::Collector* m_collector;
    RecordSink& m_out;
    const RunControl& m_control;
    std::int64_t m_loops = 0;
    std::vector<std::int64_t> m_gridLoops; ///< of recorded work
    Calls& m_calls;
    Pipelines& m_pipelines;
    Events m_events;
    Interference m_interference;
    HostFunctions m_functions;
    LaunchCalls m_launches;
    Idle m_idle; ///< after the gate has opened (below), before buffers and streams go (above)
    Gate m_gate;
};

/// An untraced run has no CUPTI record of them, and neither has a process that was already initialized.
void addDevices(RecordSink& out, const Devices& devices) {
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const DeviceRecord device = deviceRecord(devices.ordinal(static_cast<std::int32_t>(d)));
        out.add(device);
        if (d == 0) {
            out.add(EnvironmentRecord{"device", device.name});
            out.add(EnvironmentRecord{"device_uuid", device.uuid});
        }
    }
}

void addMachine(RecordSink& out, const cupti::Collector* collector) {
    utsname system{};
    uname(&system);
    int runtime = 0;
    check(cudaRuntimeGetVersion(&runtime), "tell its version");
    out.add(EnvironmentRecord{"driver", driverModuleVersion()});
    out.add(EnvironmentRecord{"runtime", cudaVersionText(runtime)});
    out.add(EnvironmentRecord{"cupti", collector ? std::to_string(collector->version()) : "not loaded"});
    if (collector)
        out.add(EnvironmentRecord{std::string(kStreamCallsKey), std::string(kStreamCallsRecorded)});
    out.add(EnvironmentRecord{"platform", std::string(system.sysname) + " " + system.machine});
    out.add(ProvenanceRecord{SourceKind::Cuda, "Overlap Lab", OLAB_VERSION, isoTimeUtc()});
}

} // namespace

void CudaBackend::run(const experiment::Plan& planned, const experiment::RunOptions& options, RecordSink& out,
                      const RunControl& control) {
    m_state->start();
    const Devices devices(planned.firstDevice, planned.devices);
    addDevices(out, devices);
    addMachine(out, m_state->tracer());
    devices.use(0);
    if (options.fault != experiment::Fault::None)
        prepareRehearsal(options.fault);
    if (!options.probe.empty())
        return probes::run(options.probe, out, control);
    if (cupti::Collector* collector = m_state->tracer())
        collector->recordDriverCalls(planned.api == experiment::Api::Driver);
    std::unique_ptr<Stage> stage = m_state->stageFor(planned);
    Execution(*stage, options, m_state->tracer(), out, control).run();
    if (options.keepPrepared)
        m_state->kept = std::move(stage);
}

void CudaBackend::prepare(const experiment::Plan& planned) {
    m_state->start();
    const Devices devices(planned.firstDevice, planned.devices);
    for (std::size_t d = devices.size(); d-- > 0;) { // the first one stays current
        const auto device = static_cast<std::int32_t>(d);
        int mode = cudaComputeModeDefault;
        check(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, devices.ordinal(device)),
              "ask for its compute mode");
        if (mode != cudaComputeModeDefault)
            return; // an idle context would lock out all other processes
        devices.use(device);
        check(cudaFree(nullptr), "make a context");
    }
}

int CudaBackend::deviceCount() {
    return countDevices();
}

} // namespace olab::cuda
