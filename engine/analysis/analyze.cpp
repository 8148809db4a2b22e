#include <olab/analysis/analyze.h>

#include <olab/analysis/race.h>
#include <olab/analysis/rules.h>

#include "bounds.h"
#include "completeness.h"
#include "remedies.h"
#include "verdicts.h"

#include <algorithm>

namespace olab {
namespace {

/// Where no device work was recorded every rule abstains: none found a cause, and none could have.
RuleResult judgeBy(const RuleRow& rule, const Facts& facts) {
    if (facts.waits().empty())
        return Abstention{std::string(rule.id), "records of device work"};
    return rule.judge(facts);
}

void applyRules(const Facts& facts, Report& report) {
    for (const RuleRow& rule : ruleTable()) {
        RuleResult result = judgeBy(rule, facts);
        if (auto* diagnosis = std::get_if<Diagnosis>(&result))
            report.findings.push_back(withRemedy(std::move(*diagnosis), facts.schedule()));
        else if (auto* abstention = std::get_if<Abstention>(&result))
            report.abstained.push_back(std::move(*abstention));
    }
    std::stable_sort(report.findings.begin(), report.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.lost > b.lost; });
}

} // namespace

Report judge(const Facts& facts, const std::optional<ToolEffect>& toolEffect, const JobRuns& runs,
             const RunControl& control) {
    control.throwIfCancelled();
    control.report(0.9, "judging");
    Report report;
    report.host = facts.host().numbers;
    report.bounds = facts.bounds();
    report.toolEffect = toolEffect;
    report.counts = facts.trace().counts();
    report.defects.assign(facts.trace().defects().begin(), facts.trace().defects().end());
    addCompletenessDefects(facts.trace(), facts.schedule(), report.defects);
    addMatchingDefects(facts, report.defects);
    addToolEffectDefect(toolEffect, report.defects);
    addOtherRuns(runs, report);
    report.verdicts = judgePairs(facts, report.defects, toolEffect);
    refuseExceeded(report.bounds, report.defects);
    control.throwIfCancelled();
    applyRules(facts, report);
    report.devices.assign(facts.devices().begin(), facts.devices().end());
    takeBackClaims(report);
    control.report(1.0, "done");
    return report;
}

Report analyze(const AnalysisInput& input, const RunControl& control) {
    return judge(*gatherFacts(input, control), input.toolEffect, input.runs, control);
}

} // namespace olab
