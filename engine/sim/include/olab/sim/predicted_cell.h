// One recording that a device model predicted: what a ModelCheck is made of. A plain value.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <cstddef>

namespace olab::sim {

/// `error` is predicted/measured - 1 of the makespan.
struct PredictedCell {
    experiment::HeldExperiment experiment;
    double error = 0;
    std::size_t verdicts = 0, verdictsRight = 0;
};

} // namespace olab::sim
