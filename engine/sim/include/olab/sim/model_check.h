// How far a device model can be trusted: the result of predicting recordings that it was not calibrated on.
// Pure data and pure functions; `olab calibrate --check` does the predicting
// (app/cli/calibration/calibration_check.cpp).
#pragma once

#include <olab/experiment/held_experiment.h>

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace olab::experiment {
struct Experiment;
} // namespace olab::experiment

namespace olab::sim {

struct PredictedCell;

/// Errors are shares (0.066 is 6.6 %), rounded to 0.0001 so that a file gives back what was written.
struct CheckFigures {
    std::size_t cells = 0;
    double medianError = 0, maxError = 0; ///< of the absolute errors
    double lowest = 0, highest = 0; ///< signed: both below 0 means that predictions are always too short
    std::size_t verdicts = 0, verdictsRight = 0;
    friend bool operator==(const CheckFigures&, const CheckFigures&) = default;
};

/// The cells that share these option values.
struct CheckedCondition {
    std::vector<std::pair<std::string, std::string>> when; ///< key, value
    CheckFigures figures;
    friend bool operator==(const CheckedCondition&, const CheckedCondition&) = default;
};

/// The recordings are split into halves. Calibrated on one half, the model predicts the other: that is
/// `predicted`. The conditions cover both halves, each predicted from the other, so that every recording
/// counts for runs like it.
struct ModelCheck {
    bool measured = true;     ///< false: against simulated recordings, to test the method
    std::string driver;       ///< of the device that was predicted
    std::string recordedAt;   ///< of the last of the recordings; may be empty
    std::size_t usedRuns = 0; ///< recordings in the half it was calibrated on
    CheckFigures predicted;
    std::vector<CheckedCondition> conditions;
    /// Key to the values in the recordings: a run with another value is outside the checked range.
    std::map<std::string, std::vector<std::string>> scope;
    friend bool operator==(const ModelCheck&, const ModelCheck&) = default;
};

CheckFigures figuresOf(std::span<const PredictedCell> cells);
/// From the held-out half, and the used half predicted from the held-out one; the caller fills in the origin.
ModelCheck checkOf(std::span<const PredictedCell> heldOut, std::span<const PredictedCell> usedFromHeldOut);

/// What is known of runs like this one.
struct Trust {
    const CheckedCondition* condition = nullptr; ///< into the check; null: no figure
    std::string text;                            ///< one or two sentences that say "Simulated"
};
/// `check` is null for a model that was never checked.
Trust trustIn(const ModelCheck* check, const experiment::Experiment& experiment);

/// One recording that a device model predicted: what a ModelCheck is made of. A plain value. `error` is
/// predicted/measured - 1 of the makespan.
struct PredictedCell {
    experiment::HeldExperiment experiment;
    double error = 0;
    std::size_t verdicts = 0, verdictsRight = 0;
};

} // namespace olab::sim
