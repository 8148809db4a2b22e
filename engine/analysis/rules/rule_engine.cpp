#include "rules/rule_engine.h"

#include <olab/analysis/cause_table.h>
#include <olab/experiment/plan.h>

#include "facts/looks.h"
#include "rules/remedies.h"
#include "rules/waits_of_cause.h"

#include <algorithm>

namespace olab::analysis {
namespace {

using JudgePtr = std::unique_ptr<RuleJudge>;

bool isAmong(ClassMask classes, std::size_t cls) {
    return (classes >> cls & 1) != 0;
}

/// Who wants to see what: looked up once for each activity.
class Audience {
public:
    void add(RuleJudge& judge) {
        const Interest& interest = judge.interest();
        m_classes |= interest.classes;
        for (std::size_t cls = 0; cls < kClassCount; ++cls)
            for (std::size_t cause = 0; cause < kLossCauses; ++cause)
                if (isAmong(interest.classes, cls) &&
                    (cls >= kDeviceClassCount || isAmong(interest.causes, cause))) {
                    m_isWanted[cls * kLossCauses + cause] = true;
                    m_judges[cls * kLossCauses + cause].push_back(&judge);
                }
    }
    ClassMask classes() const { return m_classes; }
    void show(ActivityIndex row, ActivityClass cls, std::size_t number, LossCause cause) const {
        const std::size_t at = static_cast<std::size_t>(cls) * kLossCauses + static_cast<std::size_t>(cause);
        if (m_isWanted[at]) // most of what passes is not, where few rules fire
            for (RuleJudge* judge : m_judges[at])
                judge->see({row, cls, number});
    }

private:
    static constexpr std::size_t kKinds = kClassCount * kLossCauses;
    std::array<bool, kKinds> m_isWanted{};
    std::array<std::vector<RuleJudge*>, kKinds> m_judges;
    ClassMask m_classes = 0;
};

void showDeviceWork(const TraceFacts& facts, const Audience& audience, const RunControl& control) {
    const auto classes = facts.trace().classes();
    const auto causes = facts.waitTable().causes();
    for (std::size_t n = 0; n < causes.size(); ++n) {
        lookAtCancel(n, control);
        const ActivityIndex row = facts.deviceWork().row(n);
        audience.show(row, classes[row], n, causes[n]);
    }
}

void showAll(const TraceFacts& facts, const Audience& audience, const RunControl& control) {
    const auto classes = facts.trace().classes();
    const auto causes = facts.waitTable().causes();
    std::size_t number = 0;
    for (ActivityIndex row = 0; row < classes.size(); ++row) {
        lookAtCancel(row, control);
        const bool ofDevice = isDeviceClass(classes[row]);
        audience.show(row, classes[row], number, ofDevice ? causes[number] : LossCause::None);
        number += ofDevice;
    }
}

/// The one pass, over no more than somebody wants to see.
void pass(const TraceFacts& facts, const Audience& audience, const RunControl& control) {
    if (audience.classes() == 0)
        return;
    if ((audience.classes() & ~kDeviceClasses) != 0)
        showAll(facts, audience, control);
    else
        showDeviceWork(facts, audience, control);
}

Finding findingOf(const RuleRow& rule, Ruling ruling, const experiment::Plan* plan) {
    Finding finding;
    finding.id = rule.id;
    finding.status = ruling.status;
    finding.lost = finding.waited = rule.severity == RuleSeverity::Loss ? ruling.lost : 0;
    finding.activities = ruling.evidence.activities();
    finding.text = std::move(ruling.text);
    Offer offer = offerOf(rule.advice, rule.remedies, ruling.evidence.classes(), plan);
    finding.remedy = std::move(offer.remedy);
    finding.tryChanges = std::move(offer.changes);
    return finding;
}

/// What the records lack of the needs of a rule that found nothing; empty: it overlooked nothing.
std::string lackOf(const RuleRow& rule, const TraceFacts& facts) {
    for (const Need& need : rule.needs)
        if (std::string lack = need(facts); !lack.empty())
            return lack;
    return {};
}

class Court {
public:
    Court(std::span<const RuleRow> rules, const TraceFacts& facts)
        : m_rules(rules)
        , m_facts(facts) {
        for (const RuleRow& rule : rules) {
            m_judges.push_back(rule.judge ? rule.judge(facts) : judgeOfWaits(facts, lossCauseOf(rule.id)));
            if (m_judges.back())
                m_audience.add(*m_judges.back());
        }
    }
    RuleResults hear(const experiment::Plan* plan, const RunControl& control) {
        pass(m_facts, m_audience, control);
        for (std::size_t i = 0; i < m_rules.size(); ++i)
            conclude(m_rules[i], m_judges[i].get(), plan);
        for (const RuleSeverity severity : {RuleSeverity::Loss, RuleSeverity::Bound})
            take(severity);
        return std::move(m_results);
    }

private:
    void conclude(const RuleRow& rule, RuleJudge* judge, const experiment::Plan* plan) {
        std::optional<Ruling> ruling = judge ? judge->rule() : std::nullopt;
        if (ruling) {
            m_found[static_cast<std::size_t>(rule.severity)].push_back(
                findingOf(rule, std::move(*ruling), plan));
            return;
        }
        if (judge && judge->interest().classes != 0)
            m_results.lookedInVain.push_back(rule.id);
        if (std::string lack = lackOf(rule, m_facts); !lack.empty())
            m_results.abstained.push_back({std::string(rule.id), std::move(lack)});
    }
    void take(RuleSeverity severity) {
        auto& found = m_found[static_cast<std::size_t>(severity)];
        std::ranges::stable_sort(found, std::greater(), &Finding::lost);
        std::ranges::move(found, std::back_inserter(m_results.findings));
    }

    std::span<const RuleRow> m_rules;
    const TraceFacts& m_facts;
    std::vector<JudgePtr> m_judges; ///< by rule; null: there is no case
    Audience m_audience;
    std::array<std::vector<Finding>, 2> m_found; ///< by severity
    RuleResults m_results;
};

/// Where no device work was recorded none found a cause, and none could have.
RuleResults allAbstain(std::span<const RuleRow> rules) {
    RuleResults results;
    for (const RuleRow& rule : rules)
        results.abstained.push_back({std::string(rule.id), "records of device work"});
    return results;
}

} // namespace

std::string_view findingStatusName(FindingStatus s) {
    switch (s) {
    case FindingStatus::Proved:
        return "proved";
    case FindingStatus::Confirmed:
        return "confirmed";
    case FindingStatus::Consistent:
        return "consistent";
    case FindingStatus::Refuted:
        return "refuted";
    }
    return "invalid";
}

std::string_view findingStatusText(FindingStatus s, bool simulated) {
    if (simulated && s == FindingStatus::Confirmed)
        return "predicted by the simulator";
    if (simulated && s == FindingStatus::Refuted)
        return "not predicted by the simulator";
    return findingStatusName(s);
}

RuleResults applyRules(std::span<const RuleRow> rules, const TraceFacts& facts, const experiment::Plan* plan,
                       const RunControl& control) {
    if (facts.waits().empty())
        return allAbstain(rules);
    return Court(rules, facts).hear(plan, control);
}

} // namespace olab::analysis
