// From what is known of a recording to its graph. @throws Error only when cancelled
#pragma once

#include "graph.h"

#include <olab/analysis/facts.h>

namespace olab::replay {

Graph buildGraph(const analysis::Facts& facts, const RunControl& control);

} // namespace olab::replay
