#include <olab/ui/drawn_lanes.h>

#include "timeline/row_groups.h"

#include <algorithm>

namespace olab {

namespace {

/// Above all lanes of an index, and for each engine of its own.
LaneId firstChannelId(const Lane& engine) {
    constexpr std::uint32_t kFirst = 0x80000000u, kMostChannels = 0x10000u;
    const auto number = std::uint32_t{engine.device} * static_cast<std::uint32_t>(kEngineCount) +
                        static_cast<std::uint32_t>(engine.engine);
    return LaneId{kFirst + number * kMostChannels};
}

} // namespace

OpenedLanePtr openLane(ShownPtr shown, LaneId parent, std::stop_token stop) {
    const Trace& trace = shown->trace();
    const Lane& engine = shown->index.lanes()[parent];
    auto opened = std::make_shared<OpenedLane>();
    opened->parent = parent;
    opened->lanes = channelLanes(trace, engine, firstChannelId(engine), stop);
    for (const Lane& lane : opened->lanes) {
        if (stop.stop_requested())
            return nullptr;
        opened->strips.push_back(stripsOf(trace, lane));
    }
    opened->shown = std::move(shown);
    return stop.stop_requested() ? nullptr : opened;
}

const Lane* DrawnLanes::lane(LaneId id) const {
    const auto lanes = m_index->lanes().lanes();
    if (id.value < lanes.size())
        return &lanes[id.value];
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

std::span<const Lane> DrawnLanes::channelsOf(LaneId engine) const {
    for (const OpenedLanePtr& opened : m_opened)
        if (opened->parent == engine)
            return opened->lanes;
    return {};
}

const RowGroups& DrawnLanes::groups() const {
    if (!m_groups)
        m_groups = std::make_shared<const RowGroups>(RowGroups::of(*this));
    return *m_groups;
}

} // namespace olab
