// The fix of an experiment: the option changes that were considered, predicted and measured, and the best
// pipeline among them. Plain data and pure functions, any thread.
#pragma once

#include <olab/comparison/proof.h>

#include <optional>
#include <string>
#include <vector>

namespace olab::comparison {

struct FixCandidate {
    experiment::OptionChanges changes;
    std::optional<double> predicted; ///< of the makespan: -0.6 is 60 % shorter; empty: cannot be predicted
    std::optional<PairedChange> makespan; ///< measured alternately with the original; empty: not measured
    std::string trouble;                  ///< why it does not count: a race, lost records
    /// It is faster: the interval of its change is below zero, and nothing went wrong.
    bool isGain() const { return makespan && makespan->falls() && trouble.empty(); }
};

struct Fix {
    std::string title;
    int considered = 0; ///< changes that keep the work and cannot race; these were predicted
    int leftOut = 0;    ///< changes that would race, are impossible, or have no effect here
    int pairs = 0;
    bool simulated = false, untraced = false;
    std::string basis;                   ///< what the predictions rest on
    std::vector<FixCandidate> measured;  ///< the largest gain first
    std::vector<FixCandidate> predicted; ///< the most promising that were not measured, best first
    std::optional<std::size_t> best;     ///< index into `measured`; empty: no measured change is faster
    std::string bestExperiment;          ///< all its options as JSON; the original ones if nothing is better
    std::string text;                    ///< a sentence or two: the gain of the best, or that nothing gains
};
/// Orders `measured`, and sets best and text.
void judgeFix(Fix& fix);

/// "h2d.memory=pinned, streams=8"
std::string changesText(const experiment::OptionChanges& changes);

} // namespace olab::comparison
