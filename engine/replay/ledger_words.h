// What a ledger says to people.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>

namespace olab::replay {

/// The sentence of each entry and the headline.
/// @param bounds those that follow this ledger
void addWords(analysis::Ledger& ledger, const analysis::Bounds& bounds);
/// Why there is none: nothing is known of the host.
std::string callsMissingSentence(Ns measured, Ns model);
std::string missedSentence(Ns measured, Ns model);
/// Why there is none: without all causes the run would be shorter than its own kernels.
std::string tooShortSentence(Ns ideal, Ns kernels);

} // namespace olab::replay
