// Explains an account to its maintainers: how a wrong first cause came about.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>

#include <string>
#include <vector>

namespace olab::replay {

/// Plain text: the causes in order with the saving of each fix; for the first ones the constraints that they
/// remove and what else kept the same step; the constraints that the recording contradicts; and the learned
/// latencies. Also for a ledger without account. Times count from the begin of the judged part. Builds the
/// graph once more. Any thread.
/// @param facts those from which the ledger was made
std::vector<std::string> whyLines(const analysis::Facts& facts, const analysis::Ledger& ledger);

} // namespace olab::replay
