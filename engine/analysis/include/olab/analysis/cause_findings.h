// Findings from the account of lost time: what each cause cost, not the sum of all waiting.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/report.h>

namespace olab::analysis {

/// A cause that costs at least this share of the run gets a finding.
inline constexpr double kWorthAFinding = 0.01;

/// " Fixing this alone saves 15.0 us; ..." if that is far less than the cost, and which causes before it in
/// the account must be fixed too; otherwise empty.
std::string aloneText(const Ledger& ledger, const LedgerEntry& entry);

/// Adds often-blamed things that occur here without being a cause (`notCauses`), and what these records
/// cannot show (`notObservable`). Uses the account if there is one.
void addOftenBlamed(Report& report, const Facts& facts);

} // namespace olab::analysis
