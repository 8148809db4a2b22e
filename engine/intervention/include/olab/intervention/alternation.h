// Experiments run by turns, so that what drifts from minute to minute, and what differs from process to
// process, touches all of them alike. The backends are the job's own: children that are fresh for each run.
//
// Makespans are taken from untraced runs where there are any, because tracing costs something and not every
// pipeline the same; waits, overlap and blocked time can only come from traced ones. A round is one run of
// each experiment of each kind; every second round goes the other way round (A B, B A, ...), so that a steady
// drift adds as much to one as to the other. The number of rounds is fixed before the first: to look and go
// on until it fits would make any interval too narrow.
#pragma once

#include <olab/comparison/proof.h>
#include <olab/recording/experiment_job.h>

namespace olab {

/// What came of one of the experiments, run by run.
struct AlternatedRuns {
    std::vector<Ns> makespans;       ///< untraced if `Alternated::untraced`
    std::vector<Ns> tracedMakespans; ///< empty where none was traced
    std::vector<RunNumbers> numbers; ///< of the traced ones, with the wait of the finding asked for
    std::string trouble;             ///< a race or lost data in any run of it; empty: none
    bool raced = false;
};
struct Alternated {
    bool untraced = false; ///< the makespans are those of untraced runs
    bool simulated = false;
    std::vector<AlternatedRuns> of; ///< in the order of the experiments
};

struct AlternationPlan {
    std::vector<HeldExperiment> experiments; ///< the first is what the others are held against
    int rounds = kFewestPairs;
    /// False: makespans only, which saves the traced runs where there are untraced ones.
    bool wantsNumbers = true;
    std::string finding{}; ///< whose wait is wanted; may be empty
    /// Told after each round: how many are done.
    std::function<void(const Alternated&, int)> roundDone{};
};

/// @throws Error of a run (device, cancelled)
Alternated alternate(const AlternationPlan& plan, BackendPair backends, const RunControl& control);

} // namespace olab
