#include "lane_parts.h"

#include <algorithm>

namespace olab {
namespace {

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
