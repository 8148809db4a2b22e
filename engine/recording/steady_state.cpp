#include <olab/analysis/steady_state.h>

#include <olab/recording/recording.h>

#include <olab/analysis/analyze.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/slice.h>

namespace olab::recording {
namespace {

/// Counted as for the whole, and as for --from and --to.
analysis::JudgedIteration judgedIteration(const analysis::SteadyState& found, std::size_t number,
                                          const Trace& trace, const RunControl& control) {
    analysis::JudgedIteration iteration;
    iteration.number = number;
    iteration.time = found.iterations[number];
    const Trace part = sliceOf(trace, iteration.time);
    const auto lanes = lanesOf(part);
    const analysis::Report report =
        analysis::judge(*analysis::gatherFacts({part, *lanes}, control), {}, {}, control);
    iteration.devices = report.devices;
    iteration.verdicts = report.verdicts;
    iteration.bounds = report.bounds;
    return iteration;
}

} // namespace

std::shared_ptr<const analysis::SteadyState> steadyStateFor(const Recording& recording,
                                                            const RunControl& control) {
    control.report(-1, "finding the repeating iteration");
    analysis::SteadyState found = analysis::findSteadyState(*recording.facts, control);
    RunControl quiet; // its steps are not those of the whole
    quiet.stop = control.stop;
    if (found.missing.empty()) {
        found.judged.push_back(judgedIteration(found, found.typical, recording.trace, quiet));
        found.judged.push_back(judgedIteration(found, found.worst, recording.trace, quiet));
    }
    return std::make_shared<const analysis::SteadyState>(std::move(found));
}

} // namespace olab::recording
