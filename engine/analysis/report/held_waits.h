// How long the work of each class was held up by that of another, by the one explanation of each wait.
#pragma once

#include <olab/analysis/explained_wait.h>

namespace olab::analysis {

/// Per device (index into Trace::devices()), as DeviceFacts::blocked, but for the waits.
std::vector<BlockedTimes> blockedTimes(const Facts& facts, const ExplainedWaits& waits);
/// The same of a part of the recording, per device of `part`, the facts of that slice: of the waits of the
/// whole what lies within its time, of the activities that touch it.
std::vector<BlockedTimes> blockedTimes(const Facts& part, Interval time, const Facts& whole,
                                       const ExplainedWaits& waits);

} // namespace olab::analysis
