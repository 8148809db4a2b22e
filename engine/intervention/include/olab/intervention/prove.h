// Proof by intervention: runs the experiment unchanged and with a change, interleaved, and judges the
// difference. The last step of "Try it" and of `olab run --prove`.
#pragma once

#include <olab/comparison/controls.h>
#include <olab/intervention/alternation.h>
#include <olab/intervention/prediction.h>
#include <olab/recording/experiment_job.h>

namespace olab::intervention {

// Runs the two controls (controls.h) in the place where an experiment will run.

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

struct Claim {
    std::string finding; ///< that the change belongs to; empty: none
    experiment::OptionChanges changes;
};
/// The claims of a report: its findings that offer a change. `only`: these ids; empty: all.
std::vector<Claim> claimsOf(const analysis::Report& report, const std::vector<std::string>& only = {});
/// The finding that offers these changes; empty: none.
std::string findingThatOffers(const analysis::Report& report, const experiment::OptionChanges& changes);

struct ProveOptions {
    int pairs = comparison::kFewestPairs;
    /// Called after each pair with a proof from the pairs so far; its status is valid only after the last.
    std::function<void(const comparison::Proof&)> pairDone{};
};
/// @throws Error kind Usage if `before` has no experiment or the changes are impossible; of a run as
/// alternate()
comparison::Proof prove(const recording::Recording& before, const Claim& claim,
                        recording::BackendPair backends, const Predictors& predictors,
                        const RunControl& control, const ProveOptions& options = {});

/// The recording with these proofs and their effect on its findings; its trace is copied.
/// @throws Error when cancelled
std::shared_ptr<recording::Recording> withProofs(const recording::Recording& recording,
                                                 std::vector<comparison::Proof> proofs,
                                                 const RunControl& control = {});

} // namespace olab::intervention
