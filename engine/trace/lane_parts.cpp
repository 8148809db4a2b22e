#include "lane_parts.h"
#include "sub_lanes.h"

#include <algorithm>
#include <optional>

namespace olab {
namespace {

/// The coverage of a lane, from activities sorted by begin. Most lanes have one class: its coverage is then
/// also the busy time.
class Cover {
public:
    Cover(Lane& lane, const Trace& trace)
        : m_lane(lane)
        , m_trace(trace)
        , m_most(lane.activities.size()) {}
    [[gnu::always_inline]] void add(std::size_t at, ActivityClass cls, Interval time) {
        std::optional<IntervalSetMaker>& ofClass = m_classes[static_cast<std::size_t>(cls)];
        if (!ofClass) [[unlikely]]
            open(at, cls);
        ofClass->add(time);
        if (m_busy)
            m_busy->add(time);
    }
    void finish() {
        for (std::size_t c = 0; c < kClassCount; ++c)
            if (m_classes[c]) {
                m_lane.coverage[c] = m_classes[c]->take();
                m_lane.busy = m_busy ? m_lane.busy : m_lane.coverage[c];
            }
        if (m_busy)
            m_lane.busy = m_busy->take();
    }

private:
    /// The first activity of a second class starts the separate busy set.
    void open(std::size_t at, ActivityClass cls) {
        const bool isSecond = !m_busy && at > 0;
        m_classes[static_cast<std::size_t>(cls)].emplace(m_most - at);
        if (!isSecond)
            return;
        m_busy.emplace(m_most);
        for (std::size_t before = 0; before < at; ++before)
            m_busy->add(m_trace.time(m_lane.activities[before]));
    }
    Lane& m_lane;
    const Trace& m_trace;
    const std::size_t m_most;
    std::array<std::optional<IntervalSetMaker>, kClassCount> m_classes;
    std::optional<IntervalSetMaker> m_busy; // of several classes
};

std::string channelLabel(const Trace& trace, ChannelId id) {
    if (id == kNoChannel)
        return "channel unknown";
    const Channel& channel = trace.channels()[id.value];
    const std::string number = channel.number == kNoNumber ? "?" : std::to_string(channel.number);
    constexpr std::array kTypes{"", " · compute", " · copy", " · decompress"};
    const auto type = static_cast<std::size_t>(channel.type);
    return "channel " + number + (type < kTypes.size() ? kTypes[type] : "");
}

} // namespace

// Activities of one of ten thousand streams are far apart in the trace: each is read once, and prefetched.
void completeLane(Lane& lane, const Trace& trace) {
    constexpr std::size_t kFetchedAhead = 16;
    SubLanes subLanes;
    Cover cover(lane, trace);
    std::uint16_t deepest = 0;
    const std::size_t n = lane.activities.size();
    for (std::size_t at = 0; at < n; ++at) {
        trace.prefetch(lane.activities[std::min(at + kFetchedAhead, n - 1)]);
        const ActivityIndex activity = lane.activities[at];
        const Interval time = trace.time(activity);
        const std::uint16_t depth = subLanes.take(time);
        if (depth > deepest) // the first crossing one, or one more sub-lane than a byte can hold
            lane.depth.widen(n, at, std::size_t{depth} + 1);
        if (!lane.depth.empty())
            lane.depth.set(at, depth);
        deepest = std::max(deepest, depth);
        cover.add(at, trace.cls(activity), time);
    }
    lane.depthCount = static_cast<std::uint16_t>(deepest + 1);
    lane.activities.fit();
    cover.finish();
}

std::vector<ChannelId> channelsOf(const Lane& lane, const Trace& trace) {
    const auto channels = trace.channels();
    std::vector<bool> used(channels.size() + 1); // the last one: unknown
    for (const ActivityIndex i : lane.activities)
        used[std::min<std::size_t>(trace.channelOf(i).value, channels.size())] = true;
    std::vector<ChannelId> found;
    for (std::size_t c = 0; c < channels.size(); ++c)
        if (used[c])
            found.push_back(ChannelId{static_cast<std::uint16_t>(c)});
    std::ranges::stable_sort(found, {}, [&](ChannelId id) { return channels[id.value].number; });
    if (used.back())
        found.push_back(kNoChannel);
    return found;
}

std::vector<Lane> channelLanes(const Trace& trace, const Lane& engine, LaneId first, std::stop_token stop) {
    std::vector<Lane> lanes(engine.channels.size());
    std::vector<std::size_t> laneOf(trace.channels().size() + 1); // the last one: unknown
    const auto slotOf = [&](ChannelId id) { return std::min<std::size_t>(id.value, laneOf.size() - 1); };
    for (std::size_t c = 0; c < lanes.size(); ++c) {
        Lane& lane = lanes[c];
        laneOf[slotOf(engine.channels[c])] = c;
        lane.id.value = first.value + static_cast<std::uint32_t>(c);
        lane.kind = LaneKind::Channel;
        lane.device = engine.device;
        lane.engine = engine.engine;
        lane.channels = {engine.channels[c]};
        lane.label = channelLabel(trace, engine.channels[c]);
    }
    constexpr std::size_t kBetweenLooks = 1 << 16;
    for (std::size_t i = 0; i < engine.activities.size(); ++i) {
        if (i % kBetweenLooks == 0 && stop.stop_requested())
            return {};
        const ActivityIndex activity = engine.activities[i];
        lanes[laneOf[slotOf(trace.channelOf(activity))]].activities.push_back(activity);
    }
    for (Lane& lane : lanes) {
        if (stop.stop_requested())
            return {};
        completeLane(lane, trace);
    }
    return lanes;
}

} // namespace olab
