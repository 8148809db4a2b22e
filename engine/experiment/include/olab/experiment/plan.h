// From options to what is executed: a pure function.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/schedule.h>

namespace olab {

/// A schedule with what it was made from beside it, for whoever plans it again elsewhere, changes it or says
/// what was chosen. Who executes or analyses takes the Schedule.
struct Plan : Schedule {
    HeldExperiment experiment;
    friend bool operator==(const Plan&, const Plan&) = default;
};

/// Order of ops. depth: for each iteration, for each stream, all its steps; breadth: for each iteration, for
/// each step, all streams. Where a stream's pass is issued as a whole (one thread per stream, or on callback)
/// the order is that of depth. Step order: H2D, memset, kernel, peer copy, D2H, callback. With null_op or
/// interfere, one such op after each pass of a stream (depth) or after each round of all streams (breadth),
/// but not after the last. With sync.every=iteration the waits stand at the end of each round (of each pass
/// when its stream has a thread of its own); those of sync.every=end at the very end. `devices`: how many
/// there are, for devices=all (1 otherwise).
/// @throws Error kind Usage (conflict) with the sentence that says why the combination cannot be.
Plan plan(const Experiment& experiment, int devices = 1);

} // namespace olab
