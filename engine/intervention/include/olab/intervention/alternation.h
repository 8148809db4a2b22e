// Runs experiments interleaved, so that drift over minutes, and differences between processes, affect all of
// them alike. The job has its own backends: fresh children for each run.
//
// Makespans are taken from untraced runs if there are any, because tracing slows some pipelines more than
// others; waits, overlap and blocked time can only come from traced runs. A round is one run of each
// experiment of each kind; every second round has the opposite order (A B, B A, ...), so that a steady drift
// adds equally to both. The number of rounds is fixed in advance: continuing until the result fits would make
// any interval too narrow.
#pragma once

#include <olab/comparison/proof.h>
#include <olab/recording/experiment_job.h>

namespace olab::intervention {

/// The results of one of the experiments, run by run.
struct AlternatedRuns {
    std::vector<Ns> makespans;       ///< untraced if `Alternated::untraced`
    std::vector<Ns> tracedMakespans; ///< empty if none was traced
    std::vector<comparison::RunNumbers>
        numbers;         ///< of the traced runs, with the wait of the requested finding
    std::string trouble; ///< a race or lost data in any of its runs; empty: none
    bool raced = false;
};
struct Alternated {
    bool untraced = false; ///< the makespans are those of untraced runs
    bool simulated = false;
    std::vector<AlternatedRuns> of; ///< in the order of the experiments
};

struct AlternationPlan {
    std::vector<experiment::HeldExperiment>
        experiments; ///< the first is the one that the others are compared with
    int rounds = comparison::kFewestPairs;
    /// False: makespans only, without the traced runs if there are untraced ones.
    bool wantsNumbers = true;
    std::string finding{}; ///< the finding whose wait is requested; may be empty
    /// Called after each round with the number done.
    std::function<void(const Alternated&, int)> roundDone{};
};

/// @throws Error of a run (device, cancelled)
Alternated alternate(const AlternationPlan& plan, recording::BackendPair backends, const RunControl& control);

} // namespace olab::intervention
