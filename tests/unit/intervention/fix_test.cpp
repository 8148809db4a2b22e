// The search for a faster pipeline: what it may change, and that it never offers a race or other work.
#include <olab/experiment/data_flow.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>
#include <olab/intervention/find_fix.h>
#include <olab/sim/sim_backend.h>

#include <gmock/gmock.h>

namespace olab::intervention {
namespace {

using testing::Contains;
using testing::Key;

comparison::Fix fixed(const experiment::Experiment& experiment) {
    sim::SimBackend backend, predictor;
    return findFix(experiment, "test", {&backend, nullptr}, {&predictor, {}}, {});
}

experiment::HeldExperiment preset(const char* name, int iterations) {
    experiment::HeldExperiment experiment = experiment::findPreset(name)->experiment;
    experiment::setNumber(experiment, "iterations", iterations);
    return experiment;
}

TEST(FixOptions, EveryOptionIsEitherChangedOrKeptForAReason) {
    for (const experiment::OptionRow& row : experiment::optionTable())
        if (row.fix.keptBecause.empty() && !row.fix.values) {
            EXPECT_FALSE(row.choices.empty()) << row.key << " has no values to try";
        }
}

TEST(FixOptions, WhatIsComputedStaysAndSoDoOrdersThatSomebodyAskedFor) {
    for (const char* key : {"h2d", "memset", "kernel", "d2h", "callback", "h2d.bytes", "d2h.bytes",
                            "memset.bytes", "kernel.us", "kernel.blocks", "buffers", "devices", "seed",
                            "trace", "gate", "sim.device", "iterations", "null_op", "callback.us"})
        EXPECT_FALSE(keepsWork({{key, "on"}})) << key;
    experiment::HeldExperiment chained;
    experiment::setOption(chained, "deps=event-chain");
    for (const experiment::OptionChanges& change : singleChanges(chained))
        EXPECT_THAT(change, testing::Not(Contains(Key("deps")))) << "an event chain may mean something";
    experiment::HeldExperiment redundant;
    experiment::setOption(redundant, "deps=same-stream");
    EXPECT_THAT(singleChanges(redundant), Contains(experiment::OptionChanges{{"deps", "none"}}));
    experiment::HeldExperiment copies;
    experiment::setOption(copies, "interfere=d2d");
    EXPECT_THAT(singleChanges(copies), testing::Each(testing::Not(Contains(Key("interfere")))));
}

TEST(FixOptions, OtherStreamsDoTheSamePasses) {
    experiment::HeldExperiment experiment;
    experiment::setOption(experiment, "streams=4");
    experiment::setOption(experiment, "iterations=6");
    int found = 0;
    for (const experiment::OptionChanges& change : singleChanges(experiment)) {
        if (change.front().first != "streams")
            continue;
        const experiment::HeldExperiment changed = experiment::withChanges(experiment, change);
        EXPECT_EQ(experiment::optionNumber(changed, "streams") *
                      experiment::optionNumber(changed, "iterations"),
                  24)
            << change.front().second;
        ++found;
    }
    EXPECT_EQ(found, 6) << "2, 3, 6, 8, 12, 24";
    experiment::setOption(experiment, "h2d.first_bytes=4096B");
    for (const experiment::OptionChanges& change : singleChanges(experiment))
        EXPECT_NE(change.front().first, "streams") << "the first stream's passes are others";
}

TEST(FindFix, FindsTheMemoryAndRanksByWhatWasMeasured) {
    const comparison::Fix fix = fixed(preset("pageable", 6));
    ASSERT_TRUE(fix.best) << fix.text;
    EXPECT_EQ(fix.measured[0].changes,
              (experiment::OptionChanges{{"d2h.memory", "pinned"}, {"h2d.memory", "pinned"}}));
    EXPECT_LT(fix.measured[0].makespan->change, fix.measured[1].makespan->change);
    EXPECT_TRUE(fix.simulated);
    EXPECT_EQ(experiment::optionText(experiment::experimentFromJson(fix.bestExperiment), "h2d.memory"),
              "pinned");
    EXPECT_GT(fix.considered, 30);
}

TEST(FindFix, NeverOffersARaceOrOtherWork) {
    for (const char* name : {"null-stream", "redundant-waits", "kernel-in-null-stream", "one-stream"}) {
        const experiment::HeldExperiment experiment = preset(name, 6);
        const comparison::Fix fix = fixed(experiment);
        for (const auto* list : {&fix.measured, &fix.predicted})
            for (const comparison::FixCandidate& candidate : *list) {
                const experiment::HeldExperiment changed =
                    experiment::withChanges(experiment, candidate.changes);
                EXPECT_FALSE(experiment::mayRace(experiment::plan(changed)))
                    << name << ": " << comparison::changesText(candidate.changes);
                EXPECT_EQ(experiment::optionNumber(changed, "streams") *
                              experiment::optionNumber(changed, "iterations"),
                          experiment::optionNumber(experiment, "streams") *
                              experiment::optionNumber(experiment, "iterations"));
                EXPECT_EQ(candidate.trouble, "") << name;
                experiment::OptionChanges work = candidate.changes;
                std::erase_if(work,
                              [](const auto& c) { return c.first == "gate" || c.first == "iterations"; });
                EXPECT_TRUE(keepsWork(work)) << comparison::changesText(work);
            }
    }
}

TEST(FindFix, WhatIssuingTakesIsCountedBeforeAndAfter) {
    experiment::HeldExperiment experiment;
    experiment::setOption(experiment, "iterations=6");
    experiment::setOption(experiment, "sync.every=op");
    const comparison::Fix fix = fixed(experiment);
    ASSERT_TRUE(fix.best);
    EXPECT_THAT(fix.measured,
                Contains(testing::Field(&comparison::FixCandidate::changes,
                                        experiment::OptionChanges{{"sync.every", "end"}, {"gate", "off"}})));
}

TEST(FindFix, SaysSoWhereNothingHelpsAndStopsWhenAsked) {
    const comparison::Fix fix = fixed(preset("best-case", 6));
    EXPECT_FALSE(fix.best) << fix.text;
    EXPECT_EQ(experiment::experimentFromJson(fix.bestExperiment), preset("best-case", 6));
    std::stop_source stop;
    stop.request_stop();
    RunControl control;
    control.stop = stop.get_token();
    sim::SimBackend backend, predictor;
    EXPECT_THROW(
        findFix(experiment::HeldExperiment{}, "test", {&backend, nullptr}, {&predictor, {}}, control), Error);
}

} // namespace
} // namespace olab::intervention
