#include <olab/experiment/plan.h>

#include "op_list.h"
#include "plan_parts.h"

#include <algorithm>
#include <array>

namespace olab::experiment {
namespace {

struct BetweenRow {
    OpKind kind{};
    std::int64_t bytes = 0;
};

std::optional<BetweenRow> nullOpOf(NullOp op) {
    constexpr std::array<BetweenRow, 3> kRows{{
        {OpKind::NullMemset, kNullMemsetBytes},
        {OpKind::NullKernel, 0},
        {OpKind::NullEvent, 0},
    }};
    if (op == NullOp::Off)
        return std::nullopt;
    return kRows[static_cast<std::size_t>(op) - 1];
}

BetweenRow interferenceOf(Interfere interfere) {
    switch (interfere) {
    case Interfere::MemsetSync:
        return {OpKind::InterfereMemset, kInterfereBytes};
    case Interfere::D2d:
        return {OpKind::InterfereCopy, kInterfereBytes};
    case Interfere::FirstLaunch:
        return {OpKind::InterfereKernel, 0};
    default:
        return {OpKind::InterfereCall, 0};
    }
}

OpKind memsetKind(MemsetMethod method) {
    constexpr std::array<OpKind, 3> kKindOf{OpKind::Memset, OpKind::FillKernel, OpKind::FillCopy};
    return kKindOf[static_cast<std::size_t>(method)];
}

struct WindowCount {
    std::int64_t ops = 0;           ///< without first launches of kernels
    std::int64_t firstLaunches = 0; ///< even if there are fewer kernels
};

class Planner {
public:
    Planner(const Experiment& experiment, int devices, detail::Ops ops = detail::Ops::Keep)
        : m_experiment(experiment)
        , m_devices(devices)
        , m_nullOp(nullOpOf(experiment.nullOp))
        , m_byPass(detail::issuesByPass(experiment))
        , m_perStream(experiment.issueThreads == IssueThreads::PerStream)
        , m_ops(experiment, m_schedule, ops) {}

    Schedule make() {
        m_schedule.devices = m_devices;
        planStreams();
        m_schedule.threads = m_perStream ? pipelines() : 1;
        m_schedule.ops.reserve(static_cast<std::size_t>(detail::plannedOps(m_experiment, m_devices)));
        planWindow();
        planWarmup();
        countExpected();
        planBuffers();
        planGate();
        m_schedule.kernel = detail::planKernel(m_experiment);
        detail::planSettings(m_experiment, m_schedule);
        return std::move(m_schedule);
    }

    WindowCount count() {
        planWindow();
        return {m_ops.made() - std::min(m_firstLaunches, kFirstLaunchKernels), m_firstLaunches};
    }

private:
    using Stage = void (Planner::*)(std::int32_t pipeline, std::int32_t iteration);

    std::int32_t pipelines() const { return m_experiment.streams * m_devices; }
    std::int32_t deviceOf(std::int32_t pipeline) const { return pipeline / m_experiment.streams; }
    /// The `offset`-th stream after this one, cycling through the streams of the same device.
    std::int32_t neighbour(std::int32_t pipeline, std::int32_t offset) const {
        const std::int32_t first = deviceOf(pipeline) * m_experiment.streams;
        return first + (pipeline - first + offset + m_experiment.streams) % m_experiment.streams;
    }
    enum class Role : std::uint8_t { CopyIn, Compute, CopyOut };
    /// The stream of a pipeline's work: its own, or that of the role. In order of Role, on one device.
    std::int32_t streamFor(Role role, std::int32_t pipeline) const {
        return hasRoles(m_experiment) ? static_cast<std::int32_t>(role) : pipeline;
    }
    std::int32_t lastStream(std::int32_t pipeline) const {
        return streamFor(detail::copiesOut(m_experiment) ? Role::CopyOut : Role::Compute, pipeline);
    }
    std::int32_t kernelStream(std::int32_t pipeline) const {
        switch (m_experiment.kernelStream) {
        case KernelStream::Null:
            return kNullStream;
        case KernelStream::Other:
            return neighbour(pipeline, 1);
        case KernelStream::Own:
            break;
        }
        return streamFor(Role::Compute, pipeline);
    }

    void planStreams() {
        const bool legacy = m_experiment.streamKind == PlannedStreamKind::Legacy;
        const PlannedStreamKind kind = legacy ? PlannedStreamKind::Blocking : m_experiment.streamKind;
        const std::int32_t each = streamsOf(m_experiment);
        for (std::int32_t i = 0; i < each * m_devices; ++i) {
            const bool first = i % each == 0; // each device has only one NULL stream
            m_schedule.streams.push_back(
                {legacy && first ? PlannedStreamKind::Legacy : kind, i / each, priorityOf(i % each)});
        }
    }

    std::uint32_t priorityOf(std::int32_t stream) const {
        switch (m_experiment.streamPriority) {
        case StreamPriority::Descending:
            return static_cast<std::uint32_t>(stream);
        case StreamPriority::FirstHigh:
            return stream == 0 ? 0 : kNoNumber;
        case StreamPriority::Equal:
            break;
        }
        return kNoNumber;
    }

    void planWindow() {
        m_passesLeft = detail::passCount(m_experiment) * (m_byPass ? m_devices : 1);
        m_lastPassDone.assign(static_cast<std::size_t>(pipelines()), kNoOp);
        m_freed.assign(static_cast<std::size_t>(pipelines()), {});
        for (std::int32_t iteration = 0; iteration < m_experiment.iterations; ++iteration) {
            planIteration(iteration);
            if (m_experiment.syncEvery == SyncEvery::Iteration && !m_perStream)
                syncAll(iteration);
        }
        if (m_experiment.syncEvery != SyncEvery::Iteration)
            finalSync();
        m_ops.closeUnit();
    }

    /// Has an op of every kind, so that no kernel is first loaded in the window.
    void planWarmup() {
        if (m_experiment.warmup == 0)
            return;
        m_ops.beginWarmup();
        m_warmup = true;
        m_passesLeft = 0;
        planIteration(0);
        pushNullOps(0, 0, m_devices);
    }

    void planGate() {
        m_schedule.useGate = m_experiment.gate;
        if (!m_experiment.gate)
            return;
        if (m_experiment.issue == IssueMode::OnCallback)
            m_schedule.gateOffReason = "issue=on-callback issues while the device works";
        else if (m_experiment.syncEvery != SyncEvery::End || m_experiment.syncAt != SyncAt::End)
            m_schedule.gateOffReason = "the host waits for the device while it issues";
        m_schedule.useGate = m_schedule.gateOffReason.empty();
    }

    void planBuffers() {
        m_schedule.buffers = detail::planBuffers(m_experiment, m_devices);
        m_schedule.deviceBytes = m_schedule.buffers.bytesIn(BufferPlace::Device);
        m_schedule.hostBytes = m_schedule.buffers.bytesIn(BufferPlace::Host);
    }

    void planIteration(std::int32_t iteration) {
        if (m_byPass)
            for (std::int32_t pipeline = 0; pipeline < pipelines(); ++pipeline)
                planPass(pipeline, iteration);
        else
            planRound(iteration);
    }

    void planPass(std::int32_t pipeline, std::int32_t iteration) {
        const bool onCallback = m_experiment.issue == IssueMode::OnCallback;
        m_ops.openUnit(m_perStream ? pipeline : 0,
                       onCallback && !m_warmup ? m_lastPassDone[static_cast<std::size_t>(pipeline)] : kNoOp);
        for (const Stage stage : kStages)
            (this->*stage)(pipeline, iteration);
        endPass(pipeline, iteration, deviceOf(pipeline), deviceOf(pipeline) + 1);
        if (m_perStream && m_experiment.syncEvery == SyncEvery::Iteration)
            sync(m_experiment.sync == SyncMode::Device ? kAllStreams : pipeline, pipeline, iteration);
    }

    void planRound(std::int32_t iteration) {
        m_ops.openUnit(0, kNoOp);
        for (const Stage stage : kStages)
            for (std::int32_t pipeline = 0; pipeline < pipelines(); ++pipeline)
                (this->*stage)(pipeline, iteration);
        endPass(0, iteration, 0, m_devices);
    }

    /// An op between passes: not after the last, where it would block nothing.
    void endPass(std::int32_t pipeline, std::int32_t iteration, std::int32_t firstDevice,
                 std::int32_t lastDevice) {
        if (--m_passesLeft <= 0)
            return;
        pushNullOps(iteration, firstDevice, lastDevice);
        if (m_experiment.interfere != Interfere::None && !m_warmup)
            interfere(pipeline, iteration);
    }

    void pushNullOps(std::int32_t iteration, std::int32_t firstDevice, std::int32_t lastDevice) {
        for (std::int32_t device = firstDevice; m_nullOp && device < lastDevice; ++device)
            m_ops.push({.kind = m_nullOp->kind,
                        .pipeline = kNullStream,
                        .iteration = iteration,
                        .bytes = m_nullOp->bytes,
                        .stream = kNullStream,
                        .device = device});
    }

    void interfere(std::int32_t pipeline, std::int32_t iteration) {
        const BetweenRow row = interferenceOf(m_experiment.interfere);
        if (row.kind == OpKind::InterfereKernel && m_firstLaunches++ >= kFirstLaunchKernels)
            return; // all kernels were already launched
        const bool onNull = row.kind == OpKind::InterfereMemset || row.kind == OpKind::InterfereCopy;
        m_ops.push({.kind = row.kind,
                    .pipeline = pipeline,
                    .iteration = iteration,
                    .bytes = row.bytes,
                    .stream = onNull ? kNullStream : streamFor(Role::Compute, pipeline),
                    .device = deviceOf(pipeline)});
    }

    // The stages of a pass, in step order.
    void chainWait(std::int32_t pipeline, std::int32_t iteration) {
        if (m_experiment.deps != Deps::EventChain || m_warmup || iteration == 0)
            return;
        pushEvent(OpKind::EventWait, chainEvent(neighbour(pipeline, -1), iteration - 1), pipeline, pipeline,
                  iteration);
    }
    void h2d(std::int32_t pipeline, std::int32_t iteration) {
        if (!detail::copiesIn(m_experiment))
            return;
        const std::int32_t stream = streamFor(Role::CopyIn, pipeline);
        waitUntilFree(freed(pipeline).input, stream, pipeline, iteration);
        pushStep(OpKind::CopyH2D, pipeline, iteration,
                 h2dBytesOf(m_experiment, pipeline % m_experiment.streams), stream);
    }
    void memset(std::int32_t pipeline, std::int32_t iteration) {
        if (m_experiment.memset)
            pushStep(memsetKind(m_experiment.memsetMethod), pipeline, iteration, m_experiment.memsetBytes,
                     streamFor(Role::Compute, pipeline));
    }
    void beforeKernel(std::int32_t pipeline, std::int32_t iteration) {
        if (m_warmup)
            return;
        if (hasRoles(m_experiment)) {
            if (detail::copiesIn(m_experiment))
                orderBehind(streamFor(Role::CopyIn, pipeline), kernelStream(pipeline), pipeline, iteration);
            return waitUntilFree(freed(pipeline).output, kernelStream(pipeline), pipeline, iteration);
        }
        if (m_experiment.deps != Deps::CopyToKernel && m_experiment.deps != Deps::SameStream)
            return;
        const bool same = m_experiment.deps == Deps::SameStream;
        orderBehind(pipeline, same ? pipeline : kernelStream(pipeline), pipeline, iteration);
    }
    void kernel(std::int32_t pipeline, std::int32_t iteration) {
        if (m_experiment.kernel)
            pushStep(OpKind::Kernel, pipeline, iteration, 0, kernelStream(pipeline));
    }
    void afterKernel(std::int32_t pipeline, std::int32_t iteration) {
        if (m_warmup)
            return;
        const std::int32_t stream = kernelStream(pipeline);
        if (m_experiment.deps == Deps::CopyToKernel)
            orderBehind(stream, pipeline, pipeline, iteration);
        if (hasRoles(m_experiment) && detail::copiesOut(m_experiment))
            freed(pipeline).input =
                orderBehind(stream, streamFor(Role::CopyOut, pipeline), pipeline, iteration);
        else if (saysFree())
            freed(pipeline).input = record(stream, pipeline, iteration);
    }
    void peer(std::int32_t pipeline, std::int32_t iteration) {
        if (m_experiment.p2p)
            pushStep(OpKind::PeerCopy, pipeline, iteration, m_experiment.d2hBytes, lastStream(pipeline));
    }
    void d2h(std::int32_t pipeline, std::int32_t iteration) {
        if (!detail::copiesOut(m_experiment))
            return;
        const std::int32_t stream = streamFor(Role::CopyOut, pipeline);
        if (m_experiment.syncAt == SyncAt::BeforeD2h && !m_warmup)
            sync(m_experiment.sync == SyncMode::Device ? kAllStreams : stream, pipeline, iteration);
        pushStep(OpKind::CopyD2H, pipeline, iteration, m_experiment.d2hBytes, stream);
        if (saysFree())
            freed(pipeline).output = record(stream, pipeline, iteration);
    }
    void callback(std::int32_t pipeline, std::int32_t iteration) {
        if (!m_experiment.callback)
            return;
        if (!m_warmup)
            m_lastPassDone[static_cast<std::size_t>(pipeline)] = m_ops.nextId();
        pushStep(OpKind::HostFn, pipeline, iteration, 0, lastStream(pipeline));
    }
    void chainRecord(std::int32_t pipeline, std::int32_t iteration) {
        if (m_experiment.deps == Deps::EventChain && !m_warmup)
            pushEvent(OpKind::EventRecord, chainEvent(pipeline, iteration), pipeline, pipeline, iteration);
    }
    static constexpr std::array<Stage, 10> kStages{
        &Planner::chainWait, &Planner::h2d,         &Planner::memset, &Planner::beforeKernel,
        &Planner::kernel,    &Planner::afterKernel, &Planner::peer,   &Planner::d2h,
        &Planner::callback,  &Planner::chainRecord};

    std::uint32_t chainEvent(std::int32_t pipeline, std::int32_t iteration) {
        const auto event = static_cast<std::uint32_t>(iteration * pipelines() + pipeline);
        m_schedule.events = std::max(m_schedule.events, event + 1);
        return event;
    }

    /// The event after what is in `stream` so far.
    std::uint32_t record(std::int32_t stream, std::int32_t pipeline, std::int32_t iteration) {
        const std::uint32_t event = m_schedule.events++;
        pushEvent(OpKind::EventRecord, event, stream, pipeline, iteration);
        return event;
    }

    /// Later work in `waiting` waits for what is in `recorded` so far, by the event returned.
    std::uint32_t orderBehind(std::int32_t recorded, std::int32_t waiting, std::int32_t pipeline,
                              std::int32_t iteration) {
        const std::uint32_t event = record(recorded, pipeline, iteration);
        pushEvent(OpKind::EventWait, event, waiting, pipeline, iteration);
        return event;
    }

    /// With stream.roles, the events after the last reader of a pipeline's buffers; kNoNumber: none yet.
    struct Freed {
        std::uint32_t input = kNoNumber, output = kNoNumber;
    };
    bool saysFree() const { return m_experiment.streamRoles == StreamRoles::On && !m_warmup; }
    Freed& freed(std::int32_t pipeline) { return m_freed[static_cast<std::size_t>(pipeline)]; }
    void waitUntilFree(std::uint32_t event, std::int32_t stream, std::int32_t pipeline,
                       std::int32_t iteration) {
        if (event != kNoNumber && saysFree())
            pushEvent(OpKind::EventWait, event, stream, pipeline, iteration);
    }

    void pushEvent(OpKind kind, std::uint32_t event, std::int32_t stream, std::int32_t pipeline,
                   std::int32_t iteration) {
        m_ops.push({.kind = kind,
                    .pipeline = pipeline,
                    .iteration = iteration,
                    .stream = stream,
                    .device = deviceOf(pipeline),
                    .event = event});
    }

    void sync(std::int32_t stream, std::int32_t pipeline, std::int32_t iteration) {
        m_ops.push({.kind = OpKind::HostSync,
                    .pipeline = pipeline,
                    .iteration = iteration,
                    .stream = stream,
                    .device = deviceOf(pipeline)});
    }

    /// One thread waits for every device, or for every stream in turn.
    void syncAll(std::int32_t iteration) {
        m_ops.openUnit(0, kNoOp);
        const bool device = m_experiment.sync == SyncMode::Device;
        const std::int32_t each = streamsOf(m_experiment);
        for (std::int32_t stream = 0; stream < each * m_devices; stream += device ? each : 1)
            sync(device ? kAllStreams : stream, std::min(stream, pipelines() - 1), iteration);
    }

    void finalSync() {
        const std::int32_t last = m_experiment.iterations - 1;
        if (!m_perStream)
            return syncAll(last);
        for (std::int32_t p = 0; p < pipelines(); ++p) {
            m_ops.openUnit(p, kNoOp);
            sync(m_experiment.sync == SyncMode::Device ? kAllStreams : p, p, last);
        }
    }

    void pushStep(OpKind kind, std::int32_t pipeline, std::int32_t iteration, std::int64_t bytes,
                  std::int32_t stream) {
        m_ops.push({.kind = kind,
                    .pipeline = pipeline,
                    .iteration = iteration,
                    .bytes = bytes,
                    .stream = stream,
                    .device = deviceOf(pipeline)});
        if (m_experiment.syncEvery == SyncEvery::Op && !m_warmup && detail::runsOnDevice(kind))
            sync(m_experiment.sync == SyncMode::Device ? kAllStreams : stream, pipeline, iteration);
    }

    void countExpected() {
        for (const Op& op : m_schedule.ops)
            if (const auto cls = classOf(op.kind))
                ++m_schedule.expected[static_cast<std::size_t>(*cls)];
    }

    const Experiment& m_experiment;
    std::int32_t m_devices;
    std::optional<BetweenRow> m_nullOp;
    bool m_byPass, m_perStream;
    bool m_warmup = false;
    Schedule m_schedule;
    detail::OpList m_ops;
    std::vector<OpId> m_lastPassDone; ///< per pipeline: the host function of its last pass
    std::vector<Freed> m_freed;       ///< per pipeline
    std::int64_t m_passesLeft = 0, m_firstLaunches = 0;
};

} // namespace

/// Every iteration after the first adds the same number of ops, so two of them are enough.
std::int64_t detail::plannedOps(const Experiment& experiment, int devices) {
    if (experiment.work)
        return detail::plannedWorkOps(experiment);
    Experiment few = experiment;
    few.iterations = 1;
    const WindowCount one = Planner(few, devices, detail::Ops::Count).count();
    few.iterations = 2;
    const WindowCount two = Planner(few, devices, detail::Ops::Count).count();
    const auto whole = [&](std::int64_t first, std::int64_t second) {
        return first + (second - first) * (experiment.iterations - 1);
    };
    return whole(one.ops, two.ops) +
           std::min(whole(one.firstLaunches, two.firstLaunches), kFirstLaunchKernels);
}

Plan plan(const Experiment& experiment, int devices) {
    if (const auto reasons = conflicts(experiment); !reasons.empty())
        throw Error(ErrorKind::Usage, "conflict", reasons.front(), "Change one of the options named.");
    if (experiment.work)
        return {detail::planWork(experiment), experiment};
    const bool all = experiment.devices == DeviceUse::All;
    if (all && devices < 2)
        throw Error(ErrorKind::Usage, "conflict",
                    "devices=all needs at least two GPUs; this machine has one.",
                    "Set devices=one, or use a machine with more GPUs.");
    return {Planner(experiment, all ? devices : 1).make(), experiment};
}

} // namespace olab::experiment
