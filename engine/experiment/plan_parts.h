// The parts of a plan other than its streams and ops. Private to the module.
#pragma once

#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>

#include <cstdint>

namespace olab::experiment::detail {

/// For `devices` devices with all their pipelines, in order of allocation.
BufferTable planBuffers(const Experiment& experiment, std::int32_t devices);
PlannedKernel planKernel(const Experiment& experiment);
/// The settings with one value for the whole schedule.
void planSettings(const Experiment& experiment, Schedule& schedule);

// The size of a plan before it is made: conflicts() refuses an absurd one without building it.

// Steps that have their own op: memory used in place needs no copy.
inline bool copiesIn(const Experiment& e) {
    return e.h2d && !usedInPlace(e.h2dMemory);
}
inline bool copiesOut(const Experiment& e) {
    return e.d2h && !usedInPlace(e.d2hMemory);
}
inline bool issuesByPass(const Experiment& e) {
    return e.order == IssueOrder::Depth || e.issue == IssueMode::OnCallback ||
           e.issueThreads == IssueThreads::PerStream;
}

/// Groups of ops with a NULL-stream op between them: (iteration, stream) for depth, iteration for breadth.
/// For one device.
inline std::int64_t passCount(const Experiment& e) {
    return issuesByPass(e) ? std::int64_t{e.streams} * e.iterations : e.iterations;
}
/// Exactly as many as plan() makes; found by planning two iterations.
std::int64_t plannedOps(const Experiment& experiment, int devices);

// Turns recorded work into a schedule.

/// The step of its kind is on.
bool isLeftIn(const Experiment& experiment, OpKind kind);
/// `experiment` has work and no conflicts.
Schedule planWork(const Experiment& experiment);
std::int64_t plannedWorkOps(const Experiment& experiment);
/// As conflicts(), for an experiment with work.
std::vector<std::string> workConflicts(const Experiment& experiment);

} // namespace olab::experiment::detail
