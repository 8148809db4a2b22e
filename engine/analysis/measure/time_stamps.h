// The step of the device's time stamps, found out from the stamps alone.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// At least 1 ns and at most 1 us (no source is coarser; a few round times prove nothing beyond it).
/// Where all begins and ends, counted from the first, have a common divisor, it is that one: traces written
/// in whole microseconds have steps of 1000 ns. NVIDIA devices count in steps of 32 ns, but their times reach
/// us scaled to the host's clock (an H200's by 12 ns in a millisecond) and rounded to 1 ns: then it is the
/// largest step of which the differences between stamps close to each other are multiples, give or take 1 ns.
Ns timeStampResolution(const Facts& facts);

} // namespace olab::analysis
