// When the resident kernels filled the device, so that no block of another grid could start. From blocks and
// the number of blocks the device holds at once; a kernel of which neither is known takes no room here, so
// nothing is blamed on a guess.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// Fills `known`'s fullGrids, full and knowsResidency. Needs Facts::work(). @throws Error only when cancelled
void findFullGrids(const Facts& facts, std::uint8_t device, DeviceFacts& known, const RunControl& control);

/// The kernel to blame in `range`, the one that held most of the end of it; `behind`: the first full grid
/// that begins at its end or later.
ActivityIndex fullestKernel(const DeviceFacts& device, Interval range, std::size_t behind);

} // namespace olab::analysis
