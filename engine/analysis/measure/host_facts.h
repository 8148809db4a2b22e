// What the host did: the numbers of its calls, and which of them wait, allocate or issue.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// @throws Error only when cancelled
HostFacts hostFacts(const Facts& facts, const RunControl& control);

} // namespace olab::analysis
