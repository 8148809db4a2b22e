// The lanes of a trace for all who keep them or hand them on: who looks at one includes lanes.h. Any thread.
#pragma once

#include <memory>

namespace olab {

class LaneSet;
class Trace;

std::shared_ptr<const LaneSet> lanesOf(const Trace& trace);
/// All that measuredNumbers() looks at, in half the time: the lanes are the same, but only those of engines
/// know their activities.
std::shared_ptr<const LaneSet> lanesForNumbers(const Trace& trace);

} // namespace olab
