#include <olab/ui/timeline_index.h>

#include <algorithm>

namespace olab {

struct Strip::Own {
    std::vector<ActivityIndex> activities;
    ClassCoverage coverage;
    IntervalSet busy;
};

namespace {

std::shared_ptr<const Strip::Own> ownSets(const Trace& trace, const Lane& lane, int depth) {
    auto own = std::make_shared<Strip::Own>();
    std::array<std::vector<Interval>, kClassCount> perClass;
    std::vector<Interval> all;
    for (std::size_t i = 0; i < lane.activities.size(); ++i) {
        if (lane.depth[i] != depth)
            continue;
        const ActivityIndex a = lane.activities[i];
        own->activities.push_back(a);
        all.push_back(trace.time(a));
        perClass[static_cast<std::size_t>(trace.cls(a))].push_back(trace.time(a));
    }
    for (std::size_t c = 0; c < kClassCount; ++c)
        own->coverage[c] = IntervalSet::unionOfSorted(perClass[c]);
    own->busy = IntervalSet::unionOfSorted(all);
    return own;
}

std::vector<Ns> longestPerBlock(const Trace& trace, std::span<const ActivityIndex> activities) {
    std::vector<Ns> longest((activities.size() + kStripBlock - 1) / kStripBlock, 0);
    for (std::size_t i = 0; i < activities.size(); ++i) {
        Ns& block = longest[i / kStripBlock];
        block = std::max(block, trace.time(activities[i]).length());
    }
    return longest;
}

std::vector<Ns> instantsOf(const Trace& trace, std::span<const ActivityIndex> activities) {
    std::vector<Ns> instants;
    for (const ActivityIndex a : activities)
        if (trace.time(a).length() == 0)
            instants.push_back(trace.time(a).begin);
    return instants;
}

Strip makeStrip(const Trace& trace, const Lane& lane, int depth) {
    Strip strip;
    strip.lane = &lane;
    strip.depth = depth;
    if (lane.depthCount <= 1) {
        strip.activities = lane.activities;
        strip.coverage = &lane.coverage;
        strip.busy = &lane.busy;
    } else {
        strip.own = ownSets(trace, lane, depth);
        strip.activities = strip.own->activities;
        strip.coverage = &strip.own->coverage;
        strip.busy = &strip.own->busy;
    }
    strip.instants = instantsOf(trace, strip.activities);
    strip.longest = longestPerBlock(trace, strip.activities);
    return strip;
}

using Edge = std::pair<Ns, int>;

std::vector<Edge> edgesOfEngines(const LaneSet& lanes, std::uint8_t device) {
    std::vector<Edge> edges;
    for (const Lane& lane : lanes.lanes()) {
        if (lane.kind != LaneKind::Engine || lane.device != device)
            continue;
        for (const Interval& i : lane.busy.intervals()) {
            edges.emplace_back(i.begin, +1);
            edges.emplace_back(i.end, -1);
        }
    }
    std::ranges::sort(edges);
    return edges;
}

std::array<IntervalSet, 3> countAtOnce(const LaneSet& lanes, std::uint8_t device) {
    std::array<std::vector<Interval>, 3> found;
    int running = 0;
    Ns since = 0;
    for (const auto& [time, change] : edgesOfEngines(lanes, device)) {
        for (int level = 0; level < std::min(running, 3); ++level)
            found[static_cast<std::size_t>(level)].push_back({since, time});
        running += change;
        since = time;
    }
    return {IntervalSet::unionOfSorted(found[0]), IntervalSet::unionOfSorted(found[1]),
            IntervalSet::unionOfSorted(found[2])};
}

} // namespace

std::pair<std::size_t, std::size_t> Strip::candidates(const Trace& trace, Interval range) const {
    const auto first = std::ranges::partition_point(
        activities, [&](ActivityIndex a) { return trace.time(a).end < range.begin; });
    const auto last = std::partition_point(first, activities.end(),
                                           [&](ActivityIndex a) { return trace.begins()[a] < range.end; });
    return {static_cast<std::size_t>(first - activities.begin()),
            static_cast<std::size_t>(last - activities.begin())};
}

TimelineIndex::TimelineIndex(const Trace& trace, const LaneSet& lanes)
    : m_trace(&trace)
    , m_lanes(&lanes) {
    for (const Lane& lane : lanes.lanes()) {
        m_firstStrip.push_back(m_strips.size());
        for (int depth = 0; depth < std::max<int>(lane.depthCount, 1); ++depth)
            m_strips.push_back(makeStrip(trace, lane, depth));
    }
    m_firstStrip.push_back(m_strips.size());
    for (std::size_t device = 0; device < trace.devices().size(); ++device)
        m_atOnce.push_back(countAtOnce(lanes, static_cast<std::uint8_t>(device)));
}

std::span<const Strip> TimelineIndex::strips(LaneId lane) const {
    const std::size_t first = m_firstStrip[lane.value], last = m_firstStrip[lane.value + 1];
    return std::span(m_strips).subspan(first, last - first);
}

std::vector<const Strip*> TimelineIndex::stripsWith(ActivityIndex index) const {
    std::vector<const Strip*> found;
    for (const Strip& strip : m_strips) // activities are indices sorted by begin, so by number
        if (std::ranges::binary_search(strip.activities, index))
            found.push_back(&strip);
    return found;
}

} // namespace olab
