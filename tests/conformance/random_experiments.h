// Valid experiments drawn over every option: what every backend must survive.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <cstddef>
#include <vector>

namespace olab::conformance {

/// `count` different valid experiments, always the same ones.
std::vector<experiment::HeldExperiment> randomExperiments(std::size_t count);

} // namespace olab::conformance
