// Plays a graph: every step begins when all its predecessors have ended, its engine is free, or the SMs have
// room. Deterministic; O(n log n). With no cause removed the length should be the measured one; the
// difference is reported, not spread. @throws Error only when cancelled.
#pragma once

#include "graph/graph.h"

#include <olab/trace/run_control.h>

namespace olab::replay {

struct Played {
    Ns length = 0; ///< of the run, comparable with Graph::measured()
    /// Per node; empty unless requested.
    std::vector<Interval> times;
};
enum class Keep : std::uint8_t { Length, Times };
/// Plays the run without some causes.
Played play(const Graph& graph, Causes without, Keep keep, const RunControl& control);

} // namespace olab::replay
