// Runs the two controls (controls.h) where an experiment is to run.
#pragma once

#include <olab/comparison/controls.h>
#include <olab/recording/experiment_job.h>

namespace olab {

/// What the controls run: `together` in two streams, else in one. Of `like` only the device, and what the
/// simulator plays.
HeldExperiment controlExperiment(const Experiment& like, bool together);

/// Traced, once each; about a tenth of a second on a GPU. @throws Error of a run
Controls runControls(const Experiment& like, Backend& traced, const RunControl& control);

/// The recording with these controls and what follows for its verdicts; its trace is copied.
/// @throws Error when cancelled
std::shared_ptr<Recording> withControls(const Recording& recording, Controls controls,
                                        const RunControl& control = {});

} // namespace olab
