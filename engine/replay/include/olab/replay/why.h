// Why an account says what it says, for those who maintain it: a wrong first cause leads to what made it.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>

#include <string>
#include <vector>

namespace olab::replay {

/// Plain text: the causes in their order with what mending each brings, of the first ones the constraints
/// that they take out with what else kept the same step, the constraints that the recording contradicts, and
/// the latencies that were learned. Of a ledger without account too. Times count from the begin of the part
/// that is judged. The graph is built once more. Any thread.
/// @param facts those that the ledger was made from
std::vector<std::string> whyLines(const analysis::Facts& facts, const analysis::Ledger& ledger);

} // namespace olab::replay
