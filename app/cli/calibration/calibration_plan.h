// The experiments of `olab calibrate`: each shows some quantities of the device model alone.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <string>
#include <vector>

namespace olab::cli {

struct CalibrationExperiment {
    std::string name; ///< of its recording, if that is kept
    experiment::HeldExperiment experiment;
};

std::vector<CalibrationExperiment> calibrationPlan();

} // namespace olab::cli
