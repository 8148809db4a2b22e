#include <olab/analysis/analyze.h>

#include <olab/analysis/race.h>
#include <olab/analysis/rules.h>

#include "bounds.h"
#include "completeness.h"
#include "measure.h"
#include "remedies.h"
#include "verdicts.h"

#include <algorithm>

namespace olab {
namespace {

/// Where no device work was recorded every rule abstains: none found a cause, and none could have.
RuleResult judgeBy(const RuleRow& rule, const Facts& facts) {
    if (facts.waits.empty())
        return Abstention{std::string(rule.id), "records of device work"};
    return rule.judge(facts);
}

void applyRules(const Facts& facts, Report& report) {
    for (const RuleRow& rule : ruleTable()) {
        RuleResult result = judgeBy(rule, facts);
        if (auto* diagnosis = std::get_if<Diagnosis>(&result))
            report.findings.push_back(withRemedy(std::move(*diagnosis), facts.schedule));
        else if (auto* abstention = std::get_if<Abstention>(&result))
            report.abstained.push_back(std::move(*abstention));
    }
    std::stable_sort(report.findings.begin(), report.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.lost > b.lost; });
}

} // namespace

Report analyze(const AnalysisInput& input, const RunControl& control) {
    Facts facts = gatherFacts(input, control);
    Report report;
    report.host = measureHost(input.trace);
    report.bounds = facts.bounds;
    report.toolEffect = input.toolEffect;
    report.counts = input.trace.counts();
    report.defects.assign(input.trace.defects().begin(), input.trace.defects().end());
    addCompletenessDefects(input.trace, input.schedule, report.defects);
    addMatchingDefects(facts, report.defects);
    addToolEffectDefect(input.toolEffect, report.defects);
    addOtherRuns(input.runs, report);
    control.throwIfCancelled();
    control.report(0.9, "judging");
    report.verdicts = judgePairs(facts, report.defects, input.toolEffect);
    refuseExceeded(report.bounds, report.defects);
    applyRules(facts, report);
    report.devices = std::move(facts.devices);
    takeBackClaims(report);
    control.report(1.0, "done");
    return report;
}

} // namespace olab
