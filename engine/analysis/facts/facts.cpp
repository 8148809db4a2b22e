#include <olab/analysis/facts.h>

#include "facts/op_row.h"

#include <olab/experiment/plan.h>
#include <olab/trace/lanes.h>

namespace olab::analysis {

Facts::Facts(const AnalysisInput& input)
    : TraceFacts(input.trace, input.lanes)
    , m_plan(input.plan)
    , m_schedule(input.plan) {}

TraceFacts::TraceFacts(const Trace& trace, const LaneSet& lanes)
    : m_trace(trace)
    , m_lanes(lanes) {}

TraceFacts::~TraceFacts() = default;

Facts::~Facts() = default;

std::span<const DeviceFacts> TraceFacts::perDevice() const {
    return m_perDevice;
}

std::span<const DeviceReport> TraceFacts::devices() const {
    return m_devices;
}

ExplainedWait TraceFacts::waitAt(std::size_t number) const {
    const OpRow op = OpRow::of(*this, number);
    return {op.row,
            m_waits.cause(number),
            m_waits.blocker(number),
            {op.time.begin - m_waits.wait(number), op.time.begin},
            m_waits.held(number),
            op.stretched(),
            restsOn(m_waits.cause(number))};
}

std::optional<ExplainedWait> TraceFacts::waitOf(ActivityIndex row) const {
    if (row >= m_trace.size() || !isDeviceClass(m_trace.cls(row)))
        return std::nullopt;
    return waitAt(m_deviceWork.numberOf(row));
}

std::span<const ActivityIndex> Facts::ofOp(OpId op) const {
    if (std::size_t{op.value} + 1 >= m_firstOfOp.size())
        return {};
    return std::span(m_byOp).subspan(m_firstOfOp[op.value],
                                     m_firstOfOp[op.value + 1] - m_firstOfOp[op.value]);
}

NearNumbers TraceFacts::ofStream(QueueId stream) const {
    const auto lanes = m_lanes.ofQueue(stream);
    return lanes.empty() || lanes.front().kind != LaneKind::Stream ? NearNumbers()
                                                                   : lanes.front().activities.numbers();
}

NearNumbers TraceFacts::ofEngine(std::uint8_t device, EngineKind engine) const {
    const Lane* lane = m_lanes.engine(device, engine);
    return lane ? lane->activities.numbers() : NearNumbers();
}

NearNumbers TraceFacts::ofThread(QueueId thread) const {
    const auto lanes = m_lanes.ofQueue(thread);
    return lanes.empty() || lanes.front().kind != LaneKind::HostThread ? NearNumbers()
                                                                       : lanes.front().activities.numbers();
}

NearNumbers TraceFacts::issuedBy(ActivityIndex call) const {
    const auto callOf = [this](ActivityIndex i) { return m_apiOf[i]; };
    // No equal_range: clang 14 cannot compile its subrange.
    const NearNumbers all = m_byCall.numbers();
    const auto first = std::ranges::lower_bound(all, call, {}, callOf);
    const auto last = std::ranges::upper_bound(first, all.end(), call, {}, callOf);
    return all.part(static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - first));
}

std::size_t TraceFacts::columnBytes() const {
    return m_works.capacity() * sizeof(Work) +
           sizeof(std::uint32_t) * (m_workOfKind.capacity() + m_workOf.capacity() + m_reaching.capacity()) +
           m_apiOf.memoryBytes() + m_byCall.memoryBytes() + m_deviceWork.memoryBytes() +
           m_waits.memoryBytes();
}

std::size_t Facts::memoryBytes() const {
    return sizeof(*this) + columnBytes() +
           sizeof(std::uint32_t) * (m_firstOfOp.capacity() + m_byOp.capacity());
}

} // namespace olab::analysis
