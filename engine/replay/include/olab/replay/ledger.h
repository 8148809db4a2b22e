// The account of a run: replays it without its causes, one after the other, and says what each costs
// (analysis/ledger.h). From what is known of a recording alone; it takes tens of passes over the recording,
// so it comes after the verdict. Deterministic; any thread.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>
#include <olab/trace/run_control.h>

namespace olab::replay {

/// With `missing` set where no account can be given: no device work, or the model of the run misses it.
/// `toolRatio`: how many times as long the run took as without recording, from pairs of runs; 0: not known,
/// then the recording has no line of its own. Tells its progress by passes.
/// `part`: what is judged of a run of a program that is not ours. It ends with the begin of work that is no
/// part of it, or with the end of the last. Null: TraceFacts::runSpan().
/// @throws Error only when cancelled
analysis::Ledger makeLedger(const analysis::Facts& facts, const RunControl& control = {},
                            double toolRatio = 0, std::shared_ptr<const analysis::JudgedPart> part = nullptr);

/// Host functions were put into a CUDA graph: as nodes, or as it was captured from a stream.
bool graphsCallHost(const Trace& trace);

} // namespace olab::replay
