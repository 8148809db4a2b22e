// The sentences of a ledger.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>

namespace olab::replay {

/// Sets the sentence of each entry and the headline, once the ideal is known. The account counts a kernel
/// that waits in a collective as work: if waiting for a straggler takes more than the first cause costs, the
/// headline begins with that.
void addWords(analysis::Ledger& ledger, const analysis::Facts& facts);
/// For a missing account: the model takes longer or much less than the run.
std::string missedSentence(Ns measured, Ns model);
/// For a missing account: without all causes the run would be shorter than its own kernels.
std::string tooShortSentence(Ns ideal, Ns kernels);

} // namespace olab::replay
