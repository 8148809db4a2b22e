// "Find the fix": predicts every change of one option that does the same work and cannot race, then
// combinations of changes that are promising alone. It measures the best few interleaved with the unchanged
// experiment, and ranks them by the measurements.
#pragma once

#include <olab/comparison/fix.h>
#include <olab/experiment/planned_change.h>
#include <olab/intervention/alternation.h>
#include <olab/intervention/prediction.h>

#include <vector>

namespace olab::intervention {

// The changes of options that a search for a faster pipeline may try for an experiment, from the rows of the
// option table (FixRole). Pure.

/// All these options may be changed.
bool keepsWork(const experiment::OptionChanges& changes);

/// Every change of one option that does the same work, including impossible and racing ones: see changeOf().
/// A different number of streams also changes the number of iterations to keep the total number of passes.
std::vector<experiment::OptionChanges> singleChanges(const experiment::Experiment& experiment);

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
