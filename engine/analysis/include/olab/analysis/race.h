// A run whose data came out wrong: its times are those of another program than the one that was meant, so
// nothing is proved by them and no efficiency follows from them. Nor by those of another run of its job,
// which was only lucky.
#pragma once

#include <olab/analysis/report.h>

#include <string>
#include <string_view>

namespace olab::analysis {

/// "The pipeline raced: 8 values were not ..." when the check of the data failed, "The pipeline raced in 4 of
/// 10 runs ...: up to 8 values were not ..." where it did in some of several; empty otherwise.
std::string raceText(const Report& report);
/// The part of it that says where: " in 4 of 10 runs (4 of 5 traced, 0 of 5 untraced)"; empty where there was
/// one run.
std::string raceScope(const Report& report);
/// What to say behind it: what it means and what to do.
inline constexpr std::string_view kRaceHint =
    "Its times are those of a broken program. Order the steps by their stream or by events (deps).";

/// Of a raced run: no efficiency, and findings that are consistent with the trace at most.
void takeBackClaims(Report& report);

} // namespace olab::analysis
