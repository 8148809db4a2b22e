// How much of the multiprocessors a kernel takes, by its record and what is known of the device.
#pragma once

#include "graph/graph.h"

#include <olab/analysis/facts.h>

namespace olab::replay {

/// What a kernel takes that takes all of them.
inline constexpr float kMostRoom = 0.89F;
/// 0: not known. A kernel that takes all of them still leaves memsets and small grids some room. One with a
/// block for each multiprocessor is taken to leave no room for its like, unless it is short or its blocks are
/// of few threads.
float roomOf(const analysis::Facts& facts, const Node& kernel);
/// How many times the blocks of a kernel fill all places that the device has for them; 0: not known.
double wavesOf(const Trace& trace, const Node& kernel);
/// The part of all places that its blocks take, 1 where it has more of them; 0: not known.
float residentShareOf(const Trace& trace, const Node& kernel);

} // namespace olab::replay
