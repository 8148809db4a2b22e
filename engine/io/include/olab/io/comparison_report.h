// A comparison as JSON.
#pragma once

#include <olab/comparison/comparison.h>

#include <string>

namespace olab::io {

/// Indented with two spaces: names, options that differ, obstacle, times, spread, verdicts of each pair.
std::string comparisonToJson(const comparison::Comparison& comparison, const comparison::ComparedRun& before,
                             const comparison::ComparedRun& after);

} // namespace olab::io
