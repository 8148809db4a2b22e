// Proof by intervention: what a change of options was predicted to do, what it did in runs that alternated
// with runs without it, and whether that proves the finding that asked for it. Plain data and pure functions,
// any thread; times in nanoseconds.
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

/// The four numbers that an intervention is judged by, of one run. Empty: not known of it.
struct RunNumbers {
    std::optional<Ns> makespan;
    std::optional<Ns> wait;    ///< all waiting that the finding saw; 0 where nothing is found
    std::optional<Ns> overlap; ///< of all pairs of classes, added up
    std::optional<Ns> blocked; ///< the same of what they made each other wait
};
/// Finding::waited; 0 if it is not found, nothing if its rule abstained or there is no account that could
/// find it.
std::optional<Ns> waitOf(const analysis::Report& report, std::string_view finding);
/// Of a traced run. `finding` may be empty.
RunNumbers numbersOf(const analysis::Report& report, std::string_view finding);

/// What somebody who did not run it says: of both, so that only their difference counts.
struct PredictedChange {
    std::string by;    ///< "simulator", "replay"
    std::string basis; ///< on what it rests and how far to trust it, for people
    RunNumbers before, after;
    std::optional<double> relative() const; ///< of the makespan: -0.6 is 60 % shorter
};

struct Prediction {
    std::vector<PredictedChange> all; ///< the first is the one that is held against the measurement
    std::string lacks;                ///< why there is none; empty: there is
    std::optional<double> relative() const;
    /// Two say what differs by more than kSamePrediction of the run: both are shown.
    bool differs() const;
};
inline constexpr double kSamePrediction = 0.10;

enum class ProofStatus : std::uint8_t { Confirmed, Refuted, Inconclusive };
std::string_view proofStatusName(ProofStatus status); ///< in documents

struct Proof {
    std::string finding; ///< its id; empty: a change that no finding asked for
    experiment::OptionChanges changes;
    int pairs = 0;          ///< of runs, without and with the change
    bool simulated = false; ///< it says nothing about hardware
    bool untraced = false;  ///< the makespans are those of runs without tracing
    Prediction predicted;
    std::optional<PairedChange> makespan, wait, overlap, blocked;
    bool failed = false;  ///< a run of it ended with an error: it has no numbers
    std::string obstacle; ///< a race, lost data: why nothing follows from these runs; empty: there is none
    ProofStatus status = ProofStatus::Inconclusive;
    std::string text; ///< a sentence or two
};

/// The wait of a finding that goes away falls by more than that share.
inline constexpr double kWaitGone = 0.5;
/// Makespans closer than that are no gain that anybody would predict.
inline constexpr double kNoGain = 0.01;

/// Sets status and text from the rest. Confirmed: the interval of the makespan's change excludes zero in the
/// predicted direction, and the finding's own wait falls by more than half. Refuted: the wait stays, or the
/// run does not get shorter although that was predicted and the interval leaves less than half of it.
void judgeProof(Proof& proof);

/// For people: what the simulator says of itself is no confirmation.
std::string_view proofStatusText(const Proof& proof);

/// What the proofs say of the findings, confirmed or refuted; nothing where the report's own run raced.
void applyProofs(const std::vector<Proof>& proofs, analysis::Report& report);

} // namespace olab::comparison
