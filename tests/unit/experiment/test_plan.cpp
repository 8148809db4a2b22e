#include "expect_error.h"
#include "short_names.h"

#include <olab/experiment/plan.h>
#include <olab/experiment/schedule.h>

#include <gtest/gtest.h>

namespace olab::experiment {
namespace {

using test::expectUsageError;
using test::shortName;
using test::with;
using testing::ElementsAre;
using testing::IsEmpty;

/// Without the host's waits, which all of these plans have at their end only.
std::vector<std::string> names(const std::vector<Op>& ops) {
    std::vector<std::string> out;
    for (const Op& op : ops)
        if (op.kind != OpKind::HostSync)
            out.push_back(shortName(op));
    return out;
}

/// Two streams, two iterations, of H2D and kernel only.
HeldExperiment small(std::initializer_list<std::string_view> more) {
    HeldExperiment experiment = with({"streams=2", "iterations=2", "memset=off", "d2h=off", "callback=off"});
    for (const std::string_view assignment : more)
        setOption(experiment, assignment);
    return experiment;
}

std::uint64_t expectedOf(const Schedule& schedule, ActivityClass cls) {
    return schedule.expected[static_cast<std::size_t>(cls)];
}

TEST(Plan, StepsOfOnePassStandInOrder) {
    EXPECT_THAT(names(plan(with({"streams=1", "iterations=1"})).ops),
                ElementsAre("H0.0", "M0.0", "K0.0", "D0.0", "C0.0"));
}

TEST(Plan, DepthIssuesStreamByStream) {
    EXPECT_THAT(names(plan(small({"order=depth"})).ops),
                ElementsAre("H0.0", "K0.0", "H1.0", "K1.0", "H0.1", "K0.1", "H1.1", "K1.1"));
}

TEST(Plan, BreadthIssuesStepByStep) {
    EXPECT_THAT(names(plan(small({"order=breadth"})).ops),
                ElementsAre("H0.0", "H1.0", "K0.0", "K1.0", "H0.1", "H1.1", "K0.1", "K1.1"));
}

TEST(Plan, NullOpAfterEachPassOfAStreamButTheLastInDepth) {
    EXPECT_THAT(
        names(plan(small({"order=depth", "null_op=memset"})).ops),
        ElementsAre("H0.0", "K0.0", "mN.0", "H1.0", "K1.0", "mN.0", "H0.1", "K0.1", "mN.1", "H1.1", "K1.1"));
}

TEST(Plan, NullOpAfterEachRoundButTheLastInBreadth) {
    EXPECT_THAT(names(plan(small({"order=breadth", "null_op=kernel"})).ops),
                ElementsAre("H0.0", "H1.0", "K0.0", "K1.0", "kN.0", "H0.1", "H1.1", "K0.1", "K1.1"));
}

TEST(Plan, ASinglePassHasNoNullOp) {
    EXPECT_THAT(names(plan(small({"streams=1", "iterations=1", "null_op=event"})).ops),
                ElementsAre("H0.0", "K0.0"));
}

TEST(Plan, IdsAreIndexes) {
    const Schedule schedule = plan(with({"null_op=kernel"}));
    for (std::uint32_t i = 0; i < schedule.ops.size(); ++i)
        ASSERT_EQ(schedule.ops[i].id, OpId{i});
}

TEST(Plan, OpsCarryTheBytesOfTheirStep) {
    const Schedule schedule = plan(with({"streams=1", "iterations=2", "h2d.bytes=1KiB", "memset.bytes=2KiB",
                                         "d2h.bytes=3KiB", "null_op=memset"}));
    ASSERT_THAT(names(schedule.ops), ElementsAre("H0.0", "M0.0", "K0.0", "D0.0", "C0.0", "mN.0", "H0.1",
                                                 "M0.1", "K0.1", "D0.1", "C0.1"));
    EXPECT_EQ(schedule.ops[0].bytes, 1024);
    EXPECT_EQ(schedule.ops[1].bytes, 2048);
    EXPECT_EQ(schedule.ops[2].bytes, 0);
    EXPECT_EQ(schedule.ops[3].bytes, 3072);
    EXPECT_EQ(schedule.ops[5].bytes, kNullMemsetBytes);
}

TEST(Plan, SolosAreTheDistinctDeviceOps) {
    const Schedule schedule =
        plan(with({"streams=2", "iterations=3", "null_op=memset", "memset.bytes=4KiB"}));
    EXPECT_THAT(schedule.solos, ElementsAre(SoloOp{OpKind::CopyH2D, 16 << 20}, SoloOp{OpKind::Memset, 4096},
                                            SoloOp{OpKind::Kernel, 0}, SoloOp{OpKind::CopyD2H, 16 << 20},
                                            SoloOp{OpKind::NullMemset, 4096}));
}

TEST(Plan, EachOpPointsToItsSolo) {
    for (const char* nullOp : {"null_op=memset", "null_op=kernel", "null_op=event"}) {
        const Schedule schedule = plan(with({nullOp}));
        for (const Op& op : schedule.ops) {
            if (op.kind == OpKind::HostFn || op.kind == OpKind::NullEvent || op.kind == OpKind::HostSync) {
                ASSERT_EQ(op.solo, kNoNumber) << shortName(op);
                continue;
            }
            ASSERT_LT(op.solo, schedule.solos.size()) << shortName(op);
            ASSERT_EQ(schedule.solos[op.solo], (SoloOp{op.kind, op.bytes, op.memory})) << shortName(op);
        }
    }
}

TEST(Plan, ExpectedCountsAreByClassAndIncludeTheNullStream) {
    const Schedule schedule = plan(with({"streams=3", "iterations=4", "null_op=memset"}));
    EXPECT_EQ(expectedOf(schedule, ActivityClass::MemcpyH2D), 12u);
    EXPECT_EQ(expectedOf(schedule, ActivityClass::MemcpyD2H), 12u);
    EXPECT_EQ(expectedOf(schedule, ActivityClass::Kernel), 12u);
    EXPECT_EQ(expectedOf(schedule, ActivityClass::HostFn), 12u);
    EXPECT_EQ(expectedOf(schedule, ActivityClass::Memset), 12u + 11u);
    EXPECT_EQ(expectedOf(schedule, ActivityClass::Api), 0u);
    EXPECT_EQ(expectedOf(plan(with({"streams=3", "iterations=4", "null_op=kernel"})), ActivityClass::Kernel),
              23u);
}

TEST(Plan, EventsLeaveNoActivity) {
    const Schedule schedule = plan(with({"null_op=event"}));
    std::uint64_t expected = 0;
    for (const std::uint64_t count : schedule.expected)
        expected += count;
    EXPECT_EQ(expected, 3u * 32 * 5);
    EXPECT_EQ(schedule.ops.size(), expected + (3 * 32 - 1) + 1) << "events, and the wait at the end";
}

TEST(Plan, WarmupIsOneIterationOutsideAllCounts) {
    const Schedule schedule = plan(small({"null_op=kernel", "warmup=3"}));
    EXPECT_THAT(names(schedule.warmup), ElementsAre("H0.0", "K0.0", "H1.0", "K1.0", "kN.0"));
    for (const Op& op : schedule.warmup)
        EXPECT_EQ(op.id, kNoOp);
    EXPECT_EQ(expectedOf(schedule, ActivityClass::Kernel), 4u + 3u);
    EXPECT_THAT(plan(small({"warmup=0"})).warmup, IsEmpty());
}

std::vector<PlannedStreamKind> plannedKinds(std::string_view kind) {
    HeldExperiment experiment;
    setOption(experiment, "stream.kind", kind);
    std::vector<PlannedStreamKind> out;
    for (const PlannedStream& stream : plan(experiment).streams)
        out.push_back(stream.kind);
    return out;
}

TEST(Plan, OnlyTheFirstPipelineOfLegacyIsInTheNullStream) {
    using enum PlannedStreamKind;
    EXPECT_THAT(plannedKinds("legacy"), ElementsAre(Legacy, Blocking, Blocking, Blocking));
    EXPECT_THAT(plannedKinds("blocking"), ElementsAre(Blocking, Blocking, Blocking, Blocking));
    EXPECT_THAT(plannedKinds("nonblocking"), ElementsAre(NonBlocking, NonBlocking, NonBlocking, NonBlocking));
}

TEST(Plan, BuffersOfEnabledStepsAreSummed) {
    HeldExperiment experiment = with({"streams=2", "h2d.bytes=1KiB", "memset.bytes=4KiB", "d2h.bytes=16KiB"});
    EXPECT_EQ(plan(experiment).deviceBytes, 2 * (1024 + 4096 + 16384));
    EXPECT_EQ(plan(experiment).hostBytes, 2 * (1024 + 16384));
    setOption(experiment, "h2d=off");
    setOption(experiment, "null_op=memset");
    EXPECT_EQ(plan(experiment).deviceBytes, 2 * (4096 + 16384) + kNullMemsetBytes);
    EXPECT_EQ(plan(experiment).hostBytes, 2 * 16384);
}

TEST(Plan, TheGateIsWhatWasAskedFor) {
    EXPECT_TRUE(plan(HeldExperiment{}).useGate);
    EXPECT_FALSE(plan(with({"gate=off"})).useGate);
    EXPECT_EQ(plan(HeldExperiment{}).gateOffReason, "");
}

TEST(Plan, ConflictsAreRefusedWithTheirSentence) {
    const HeldExperiment nothing = with({"h2d=off", "memset=off", "kernel=off", "d2h=off"});
    expectUsageError([&] { plan(nothing); }, "conflict", {conflicts(nothing).at(0)});
}

TEST(Plan, TheLargestAllowedPlanIsMade) {
    const Schedule schedule = plan(with({"streams=1", "iterations=100000", "sync.every=op"}));
    EXPECT_EQ(schedule.ops.size(), 900'001u);
    EXPECT_LE(schedule.ops.size(), static_cast<std::size_t>(kMaxPlannedOps));
}

TEST(OpKinds, HaveNamesAndClasses) {
    EXPECT_EQ(opKindName(OpKind::CopyH2D), "H2D copy");
    EXPECT_EQ(opKindName(OpKind::NullEvent), "NULL-stream event");
    EXPECT_EQ(classOf(OpKind::CopyD2H), ActivityClass::MemcpyD2H);
    EXPECT_EQ(classOf(OpKind::NullMemset), ActivityClass::Memset);
    EXPECT_EQ(classOf(OpKind::NullKernel), ActivityClass::Kernel);
    EXPECT_EQ(classOf(OpKind::HostFn), ActivityClass::HostFn);
    EXPECT_EQ(classOf(OpKind::NullEvent), std::nullopt);
}

} // namespace
} // namespace olab::experiment
