// The rows of the view, and the coverage used for drawing and for verdicts: one IntervalSet per (lane,
// class). Order: per device its engines, then its streams; then host callbacks and host threads, each
// followed by the rows beneath it. Built once per trace; immutable. The lanes of an engine's channels are
// created on request.
#pragma once

#include <olab/trace/lane_kinds.h>
#include <olab/trace/trace.h>

#include <array>
#include <memory>
#include <stop_token>

namespace olab {

struct Lane {
    LaneId id{};
    LaneKind kind{};
    std::uint8_t device = 0;              ///< index into Trace::devices(); host lanes: 0
    EngineKind engine = EngineKind::None; ///< Engine lanes
    ActivityClass cls{};                  ///< lanes of a class: which class
    QueueId queue{};                      ///< Stream lanes, and those of a host thread
    std::vector<ChannelId> channels; ///< Engine lanes: those its work ran on, by number; Channel lanes: one
    std::string label; ///< "copy H2D", "stream 14", "thread 4711", "thread 4711 · waits", "channel 3 · copy"
    NearColumn activities; ///< sorted by begin
    NumberColumn depth;    ///< sub-lane of each: crossing activities have different ones. Empty: all in one
    std::uint16_t depthCount = 1;
    std::array<IntervalSet, kClassCount> coverage; ///< union per class
    IntervalSet busy;                              ///< union of all classes
    std::uint16_t depthOf(std::size_t at) const {
        return static_cast<std::uint16_t>(depth.empty() ? 0 : depth[at]);
    }
};
/// Whether it is shown beneath `whole` as a part of it.
inline bool isPartOf(const Lane& part, const Lane& whole) {
    return isBeneath(part.kind) && laneKindRow(part.kind).beneath == whole.kind &&
           part.device == whole.device && part.engine == whole.engine && part.queue == whole.queue;
}

class LaneSet {
public:
    static LaneSet of(const Trace& trace);
    static LaneSet forNumbers(const Trace& trace); ///< see lanesForNumbers()
    std::span<const Lane> lanes() const { return {m_lanes.data(), m_lanes.size()}; }
    const Lane& operator[](LaneId id) const { return m_lanes[id.value]; }
    const Lane* engine(std::uint8_t device, EngineKind kind) const; ///< null if it did nothing
    /// Its engines, then its streams.
    std::span<const Lane> ofDevice(std::uint8_t device) const;
    /// The lane of a stream; the lanes of a host thread, calls first. Empty for a queue without work.
    std::span<const Lane> ofQueue(QueueId queue) const;
    /// Union over the device's lanes of the time covered by `cls`, as the overlap numbers use it. Unspecified
    /// copies (MemcpyOther) may have no engine lane and are counted from their streams.
    IntervalSet classCoverage(std::uint8_t device, ActivityClass cls) const;
    std::size_t memoryBytes() const;

private:
    static LaneSet made(const Trace& trace, bool fillsAll);
    /// Lanes [first, last).
    struct Range {
        std::uint32_t first = 0, last = 0;
        void add(LaneId id) {
            first = first == last ? id.value : first;
            last = id.value + 1;
        }
    };
    std::span<const Lane> lanesIn(Range range) const {
        return {m_lanes.data() + range.first, range.last - range.first};
    }
    std::vector<Lane> m_lanes;
    std::vector<std::array<std::uint32_t, kEngineCount>>
        m_engines; ///< per device: its lanes; kNoNumber: none
    std::vector<Range> m_ofDevice, m_ofQueue;
};

/// One lane for each channel of an engine lane, in order, with ids from `first` on. Empty if `stop` is
/// requested before the end.
std::vector<Lane> channelLanes(const Trace& trace, const Lane& engine, LaneId first,
                               std::stop_token stop = {});

} // namespace olab
