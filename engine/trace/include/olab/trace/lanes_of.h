// The lanes of a trace for code that stores or passes them on; code that uses one includes lanes.h. Any
// thread.
#pragma once

#include <memory>

namespace olab {

class LaneSet;
class Trace;

std::shared_ptr<const LaneSet> lanesOf(const Trace& trace);
/// Everything that measuredNumbers() needs, in half the time: the same lanes, but only engine lanes have
/// their activities.
std::shared_ptr<const LaneSet> lanesForNumbers(const Trace& trace);

} // namespace olab
