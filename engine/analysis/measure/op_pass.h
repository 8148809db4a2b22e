// The one pass over all device work that explains every op: why it waited and for whom, how much it was
// slowed, and which load it was. Stretches of the recording are processed in parallel; the result does not
// depend on their number.
#pragma once

#include "measure/bounds.h"
#include "measure/stretched_by.h"
#include "measure/wait_finder.h"

namespace olab::analysis {

struct OpSums {
    std::vector<BlockedTimes> blocked; ///< per device; the medians are not set
    std::vector<Load> loads;           ///< per device
};

struct OpFindings {
    WaitTable waits;
    std::vector<ActivityIndex> reaching; ///< see StretcherFinder
    OpSums sums;
};
/// Needs all facts that it does not produce itself. `beside`: jobs for the same threads that need no other
/// facts either. @throws Error only when cancelled
OpFindings passOverOps(const Facts& facts, const WaitSources& sources, const RowSums& rows,
                       std::span<const std::function<void()>> beside, const RunControl& control);

} // namespace olab::analysis
