// One change of a run, made and judged: the same experiment with some options changed is run, and the two are
// held against each other. What a person does with "Try it", and what every proof is made of.
#pragma once

#include <olab/comparison/comparison.h>
#include <olab/experiment/option_changes.h>
#include <olab/recording/experiment_job.h>

namespace olab {

/// What analysis compares of a recording, under the name it has there.
ComparedRun comparedRun(const Recording& recording);

struct Intervention {
    RecordingPtr before, after;
    Comparison comparison; ///< refers to both
};
/// Runs `before`'s experiment with `changes` in `backends`; that it raced or lost data is told by the
/// comparison's obstacle and the report of `after`, not by an error.
/// @throws Error kind Usage where `before` knows of no experiment or the changes cannot be, else as
/// runExperiment()
Intervention intervene(RecordingPtr before, const OptionChanges& changes, BackendPair backends,
                       std::string title, const RunControl& control, const ExperimentHooks& hooks = {});

} // namespace olab
