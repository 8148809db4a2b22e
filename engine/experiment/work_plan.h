// Turns recorded work into a schedule. Private to the module.
#pragma once

#include <olab/experiment/plan.h>

namespace olab::experiment::detail {

/// The step of its kind is on.
bool isLeftIn(const Experiment& experiment, OpKind kind);
/// `experiment` has work and no conflicts.
Schedule planWork(const Experiment& experiment);
std::int64_t plannedWorkOps(const Experiment& experiment);
/// As conflicts(), for an experiment with work.
std::vector<std::string> workConflicts(const Experiment& experiment);

} // namespace olab::experiment::detail
