// The streams of host functions (Facts::hostFunctions()).
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// By begin. Needs Facts::ofOp() and Facts::apiOf().
std::vector<HostFunction> hostFunctionsOf(const Facts& facts);

} // namespace olab::analysis
