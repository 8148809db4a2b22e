#include "recorder.h"

#include <string>

namespace olab::sim {
namespace {

constexpr std::uint32_t kDevice = 0, kContext = 1;
constexpr std::uint32_t kHostThread = 1000, kCallbackThread = 1001;
constexpr std::size_t kCheckEvery = 4096; ///< ops between two looks at the stop token

const char* apiName(OpKind kind) {
    switch (kind) {
    case OpKind::CopyH2D:
    case OpKind::CopyD2H:
        return "cudaMemcpyAsync";
    case OpKind::Memset:
    case OpKind::NullMemset:
        return "cudaMemsetAsync";
    case OpKind::Kernel:
    case OpKind::NullKernel:
        return "cudaLaunchKernel";
    case OpKind::HostFn:
        return "cudaLaunchHostFunc";
    case OpKind::NullEvent:
        return "cudaEventRecord";
    default:
        return "";
    }
}

class Recorder {
public:
    Recorder(const Program& program, TraceBuilder& out)
        : m_program(program)
        , m_out(out) {}

    void op(std::uint32_t index) {
        const SimOp& op = m_program.ops[index];
        m_op = OpId{index};
        m_correlation = index + 1;
        m_out.add(CorrelationRecord{m_correlation, m_op});
        if (op.kind == OpKind::HostSync)
            return sync(op);
        api(apiName(op.kind), op.apiBegin, op.apiEnd);
        if (op.kind == OpKind::HostFn)
            hostFn(op);
        else if (const auto cls = classOf(op.kind))
            device(op, *cls);
    }

private:
    ActivityRecord host(ActivityClass cls, const char* name, Ns begin, Ns end) const {
        ActivityRecord r;
        r.cls = cls;
        r.begin = begin;
        r.end = end;
        r.thread = kHostThread;
        r.correlation = m_correlation;
        r.name = name;
        return r;
    }

    void api(const char* name, Ns begin, Ns end) { m_out.add(host(ActivityClass::Api, name, begin, end)); }

    void sync(const SimOp& op) {
        api("cudaDeviceSynchronize", op.apiBegin, op.apiEnd);
        ActivityRecord r = host(ActivityClass::Sync, "cudaDeviceSynchronize", op.apiBegin, op.apiEnd);
        r.context = kContext;
        m_out.add(r);
    }

    void hostFn(const SimOp& op) {
        ActivityRecord r = host(ActivityClass::HostFn, "", op.begin, op.end);
        r.thread = kCallbackThread;
        r.op = m_op; // stamped by the function itself, which knows its op
        m_out.add(r);
    }

    void device(const SimOp& op, ActivityClass cls) {
        ActivityRecord r;
        r.cls = cls;
        r.begin = op.begin;
        r.end = op.end;
        r.bytes = op.bytes;
        r.device = kDevice;
        r.context = kContext;
        r.stream = m_program.streams[op.stream].number;
        r.channel = op.channel;
        r.channelType = isCopy(op.kind) ? ChannelType::AsyncCopy : ChannelType::Compute;
        r.correlation = m_correlation;
        r.flags = kFlagAsync;
        if (isKernel(op.kind))
            describeKernel(op, r);
        else
            describeMemory(op, r);
        m_out.add(r);
    }

    void describeKernel(const SimOp& op, ActivityRecord& r) const {
        const bool null = op.kind == OpKind::NullKernel;
        const Grid& grid = null ? m_program.nullKernel : m_program.kernel;
        r.flags = 0;
        r.name = null ? "olab_null_kernel" : grid.memoryBound ? "olab_stream_kernel" : "olab_fma_kernel";
        r.geometry = KernelGeometry{.grid = {grid.blocks, 1, 1}, .block = {grid.threads, 1, 1}};
    }

    static void describeMemory(const SimOp& op, ActivityRecord& r) {
        const MemoryKind host = op.pageable ? MemoryKind::Pageable : MemoryKind::Pinned;
        r.target = op.kind == OpKind::CopyD2H ? host : MemoryKind::Device;
        if (isCopy(op.kind))
            r.source = op.kind == OpKind::CopyH2D ? host : MemoryKind::Device;
    }

    const Program& m_program;
    TraceBuilder& m_out;
    OpId m_op = kNoOp;
    std::uint32_t m_correlation = 0;
};

DeviceRecord deviceRecord(const DeviceModel& model) {
    DeviceRecord r;
    r.device = kDevice;
    // Whoever reads only the name must still see that this is no measurement.
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

void recordSurroundings(const DeviceModel& model, const Program& program, const Experiment& experiment,
                        RecordSink& out) {
    const DeviceRecord device = deviceRecord(model);
    out.add(ProvenanceRecord{SourceKind::Simulated, "Overlap Lab simulator", OLAB_VERSION, ""});
    out.add(EnvironmentRecord{"platform", "simulator"});
    out.add(EnvironmentRecord{"device", device.name});
    out.add(EnvironmentRecord{"calibration.loops",
                              "0"}); // a simulated kernel has its duration, and no loop to count
    out.add(EnvironmentRecord{"seed", std::to_string(experiment.seed)});
    // How far to trust it goes wherever the trace goes: into the file, the report and the window.
    out.add(EnvironmentRecord{"simulator.report", simulatorToJson(model, experiment)});
    out.add(EnvironmentRecord{"simulator.trust",
                              trustIn(model.checked ? &*model.checked : nullptr, experiment).text});
    out.add(device);
    out.add(ContextRecord{kContext, kDevice, kNullStreamNumber});
    for (const SimStream& s : program.streams)
        out.add(StreamRecord{kContext, s.number, s.kind, 0});
}

void recordWindow(const Program& program, const Outcome& outcome, TraceBuilder& out,
                  const RunControl& control) {
    Recorder recorder(program, out);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (i % kCheckEvery == 0)
            control.throwIfCancelled();
        recorder.op(static_cast<std::uint32_t>(i));
    }
    out.add(WindowRecord{outcome.windowBegin, outcome.windowEnd, true});
    if (outcome.gateOpenedAtOp != kNone)
        out.addDefect(DefectCode::GateOpenedEarly, 1, 0, "at op " + std::to_string(outcome.gateOpenedAtOp));
}

} // namespace olab::sim
