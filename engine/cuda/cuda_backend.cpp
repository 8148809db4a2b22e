#include <olab/cuda/cuda_backend.h>

#include "calibrate.h"
#include "clock.h"
#include "faults.h"
#include "issue.h"
#include "machine.h"
#include "solos.h"

#include <olab/cuda/probe.h>

#include <sys/utsname.h>

#include <optional>

namespace olab {
namespace {

constexpr Ns kClockStep = 20'000; // more than this between the two clocks over a run: one was set

std::string isoTimeUtc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

/// Leaves nothing running: work of a run that failed may still be queued when its buffers are freed.
class Idle {
public:
    ~Idle() { cudaDeviceSynchronize(); }
};

} // namespace

struct CudaBackend::State {
    CudaConfig config;
    std::optional<Collector> collector;

    /// CUPTI must see the context being made, so it comes first; once per process.
    void start() {
        if (config.traced && !collector) {
            countDevices(); // without a driver CUPTI's errors say nothing; CUDA's do
            collector.emplace(CollectorConfig{config.rawCuptiFile});
        }
        check(cudaSetDevice(config.device), "use the device");
    }
    Collector* tracer() { return collector ? &*collector : nullptr; }
};

CudaBackend::CudaBackend(CudaConfig config)
    : m_state(std::make_unique<State>()) {
    m_state->config = std::move(config);
}

CudaBackend::~CudaBackend() = default;

namespace {

/// One execution of a schedule: what lives as long as it does, in the order it must be torn down.
class Execution {
public:
    Execution(const Schedule& schedule, const RunOptions& options, Collector* collector, TraceBuilder& out,
              const RunControl& control)
        : m_schedule(schedule)
        , m_options(options)
        , m_collector(collector)
        , m_out(out)
        , m_control(control)
        , m_pipelines(schedule)
        , m_functions(countFunctions(schedule)) {}

    void run(const DeviceRecord& device) {
        const std::int64_t loops = calibrated();
        addEnvironment(loops, device);
        Issuer issuer(m_pipelines, m_functions, m_gate, m_collector, loops);
        warmUp(issuer);
        const Ns steadyBefore = steadyNow() - traceNow();
        runWindow(issuer);
        noteClockStep(steadyBefore);
        if (m_collector)
            m_collector->drain(m_out);
        m_functions.handOver(m_out);
        if (const std::uint64_t wrong = m_pipelines.wrongElements())
            m_out.addDefect(DefectCode::DataMismatch, wrong);
        if (m_collector && m_options.solos) {
            m_control.report(0.9, "measuring each op alone");
            measureSolos(m_schedule, issuer, m_pipelines, *m_collector, m_out, m_control);
        }
    }

private:
    static std::size_t countFunctions(const Schedule& schedule) {
        std::size_t count = 0;
        for (const Op& op : schedule.ops)
            count += op.kind == OpKind::HostFn;
        return count;
    }

    std::int64_t calibrated() {
        if (!m_schedule.experiment.kernel)
            return 0;
        if (m_options.calibratedLoops > 0)
            return m_options.calibratedLoops;
        m_control.report(0.1, "calibrating the kernel");
        return calibrateLoops(m_pipelines, m_gate, m_schedule.experiment.kernelUs * 1000, m_control);
    }

    void addEnvironment(std::int64_t loops, const DeviceRecord& device) {
        m_out.add(EnvironmentRecord{"calibration.loops", std::to_string(loops)});
        m_out.add(EnvironmentRecord{"device", device.name});
        m_out.add(EnvironmentRecord{"device_uuid", device.uuid});
        m_out.add(EnvironmentRecord{"gate", m_schedule.useGate ? m_gate.method() : "off"});
        m_out.add(EnvironmentRecord{"kernel.blocks", std::to_string(m_pipelines.blocks())});
        m_out.add(EnvironmentRecord{"kernel.resident_blocks", std::to_string(m_pipelines.residentBlocks())});
    }

    void warmUp(Issuer& issuer) {
        m_control.report(0.3, "warming up");
        for (int i = 0; i < m_schedule.experiment.warmup; ++i) {
            for (const Op& op : m_schedule.warmup)
                issuer.issue(op, kNoOp, false);
            check(cudaDeviceSynchronize(), "warm up");
            m_control.throwIfCancelled();
        }
        m_functions.clear();
        m_pipelines.resetErrors();
        if (m_collector)
            m_collector->discard(m_out);
    }

    void holdStreams() {
        m_gate.close();
        for (std::size_t i = 0; i < m_pipelines.size(); ++i)
            m_gate.hold(m_pipelines[i].stream.get());
        if (m_schedule.experiment.nullOp != NullOp::Off &&
            m_schedule.streams[0].flavor != StreamFlavor::Legacy)
            m_gate.hold(cudaStreamLegacy);
    }

    void runWindow(Issuer& issuer) {
        m_control.report(0.4, "running");
        if (m_schedule.useGate)
            holdStreams();
        WindowRecord window;
        window.traced = m_collector != nullptr;
        window.begin = traceNow();
        for (const Op& op : m_schedule.ops) {
            m_control.throwIfCancelled();
            issuer.issue(op, op.id);
        }
        rehearseKernel(m_options.fault, m_pipelines[0].stream.get());
        if (m_schedule.useGate) {
            window.begin = m_gate.open();
            noteEarlyGate();
        }
        check(cudaDeviceSynchronize(), "finish the run");
        window.end = traceNow();
        m_out.add(window);
    }

    void noteEarlyGate() {
        if (const std::optional<OpId> op = m_gate.openedEarlyAt())
            m_out.addDefect(DefectCode::GateOpenedEarly, 1, 0, "at op " + std::to_string(op->value));
    }

    void noteClockStep(Ns before) {
        const Ns step = steadyNow() - traceNow() - before;
        if (step > kClockStep || step < -kClockStep)
            m_out.addDefect(DefectCode::ClockStep, 1, kAllClasses, "by " + std::to_string(step) + " ns");
    }

    const Schedule& m_schedule;
    const RunOptions& m_options;
    Collector* m_collector;
    TraceBuilder& m_out;
    const RunControl& m_control;
    Pipelines m_pipelines;
    HostFunctions m_functions;
    Idle m_idle; ///< after the gate has opened (below), before buffers and streams go (above)
    Gate m_gate;
};

void addMachine(TraceBuilder& out, const Collector* collector) {
    utsname system{};
    uname(&system);
    int runtime = 0;
    check(cudaRuntimeGetVersion(&runtime), "tell its version");
    out.add(EnvironmentRecord{"driver", driverModuleVersion()});
    out.add(EnvironmentRecord{"runtime", cudaVersionText(runtime)});
    out.add(EnvironmentRecord{"cupti", collector ? std::to_string(collector->version()) : "not loaded"});
    out.add(EnvironmentRecord{"platform", std::string(system.sysname) + " " + system.machine});
    out.add(ProvenanceRecord{SourceKind::Cuda, "Overlap Lab", OLAB_VERSION, isoTimeUtc()});
}

} // namespace

void CudaBackend::run(const Schedule& schedule, const RunOptions& options, TraceBuilder& out,
                      const RunControl& control) {
    m_state->start();
    const DeviceRecord device = deviceRecord(m_state->config.device);
    out.add(device); // an untraced run has no CUPTI record of it, and a process already initialised gets none
    addMachine(out, m_state->tracer());
    if (options.fault != Fault::None)
        prepareRehearsal(options.fault);
    Execution(schedule, options, m_state->tracer(), out, control).run(device);
}

} // namespace olab
