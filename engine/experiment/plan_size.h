// What a plan will hold, known before it is made: conflicts() refuses an absurd one without building it.
// Private to the module.
#pragma once

#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>

#include <cstdint>

namespace olab::detail {

// Steps that leave an op of their own: memory used in place needs no copy.
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

/// Runs of ops between which a NULL-stream op goes: (iteration, stream) for depth, iteration for breadth. Of
/// one device.
inline std::int64_t passCount(const Experiment& e) {
    return issuesByPass(e) ? std::int64_t{e.streams} * e.iterations : e.iterations;
}
/// Exactly as many as plan() makes, of which it makes two iterations to find out.
std::int64_t plannedOps(const Experiment& experiment, int devices);

} // namespace olab::detail
