// Kernels of one kind in a row in their stream, each of which leaves room for more: what running them side by
// side would save. No record shows whether they depend on each other, so this is no cause.
#pragma once

#include "graph/graph.h"

#include <olab/analysis/facts.h>
#include <olab/trace/run_control.h>

namespace olab::replay {

/// The saving beyond `left`, the length of the run without the causes in `gone`. Without text, and empty if
/// the saving is small or the plan says what data needs.
analysis::IfIndependent ifIndependent(const Graph& graph, const analysis::Facts& facts, Causes gone, Ns left,
                                      const RunControl& control);

} // namespace olab::replay
