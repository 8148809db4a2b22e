// What the device that comes late to collectives did before it came, and the others did not.
#pragma once

#include <olab/analysis/collectives.h>
#include <olab/analysis/facts.h>

namespace olab::analysis {

/// A sentence with a space before it, of the collectives that cost most; empty where the records tell
/// nothing. Only where there is a straggler. O(n log n)
std::string beforeItCame(const TraceFacts& facts, const Collectives& found);

} // namespace olab::analysis
