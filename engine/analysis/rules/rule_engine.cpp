#include "rules/rule_engine.h"

#include <olab/analysis/cause_table.h>
#include <olab/experiment/plan.h>
#include <olab/trace/run_control.h>

#include "rules/remedies.h"

#include <algorithm>

namespace olab::analysis {
namespace {

Finding findingOf(const RuleRow& rule, RuleResult result, const experiment::Plan* plan) {
    Finding finding;
    finding.id = rule.id;
    finding.status = result.status;
    finding.lost = finding.waited = rule.severity == RuleSeverity::Loss ? result.lost : 0;
    finding.activities = result.evidence.activities();
    finding.text = std::move(result.text);
    Offer offer = offerOf(rule.advice, rule.remedies, result.evidence.classes(), plan);
    finding.remedy = std::move(offer.remedy);
    finding.tryChanges = std::move(offer.changes);
    return finding;
}

/// The records that a rule without a finding lacked; empty: it overlooked nothing.
std::string lackOf(const RuleRow& rule, const TraceFacts& facts) {
    for (const Need& need : rule.needs)
        if (std::string lack = need(facts); !lack.empty())
            return lack;
    return {};
}

/// Without device work no rule can find a cause.
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
    RuleResults results;
    std::vector<Finding> bounds;
    for (const RuleRow& rule : rules) {
        control.throwIfCancelled();
        if (auto result = rule.judge ? rule.judge(facts) : waitsOf(facts, lossCauseOf(rule.id)))
            (rule.severity == RuleSeverity::Bound ? bounds : results.findings)
                .push_back(findingOf(rule, std::move(*result), plan));
        else if (std::string lack = lackOf(rule, facts); !lack.empty())
            results.abstained.push_back({std::string(rule.id), std::move(lack)});
    }
    std::ranges::stable_sort(results.findings, std::greater(), &Finding::lost);
    std::ranges::move(bounds, std::back_inserter(results.findings));
    return results;
}

} // namespace olab::analysis
