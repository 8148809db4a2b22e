// What a device that arrives late at collectives did before it arrived, unlike the others.
#pragma once

#include <olab/analysis/collectives.h>
#include <olab/analysis/facts.h>

namespace olab::analysis {

/// A sentence with a leading space about the most expensive collectives; empty if the records do not show it,
/// or without a straggler. O(n log n)
std::string beforeItCame(const TraceFacts& facts, const Collectives& found);

} // namespace olab::analysis
