// Findings follow the account of lost time: what each cost of the run, not how long all waited in sum.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/report.h>

namespace olab::analysis {

/// A cause that costs this part of a run or more has a finding.
inline constexpr double kWorthAFinding = 0.01;

/// " Fixing this alone saves 15.0 us; ..." where that is far less than the cost; else nothing. Names what has
/// to be fixed too: the causes before it in the account.
std::string aloneText(const Ledger& ledger, const LedgerEntry& entry);

/// What of all that is often blamed occurs here and is no cause (`notCauses`), and what these records cannot
/// show (`notObservable`). Looks at the account if there is one.
void addOftenBlamed(Report& report, const Facts& facts);

} // namespace olab::analysis
