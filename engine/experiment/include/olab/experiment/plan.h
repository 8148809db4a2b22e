// From options to what is executed: a pure function.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/schedule.h>

namespace olab::experiment {

/// A schedule together with what it was made from, for code that plans it again elsewhere, changes it or
/// describes the choices. Code that executes or analyses takes the Schedule.
struct Plan : Schedule {
    HeldExperiment experiment;
    friend bool operator==(const Plan&, const Plan&) = default;
};

/// Order of ops. depth: for each iteration, for each stream, all its steps; breadth: for each iteration, for
/// each step, all streams. If a stream's pass is issued as a whole (one thread per stream, or on callback),
/// the order is that of depth. Step order: H2D, memset, kernel, peer copy, D2H, callback. With null_op or
/// interfere, one such op after each pass of a stream (depth) or after each round of all streams (breadth),
/// but not after the last. With sync.every=iteration the waits are at the end of each round (of each pass if
/// its stream has its own thread); those of sync.every=end at the very end. `devices`: the number of devices,
/// for devices=all (1 otherwise).
/// @throws Error kind Usage (conflict) with the sentence that says why the combination is impossible.
Plan plan(const Experiment& experiment, int devices = 1);

} // namespace olab::experiment
