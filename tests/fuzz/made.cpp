#include "made.h"

#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>

namespace olab::fuzz {
namespace {

HeldExperiment smallExperiment(std::initializer_list<const char*> changed) {
    HeldExperiment experiment;
    for (const char* assignment : {"streams=2", "iterations=2", "null_op=memset", "deps=event-chain"})
        setOption(experiment, assignment);
    for (const char* assignment : changed)
        setOption(experiment, assignment);
    return experiment;
}

std::shared_ptr<const Recording> made(bool isDamaged, std::initializer_list<const char*> changed) {
    RecordingData data;
    data.experiment = shareExperiment(smallExperiment(changed));
    TraceBuilder builder;
    SimBackend().run(plan(*data.experiment), {}, builder, {});
    if (isDamaged)
        builder.addDefect(DefectCode::DroppedRecords, 3);
    data.trace = builder.finish();
    data.toolEffect = ToolEffect{1'010'000, 1'000'000, 5};
    data.bookmarks = {{data.trace.time(3), "GPU 0 compute", "the first kernel\nof this run", 3},
                      {{0, 1'000'000}, "", "a place", std::nullopt}};
    data.label = {"A small run", "Made for the fuzzer.\nTwo lines."};
    return makeRecording(std::move(data), "made", false);
}

} // namespace

std::shared_ptr<const Recording> simulated(std::initializer_list<const char*> changed) {
    return made(false, changed);
}

std::shared_ptr<const Recording> damaged() {
    return made(true, {});
}

} // namespace olab::fuzz
