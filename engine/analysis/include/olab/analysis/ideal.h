// The ideal run in numbers: what it needs of the engines and in its longest chain, and how the numbers of a
// report follow it. Pure functions; any thread. Times are ns.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>

#include <span>

namespace olab::analysis {

/// What the ideal run needs at the least.
/// @param lengths what each device activity takes in it, by its number (DeviceWork)
/// @param chain the longest chain of those that it keeps in order
IdealNeeds idealNeeds(const Facts& facts, std::span<const Ns> lengths, Ns chain);

/// The account's ideal is the ideal: bounds, what limits and efficiency follow it. Where there is no account
/// all stay the estimates that they are. Done twice it changes nothing.
void followIdeal(Bounds& bounds, const Ledger& ledger);

/// Something held the run up: by an account it took a quarter longer than the ideal; by an estimate it has
/// less than 0.8 of what overlap could save.
bool isFarFromIdeal(const Bounds& bounds);

} // namespace olab::analysis
