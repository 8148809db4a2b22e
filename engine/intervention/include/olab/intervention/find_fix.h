// "Find the fix": predicts every change of one option that does the same work and cannot race, then
// combinations of changes that are promising alone. It measures the best few interleaved with the unchanged
// experiment, and ranks them by the measurements.
#pragma once

#include <olab/comparison/fix.h>
#include <olab/intervention/alternation.h>
#include <olab/intervention/prediction.h>

namespace olab::intervention {

struct FixOptions {
    int pairs = comparison::kFewestPairs;
    /// The model to predict with, and its name for people; empty: the one named by the experiment.
    ChosenModel model{};
    int measured = 4; ///< the maximum number of changes to measure
};
/// `predictors.simulator` must not be null: the choice is based on predictions.
/// @throws Error of a run, or cancelled
comparison::Fix findFix(const experiment::Experiment& experiment, std::string title,
                        recording::BackendPair backends, const Predictors& predictors,
                        const RunControl& control, const FixOptions& options = {});

} // namespace olab::intervention
