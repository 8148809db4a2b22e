#include <olab/analysis/analyze.h>

#include <olab/analysis/race.h>

#include "measure/bounds.h"
#include "report/completeness.h"
#include "report/untraced.h"
#include "report/verdicts.h"
#include "rules/rule_engine.h"

namespace olab::analysis {

Report judge(const Facts& facts, const std::optional<ToolEffect>& toolEffect, const JobRuns& runs,
             const RunControl& control) {
    control.throwIfCancelled();
    control.report(0.9, "judging");
    if (tracingWasOff(facts.trace()))
        return untracedReport(facts.trace(), runs);
    Report report;
    report.host = facts.host().numbers;
    report.bounds = facts.bounds();
    report.collectives = facts.collectives();
    report.communication = facts.communication();
    report.toolEffect = toolEffect;
    report.counts = facts.trace().counts();
    report.defects.assign(facts.trace().defects().begin(), facts.trace().defects().end());
    addCompletenessDefects(facts.trace(), facts.schedule(), report.defects);
    addMatchingDefects(facts, report.defects);
    addLateEndDefect(facts, report.defects);
    addToolEffectDefect(toolEffect, report.defects);
    addOtherRuns(runs, report);
    report.verdicts = judgePairs(facts, report.defects, toolEffect);
    refuseExceeded(report.bounds, report.defects);
    control.throwIfCancelled();
    RuleResults rules = applyRules(ruleTable(), facts, facts.plan(), control);
    report.findings = std::move(rules.findings);
    report.abstained = std::move(rules.abstained);
    report.devices.assign(facts.devices().begin(), facts.devices().end());
    takeBackClaims(report);
    control.report(1.0, "done");
    return report;
}

Report analyze(const AnalysisInput& input, const RunControl& control) {
    return judge(*gatherFacts(input, control), input.toolEffect, input.runs, control);
}

} // namespace olab::analysis
