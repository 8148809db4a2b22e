#include "report/untraced.h"

#include "report/verdicts.h"

#include <olab/analysis/race.h>
#include <olab/analysis/rules.h>

#include <algorithm>

namespace olab::analysis {

bool tracingWasOff(const Trace& trace) {
    if (trace.windows().empty() || trace.hasTracedWindow())
        return false;
    // host functions are recorded even without tracing
    for (ActivityIndex row = 0; row < trace.size(); ++row)
        if (trace.cls(row) != ActivityClass::HostFn)
            return false;
    return true;
}

Report untracedReport(const Trace& trace, const JobRuns& runs) {
    Report report;
    const std::string device = trace.devices().empty() ? "0" : std::to_string(trace.devices().front().device);
    for (const JudgedPair& pair : judgedPairs()) {
        if (pair.onlyIfPresent)
            continue;
        Verdict verdict;
        verdict.device = device;
        verdict.a = pair.a;
        verdict.b = pair.b;
        verdict.text = "Tracing was off (trace=off): only the length of the window is known.";
        report.verdicts.push_back(std::move(verdict));
    }
    const WindowRecord& window = trace.windows().front();
    report.bounds.measured = window.end - window.begin;
    report.bounds.limiting = "tracing was off";
    report.bounds.fromSolos = false;
    for (const RuleRow& rule : ruleTable())
        report.abstained.push_back({std::string(rule.id), "records of device work: tracing was off"});
    report.defects.assign(trace.defects().begin(), trace.defects().end());
    report.counts = trace.counts();
    addOtherRuns(runs, report);
    takeBackClaims(report);
    return report;
}

} // namespace olab::analysis
