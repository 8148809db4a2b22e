// Medians of very many durations without copying them all.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// Per device of the trace and class: the lower median of the durations; 0 for none. Two passes: one counts
/// by size, one gathers what is about as long as the median. @throws Error only when cancelled
std::vector<std::array<Ns, kDeviceClassCount>> medianDurations(const Facts& facts, const RunControl& control);

} // namespace olab::analysis
