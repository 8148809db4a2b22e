// Builds the graph of a recording from its facts. @throws Error only when cancelled
#pragma once

#include "graph/graph.h"

#include <olab/analysis/facts.h>

namespace olab::replay {

/// `part`: the judged part of the recording; null: the run. Whatever crosses its ends is cut. `recorder`: the
/// profiler's overhead is only known within bounds; which estimate to use.
Graph buildGraph(const analysis::Facts& facts, const RunControl& control,
                 const analysis::JudgedPart* part = nullptr, RecorderShare recorder = RecorderShare::Likely);

} // namespace olab::replay
