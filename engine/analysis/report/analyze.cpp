#include <olab/analysis/analyze.h>

#include <olab/analysis/cause_findings.h>
#include <olab/analysis/ideal.h>
#include <olab/analysis/race.h>

#include "measure/bounds.h"
#include "report/completeness.h"
#include "report/findings.h"
#include "report/held_waits.h"
#include "report/untraced.h"
#include "report/verdicts.h"

namespace olab::analysis {

Report measuredReport(const Facts& facts, const std::optional<ToolEffect>& toolEffect, const JobRuns& runs) {
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
    refuseExceeded(report.bounds, report.defects);
    report.devices.assign(facts.devices().begin(), facts.devices().end());
    return report;
}

void judge(Report& report, const Facts& facts, const RunControl& control) {
    control.throwIfCancelled();
    control.report(0.9, "judging");
    if (!tracingWasOff(facts.trace())) {
        if (report.ledger)
            followIdeal(report.bounds, *report.ledger);
        const ExplainedWaits waits(facts, report.ledger);
        report.verdicts = judgePairs(facts, blockedTimes(facts, waits), report.defects, report.toolEffect);
        control.throwIfCancelled();
        addFindings(report, facts, waits, applyRules(ruleTable(), facts, facts.plan(), control));
        takeBackClaims(report);
    }
    addOftenBlamed(report, facts);
    control.report(1.0, "done");
}

void judgePart(Report& report, const Facts& part, Interval time, const Facts& whole,
               const std::shared_ptr<const Ledger>& account) {
    const bool isOfWhole = account && account->missing.empty();
    const ExplainedWaits waits(isOfWhole ? whole : part, isOfWhole ? account : nullptr);
    report.verdicts =
        judgePairs(part, isOfWhole ? blockedTimes(part, time, whole, waits) : blockedTimes(part, waits),
                   report.defects, report.toolEffect);
    takeBackClaims(report);
}

Report reportOf(const Facts& facts, const std::optional<ToolEffect>& toolEffect, const JobRuns& runs,
                const RunControl& control) {
    Report report = measuredReport(facts, toolEffect, runs);
    judge(report, facts, control);
    return report;
}

Report analyze(const AnalysisInput& input, const RunControl& control) {
    return reportOf(*gatherFacts(input, control), input.toolEffect, input.runs, control);
}

} // namespace olab::analysis
