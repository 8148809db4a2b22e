// Proof by intervention: what an option change was predicted to do, what it did in runs that alternated with
// unchanged runs, and whether that proves the finding that suggested it. Plain data and pure functions, any
// thread; times in nanoseconds.
#pragma once

#include <olab/comparison/paired_change.h>
#include <olab/experiment/planned_change.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace olab::analysis {
struct Report;
} // namespace olab::analysis

namespace olab::comparison {

/// The four numbers of a run that an intervention is judged by. Empty: unknown.
struct RunNumbers {
    std::optional<Ns> makespan;
    std::optional<Ns> wait;    ///< all waiting seen by the finding; 0 without a finding
    std::optional<Ns> overlap; ///< of all pairs of classes, summed
    std::optional<Ns> blocked; ///< mutual blocking of all pairs, summed
};
/// Finding::waited; 0 if it is not found, nothing if its rule abstained or the required account is missing.
std::optional<Ns> waitOf(const analysis::Report& report, std::string_view finding);
/// Of a traced run. `finding` may be empty.
RunNumbers numbersOf(const analysis::Report& report, std::string_view finding);

/// A prediction of both runs, so that only their difference counts.
struct PredictedChange {
    std::string by;    ///< "simulator", "replay"
    std::string basis; ///< the basis and trustworthiness of the prediction, for people
    RunNumbers before, after;
    std::optional<double> relative() const; ///< change of the makespan: -0.6 is 60 % shorter
};

struct Prediction {
    std::vector<PredictedChange> all; ///< the first one is compared with the measurement
    std::string lacks;                ///< why there is no prediction; empty: there is one
    std::optional<double> relative() const;
    /// Two predictions differ by more than kSamePrediction of the run: both are shown.
    bool differs() const;
};
inline constexpr double kSamePrediction = 0.10;

enum class ProofStatus : std::uint8_t { Confirmed, Refuted, Inconclusive };
std::string_view proofStatusName(ProofStatus status); ///< in documents

struct Proof {
    std::string finding; ///< its id; empty: no finding suggested the change
    experiment::OptionChanges changes;
    int pairs = 0;          ///< of runs: without and with the change
    bool simulated = false; ///< true: says nothing about hardware
    bool untraced = false;  ///< makespans come from untraced runs
    Prediction predicted;
    std::optional<PairedChange> makespan, wait, overlap, blocked;
    bool failed = false;  ///< a run ended with an error: there are no numbers
    std::string obstacle; ///< a race, lost data: why these runs prove nothing; empty: they are valid
    ProofStatus status = ProofStatus::Inconclusive;
    std::string text; ///< a sentence or two
};

/// A finding's wait counts as gone if it falls by more than this share.
inline constexpr double kWaitGone = 0.5;
/// Smaller changes of the makespan are not predicted as gains.
inline constexpr double kNoGain = 0.01;

/// Sets status and text from the other members. Confirmed: the interval of the makespan's change excludes
/// zero in the predicted direction, and the finding's own wait falls by more than half. Refuted: the wait
/// stays, or the run does not get shorter although predicted, and the interval allows less than half of the
/// prediction.
void judgeProof(Proof& proof);

/// For people: a simulated run does not confirm anything about itself.
std::string_view proofStatusText(const Proof& proof);

/// Applies proofs to findings: confirmed or refuted; no effect if the report's own run raced.
void applyProofs(const std::vector<Proof>& proofs, analysis::Report& report);

} // namespace olab::comparison
