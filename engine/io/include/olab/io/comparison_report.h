// A comparison, and what a search for a faster pipeline found, as JSON.
#pragma once

#include <olab/comparison/comparison.h>
#include <olab/comparison/fix.h>

#include <span>
#include <string>

namespace olab::io {

/// Indented with two spaces: names, options that differ, obstacle, times, spread, slowdown, the difference of
/// the accounts, findings that came and went, verdicts of each pair. The runs are those it was made of.
std::string comparisonToJson(const comparison::SidesCompared& sides,
                             std::span<const comparison::ComparedRun> before,
                             std::span<const comparison::ComparedRun> after);

/// Of one run of each.
std::string comparisonToJson(const comparison::Comparison& comparison, const comparison::ComparedRun& before,
                             const comparison::ComparedRun& after);

/// What a search for a faster pipeline found.
/// Indented with two spaces: {"format": "olab-fix", "measured": [{changes, set, predicted, makespan, ...}],
/// "predicted", "best", "experiment", "text"}.
std::string fixToJson(const comparison::Fix& fix);

} // namespace olab::io
