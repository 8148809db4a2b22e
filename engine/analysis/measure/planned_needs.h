// What an op waits for by plan, beyond the order of its stream: events of other streams, and callbacks that
// issue it.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

/// Needs Facts::ofOp().
PlannedNeeds plannedNeeds(const Facts& facts);

} // namespace olab::analysis
