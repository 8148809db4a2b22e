// How long the work of one class was held up by another, from the explained waits.
#pragma once

#include <olab/analysis/explained_wait.h>

namespace olab::analysis {

/// Per device (index into Trace::devices()): as DeviceFacts::blocked, plus the waits.
std::vector<BlockedTimes> blockedTimes(const Facts& facts, const ExplainedWaits& waits);
/// The same for a part of the recording, per device of `part`, the facts of that slice: counts the time of
/// the waits of `whole` that lies within `time`, of activities that touch it.
std::vector<BlockedTimes> blockedTimes(const Facts& part, Interval time, const Facts& whole,
                                       const ExplainedWaits& waits);

} // namespace olab::analysis
