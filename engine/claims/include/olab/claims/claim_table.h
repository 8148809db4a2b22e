// What five source texts claim about asynchronous CUDA, as data (resources/claims): each claim in a sentence,
// where it is from, what is expected of it, and the rule by which measurements decide it; and the experiments
// that measure. To add a claim, add a row there. Immutable; any thread.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::claims {

enum class Documented : std::uint8_t { True, Partly, False };
std::string_view documentedName(Documented d); ///< "TRUE", "PARTLY", "FALSE"

/// Something that must be true according to the claim. It holds if all of `holds` do; the claim is wrong in
/// this case if all of `contrary` hold or, if there are none, if `holds` does not. Between the two nothing is
/// decided.
struct ClaimCase {
    std::string says;
    std::vector<std::string> holds, contrary; ///< "E01.h2d: overlap(h2d,kernel)>=0.9": a run, an assertion
    std::optional<bool> documented{}; ///< that it holds, or the contrary; nothing: neither is promised
};

/// Confirmed if all cases hold, refuted if none does, partly between: the cases say where.
struct ClaimRow {
    std::string id; ///< "001-9": source text and number
    std::string claim;
    std::string source; ///< of the source text: its number, for claimSources()
    std::string place;  ///< the line and its words
    Documented documented{};
    std::string reason, reference; ///< why, and where that is said
    std::vector<ClaimCase> cases{};
    std::string needs{}; ///< not empty: why it cannot be tested here
};
struct ClaimSource {
    std::string id, title, published;
};

/// One configuration of an experiment that options can express.
struct LabRun {
    std::string name; ///< "h2d": rules call it "E01.h2d"
    experiment::HeldExperiment experiment{};
    bool serialKernels = false; ///< traced with the record kind that serialises kernels
};
/// Must hold, else no rule that uses the experiment is believed.
struct LabControl {
    std::string says;
    std::vector<std::string> holds;
};
/// Runs of options, or one probe (cuda/probes) whose run has the experiment's own name.
struct LabExperiment {
    std::string id, title;
    std::vector<LabRun> runs{};
    std::string probe{}; ///< empty: runs
    std::vector<LabControl> controls{};
    int repeat = 3; ///< of runs; a probe does its own repetitions
    bool isProbe() const { return !probe.empty(); }
};
/// The experiment whose controls apply to all experiments made of options.
inline constexpr std::string_view kControlsOfAll = "E00";
/// How many runs of an experiment, and rounds of each run, must agree.
inline constexpr double kAgreement = 0.8;

std::span<const ClaimSource> claimSources();
std::span<const ClaimRow> claimTable();
std::span<const LabExperiment> labExperiments();
const ClaimRow* findClaim(std::string_view id);              ///< null: none
const LabExperiment* findLabExperiment(std::string_view id); ///< null: none

/// "E01.h2d: overlap(h2d,kernel)>=0.9" parsed.
struct ClaimRule {
    std::string_view run, expression;
};
/// @throws Error kind Internal if it is not a rule
ClaimRule claimRule(std::string_view text);
/// The runs that a rule uses, including those after '@'.
std::vector<std::string> runsOf(std::string_view rule);
/// "E01.h2d" -> "E01"
std::string_view experimentOfRun(std::string_view run);
/// The experiments that decide a claim, each once.
std::vector<std::string> experimentsOf(const ClaimRow& claim);

} // namespace olab::claims
