// Which of a finding's remedies is offered to be tried: the first whose plan can run, does something else
// than the plan there is, and keeps every step behind the data that it needs. What nobody planned (an
// imported trace) cannot be judged so: there the first stands.
#pragma once

#include <olab/analysis/rules.h>

namespace olab {

/// The finding with what is offered in `tryChanges` (empty: nothing can be) and a remedy that says the same.
/// `schedule` may be null.
Finding withRemedy(Diagnosis diagnosis, const Plan* schedule);

} // namespace olab
