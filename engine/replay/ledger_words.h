// What a ledger says to people.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>

namespace olab::replay {

/// The sentence of each entry and the headline.
void addWords(Ledger& ledger, const Facts& facts);
std::string missedSentence(Ns measured, Ns model);

} // namespace olab::replay
