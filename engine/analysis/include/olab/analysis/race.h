// A run whose data came out wrong: its times are those of another program than the one that was meant, so
// nothing is proved by them and no efficiency follows from them.
#pragma once

#include <olab/analysis/report.h>

#include <string>
#include <string_view>

namespace olab {

/// "The pipeline raced: 8 values were not ..." when the check of the data failed; empty otherwise.
std::string raceText(const Report& report);
/// What to say behind it: what it means and what to do.
inline constexpr std::string_view kRaceHint =
    "Its times are those of a broken program. Order the steps by their stream or by events (deps).";

/// Of a raced run: no efficiency, and findings that are consistent with the trace at most.
void takeBackClaims(Report& report);

} // namespace olab
