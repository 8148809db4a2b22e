// The queries of a LaneSet; lanes.cpp creates it.
#include <olab/trace/lanes.h>
#include <olab/trace/lanes_of.h>

#include <algorithm>

namespace olab {

std::shared_ptr<const LaneSet> lanesOf(const Trace& trace) {
    return std::make_shared<const LaneSet>(LaneSet::of(trace));
}

std::shared_ptr<const LaneSet> lanesForNumbers(const Trace& trace) {
    return std::make_shared<const LaneSet>(LaneSet::forNumbers(trace));
}

/// Only the stream covers an unspecified copy.
LaneSet LaneSet::forNumbers(const Trace& trace) {
    return made(trace, std::ranges::any_of(trace.kinds(), [](const ActivityKind& kind) {
                    return kind.cls == ActivityClass::MemcpyOther;
                }));
}

LaneSet LaneSet::of(const Trace& trace) {
    return made(trace, true);
}

const Lane* LaneSet::engine(std::uint8_t device, EngineKind kind) const {
    const std::uint32_t at =
        device < m_engines.size() ? m_engines[device][static_cast<std::size_t>(kind)] : kNoNumber;
    return at == kNoNumber ? nullptr : &m_lanes[at];
}

std::span<const Lane> LaneSet::ofDevice(std::uint8_t device) const {
    return device < m_ofDevice.size() ? lanesIn(m_ofDevice[device]) : std::span<const Lane>();
}

std::span<const Lane> LaneSet::ofQueue(QueueId queue) const {
    return queue.value < m_ofQueue.size() ? lanesIn(m_ofQueue[queue.value]) : std::span<const Lane>();
}

IntervalSet LaneSet::classCoverage(std::uint8_t device, ActivityClass cls) const {
    // An unspecified copy may have no engine; its streams still show it.
    const LaneKind kind = cls == ActivityClass::MemcpyOther ? LaneKind::Stream : LaneKind::Engine;
    std::vector<const IntervalSet*> sets;
    for (const Lane& lane : ofDevice(device))
        if (const IntervalSet& set = lane.coverage[static_cast<std::size_t>(cls)];
            lane.kind == kind && !set.empty())
            sets.push_back(&set);
    if (sets.size() <= 1)
        return sets.empty() ? IntervalSet() : *sets.front(); // shared with the lane
    std::vector<Interval> all;
    for (const IntervalSet* set : sets)
        for (std::size_t i = 0; i < set->size(); ++i)
            all.push_back(set->intervals()[i]);
    return IntervalSet::unionOf(std::move(all));
}

std::size_t LaneSet::memoryBytes() const {
    const auto ofColumn = [](const auto& column) {
        return column.capacity() * sizeof(typename std::decay_t<decltype(column)>::value_type);
    };
    std::size_t bytes = ofColumn(m_lanes) + ofColumn(m_engines);
    for (const Lane& lane : m_lanes) {
        bytes += lane.busy.memoryBytes() + lane.activities.memoryBytes() + lane.depth.memoryBytes();
        for (const IntervalSet& covered : lane.coverage)
            bytes += covered.memoryBytes();
    }
    return bytes;
}

} // namespace olab
