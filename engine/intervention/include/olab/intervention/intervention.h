// Makes and judges one change: runs the same experiment with some options changed and compares the two. Used
// by "Try it", and for every proof.
#pragma once

#include <olab/comparison/comparison.h>
#include <olab/experiment/option_changes.h>
#include <olab/recording/experiment_job.h>

namespace olab {

/// The data of a recording that analysis compares, with its name.
ComparedRun comparedRun(const Recording& recording);

struct Intervention {
    RecordingPtr before, after;
    Comparison comparison; ///< refers to both
};
/// Runs `before`'s experiment with `changes` in `backends`. A race or lost data is reported by the
/// comparison's obstacle and the report of `after`, not by an error.
/// @throws Error kind Usage if `before` has no experiment or the changes are impossible, else as
/// runExperiment()
Intervention intervene(RecordingPtr before, const OptionChanges& changes, BackendPair backends,
                       std::string title, const RunControl& control, const ExperimentHooks& hooks = {});

} // namespace olab
