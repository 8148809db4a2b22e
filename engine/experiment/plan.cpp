#include "plan_size.h"

#include <algorithm>

namespace olab {
namespace {

using detail::kSteps;
using detail::Step;

struct KindRow {
    std::string_view name;
    std::optional<ActivityClass> cls;
};

/// In the order of OpKind.
constexpr std::array<KindRow, 8> kKinds{{
    {"H2D copy", ActivityClass::MemcpyH2D},
    {"memset", ActivityClass::Memset},
    {"kernel", ActivityClass::Kernel},
    {"D2H copy", ActivityClass::MemcpyD2H},
    {"host function", ActivityClass::HostFn},
    {"NULL-stream memset", ActivityClass::Memset},
    {"NULL-stream kernel", ActivityClass::Kernel},
    {"NULL-stream event", std::nullopt}, // a record in the stream, no work: nothing that has a duration
}};

const KindRow& rowOf(OpKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

/// Host functions run on a CPU thread: alone or not, they say nothing about the device.
bool runsOnDevice(OpKind kind) {
    const auto cls = classOf(kind);
    return cls && isDeviceClass(*cls);
}

struct NullOpRow {
    OpKind kind{};
    std::int64_t bytes = 0;
};

std::optional<NullOpRow> nullOpOf(NullOp op) {
    constexpr std::array<NullOpRow, 3> kRows{{
        {OpKind::NullMemset, kNullMemsetBytes},
        {OpKind::NullKernel, 0},
        {OpKind::NullEvent, 0},
    }};
    if (op == NullOp::Off)
        return std::nullopt;
    return kRows[static_cast<std::size_t>(op) - 1];
}

class Planner {
public:
    explicit Planner(const Experiment& experiment)
        : m_experiment(experiment)
        , m_nullOp(nullOpOf(experiment.nullOp)) {}

    Schedule make() {
        m_schedule.experiment = m_experiment;
        planStreams();
        planWindow();
        planWarmup();
        countExpected();
        const detail::BufferBytes bytes = detail::bufferBytes(m_experiment);
        m_schedule.deviceBytes = bytes.device;
        m_schedule.hostBytes = bytes.host;
        m_schedule.useGate = m_experiment.gate;
        return std::move(m_schedule);
    }

private:
    void planStreams() {
        const bool legacy = m_experiment.streamKind == StreamFlavor::Legacy;
        const StreamFlavor flavor = legacy ? StreamFlavor::Blocking : m_experiment.streamKind;
        m_schedule.streams.assign(static_cast<std::size_t>(m_experiment.streams), PlannedStream{flavor});
        if (legacy) // there is only one NULL stream
            m_schedule.streams.front().flavor = StreamFlavor::Legacy;
    }

    void planWindow() {
        m_out = &m_schedule.ops;
        m_out->reserve(static_cast<std::size_t>(detail::plannedOps(m_experiment)));
        m_passesLeft = detail::passCount(m_experiment);
        for (std::int32_t iteration = 0; iteration < m_experiment.iterations; ++iteration)
            planIteration(iteration);
        for (std::size_t i = 0; i < m_out->size(); ++i)
            (*m_out)[i].id = OpId{static_cast<std::uint32_t>(i)};
    }

    /// With an op of every kind, so that the window is not the first to load any of the kernels.
    void planWarmup() {
        if (m_experiment.warmup == 0)
            return;
        m_out = &m_schedule.warmup;
        m_passesLeft = 0;
        planIteration(0);
        pushNullOp(0);
        for (Op& op : *m_out)
            op.id = kNoOp;
    }

    void planIteration(std::int32_t iteration) {
        if (m_experiment.order == IssueOrder::Depth)
            planDepth(iteration);
        else
            planBreadth(iteration);
    }

    void planDepth(std::int32_t iteration) {
        for (std::int32_t stream = 0; stream < m_experiment.streams; ++stream) {
            for (const Step& step : kSteps)
                pushStep(step, stream, iteration);
            endPass(iteration);
        }
    }

    void planBreadth(std::int32_t iteration) {
        for (const Step& step : kSteps)
            for (std::int32_t stream = 0; stream < m_experiment.streams; ++stream)
                pushStep(step, stream, iteration);
        endPass(iteration);
    }

    /// A NULL-stream op goes between passes: not after the last, where it would hold nothing back.
    void endPass(std::int32_t iteration) {
        if (--m_passesLeft > 0)
            pushNullOp(iteration);
    }

    void pushStep(const Step& step, std::int32_t stream, std::int32_t iteration) {
        if (m_experiment.*step.enabled)
            push(step.kind, stream, iteration, step.bytes ? m_experiment.*step.bytes : 0);
    }

    void pushNullOp(std::int32_t iteration) {
        if (m_nullOp)
            push(m_nullOp->kind, kNullStream, iteration, m_nullOp->bytes);
    }

    void push(OpKind kind, std::int32_t pipeline, std::int32_t iteration, std::int64_t bytes) {
        m_out->push_back({kNoOp, kind, pipeline, iteration, bytes, soloOf({kind, bytes})});
    }

    /// There are at most as many solos as kinds, so looking through them costs nothing.
    std::uint32_t soloOf(const SoloOp& solo) {
        if (!runsOnDevice(solo.kind))
            return kNoNumber;
        auto& solos = m_schedule.solos;
        const auto found = std::find(solos.begin(), solos.end(), solo);
        const auto index = static_cast<std::uint32_t>(found - solos.begin());
        if (found == solos.end())
            solos.push_back(solo);
        return index;
    }

    void countExpected() {
        for (const Op& op : m_schedule.ops)
            if (const auto cls = classOf(op.kind))
                ++m_schedule.expected[static_cast<std::size_t>(*cls)];
    }

    const Experiment& m_experiment;
    std::optional<NullOpRow> m_nullOp;
    Schedule m_schedule;
    std::vector<Op>* m_out = nullptr; ///< the window's or the warm-up's ops
    std::int64_t m_passesLeft = 0;
};

} // namespace

std::string_view opKindName(OpKind kind) {
    return rowOf(kind).name;
}

std::optional<ActivityClass> classOf(OpKind kind) {
    return rowOf(kind).cls;
}

Schedule plan(const Experiment& experiment) {
    if (const auto reasons = conflicts(experiment); !reasons.empty())
        throw Error(ErrorKind::Usage, "conflict", reasons.front(), "Change one of the options named.");
    return Planner(experiment).make();
}

} // namespace olab
