// What a lane has beside its activities. Private to trace.
#pragma once

#include <olab/trace/lanes.h>

#include <vector>

namespace olab {

/// Everything about a lane that follows from its activities.
void completeLane(Lane& lane, const Trace& trace);
/// The channels that did the work of an engine, by number.
std::vector<ChannelId> channelsOf(const Lane& lane, const Trace& trace);

} // namespace olab
