// A run with wrong data: its times are those of a different program than intended, so it proves nothing and
// has no efficiency. The same holds for the other runs of its job, which were only lucky.
#pragma once

#include <olab/analysis/report.h>

#include <string>
#include <string_view>

namespace olab::analysis {

/// "The pipeline raced: 8 values were not ..." when the check of the data failed, "The pipeline raced in 4 of
/// 10 runs ...: up to 8 values were not ..." where it did in some of several; empty otherwise.
std::string raceText(const Report& report);
/// The part that gives the scope: " in 4 of 10 runs (4 of 5 traced, 0 of 5 untraced)"; empty for a single
/// run.
std::string raceScope(const Report& report);
/// Follows raceText(): what it means and what to do.
inline constexpr std::string_view kRaceHint =
    "Its times are those of a broken program. Order the steps by their stream or by events (deps).";

/// For a raced run: removes the efficiency and makes findings at most consistent with the trace.
void takeBackClaims(Report& report);

} // namespace olab::analysis
