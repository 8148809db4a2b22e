// The size of a plan before it is made: conflicts() refuses an absurd one without building it. Private to the
// module.
#pragma once

#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>

#include <cstdint>

namespace olab::experiment::detail {

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

} // namespace olab::experiment::detail
