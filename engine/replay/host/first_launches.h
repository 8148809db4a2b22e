// Launches that took long because the kernel's code was loaded, although no record shows it.
#pragma once

#include "graph/graph_sketch.h"

#include <map>

namespace olab::replay {

/// For a program with only calls and work recorded: first launches of a kernel that took many times as long
/// as calls of that name usually do, with that median.
std::map<ActivityIndex, Ns> slowFirstLaunches(const Sketch& sketch);

} // namespace olab::replay
