// The resolution of the device's time stamps, derived from the stamps alone.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// From 1 ns to 1 us (no source is coarser; a few round times prove nothing beyond that). If all begins and
/// ends, relative to the first, have a common divisor, it is that: traces written in whole microseconds have
/// steps of 1000 ns. NVIDIA devices count in steps of 32 ns, but their times are scaled to the host's clock
/// (an H200's by 12 ns per millisecond) and rounded to 1 ns: then it is the largest step that divides the
/// differences between nearby stamps, give or take 1 ns.
Ns timeStampResolution(const Facts& facts);

} // namespace olab::analysis
