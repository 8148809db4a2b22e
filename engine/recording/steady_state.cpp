#include <olab/analysis/steady_state.h>

#include <olab/recording/recording.h>

#include <olab/analysis/analyze.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/slice.h>

namespace olab {
namespace {

/// Counted as for the whole, and as for --from and --to.
JudgedIteration judgedIteration(const SteadyState& found, std::size_t number, const Trace& trace,
                                const RunControl& control) {
    JudgedIteration iteration;
    iteration.number = number;
    iteration.time = found.iterations[number];
    const Trace part = sliceOf(trace, iteration.time);
    const auto lanes = lanesOf(part);
    const Report report = judge(*gatherFacts({part, *lanes}, control), {}, {}, control);
    iteration.devices = report.devices;
    iteration.verdicts = report.verdicts;
    iteration.bounds = report.bounds;
    return iteration;
}

} // namespace

std::shared_ptr<const SteadyState> steadyStateFor(const Recording& recording, const RunControl& control) {
    control.report(-1, "finding the repeating iteration");
    SteadyState found = findSteadyState(*recording.facts, control);
    RunControl quiet; // its steps are not those of the whole
    quiet.stop = control.stop;
    if (found.missing.empty()) {
        found.judged.push_back(judgedIteration(found, found.typical, recording.trace, quiet));
        found.judged.push_back(judgedIteration(found, found.worst, recording.trace, quiet));
    }
    return std::make_shared<const SteadyState>(std::move(found));
}

} // namespace olab
