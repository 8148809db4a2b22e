// "Find the fix": predicts every change of one option that does the same work and cannot race, then changes
// together that are promising alone, measures the best few in runs interleaved with the experiment as it is,
// and ranks them by what was measured.
#pragma once

#include <olab/comparison/fix.h>
#include <olab/intervention/alternation.h>
#include <olab/intervention/prediction.h>

namespace olab {

struct FixOptions {
    int pairs = kFewestPairs;
    /// The model to predict with, and its name in words; empty: the one that the experiment names.
    ChosenModel model{};
    int measured = 4; ///< how many changes are measured at the most
};
/// `predictors.simulator` must be there: without predictions there is nothing to choose by.
/// @throws Error of a run, or cancelled
Fix findFix(const Experiment& experiment, std::string title, BackendPair backends,
            const Predictors& predictors, const RunControl& control, const FixOptions& options = {});

} // namespace olab
