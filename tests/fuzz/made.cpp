#include "made.h"

#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>

namespace olab::fuzz {
namespace {

experiment::HeldExperiment smallExperiment(std::initializer_list<const char*> changed) {
    experiment::HeldExperiment experiment;
    for (const char* assignment : {"streams=2", "iterations=2", "null_op=memset", "deps=event-chain"})
        experiment::setOption(experiment, assignment);
    for (const char* assignment : changed)
        experiment::setOption(experiment, assignment);
    return experiment;
}

std::shared_ptr<const recording::Recording> made(bool isDamaged, std::initializer_list<const char*> changed) {
    io::RecordingData data;
    data.experiment = experiment::shareExperiment(smallExperiment(changed));
    TraceBuilder builder;
    sim::SimBackend().run(experiment::plan(*data.experiment), {}, builder, {});
    if (isDamaged)
        builder.addDefect(DefectCode::DroppedRecords, 3);
    data.trace = builder.finish();
    data.toolEffect = analysis::ToolEffect{1'010'000, 1'000'000, 5};
    data.bookmarks = {{data.trace.time(3), "GPU 0 compute", "the first kernel\nof this run", 3},
                      {{0, 1'000'000}, "", "a place", std::nullopt}};
    data.label = {"A small run", "Made for the fuzzer.\nTwo lines."};
    return recording::makeRecording(std::move(data), "made", false);
}

} // namespace

std::shared_ptr<const recording::Recording> simulated(std::initializer_list<const char*> changed) {
    return made(false, changed);
}

std::shared_ptr<const recording::Recording> damaged() {
    return made(true, {});
}

} // namespace olab::fuzz
