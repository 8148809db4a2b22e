#include <olab/analysis/steady_state.h>

#include <olab/recording/recording.h>

#include <olab/analysis/analyze.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/trace.h>

namespace olab::recording {
namespace {

using LedgerPtr = std::shared_ptr<const analysis::Ledger>;

/// Counted as for the whole recording and for --from and --to; the causes of waits come from the account.
analysis::JudgedIteration judgedIteration(std::size_t number, Interval time, const Recording& recording,
                                          const LedgerPtr& account, const RunControl& control) {
    analysis::JudgedIteration iteration;
    iteration.number = number;
    iteration.time = time;
    const Trace part = sliceOf(recording.trace, time);
    const auto lanes = lanesOf(part);
    const auto facts = analysis::gatherFacts({part, *lanes}, control);
    analysis::Report report = analysis::measuredReport(*facts, {}, {});
    analysis::judgePart(report, *facts, time, *recording.facts, account);
    iteration.devices = std::move(report.devices);
    iteration.verdicts = std::move(report.verdicts);
    iteration.bounds = std::move(report.bounds);
    return iteration;
}

} // namespace

std::shared_ptr<const analysis::SteadyState>
steadyStateFor(const Recording& recording, const LedgerPtr& account, const RunControl& control) {
    control.report(-1, "finding the repeating iteration");
    return judgedBy(account, analysis::findSteadyState(*recording.facts, control), recording, control);
}

std::shared_ptr<const analysis::SteadyState> judgedBy(const LedgerPtr& account,
                                                      const analysis::SteadyState& found,
                                                      const Recording& recording, const RunControl& control) {
    auto judged = std::make_shared<analysis::SteadyState>(found);
    judged->judged.clear();
    if (!found.missing.empty())
        return judged;
    RunControl quiet; // its progress is not that of the whole
    quiet.stop = control.stop;
    for (const std::size_t number : {found.typical, found.worst})
        judged->judged.push_back(
            judgedIteration(number, found.iterations[number], recording, account, quiet));
    return judged;
}

} // namespace olab::recording
