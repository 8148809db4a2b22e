#include <olab/claims/claim_judge.h>

#include <algorithm>

namespace olab::claims {
namespace {

void addOnce(std::vector<std::string>& all, const std::vector<std::string>& more) {
    for (const std::string& name : more)
        if (std::ranges::find(all, name) == all.end())
            all.push_back(name);
}

std::vector<std::string> runsOfRules(const std::vector<std::string>& rules) {
    std::vector<std::string> runs;
    for (const std::string& rule : rules)
        addOnce(runs, runsOf(rule));
    return runs;
}

std::vector<std::string> runsOfCase(const ClaimCase& tested) {
    std::vector<std::string> runs = runsOfRules(tested.holds);
    addOnce(runs, runsOfRules(tested.contrary));
    return runs;
}

bool enough(std::size_t agreeing, std::size_t all) {
    return all > 0 && static_cast<double>(agreeing) >= kAgreement * static_cast<double>(all);
}

std::string ofRounds(std::size_t some, std::size_t all) {
    return std::to_string(some) + " of " + std::to_string(all) + " runs";
}

} // namespace

std::string_view outcomeName(ClaimOutcome o) {
    constexpr std::string_view kNames[] = {"confirmed", "partly", "refuted", "inconclusive", "not_testable"};
    return kNames[static_cast<std::size_t>(o)];
}

std::string_view caseSideName(CaseSide s) {
    constexpr std::string_view kNames[] = {"holds", "contrary", "open"};
    return kNames[static_cast<std::size_t>(s)];
}

bool isDecided(ClaimOutcome outcome) {
    return outcome != ClaimOutcome::Inconclusive && outcome != ClaimOutcome::NotTestable;
}

Agreement agreement(const ClaimRow& claim, const ClaimResult& result) {
    if (!isDecided(result.outcome) || result.cases.size() != claim.cases.size())
        return Agreement::Undecided;
    bool differs = false, documentedToHold = false, documentedNotTo = false;
    for (std::size_t i = 0; i < claim.cases.size(); ++i) {
        const std::optional<bool>& documented = claim.cases[i].documented;
        if (!documented || result.cases[i].side == CaseSide::Open)
            continue;
        (*documented ? documentedToHold : documentedNotTo) = true;
        differs = differs || (result.cases[i].side == CaseSide::Holds) != *documented;
    }
    if (differs)
        return Agreement::Differs;
    const bool could = claim.documented == Documented::Partly ? documentedToHold && documentedNotTo
                                                              : documentedToHold || documentedNotTo;
    return could ? Agreement::Agrees : Agreement::Undocumented;
}

/// Rules of one round.
struct ClaimJudge::Look {
    bool hold = false, judged = false;
    std::string text;
};

ClaimJudge::Look ClaimJudge::allHold(const std::vector<std::string>& rules, std::size_t round) const {
    const auto recordingOf = [&](std::string_view run) -> const assertion::Judged* {
        const auto at = m_evidence.find(run);
        if (at == m_evidence.end() || at->second.repeats.empty())
            return nullptr;
        return &at->second.repeats[std::min(round, at->second.repeats.size() - 1)]->judged();
    };
    Look look{!rules.empty(), true, {}};
    for (const std::string& text : rules) {
        const ClaimRule rule = claimRule(text);
        const assertion::AssertionResult result =
            assertion::checkAssertion(*recordingOf(rule.run), rule.expression, recordingOf);
        look.hold = look.hold && result.passed;
        look.judged = look.judged && result.judged;
        look.text += (look.text.empty() ? "" : "; ") + std::string(rule.run) + ": " + result.text;
    }
    return look;
}

std::string ClaimJudge::missing(const std::vector<std::string>& runs, bool& notTestable) const {
    for (const std::string& run : runs) {
        const auto at = m_evidence.find(run);
        if (at == m_evidence.end())
            return "the experiment " + std::string(experimentOfRun(run)) + " was not run";
        if (at->second.repeats.empty()) {
            notTestable = notTestable || at->second.notTestable;
            return at->second.missing;
        }
    }
    return {};
}

/// If a run was repeated less often, its last recording is used for the missing ones.
std::size_t ClaimJudge::roundsOf(const std::vector<std::string>& runs) const {
    std::size_t most = 0;
    for (const std::string& run : runs)
        if (const auto at = m_evidence.find(run); at != m_evidence.end())
            most = std::max(most, at->second.repeats.size());
    return most;
}

std::string ClaimJudge::lookAtControls(const LabExperiment& experiment) const {
    for (const LabControl& control : experiment.controls) {
        const std::vector<std::string> runs = runsOfRules(control.holds);
        bool ignored = false;
        if (std::string why = missing(runs, ignored); !why.empty())
            return "the control of " + experiment.id + " (" + control.says + ") is missing: " + why;
        const std::size_t rounds = roundsOf(runs);
        std::size_t good = 0;
        std::string bad;
        for (std::size_t i = 0; i < rounds; ++i) {
            const Look look = allHold(control.holds, i);
            good += look.hold ? 1 : 0;
            if (!look.hold && bad.empty())
                bad = look.text;
        }
        if (!enough(good, rounds))
            return "the control of " + experiment.id + " failed, " + control.says + ": " + bad;
    }
    return {};
}

const std::string& ClaimJudge::controlTrouble(const LabExperiment& experiment) {
    const auto [at, isNew] = m_controls.try_emplace(experiment.id);
    if (isNew)
        at->second = lookAtControls(experiment);
    return at->second;
}

std::string ClaimJudge::controlTroubleOf(const std::vector<std::string>& runs) {
    for (const std::string& run : runs) {
        const LabExperiment* const experiment = findLabExperiment(experimentOfRun(run));
        if (!experiment)
            return "there is no experiment " + std::string(experimentOfRun(run));
        const LabExperiment* const ofAll =
            experiment->isProbe() ? nullptr : findLabExperiment(kControlsOfAll);
        for (const LabExperiment* one : {ofAll, experiment})
            if (one)
                if (const std::string& trouble = controlTrouble(*one); !trouble.empty())
                    return trouble;
    }
    return {};
}

CaseResult ClaimJudge::judgeCase(const ClaimCase& tested, bool& notTestable) {
    CaseResult result{tested.says, CaseSide::Open, {}};
    const std::vector<std::string> runs = runsOfCase(tested);
    result.text = missing(runs, notTestable);
    if (result.text.empty())
        result.text = controlTroubleOf(runs);
    if (!result.text.empty())
        return result;
    const std::size_t rounds = roundsOf(runs);
    std::size_t holding = 0, contrary = 0;
    std::string unjudged;
    for (std::size_t i = 0; i < rounds; ++i) {
        const Look holds = allHold(tested.holds, i);
        const Look against = tested.contrary.empty() ? Look{!holds.hold && holds.judged, holds.judged, ""}
                                                     : allHold(tested.contrary, i);
        holding += holds.hold ? 1 : 0;
        contrary += against.hold ? 1 : 0;
        if (i == 0)
            result.text = holds.text;
        if (!holds.judged && unjudged.empty())
            unjudged = holds.text;
    }
    if (enough(holding, rounds))
        result.side = CaseSide::Holds;
    else if (enough(contrary, rounds))
        result.side = CaseSide::Contrary;
    else if (!unjudged.empty())
        result.text = unjudged;
    else
        result.text = (rounds > 1 ? "too much spread: it held in " + std::to_string(holding) +
                                        " and the contrary in " + ofRounds(contrary, rounds)
                                  : std::string("between the limits of the claim and of its contrary")) +
                      "; " + result.text;
    return result;
}

namespace {

/// The first case of that side; it decides.
const CaseResult* firstOf(const std::vector<CaseResult>& cases, CaseSide side) {
    const auto at = std::ranges::find(cases, side, &CaseResult::side);
    return at == cases.end() ? nullptr : &*at;
}

void decide(ClaimResult& result, bool notTestable) {
    const CaseResult* const open = firstOf(result.cases, CaseSide::Open);
    const CaseResult* const holds = firstOf(result.cases, CaseSide::Holds);
    const CaseResult* const contrary = firstOf(result.cases, CaseSide::Contrary);
    if (holds && contrary) { // open cases cannot change that
        result.outcome = ClaimOutcome::Partly;
        result.reason = "Refuted: " + contrary->says;
    } else if (open) {
        result.outcome = notTestable ? ClaimOutcome::NotTestable : ClaimOutcome::Inconclusive;
        result.reason = open->text;
    } else {
        result.outcome = holds ? ClaimOutcome::Confirmed : ClaimOutcome::Refuted;
    }
}

} // namespace

ClaimResult ClaimJudge::judge(const ClaimRow& claim) {
    ClaimResult result{claim.id};
    if (!claim.needs.empty() || claim.cases.empty()) {
        result.outcome = ClaimOutcome::NotTestable;
        result.reason = claim.needs;
        return result;
    }
    bool notTestable = false;
    for (const ClaimCase& tested : claim.cases)
        result.cases.push_back(judgeCase(tested, notTestable));
    decide(result, notTestable);
    return result;
}

} // namespace olab::claims
