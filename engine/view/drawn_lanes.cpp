#include <olab/view/drawn_lanes.h>

#include <olab/trace/lanes.h>
#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <new>

namespace olab::view {
namespace {

/// Above all lanes of an index, with its own range per engine.
LaneId firstChannelId(const Lane& engine) {
    constexpr std::uint32_t kFirst = 0x80000000u, kMostChannels = 0x10000u;
    const auto number = std::uint32_t{engine.device} * static_cast<std::uint32_t>(kEngineCount) +
                        static_cast<std::uint32_t>(engine.engine);
    return LaneId{kFirst + number * kMostChannels};
}

/// The contribution of an activity to the value of its lane.
std::int64_t amountOf(const Trace& trace, ActivityIndex i, LaneValue value) {
    switch (value) {
    case LaneValue::BytesPerSecond:
        return trace.bytes(i);
    case LaneValue::Coverage:
        break;
    }
    return 0;
}

/// Null: not a lane of an index, or no such lane.
const Lane* laneOf(const TimelineIndex& index, LaneId id) {
    const auto lanes = index.lanes().lanes(), values = index.valueLanes();
    if (id.value < lanes.size())
        return &lanes[id.value];
    const std::uint32_t number = values.empty() ? 0 : id.value - values.front().id.value;
    return number < values.size() ? &values[number] : nullptr;
}

} // namespace

ValueSeries valueSeriesOf(const Trace& trace, const Lane& lane, std::stop_token stop) {
    constexpr std::size_t kBetweenLooks = 1 << 16;
    const LaneValue value = laneKindRow(lane.kind).value;
    std::vector<ValuePart> parts;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        if (i % kBetweenLooks == 0 && stop.stop_requested())
            return {};
        if (trace.cls(i) == lane.cls && trace.device(i) == lane.device)
            parts.push_back({trace.time(i), amountOf(trace, i, value)});
    }
    return ValueSeries(parts);
}

OpenedLanePtr openLane(ViewDataPtr shown, LaneId parent, std::stop_token stop) {
    const Trace& trace = shown->trace();
    const Lane& lane = *laneOf(shown->index, parent);
    auto opened = std::make_shared<OpenedLane>();
    opened->parent = parent;
    if (showsValue(lane.kind))
        opened->values = valueSeriesOf(trace, lane, stop);
    else
        opened->lanes = channelLanes(trace, lane, firstChannelId(lane), stop);
    for (const Lane& channel : opened->lanes) {
        if (stop.stop_requested())
            return nullptr;
        opened->strips.push_back(stripsOf(trace, channel));
    }
    opened->shown = std::move(shown);
    return stop.stop_requested() ? nullptr : opened;
}

const Lane* DrawnLanes::lane(LaneId id) const {
    if (const Lane* lane = laneOf(*m_index, id))
        return lane;
    for (const OpenedLanePtr& opened : m_opened)
        for (const Lane& lane : opened->lanes)
            if (lane.id == id)
                return &lane;
    return nullptr;
}

std::span<const Strip> DrawnLanes::strips(LaneId id) const {
    if (id.value < m_index->lanes().lanes().size())
        return m_index->strips(id);
    for (const OpenedLanePtr& opened : m_opened)
        for (std::size_t i = 0; i < opened->lanes.size(); ++i)
            if (opened->lanes[i].id == id)
                return opened->strips[i];
    return {};
}

std::vector<const Strip*> DrawnLanes::stripsWith(ActivityIndex activity) const {
    std::vector<const Strip*> found = m_index->stripsWith(activity);
    for (const OpenedLanePtr& opened : m_opened)
        for (const std::vector<Strip>& strips : opened->strips)
            for (const Strip& strip : strips)
                if (std::ranges::binary_search(strip.activities, activity))
                    found.push_back(&strip);
    return found;
}

const OpenedLane* DrawnLanes::openedAt(LaneId parent) const {
    for (const OpenedLanePtr& opened : m_opened)
        if (opened->parent == parent)
            return opened.get();
    return nullptr;
}

std::span<const Lane> DrawnLanes::channelsOf(LaneId engine) const {
    const OpenedLane* opened = openedAt(engine);
    return opened ? std::span<const Lane>(opened->lanes) : std::span<const Lane>();
}

const ValueSeries* DrawnLanes::valuesOf(LaneId id) const {
    const Lane* shown = lane(id);
    const OpenedLane* opened = shown && showsValue(shown->kind) ? openedAt(id) : nullptr;
    return opened ? &opened->values : nullptr;
}

void LaneOpener::open(ViewDataPtr shown, LaneId parent) {
    forgetEnded();
    if (isOpening(parent))
        return;
    Job job;
    job.parent = parent;
    const auto work = [this, parent, ended = job.ended, shown](const std::stop_token& stop) {
        try {
            if (OpenedLanePtr opened = openLane(shown, parent, stop))
                m_done(std::move(opened));
        } catch (const std::bad_alloc&) { // the lane stays closed
        }
        *ended = true;
    };
    job.thread = tryStart(work);
    if (!job.thread.joinable()) // the window waits, but the lane still opens
        return work({});
    m_jobs.push_back(std::move(job));
}

void LaneOpener::stop() {
    for (Job& job : m_jobs)
        job.thread.request_stop();
    forgetEnded();
}

bool LaneOpener::isOpening(LaneId parent) const {
    return std::ranges::any_of(m_jobs, [parent](const Job& job) {
        return job.parent == parent && !*job.ended && !job.thread.get_stop_token().stop_requested();
    });
}

void LaneOpener::forgetEnded() {
    m_jobs.remove_if([](const Job& job) { return job.ended->load(); });
}

} // namespace olab::view
