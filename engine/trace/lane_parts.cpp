#include "lane_parts.h"

#include <olab/trace/interval_set.h>
#include <olab/trace/lanes.h>
#include <olab/trace/lanes_of.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace olab {
namespace {

// Assigns crossing activities of a lane to sub-lanes: crossing ones never share a sub-lane.

/// First-fit sub-lanes: linear search while they are few, else O(log depth) with a tournament tree over the
/// times at which sub-lanes become free.
class SubLanes {
public:
    /// The first sub-lane free at `time.begin`, taken until `time.end`; the last one if none is free.
    /// Activities must be sorted by begin, then end.
    std::uint16_t take(Interval time) {
        if (!m_marked.empty())
            freeMarked(time);
        const std::size_t node = firstFree(time.begin);
        if (node == 0)
            return kMost - 1;
        // A zero-length activity leaves its sub-lane free from its own time on, never earlier. But two at the
        // same time are on the same pixel at every zoom: they do not share one.
        const bool isMark = time.length() == 0 && time.end < std::numeric_limits<Ns>::max();
        set(node, isMark ? time.end + 1 : time.end);
        if (isMark)
            m_marked.push_back(node - m_leaves);
        m_markedAt = time.end;
        return static_cast<std::uint16_t>(node - m_leaves);
    }

private:
    static constexpr std::size_t kMost = 4096; ///< beyond that, activities share the last one
    static constexpr std::size_t kFew = 16;
    /// 0: there is none.
    std::size_t firstFree(Ns t) {
        if (m_leaves == kFew) {
            for (std::size_t node = kFew; node < 2 * kFew; ++node)
                if (m_freeAt[node] <= t)
                    return node;
            grow();
        } else if (m_freeAt[1] > t && !grow())
            return 0;
        std::size_t node = 1;
        while (node < m_leaves)
            node = 2 * node + (m_freeAt[2 * node] > t ? 1 : 0);
        return node;
    }
    /// An activity with a length may begin where a zero-length activity is.
    void freeMarked(Interval time) {
        if (time.begin == m_markedAt && time.length() == 0)
            return;
        if (time.begin == m_markedAt)
            for (const std::size_t leaf : m_marked)
                set(m_leaves + leaf, m_markedAt);
        m_marked.clear();
    }
    void set(std::size_t node, Ns freeAt) {
        m_freeAt[node] = freeAt;
        if (m_leaves == kFew)
            return;
        for (node /= 2; node > 0; node /= 2)
            m_freeAt[node] = std::min(m_freeAt[2 * node], m_freeAt[2 * node + 1]);
    }
    bool grow() {
        if (m_leaves == kMost)
            return false;
        const std::vector<Ns> leaves(m_freeAt.begin() + static_cast<std::ptrdiff_t>(m_leaves),
                                     m_freeAt.end());
        m_leaves *= 2;
        m_freeAt.assign(2 * m_leaves, std::numeric_limits<Ns>::min());
        std::ranges::copy(leaves, m_freeAt.begin() + static_cast<std::ptrdiff_t>(m_leaves));
        for (std::size_t node = m_leaves - 1; node > 0; --node)
            m_freeAt[node] = std::min(m_freeAt[2 * node], m_freeAt[2 * node + 1]);
        return true;
    }

    std::size_t m_leaves = kFew;
    std::vector<Ns> m_freeAt = std::vector<Ns>(2 * kFew, std::numeric_limits<Ns>::min());
    std::vector<std::size_t> m_marked; // sub-lanes that hold something of zero length at m_markedAt
    Ns m_markedAt = 0;
};

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

// The queries of a LaneSet; lanes.cpp creates it.

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
