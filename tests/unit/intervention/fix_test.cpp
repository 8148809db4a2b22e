// The search for a faster pipeline: what it may change, and that it never offers a race or other work.
#include <olab/experiment/data_flow.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>
#include <olab/intervention/find_fix.h>
#include <olab/intervention/fix_options.h>
#include <olab/sim/sim_backend.h>

#include <gmock/gmock.h>

namespace olab {
namespace {

using testing::Contains;
using testing::Key;

Fix fixed(const Experiment& experiment) {
    SimBackend backend, predictor;
    return findFix(experiment, "test", {&backend, nullptr}, {&predictor, {}}, {});
}

HeldExperiment preset(const char* name, int iterations) {
    HeldExperiment experiment = findPreset(name)->experiment;
    setNumber(experiment, "iterations", iterations);
    return experiment;
}

TEST(FixOptions, EveryOptionIsEitherChangedOrKeptForAReason) {
    for (const OptionRow& row : optionTable())
        if (row.fix.keptBecause.empty() && !row.fix.values) {
            EXPECT_FALSE(row.choices.empty()) << row.key << " has no values to try";
        }
}

TEST(FixOptions, WhatIsComputedStaysAndSoDoOrdersThatSomebodyAskedFor) {
    for (const char* key : {"h2d", "memset", "kernel", "d2h", "callback", "h2d.bytes", "d2h.bytes",
                            "memset.bytes", "kernel.us", "kernel.blocks", "buffers", "devices", "seed",
                            "trace", "gate", "sim.device", "iterations", "null_op", "callback.us"})
        EXPECT_FALSE(keepsWork({{key, "on"}})) << key;
    HeldExperiment chained;
    setOption(chained, "deps=event-chain");
    for (const OptionChanges& change : singleChanges(chained))
        EXPECT_THAT(change, testing::Not(Contains(Key("deps")))) << "an event chain may mean something";
    HeldExperiment redundant;
    setOption(redundant, "deps=same-stream");
    EXPECT_THAT(singleChanges(redundant), Contains(OptionChanges{{"deps", "none"}}));
    HeldExperiment copies;
    setOption(copies, "interfere=d2d");
    EXPECT_THAT(singleChanges(copies), testing::Each(testing::Not(Contains(Key("interfere")))));
}

TEST(FixOptions, OtherStreamsDoTheSamePasses) {
    HeldExperiment experiment;
    setOption(experiment, "streams=4");
    setOption(experiment, "iterations=6");
    int found = 0;
    for (const OptionChanges& change : singleChanges(experiment)) {
        if (change.front().first != "streams")
            continue;
        const HeldExperiment changed = withChanges(experiment, change);
        EXPECT_EQ(optionNumber(changed, "streams") * optionNumber(changed, "iterations"), 24)
            << change.front().second;
        ++found;
    }
    EXPECT_EQ(found, 6) << "2, 3, 6, 8, 12, 24";
    setOption(experiment, "h2d.first_bytes=4096B");
    for (const OptionChanges& change : singleChanges(experiment))
        EXPECT_NE(change.front().first, "streams") << "the first stream's passes are others";
}

TEST(FindFix, FindsTheMemoryAndRanksByWhatWasMeasured) {
    const Fix fix = fixed(preset("pageable", 6));
    ASSERT_TRUE(fix.best) << fix.text;
    EXPECT_EQ(fix.measured[0].changes, (OptionChanges{{"d2h.memory", "pinned"}, {"h2d.memory", "pinned"}}));
    EXPECT_LT(fix.measured[0].makespan->change, fix.measured[1].makespan->change);
    EXPECT_TRUE(fix.simulated);
    EXPECT_EQ(optionText(experimentFromJson(fix.bestExperiment), "h2d.memory"), "pinned");
    EXPECT_GT(fix.considered, 30);
}

TEST(FindFix, NeverOffersARaceOrOtherWork) {
    for (const char* name : {"null-stream", "redundant-waits", "kernel-in-null-stream", "one-stream"}) {
        const HeldExperiment experiment = preset(name, 6);
        const Fix fix = fixed(experiment);
        for (const auto* list : {&fix.measured, &fix.predicted})
            for (const FixCandidate& candidate : *list) {
                const HeldExperiment changed = withChanges(experiment, candidate.changes);
                EXPECT_FALSE(mayRace(plan(changed))) << name << ": " << changesText(candidate.changes);
                EXPECT_EQ(optionNumber(changed, "streams") * optionNumber(changed, "iterations"),
                          optionNumber(experiment, "streams") * optionNumber(experiment, "iterations"));
                EXPECT_EQ(candidate.trouble, "") << name;
                OptionChanges work = candidate.changes;
                std::erase_if(work,
                              [](const auto& c) { return c.first == "gate" || c.first == "iterations"; });
                EXPECT_TRUE(keepsWork(work)) << changesText(work);
            }
    }
}

TEST(FindFix, WhatIssuingTakesIsCountedBeforeAndAfter) {
    HeldExperiment experiment;
    setOption(experiment, "iterations=6");
    setOption(experiment, "sync.every=op");
    const Fix fix = fixed(experiment);
    ASSERT_TRUE(fix.best);
    EXPECT_THAT(fix.measured,
                Contains(testing::Field(&FixCandidate::changes,
                                        OptionChanges{{"sync.every", "end"}, {"gate", "off"}})));
}

TEST(FindFix, SaysSoWhereNothingHelpsAndStopsWhenAsked) {
    const Fix fix = fixed(preset("best-case", 6));
    EXPECT_FALSE(fix.best) << fix.text;
    EXPECT_EQ(experimentFromJson(fix.bestExperiment), preset("best-case", 6));
    std::stop_source stop;
    stop.request_stop();
    RunControl control;
    control.stop = stop.get_token();
    SimBackend backend, predictor;
    EXPECT_THROW(findFix(HeldExperiment{}, "test", {&backend, nullptr}, {&predictor, {}}, control), Error);
}

} // namespace
} // namespace olab
