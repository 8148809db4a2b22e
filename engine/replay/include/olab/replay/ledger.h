// The account of a run: replays it without its causes, one after the other, and gives the cost of each
// (analysis/ledger.h). Uses only the facts of a recording; takes tens of passes over the recording, so it
// comes after the verdict. Deterministic; any thread.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>
#include <olab/trace/run_control.h>

namespace olab::replay {

/// Sets `missing` if no account is possible: no device work, or the model does not fit the run. `toolRatio`:
/// run time with recording / without, from pairs of runs; 0: unknown, then the recording gets no entry.
/// Reports progress by passes. `part`: the judged part of a run of a program that is not the lab's. It ends
/// at the begin of work outside of it, or at the end of the last work. Null: TraceFacts::runSpan().
/// @throws Error only when cancelled
analysis::Ledger makeLedger(const analysis::Facts& facts, const RunControl& control = {},
                            double toolRatio = 0, std::shared_ptr<const analysis::JudgedPart> part = nullptr);

/// Whether host functions were put into a CUDA graph: as nodes, or by capturing a stream.
bool graphsCallHost(const Trace& trace);

} // namespace olab::replay
