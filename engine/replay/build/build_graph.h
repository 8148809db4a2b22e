// From what is known of a recording to its graph. @throws Error only when cancelled
#pragma once

#include "graph/graph.h"

#include <olab/analysis/facts.h>

namespace olab::replay {

/// `part`: what is judged of the recording; null: the run. What reaches beyond a part is cut. `recorder`:
/// what its profiler took is not known, only between what bounds.
Graph buildGraph(const analysis::Facts& facts, const RunControl& control,
                 const analysis::JudgedPart* part = nullptr, RecorderShare recorder = RecorderShare::Likely);

} // namespace olab::replay
