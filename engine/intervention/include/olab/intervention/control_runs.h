// Runs the two controls (controls.h) in the place where an experiment will run.
#pragma once

#include <olab/comparison/controls.h>
#include <olab/recording/experiment_job.h>

namespace olab::intervention {

/// The experiment of a control: `together` in two streams, else in one. Uses only the device and the
/// simulated device of `like`.
experiment::HeldExperiment controlExperiment(const experiment::Experiment& like, bool together);

/// Traced, once each; about a tenth of a second on a GPU. @throws Error of a run
comparison::Controls runControls(const experiment::Experiment& like, experiment::Backend& traced,
                                 const RunControl& control);

/// The recording with these controls and their effect on its verdicts; its trace is copied.
/// @throws Error when cancelled
std::shared_ptr<recording::Recording> withControls(const recording::Recording& recording,
                                                   comparison::Controls controls,
                                                   const RunControl& control = {});

} // namespace olab::intervention
