// Plays a graph: every step begins when all it stands behind has ended, its engine is free, or the SMs have
// room. Deterministic; O(n log n). With nothing taken out the length is to be the measured one: what it
// misses is said, not spread. @throws Error only when cancelled.
#pragma once

#include "graph/graph.h"

#include <olab/trace/run_control.h>

namespace olab::replay {

struct Played {
    Ns length = 0; ///< of the run, as Graph::measured()
    /// Of each node; empty unless asked for.
    std::vector<Interval> times;
};
enum class Keep : std::uint8_t { Length, Times };
/// The run without some causes.
Played play(const Graph& graph, Causes without, Keep keep, const RunControl& control);

} // namespace olab::replay
