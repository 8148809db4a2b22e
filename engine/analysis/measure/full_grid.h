// The times when the resident kernels filled the device, so that no block of another grid could start.
// Computed from the kernels' blocks and the number of blocks that the device holds at once; a kernel with
// either unknown counts as taking no room, so that no guess is blamed.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// Sets fullGrids, full and knowsResidency of `known`. Needs Facts::work(). @throws Error only when cancelled
void findFullGrids(const Facts& facts, std::uint8_t device, DeviceFacts& known, const RunControl& control);

/// The kernel to blame in `range`: the one that filled most of its end. `behind`: the first full grid that
/// begins at or after the end of `range`.
ActivityIndex fullestKernel(const DeviceFacts& device, Interval range, std::size_t behind);

} // namespace olab::analysis
