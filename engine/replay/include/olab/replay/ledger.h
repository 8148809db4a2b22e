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
/// @throws Error only when cancelled
analysis::Ledger makeLedger(const analysis::Facts& facts, const RunControl& control = {},
                            double toolRatio = 0);

} // namespace olab::replay
