// The part of a graph that devices play: work in the order of its streams, and what else orders it.
#pragma once

#include "graph/graph_sketch.h"

namespace olab::replay {

void addWork(Sketch& sketch);
void addHostFunctions(Sketch& sketch);
/// Sketch::streams and Sketch::issued, and the order of each stream.
void addStreams(Sketch& sketch);
void addIssue(Sketch& sketch);
void addEvents(Sketch& sketch);
/// What short copies may overtake that stand behind a long one in their stream.
void addWaysPast(Sketch& sketch);
void addNullStream(Sketch& sketch);
void addChannels(Sketch& sketch);
/// First launches that load their function while work is under way.
void addLoading(Sketch& sketch);
/// How much longer copies take while the other direction copies, and what of each duration is what.
void shareOutDurations(Sketch& sketch);

} // namespace olab::replay
