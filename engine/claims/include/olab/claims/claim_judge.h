// Judges claims by recordings alone, independently of the documentation.
#pragma once

#include <olab/assertion/judged_recording.h>
#include <olab/claims/claim_table.h>

#include <map>
#include <memory>

namespace olab::claims {

enum class ClaimOutcome : std::uint8_t { Confirmed, Partly, Refuted, Inconclusive, NotTestable };
std::string_view outcomeName(ClaimOutcome o); ///< "confirmed", ..., "inconclusive", "not_testable"
bool isDecided(ClaimOutcome outcome);

/// What is known of one run ("E01.h2d", "E09").
struct RunEvidence {
    std::vector<std::shared_ptr<const assertion::JudgedRecording>> repeats{};
    std::string missing{};    ///< why there are none
    bool notTestable = false; ///< this machine cannot run it at all
};
using Evidence = std::map<std::string, RunEvidence, std::less<>>;

enum class CaseSide : std::uint8_t { Holds, Contrary, Open };
std::string_view caseSideName(CaseSide s); ///< "holds", "contrary", "open"
struct CaseResult {
    std::string says;
    CaseSide side = CaseSide::Open;
    std::string text; ///< the assertions with the measured values, or why it is open
};
struct ClaimResult {
    std::string id;
    ClaimOutcome outcome = ClaimOutcome::Inconclusive;
    std::string reason{}; ///< Partly: the deciding case; last two: the reason; else empty
    std::vector<CaseResult> cases{};
};

/// Whether measurement and documentation agree. One case that holds and one that does not make "partly",
/// whichever they are: a claim that is documented as partly true agrees only if each case came out on its
/// documented side.
enum class Agreement : std::uint8_t {
    Undecided,    ///< by the measurement
    Undocumented, ///< the documentation does not say which cases hold: no outcome could have disagreed
    Agrees,
    Differs
};
Agreement agreement(const ClaimRow& claim, const ClaimResult& result);

/// Caches the results of controls. `evidence` must outlive it.
class ClaimJudge {
public:
    explicit ClaimJudge(const Evidence& evidence)
        : m_evidence(evidence) {}
    ClaimResult judge(const ClaimRow& claim);
    /// Why the experiment is not believed; empty: its controls hold.
    const std::string& controlTrouble(const LabExperiment& experiment);

private:
    struct Look;
    CaseResult judgeCase(const ClaimCase& tested, bool& notTestable);
    std::string missing(const std::vector<std::string>& runs, bool& notTestable) const;
    std::string controlTroubleOf(const std::vector<std::string>& runs);
    std::string lookAtControls(const LabExperiment& experiment) const;
    std::size_t roundsOf(const std::vector<std::string>& runs) const;
    Look allHold(const std::vector<std::string>& rules, std::size_t round) const;
    const Evidence& m_evidence;
    std::map<std::string, std::string> m_controls; ///< by experiment
};

} // namespace olab::claims
