// The parts of a plan other than its streams and ops. Private to the module.
#pragma once

#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>

namespace olab::experiment::detail {

/// For `devices` devices with all their pipelines, in order of allocation.
BufferTable planBuffers(const Experiment& experiment, std::int32_t devices);
PlannedKernel planKernel(const Experiment& experiment);
/// The settings with one value for the whole schedule.
void planSettings(const Experiment& experiment, Schedule& schedule);

} // namespace olab::experiment::detail
