// The one pass over all device work that explains every op: why it waited, whom it waited for, how long it
// was slowed, what load it was. Stretches of the recording are passed over side by side; the result does not
// depend on how many there are.
#pragma once

#include "measure/bounds.h"
#include "measure/stretched_by.h"
#include "measure/wait_finder.h"

namespace olab::analysis {

struct OpSums {
    std::vector<BlockedTimes> blocked; ///< per device, all but the medians
    std::vector<Load> loads;           ///< per device
};

struct OpFindings {
    WaitTable waits;
    std::vector<ActivityIndex> reaching; ///< see StretcherFinder
    OpSums sums;
};
/// Needs all facts that do not come out of it. `beside` are jobs for the same threads that need no more than
/// that either. @throws Error only when cancelled
OpFindings passOverOps(const Facts& facts, const WaitSources& sources, const RowSums& rows,
                       std::span<const std::function<void()>> beside, const RunControl& control);

} // namespace olab::analysis
