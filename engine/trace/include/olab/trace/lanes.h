// The rows of the view, and the coverage that is both drawn and judged: one IntervalSet per (lane, class).
// Order: per device its engines, then its streams; then host callbacks and host threads. Built once per
// trace; immutable.
#pragma once

#include <olab/trace/trace.h>

#include <array>
#include <memory>

namespace olab {

enum class LaneKind : std::uint8_t { Engine, Stream, HostFn, HostThread };

struct Lane {
    LaneId id{};
    LaneKind kind{};
    std::uint8_t device = 0;              ///< index into Trace::devices(); host lanes: 0
    EngineKind engine = EngineKind::None; ///< Engine lanes
    QueueId queue{};                      ///< Stream and HostThread lanes
    std::string label;                    ///< "copy H2D", "stream 14", "thread 4711"
    Column<ActivityIndex> activities;     ///< sorted by begin
    Column<Ns> begins;                    ///< of each activity: the other half of the binary search
    Column<std::uint16_t> depth;          ///< sub-lane of each: activities that cross do not share one
    std::uint16_t depthCount = 1;
    Column<Ns> latestEnd; ///< running maximum of ends: finds what reaches into a range by binary search
    std::array<IntervalSet, kClassCount> coverage; ///< union per class
    IntervalSet busy;                              ///< union of all classes
    /// Indices [first, last) into `activities` that may touch `range`.
    std::pair<std::size_t, std::size_t> candidates(Interval range) const;
};

class LaneSet {
public:
    static LaneSet of(const Trace& trace);
    std::span<const Lane> lanes() const { return m_lanes; }
    const Lane& operator[](LaneId id) const { return m_lanes[id.value]; }
    const Lane* engine(std::uint8_t device, EngineKind kind) const; ///< null when it did nothing
    /// Union over the device's lanes of what `cls` covers: what the overlap numbers use. Unspecified copies
    /// (MemcpyOther) may have no engine lane and are counted from their streams.
    IntervalSet classCoverage(std::uint8_t device, ActivityClass cls) const;

private:
    std::vector<Lane> m_lanes;
};

} // namespace olab
