// Numbers about the host's calls, and which of them wait, allocate or issue.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// @throws Error only when cancelled
HostFacts hostFacts(const Facts& facts, const RunControl& control);

} // namespace olab::analysis
