// A comparison as JSON.
#pragma once

#include <olab/comparison/comparison.h>

#include <string>

namespace olab {

/// Indented with two spaces: names, options that differ, obstacle, times, spread, verdicts of each pair.
std::string comparisonToJson(const Comparison& comparison, const ComparedRun& before,
                             const ComparedRun& after);

} // namespace olab
