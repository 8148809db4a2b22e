// Kernels of one kind in a row in their stream, each of which leaves room for more of them: what they would
// save beside each other. Whether none needs the result of another no record shows, so this is no cause.
#pragma once

#include "graph/graph.h"

#include <olab/analysis/facts.h>
#include <olab/trace/run_control.h>

namespace olab::replay {

/// What that would save beyond `left`, how long the run takes with the causes in `gone` taken out. Without
/// text, and empty where it is little, or the plan of the run says what data needs.
analysis::IfIndependent ifIndependent(const Graph& graph, const analysis::Facts& facts, Causes gone, Ns left,
                                      const RunControl& control);

} // namespace olab::replay
