// The parts of a plan beside its streams and ops. Private to the module.
#pragma once

#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>

namespace olab::detail {

/// Of `devices` devices with all their pipelines, in the order in which they are to be made.
BufferTable planBuffers(const Experiment& experiment, std::int32_t devices);
PlannedKernel planKernel(const Experiment& experiment);
/// What is one value for all of a schedule.
void planSettings(const Experiment& experiment, Schedule& schedule);

} // namespace olab::detail
