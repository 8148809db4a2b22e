#include "recorder.h"

#include "program.h"
#include "race_check.h"

#include <olab/experiment/held_experiment.h>

#include <array>
#include <string>

namespace olab::sim {
namespace {

/// The names that a real run would have in its records.
struct Names {
    const char *runtime, *driver;
    const char* of(experiment::Api api) const { return api == experiment::Api::Driver ? driver : runtime; }
};

constexpr Names kEventRecord{"cudaEventRecord", "cuEventRecord"};

/// In the order of OpKind (a slice of a constant array is addressed directly); empty if the kind alone does
/// not decide.
constexpr std::array<Names, experiment::kOpKinds> kCalls{{
    {"cudaMemcpyAsync", "cuMemcpyHtoDAsync"},
    {"cudaMemsetAsync", "cuMemsetD8Async"},
    {"cudaLaunchKernel", "cuLaunchKernel"},
    {"cudaMemcpyAsync", "cuMemcpyDtoHAsync"},
    {"", ""}, // HostFn
    {"cudaMemsetAsync", "cuMemsetD8Async"},
    {"cudaLaunchKernel", "cuLaunchKernel"},
    kEventRecord,
    {"cudaLaunchKernel", "cuLaunchKernel"},
    {"cudaMemcpyAsync", "cuMemcpyDtoDAsync"},
    {"cudaMemcpyPeerAsync", "cuMemcpyPeerAsync"},
    kEventRecord,
    {"cudaStreamWaitEvent", "cuStreamWaitEvent"},
    {"", ""}, // HostSync
    {"", ""}, // InterfereCall
    {"cudaMemset", "cudaMemset"},
    {"cudaMemcpy", "cudaMemcpy"},
    {"cudaLaunchKernel", "cuLaunchKernel"},
    {"", ""}, // HostWork
}};

/// In the order of CallbackMethod.
constexpr std::array<Names, 4> kCallbacks{{
    {"cudaLaunchHostFunc", "cuLaunchHostFunc"},
    {"cudaStreamAddCallback", "cuStreamAddCallback"},
    kEventRecord,
    kEventRecord,
}};

/// In the order of SyncMode.
constexpr std::array<Names, 4> kWaits{{
    {"cudaDeviceSynchronize", "cuCtxSynchronize"},
    {"cudaStreamSynchronize", "cuStreamSynchronize"},
    {"cudaEventSynchronize", "cuEventSynchronize"},
    {"cudaEventQuery", "cuEventQuery"},
}};

/// In the order of Interfere: the calls of the runtime, whatever API the ops use.
constexpr std::array<const char*, 12> kInterfering{"",
                                                   "cudaGetLastError",
                                                   "cudaStreamQuery",
                                                   "cudaMalloc",
                                                   "cudaFree",
                                                   "cudaMallocHost",
                                                   "cudaFreeHost",
                                                   "cudaHostRegister",
                                                   "cudaMallocAsync",
                                                   "cudaMemset",
                                                   "cudaMemcpy",
                                                   "cudaLaunchKernel"};

/// Of the call that issues `op`; for a planned wait, of the waiting call.
const char* callName(const Program& program, const SimOp& op) {
    switch (op.kind) {
    case experiment::OpKind::HostFn:
        return kCallbacks[static_cast<std::size_t>(op.callback)].of(program.api);
    case experiment::OpKind::HostSync:
        return kWaits[static_cast<std::size_t>(op.sync)].of(program.api);
    case experiment::OpKind::InterfereCall:
        return kInterfering[static_cast<std::size_t>(program.interfere)];
    default:
        return kCalls[static_cast<std::size_t>(op.kind)].of(program.api);
    }
}

/// Of the call that records an event; kernel launches and waits have their own.
const char* eventRecordName(experiment::Api api) {
    return kEventRecord.of(api);
}

const char* graphLaunchName(experiment::Api api) {
    return Names{"cudaGraphLaunch", "cuGraphLaunch"}.of(api);
}

/// Of the synchronization record of a planned wait; null if there is none.
const char* syncName(experiment::SyncMode mode) {
    constexpr std::array<const char*, 4> kNames{"context synchronize", "stream synchronize",
                                                "event synchronize", nullptr};
    return kNames[static_cast<std::size_t>(mode)];
}

const char* kernelName(const Program& program, experiment::OpKind kind) {
    switch (kind) {
    case experiment::OpKind::Kernel:
        return program.kernel.memoryBound ? "olab_stream_kernel" : "olab_fma_kernel";
    case experiment::OpKind::FillKernel:
        return "olab_fill_kernel";
    case experiment::OpKind::InterfereKernel:
        return "olab_first_kernel";
    default:
        return "olab_null_kernel";
    }
}

constexpr std::uint32_t kFirstContext = 1;
constexpr std::uint32_t kHostThread = 1000, kCallbackThread = 1500, kWatchThread = 1600;
constexpr std::size_t kCheckEvery = 4096; ///< ops between two checks of the stop token

class Recorder {
public:
    Recorder(const Program& program, RecordSink& out)
        : m_program(program)
        , m_out(out)
        , m_recordings(program.events) {}

    void op(std::uint32_t index) {
        const SimOp& op = m_program.ops[index];
        if (op.kind == experiment::OpKind::HostWork)
            return; // not a CUDA call
        m_op = OpId{index};
        m_correlation = index + 1;
        if (m_program.graph && op.kind != experiment::OpKind::HostSync)
            m_correlation = graphCorrelation(); // the launch's; the record contains the node
        else
            call(op);
        if (op.kind == experiment::OpKind::HostFn)
            hostFn(op);
        else if (const auto cls = experiment::classOf(op.kind))
            device(op, *cls);
    }

    /// One call for all nodes.
    void launch() {
        m_correlation = graphCorrelation();
        api(graphLaunchName(m_program.api), m_program.launchBegin, m_program.launchEnd, 0);
    }

private:
    /// After those of the ops, and of the second calls that some waits make.
    std::uint32_t graphCorrelation() const {
        return 2 * static_cast<std::uint32_t>(m_program.ops.size()) + 1;
    }

    void call(const SimOp& op) {
        m_out.add(CorrelationRecord{m_correlation, m_op});
        if (op.kind == experiment::OpKind::HostSync)
            return wait(op);
        api(callName(m_program, op), op.apiBegin, op.apiEnd, op.thread);
        onStream(op);
    }

    // --- what calls do to streams

    void put(StreamCallKind kind, const SimOp& op, std::uint32_t event = kNoNumber,
             std::uint64_t recording = 0) {
        const bool one = op.stream != kNone && kind != StreamCallKind::EventSync;
        m_out.add(StreamCallRecord{kind, m_correlation, kFirstContext + op.device,
                                   one ? m_program.streams[op.stream].number : kNoNumber, event, recording});
    }

    void onStream(const SimOp& op) {
        switch (op.kind) {
        case experiment::OpKind::EventRecord:
            m_recordings[op.event] = m_op.value + 1;
            return put(StreamCallKind::EventRecord, op, op.event, m_op.value + 1);
        case experiment::OpKind::NullEvent:
            return put(StreamCallKind::EventRecord, op, nullEvent(op), m_op.value + 1);
        case experiment::OpKind::EventWait: // the simulator removed the event if it was not yet recorded
            return put(StreamCallKind::StreamWait, op, op.event,
                       op.event == kNone ? 0 : m_recordings[op.event]);
        case experiment::OpKind::HostFn:
            if (experiment::watchesEvent(op.callback))
                put(StreamCallKind::EventRecord, op, watchedEvent(), m_op.value + 1);
            else
                put(StreamCallKind::HostFunction, op);
            return;
        default:
            return;
        }
    }

    // Events other than those of the plan, by number: of each device's NULL stream, of each thread's waits on
    // each device, of each watched host function.
    std::uint32_t nullEvent(const SimOp& op) const { return m_program.events + op.device; }
    std::uint32_t waitEvent(const SimOp& op) const {
        return m_program.events + (1u + op.thread) * m_program.devices + op.device;
    }
    std::uint32_t watchedEvent() const {
        return m_program.events + (1 + m_program.threads) * m_program.devices + m_op.value;
    }

    /// A wait for an event takes two calls: one records it.
    void wait(const SimOp& op) {
        if (op.issued > op.apiBegin) {
            api(eventRecordName(m_program.api), op.apiBegin, op.issued, op.thread);
            put(StreamCallKind::EventRecord, op, waitEvent(op), m_op.value + 1);
            m_correlation += static_cast<std::uint32_t>(m_program.ops.size());
            m_out.add(CorrelationRecord{m_correlation, m_op});
        }
        api(callName(m_program, op), op.issued, op.apiEnd, op.thread);
        const char* name = syncName(op.sync);
        if (!name)
            return;
        ActivityRecord r = host(ActivityClass::Sync, name, op.issued, op.apiEnd, op.thread);
        r.context = kFirstContext + op.device;
        m_out.add(r);
        if (op.sync == experiment::SyncMode::Event)
            put(StreamCallKind::EventSync, op, waitEvent(op), m_op.value + 1);
        else
            put(op.stream == kNone ? StreamCallKind::DeviceSync : StreamCallKind::StreamSync, op);
    }

    ActivityRecord host(ActivityClass cls, const char* name, Ns begin, Ns end, std::uint32_t thread) const {
        ActivityRecord r;
        r.cls = cls;
        r.begin = begin;
        r.end = end;
        r.thread = kHostThread + thread;
        r.correlation = m_correlation;
        r.name = m_out.intern(name);
        return r;
    }

    void api(const char* name, Ns begin, Ns end, std::uint32_t thread) {
        m_out.add(host(ActivityClass::Api, name, begin, end, thread));
    }

    void hostFn(const SimOp& op) {
        ActivityRecord r = host(ActivityClass::HostFn, "", op.begin, op.end, 0);
        r.thread = experiment::watchesEvent(op.callback) ? kWatchThread : kCallbackThread + op.device;
        r.op = m_op; // written by the function itself, which knows its op
        m_out.add(r);
    }

    void device(const SimOp& op, ActivityClass cls) {
        ActivityRecord r;
        r.cls = cls;
        r.begin = op.begin;
        r.end = op.end;
        r.bytes = op.bytes;
        r.device = m_program.firstDevice + op.device;
        r.context = kFirstContext + op.device;
        r.stream = m_program.streams[op.stream].number;
        r.channel = op.channel;
        r.channelType = isCopyUnit(op.unit) ? ChannelType::AsyncCopy : ChannelType::Compute;
        r.correlation = m_correlation;
        if (m_program.graph)
            r.op = m_op;
        if (isKernel(op.kind))
            describeKernel(op, r);
        else
            describeMemory(op, r);
        m_out.add(r);
    }

    void describeKernel(const SimOp& op, ActivityRecord& r) const {
        const Grid& grid = m_program.gridOf(op);
        r.name = m_out.intern(kernelName(m_program, op.kind));
        r.geometry = KernelGeometry{
            .grid = {grid.blocks, 1, 1}, .block = {grid.threads, 1, 1}, .dynamicShared = grid.shared};
    }

    void describeMemory(const SimOp& op, ActivityRecord& r) const {
        const bool synchronous =
            op.kind == experiment::OpKind::InterfereMemset || op.kind == experiment::OpKind::InterfereCopy;
        const MemoryKind host = op.pageable ? MemoryKind::Pageable : MemoryKind::Pinned;
        r.flags = synchronous ? 0 : kFlagAsync;
        r.target = op.kind == experiment::OpKind::CopyD2H   ? host
                   : op.kind == experiment::OpKind::CopyH2D ? m_program.h2dTarget
                                                            : MemoryKind::Device;
        if (!isMemset(op.kind))
            r.source = op.kind == experiment::OpKind::CopyH2D ? host : MemoryKind::Device;
    }

    const Program& m_program;
    RecordSink& m_out;
    OpId m_op = kNoOp;
    std::uint32_t m_correlation = 0;
    std::vector<std::uint64_t> m_recordings; ///< of each planned event the last one
};

DeviceRecord deviceRecord(const DeviceModel& model, std::uint32_t number) {
    DeviceRecord r;
    r.device = number;
    // The name alone must show that this is not a measurement.
    r.name = model.name.find("simulated") == std::string::npos ? model.name + " (simulated)" : model.name;
    r.smCount = model.smCount;
    r.copyEngines = model.copyEngines;
    r.maxThreadsPerSm = model.maxThreadsPerSm;
    r.maxBlocksPerSm = model.maxBlocksPerSm;
    r.registersPerSm = model.registersPerSm;
    r.sharedPerSm = model.sharedPerSm;
    r.memoryBytes = model.memoryBytes;
    r.computeMajor = model.computeMajor;
    r.computeMinor = model.computeMinor;
    return r;
}

} // namespace

void recordSurroundings(const DeviceModel& model, const Program& program,
                        const experiment::Experiment& experiment, RecordSink& out) {
    const std::uint32_t first = program.firstDevice;
    const DeviceRecord device = deviceRecord(model, first);
    out.add(ProvenanceRecord{SourceKind::Simulated, "Overlap Lab simulator", OLAB_VERSION, ""});
    out.add(EnvironmentRecord{"platform", "simulator"});
    out.add(EnvironmentRecord{std::string(kStreamCallsKey), std::string(kStreamCallsRecorded)});
    out.add(EnvironmentRecord{"device", device.name});
    out.add(EnvironmentRecord{"calibration.loops", "0"}); // a simulated kernel has a duration, but no loop
    out.add(EnvironmentRecord{"seed", std::to_string(experiment::optionNumber(experiment, "seed"))});
    // The statement how far to trust it travels with the trace: into the file, the report and the window.
    out.add(EnvironmentRecord{"simulator.report", simulatorToJson(model, experiment)});
    out.add(EnvironmentRecord{"simulator.trust",
                              trustIn(model.checked ? &*model.checked : nullptr, experiment).text});
    if (program.submission != experiment::Submission::Linux)
        out.add(
            EnvironmentRecord{"simulator.submission", experiment::optionText(experiment, "sim.submission")});
    for (std::uint32_t i = 0; i < program.devices; ++i) {
        out.add(deviceRecord(model, first + i));
        out.add(ContextRecord{kFirstContext + i, first + i, kNullStreamNumber});
    }
    for (const SimStream& s : program.streams)
        out.add(StreamRecord{kFirstContext + s.device, s.number, s.kind, s.priority});
}

void recordWindow(const experiment::Schedule& schedule, const Program& program, const Outcome& outcome,
                  RecordSink& out, const RunControl& control) {
    Recorder recorder(program, out);
    if (program.graph)
        recorder.launch();
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (i % kCheckEvery == 0)
            control.throwIfCancelled();
        recorder.op(static_cast<std::uint32_t>(i));
    }
    out.add(WindowRecord{outcome.windowBegin, outcome.windowEnd, true});
    if (outcome.gateOpenedAtOp != kNone)
        out.addDefect(DefectCode::GateOpenedEarly, 1, 0, "at op " + std::to_string(outcome.gateOpenedAtOp));
    if (const std::uint64_t races = racesIn(schedule, program); races > 0)
        out.addDefect(DefectCode::DataMismatch, races, kAllClasses, "ops that met another's data");
}

} // namespace olab::sim
