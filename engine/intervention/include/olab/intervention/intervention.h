// Makes and judges one change: runs the same experiment with some options changed and compares the two. Used
// by "Try it", and for every proof.
#pragma once

#include <olab/comparison/comparison.h>
#include <olab/experiment/planned_change.h>
#include <olab/recording/experiment_job.h>

namespace olab::intervention {

/// The data of a recording that analysis compares, with its name.
comparison::ComparedRun comparedRun(const recording::Recording& recording);

struct Intervention {
    recording::RecordingPtr before, after;
    comparison::Comparison comparison; ///< refers to both
};
/// Runs `before`'s experiment with `changes` in `backends`. A race or lost data is reported by the
/// comparison's obstacle and the report of `after`, not by an error.
/// @throws Error kind Usage if `before` has no experiment or the changes are impossible, else as
/// runExperiment()
Intervention intervene(recording::RecordingPtr before, const experiment::OptionChanges& changes,
                       recording::BackendPair backends, std::string title, const RunControl& control,
                       const recording::ExperimentHooks& hooks = {});

} // namespace olab::intervention
