// How long the work of each class was held up by that of another, by the one explanation of each wait.
#pragma once

#include <olab/analysis/explained_wait.h>

namespace olab::analysis {

/// Per device (index into Trace::devices()), as DeviceFacts::blocked, but for the waits.
std::vector<BlockedTimes> blockedTimes(const Facts& facts, const ExplainedWaits& waits);

} // namespace olab::analysis
