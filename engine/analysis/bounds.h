// What the hardware could do at best: the formulas of NVIDIA's simpleMultiCopy sample over solo durations,
// and the longest chain.
#pragma once

#include <olab/analysis/facts.h>

namespace olab {

/// Fills Facts::bounds and DeviceFacts::computeLoad. `efficiency` is what came out, even above
/// kMaxEfficiency: refuseExceeded judges that.
void computeBounds(Facts& facts);

/// Measured faster than the bound by more than 2 % of what there was to gain: the solo durations do not fit
/// this run.
inline constexpr double kMaxEfficiency = 1.02;
/// Below serial / bound = this there is nothing to overlap.
inline constexpr double kNothingToOverlap = 1.05;

/// Takes an efficiency above kMaxEfficiency away and says so in a defect.
void refuseExceeded(Bounds& bounds, std::vector<Defect>& defects);

} // namespace olab
