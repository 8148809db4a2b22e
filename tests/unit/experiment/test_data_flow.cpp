// Who needs whose data, and which plans keep it right by their dependencies alone.
#include "short_names.h"

#include <olab/experiment/data_flow.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>

#include <gmock/gmock.h>

namespace olab::experiment {
namespace {

using test::with;
using testing::ElementsAre;

bool mayRace(std::initializer_list<std::string_view> assignments) {
    return olab::experiment::mayRace(plan(with(assignments)));
}

TEST(DataFlow, EachStepNeedsWhatTheStepsBeforeLeft) {
    const Schedule schedule = plan(with({"streams=1", "iterations=1"}));
    std::vector<std::string> needs;
    for (const DataNeed& need : dataNeeds(schedule))
        needs.push_back(test::shortName(schedule.ops[need.reader.value]) + "<" +
                        test::shortName(schedule.ops[need.writer.value]));
    EXPECT_THAT(needs, ElementsAre("K0.0<H0.0", "K0.0<M0.0", "D0.0<K0.0"));
}

TEST(DataFlow, WithoutItsStepNothingIsNeeded) {
    EXPECT_TRUE(dataNeeds(plan(with({"h2d=off", "memset=off", "d2h=off"}))).empty());
}

std::vector<std::string> orderOf(std::initializer_list<std::string_view> assignments) {
    const Schedule schedule = plan(with(assignments));
    std::vector<std::string> order;
    for (const DataOrder& pair : dataOrder(schedule))
        order.push_back(test::shortName(schedule.ops[pair.before.value]) + "<" +
                        test::shortName(schedule.ops[pair.after.value]));
    return order;
}

TEST(DataOrder, WhatIsReadIsWrittenBeforeAndOverwrittenAfter) {
    EXPECT_THAT(orderOf({"streams=1", "iterations=2", "memset=off"}),
                ElementsAre("H0.0<K0.0", "K0.0<D0.0", "K0.0<H0.1", "H0.1<K0.1", "D0.0<K0.1", "K0.1<D0.1"));
    EXPECT_THAT(orderOf({"streams=2", "iterations=1", "memset=off", "d2h=off"}),
                ElementsAre("H0.0<K0.0", "H1.0<K1.0"))
        << "streams have buffers of their own";
    EXPECT_THAT(orderOf({"h2d=off", "memset=off", "d2h=off"}), ElementsAre()) << "nobody needs anything";
}

TEST(MayRace, AStreamKeepsItsOwnStepsInOrder) {
    EXPECT_FALSE(mayRace({}));
    EXPECT_FALSE(mayRace({"order=breadth"}));
    EXPECT_FALSE(mayRace({"issue.threads=per-stream"}));
    EXPECT_FALSE(mayRace({"issue=on-callback", "callback.method=poll"}));
    EXPECT_FALSE(mayRace({"submit=graph"}));
}

TEST(MayRace, AKernelElsewhereNeedsAnEventOrTheNullStream) {
    EXPECT_TRUE(mayRace({"kernel.stream=other"}));
    EXPECT_FALSE(mayRace({"kernel.stream=other", "deps=copy-to-kernel"}));
    EXPECT_TRUE(mayRace({"kernel.stream=null", "stream.kind=nonblocking"}));
    EXPECT_FALSE(mayRace({"kernel.stream=null", "stream.kind=blocking"}));
    EXPECT_FALSE(mayRace({"kernel.stream=null", "stream.kind=nonblocking", "deps=copy-to-kernel"}));
    EXPECT_TRUE(mayRace({"kernel.stream=null", "stream.kind=nonblocking", "streams=1"}));
}

TEST(MayRace, TheHostsWaitsAreAnOrderToo) {
    EXPECT_FALSE(mayRace({"kernel.stream=other", "sync.every=op"}));
    EXPECT_TRUE(mayRace({"kernel.stream=other", "sync.every=iteration"})) << "within a pass nothing waits";
    EXPECT_TRUE(
        mayRace({"kernel.stream=null", "stream.kind=nonblocking", "sync.at=before-d2h", "sync=stream"}))
        << "the wait is for another stream than the kernel's";
}

TEST(MayRace, WhatIsStillReadIsNotOverwritten) {
    // The copy waits for nothing but its own stream, in which no kernel is.
    EXPECT_TRUE(mayRace({"kernel.stream=other", "memset=off", "d2h=off", "iterations=2"}));
    EXPECT_FALSE(mayRace({"kernel.stream=other", "h2d=off", "memset=off", "d2h=off"}))
        << "nobody needs anything";
}

TEST(MayRace, OneBufferForAllNeedsAnOrderOfWholePasses) {
    EXPECT_TRUE(mayRace({"buffers=shared"}));
    EXPECT_FALSE(mayRace({"buffers=shared", "streams=1"}));
    EXPECT_FALSE(mayRace({"buffers=shared", "sync.every=op"}));
    EXPECT_TRUE(mayRace({"buffers=shared", "sync.every=op", "order=breadth"}))
        << "in order, but what one stream left the next has overwritten";
    EXPECT_TRUE(mayRace({"buffers=shared", "h2d=off", "memset=off"}));
    EXPECT_TRUE(mayRace({"buffers=shared", "d2h=off", "memset=off"}));
    EXPECT_FALSE(
        mayRace({"buffers=shared", "d2h=off", "memset=off", "h2d.target=constant", "h2d.bytes=1KiB"}))
        << "a slice for each";
}

TEST(MayRace, StreamsByRoleNeedTheFreeEvent) {
    for (const char* sets : {"streams=1", "streams=2", "streams=3"}) {
        EXPECT_FALSE(mayRace({"stream.roles=on", sets})) << sets;
        EXPECT_FALSE(mayRace({"stream.roles=on", sets, "d2h=off", "order=breadth"})) << sets;
        EXPECT_FALSE(mayRace({"stream.roles=on", sets, "h2d=off"})) << sets;
        EXPECT_TRUE(mayRace({"stream.roles=no-free-event", sets})) << sets;
        EXPECT_TRUE(mayRace({"stream.roles=no-free-event", sets, "memset=off", "d2h=off"})) << sets;
    }
}

TEST(MayRace, FewPassesTellAsMuchAsMany) {
    for (const Preset& preset : presets()) {
        const int devices = optionText(preset.experiment, "devices") == "all" ? 2 : 1;
        HeldExperiment few = preset.experiment;
        setNumber(few, "iterations", std::min<std::int64_t>(optionNumber(few, "iterations"), 3));
        EXPECT_EQ(olab::experiment::mayRace(plan(few, devices)),
                  olab::experiment::mayRace(plan(preset.experiment, devices)))
            << preset.id;
    }
}

TEST(DataOrder, AnOpOfTheNullStreamHasMemoryOfItsOwn) {
    const Schedule schedule = plan(with({"streams=2", "iterations=2", "null_op=memset", "deps=event-chain"}));
    const auto isOfNull = [&](OpId id) { return schedule.ops[id.value].pipeline < 0; };
    ASSERT_TRUE(std::ranges::any_of(schedule.ops, [](const Op& op) { return op.pipeline < 0; }));
    for (const DataOrder& pair : dataOrder(schedule))
        EXPECT_FALSE(isOfNull(pair.before) || isOfNull(pair.after));
}

} // namespace
} // namespace olab::experiment
