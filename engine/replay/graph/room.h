// How much of the multiprocessors a kernel takes, from its record and the device's properties.
#pragma once

#include "graph/graph.h"

#include <olab/analysis/facts.h>

namespace olab::replay {

/// Room of a kernel that takes all multiprocessors.
inline constexpr float kMostRoom = 0.89F;
/// 0: unknown. A kernel that takes all multiprocessors still leaves some room for memsets and small grids.
/// One with a block for each multiprocessor counts as leaving no room for its own kind, unless it is short or
/// its blocks have few threads.
float roomOf(const analysis::Facts& facts, const Node& kernel);
/// How many times the kernel's blocks fill all places of the device; 0: unknown.
double wavesOf(const Trace& trace, const Node& kernel);
/// The share of all places that the kernel's blocks take, at most 1; 0: unknown.
float residentShareOf(const Trace& trace, const Node& kernel);

} // namespace olab::replay
