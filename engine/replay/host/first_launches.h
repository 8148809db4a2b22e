// Launches that took long because the code of their kernel was loaded, where no record says so.
#pragma once

#include "graph/graph_sketch.h"

#include <map>

namespace olab::replay {

/// In a program of which only calls and work are known: the calls that launched a kernel for the first time
/// and took many times as long as calls of their name do, with that median.
std::map<ActivityIndex, Ns> slowFirstLaunches(const Sketch& sketch);

} // namespace olab::replay
