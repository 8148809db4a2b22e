// Any text as a device model: what is accepted comes back, and the simulator can play it to the end.
#include "fuzz.h"

#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>

#include <array>

using namespace olab;
using fuzz::require;

namespace {

experiment::Plan planned(std::initializer_list<const char*> assignments) {
    experiment::HeldExperiment experiment;
    for (const char* assignment : {"streams=2", "iterations=2"})
        experiment::setOption(experiment, assignment);
    for (const char* assignment : assignments)
        experiment::setOption(experiment, assignment);
    return experiment::plan(experiment, 2);
}

/// Each asks for other parts of a model.
const experiment::Plan& scheduleOf(std::size_t number) {
    static const std::array schedules{
        planned({}),
        planned({"h2d.memory=pageable", "d2h.memory=pageable", "null_op=memset", "sync.every=iteration"}),
        planned({"submit=graph", "kernel.kind=memory"}),
        planned({"sim.submission=wddm", "callback.method=poll", "interfere=free"}),
        planned({"devices=all", "p2p=on", "deps=event-chain", "memset.method=copy", "api=driver"}),
    };
    return schedules[number % schedules.size()];
}

void play(const sim::DeviceModel& model, const experiment::Plan& schedule) {
    TraceBuilder builder;
    sim::SimBackend(model).run(schedule, {}, builder, {});
    const Trace trace = builder.finish();
    require(trace.counts().refused == 0);
    require(trace.size() > 0);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    sim::DeviceModel model;
    if (!fuzz::accepted([&] { model = sim::deviceModelFromJson(text, "the fuzzer's"); }))
        return 0;
    require(sim::deviceModelFromJson(sim::deviceModelToJson(model), "again") == model);
    const experiment::Plan& schedule = scheduleOf(size);
    sim::simulatorToJson(model, schedule.experiment);
    fuzz::accepted([&] { play(model, schedule); });
    return 0;
}
