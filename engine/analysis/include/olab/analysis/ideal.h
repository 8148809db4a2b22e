// The ideal run in numbers: the need of its engines, its longest chain, and how a report adopts them. Pure
// functions; any thread. Times are ns.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>

#include <span>

namespace olab::analysis {

/// The lower bounds of the ideal run.
/// @param lengths duration of each device activity in it, by number (DeviceWork)
/// @param chain its longest chain of ordered activities
IdealNeeds idealNeeds(const Facts& facts, std::span<const Ns> lengths, Ns chain);

/// Adopts the account's ideal: bounds, bottleneck and efficiency follow it. Without an account all remain
/// estimates. Idempotent.
void followIdeal(Bounds& bounds, const Ledger& ledger);

/// The run lost much time: by an account it took a quarter longer than the ideal; by an estimate it achieved
/// less than 0.8 of what overlap could save.
bool isFarFromIdeal(const Bounds& bounds);

} // namespace olab::analysis
