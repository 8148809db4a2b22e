// Parts of the sentences about single waits.
#pragma once

#include <olab/analysis/explained_wait.h>

namespace olab::analysis {

/// "Waited 412 us for kernel spin #17 (stream 14)", "Waited 412 us until cudaMemcpyAsync issued it", or
/// "Waited 412 us" if no more is known.
std::string waitedText(const TraceFacts& facts, const ExplainedWait& wait);
/// "Started 5.10 us after host function #3".
std::string startedText(const TraceFacts& facts, const ExplainedWait& wait);
/// For a cause without a sentence of its own: "Waited 412 us for memset #3 (stream 14): memsets wait behind
/// grids that fill the device."
std::string plainSentence(const TraceFacts& facts, const ExplainedWait& wait);

} // namespace olab::analysis
