// When the resident kernels filled the device, so that no block of another grid could start. From blocks and
// the number of blocks the device holds at once; a kernel of which neither is known takes no room here, so
// nothing is blamed on a guess.
#pragma once

#include <olab/analysis/facts.h>

namespace olab {

/// Fills DeviceFacts::fullGrids, full, knowsResidency, crowdedCompute and crowdedCopies.
void findResidency(Facts& facts);

/// How long the device was full in `range`, and the kernel to blame: the one that held most of the end of it.
struct FullGridHold {
    Ns time = 0;
    ActivityIndex kernel = kNoActivity;
};
FullGridHold heldByFullGrid(const DeviceFacts& device, Interval range);

} // namespace olab
