// What the options beyond the basic pipeline do to the plan.
#include "short_names.h"

#include <olab/experiment/plan.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace olab::experiment {
namespace {

using test::shortName;
using test::with;
using testing::ElementsAre;
using testing::IsEmpty;

HeldExperiment smallRun(std::initializer_list<std::string_view> more) {
    HeldExperiment experiment = with({"streams=2", "iterations=2", "memset=off", "d2h=off", "callback=off"});
    for (const std::string_view assignment : more)
        setOption(experiment, assignment);
    return experiment;
}

std::vector<std::string> names(const Experiment& experiment, int devices = 1) {
    std::vector<std::string> out;
    for (const Op& op : plan(experiment, devices).ops)
        out.push_back(shortName(op));
    return out;
}

TEST(PlanWaits, AtTheEndForTheDeviceOrStreamByStream) {
    EXPECT_THAT(names(smallRun({"iterations=1"})), ElementsAre("H0.0", "K0.0", "H1.0", "K1.0", "s0.0@*"));
    for (const char* sync : {"sync=stream", "sync=event", "sync=poll"})
        EXPECT_THAT(names(smallRun({"iterations=1", sync})),
                    ElementsAre("H0.0", "K0.0", "H1.0", "K1.0", "s0.0", "s1.0"));
}

TEST(PlanWaits, AfterEachIterationOrOp) {
    EXPECT_THAT(
        names(smallRun({"sync.every=iteration"})),
        ElementsAre("H0.0", "K0.0", "H1.0", "K1.0", "s0.0@*", "H0.1", "K0.1", "H1.1", "K1.1", "s0.1@*"));
    EXPECT_THAT(names(smallRun({"iterations=1", "sync.every=op", "sync=stream"})),
                ElementsAre("H0.0", "s0.0", "K0.0", "s0.0", "H1.0", "s1.0", "K1.0", "s1.0", "s0.0", "s1.0"));
}

TEST(PlanWaits, BeforeD2h) {
    EXPECT_THAT(names(smallRun({"streams=1", "iterations=1", "d2h=on", "sync.at=before-d2h", "sync=event"})),
                ElementsAre("H0.0", "K0.0", "s0.0", "D0.0", "s0.0"));
}

TEST(PlanWaits, TurnTheGateOffAndSaySo) {
    for (const char* setting :
         {"sync.every=iteration", "sync.every=op", "sync.at=before-d2h", "issue=on-callback"}) {
        const Schedule schedule = plan(with({setting}));
        EXPECT_FALSE(schedule.useGate) << setting;
        EXPECT_NE(schedule.gateOffReason, "") << setting;
    }
    EXPECT_EQ(plan(with({"gate=off", "sync.every=op"})).gateOffReason, "") << "nobody asked for the gate";
}

TEST(PlanMemory, UsedInPlaceNeedsNoCopy) {
    const HeldExperiment e = with({"streams=1", "iterations=1", "h2d.memory=mapped", "d2h.memory=managed",
                                   "h2d.bytes=1KiB", "d2h.bytes=2KiB", "memset=off"});
    EXPECT_THAT(names(e), ElementsAre("K0.0", "C0.0", "s0.0@*"));
    EXPECT_EQ(plan(e).deviceBytes, 0);
    EXPECT_EQ(plan(e).hostBytes, 3072);
}

TEST(PlanMemory, SharedBuffersAndZeroesCountOncePerDevice) {
    const HeldExperiment e = with(
        {"buffers=shared", "memset.method=copy", "h2d.bytes=1KiB", "memset.bytes=2KiB", "d2h.bytes=4KiB"});
    EXPECT_EQ(plan(e).deviceBytes, 1024 + 2 * 2048 + 4096);
    EXPECT_EQ(plan(e).hostBytes, 4 * (1024 + 4096));
    EXPECT_EQ(plan(with({"h2d.target=constant", "h2d.bytes=1KiB", "memset=off", "d2h=off"})).deviceBytes, 0);
}

TEST(PlanMemory, TheFirstStreamsCopyCanBeOfAnotherSize) {
    const Schedule schedule = plan(smallRun({"iterations=1", "h2d.bytes=4KiB", "h2d.first_bytes=1MiB"}));
    EXPECT_EQ(schedule.ops[0].bytes, 1 << 20);
    EXPECT_EQ(schedule.ops[2].bytes, 4096);
    EXPECT_NE(schedule.ops[0].solo, schedule.ops[2].solo);
    EXPECT_EQ(schedule.hostBytes, (1 << 20) + 4096);
    EXPECT_EQ(plan(smallRun({"buffers=shared", "h2d.bytes=4KiB", "h2d.first_bytes=1MiB"})).deviceBytes,
              1 << 20);
}

TEST(PlanMemory, MemsetByKernelOrCopyIsOfThatClass) {
    const auto expected = [](const char* method, ActivityClass cls) {
        return plan(with({"streams=2", "iterations=3", method})).expected[static_cast<std::size_t>(cls)];
    };
    EXPECT_EQ(expected("memset.method=kernel", ActivityClass::Kernel), 12u);
    EXPECT_EQ(expected("memset.method=kernel", ActivityClass::Memset), 0u);
    EXPECT_EQ(expected("memset.method=copy", ActivityClass::MemcpyD2D), 6u);
    EXPECT_EQ(expected("memset.method=copy", ActivityClass::Memset), 0u);
}

TEST(PlanStreams, TheKernelCanBeElsewhere) {
    EXPECT_THAT(names(smallRun({"iterations=1", "kernel.stream=other"})),
                ElementsAre("H0.0", "K0.0@1", "H1.0", "K1.0@0", "s0.0@*"));
    EXPECT_THAT(names(smallRun({"iterations=1", "kernel.stream=null"})),
                ElementsAre("H0.0", "K0.0@N", "H1.0", "K1.0@N", "s0.0@*"));
}

TEST(PlanStreams, Priorities) {
    const auto ranks = [](const char* priority) {
        std::vector<std::uint32_t> out;
        for (const PlannedStream& s : plan(with({"streams=3", priority})).streams)
            out.push_back(s.priorityRank);
        return out;
    };
    EXPECT_THAT(ranks("stream.priority=equal"), ElementsAre(kNoNumber, kNoNumber, kNoNumber));
    EXPECT_THAT(ranks("stream.priority=descending"), ElementsAre(0u, 1u, 2u));
    EXPECT_THAT(ranks("stream.priority=first-high"), ElementsAre(0u, kNoNumber, kNoNumber));
}

TEST(PlanDeps, ChainsIterationsThroughTheStreams) {
    EXPECT_THAT(names(smallRun({"h2d=off", "deps=event-chain"})),
                ElementsAre("K0.0", "r0.0", "K1.0", "r1.0", "w0.1", "K0.1", "r0.1", "w1.1", "K1.1", "r1.1",
                            "s0.1@*"));
    const Schedule schedule = plan(smallRun({"h2d=off", "deps=event-chain"}));
    EXPECT_EQ(schedule.ops[4].event, schedule.ops[3].event)
        << "stream 0 waits for stream 1 of the iteration before";
    EXPECT_EQ(schedule.ops[7].event, schedule.ops[1].event);
    EXPECT_EQ(schedule.events, 4u);
}

TEST(PlanDeps, OrderAKernelElsewhereBehindItsCopyAndTheD2hBehindTheKernel) {
    EXPECT_THAT(names(smallRun({"iterations=1", "d2h=on", "kernel.stream=other", "deps=copy-to-kernel"})),
                ElementsAre("H0.0", "r0.0", "w0.0@1", "K0.0@1", "r0.0@1", "w0.0", "D0.0", "H1.0", "r1.0",
                            "w1.0@0", "K1.0@0", "r1.0@0", "w1.0", "D1.0", "s0.0@*"));
    EXPECT_THAT(names(smallRun({"streams=1", "iterations=1", "deps=same-stream"})),
                ElementsAre("H0.0", "r0.0", "w0.0", "K0.0", "s0.0@*"));
    EXPECT_THAT(names(smallRun({"streams=1", "iterations=1", "deps=same-stream", "kernel.stream=null"})),
                ElementsAre("H0.0", "r0.0", "w0.0", "K0.0@N", "s0.0@*"));
}

TEST(PlanRoles, EventsSayThatABufferIsFilledAndFree) {
    const HeldExperiment e = smallRun({"streams=1", "d2h=on", "stream.roles=on"});
    EXPECT_THAT(names(e),
                ElementsAre("H0.0", "r0.0", "w0.0@1", "K0.0@1", "r0.0@1", "w0.0@2", "D0.0@2", "r0.0@2", //
                            "w0.1", "H0.1", "r0.1", "w0.1@1", "w0.1@1", "K0.1@1", "r0.1@1", "w0.1@2",
                            "D0.1@2", "r0.1@2", "s0.1@*"));
    const Schedule schedule = plan(e);
    EXPECT_EQ(schedule.streams.size(), 3u);
    EXPECT_EQ(schedule.ops[8].event, schedule.ops[4].event) << "the copy in waits for the last kernel";
    EXPECT_EQ(schedule.ops[12].event, schedule.ops[7].event) << "the kernel waits for the last copy out";
}

TEST(PlanRoles, WithoutTheFreeEventNothingWaitsForTheLastPass) {
    EXPECT_THAT(names(smallRun({"streams=1", "d2h=on", "stream.roles=no-free-event"})),
                ElementsAre("H0.0", "r0.0", "w0.0@1", "K0.0@1", "r0.0@1", "w0.0@2", "D0.0@2", //
                            "H0.1", "r0.1", "w0.1@1", "K0.1@1", "r0.1@1", "w0.1@2", "D0.1@2", "s0.1@*"));
}

TEST(PlanRoles, TheHostWaitsForEachOfThem) {
    EXPECT_THAT(names(smallRun({"streams=2", "iterations=1", "d2h=off", "stream.roles=on", "sync=stream"})),
                ElementsAre("H0.0", "r0.0", "w0.0@1", "K0.0@1", "r0.0@1", "H1.0@0", "r1.0@0", "w1.0", "K1.0",
                            "r1.0", "s0.0", "s1.0", "s1.0@2"));
}

TEST(PlanUnits, OnCallbackAwaitsTheHostFunctionOfTheLastPass) {
    const Schedule schedule = plan(smallRun({"callback=on", "issue=on-callback"}));
    ASSERT_EQ(schedule.units.size(), 5u) << "four passes and the wait";
    EXPECT_EQ(schedule.units[0], (IssueUnit{0, 3, 0, kNoOp}));
    EXPECT_EQ(schedule.units[1], (IssueUnit{3, 3, 0, kNoOp}));
    EXPECT_EQ(schedule.units[2], (IssueUnit{6, 3, 0, OpId{2}}));
    EXPECT_EQ(schedule.units[3], (IssueUnit{9, 3, 0, OpId{5}}));
    EXPECT_EQ(schedule.units[4], (IssueUnit{12, 1, 0, kNoOp}));
}

TEST(PlanUnits, AThreadPerStreamIssuesAndWaitsForItsOwn) {
    const Schedule schedule =
        plan(smallRun({"iterations=1", "issue.threads=per-stream", "sync=stream", "order=breadth"}));
    EXPECT_EQ(schedule.threads, 2);
    ASSERT_EQ(schedule.units.size(), 4u);
    EXPECT_EQ(schedule.units[0], (IssueUnit{0, 2, 0, kNoOp}));
    EXPECT_EQ(schedule.units[1], (IssueUnit{2, 2, 1, kNoOp}));
    EXPECT_EQ(schedule.units[2], (IssueUnit{4, 1, 0, kNoOp}));
    EXPECT_EQ(schedule.units[3], (IssueUnit{5, 1, 1, kNoOp}));
}

TEST(PlanInterfere, CallsStandBetweenPasses) {
    EXPECT_THAT(names(smallRun({"iterations=1", "interfere=malloc"})),
                ElementsAre("H0.0", "K0.0", "x0.0", "H1.0", "K1.0", "s0.0@*"));
    EXPECT_THAT(names(smallRun({"iterations=1", "interfere=d2d"})),
                ElementsAre("H0.0", "K0.0", "Y0.0@N", "H1.0", "K1.0", "s0.0@*"));
    const Schedule many = plan(with({"interfere=first-launch", "iterations=100"}));
    EXPECT_EQ(std::count_if(many.ops.begin(), many.ops.end(),
                            [](const Op& op) { return op.kind == OpKind::InterfereKernel; }),
              kFirstLaunchKernels)
        << "no kernel is launched for the first time twice";
}

TEST(PlanDevices, EachDeviceHasAllStreams) {
    EXPECT_THAT(
        names(smallRun({"streams=1", "iterations=1", "d2h=on", "devices=all", "p2p=on"}), 2),
        ElementsAre("H0.0", "K0.0", "P0.0", "D0.0", "H1.0", "K1.0", "P1.0", "D1.0", "s0.0@*", "s1.0@*"));
    const Schedule schedule = plan(smallRun({"devices=all", "null_op=event"}), 3);
    EXPECT_EQ(schedule.devices, 3);
    EXPECT_EQ(schedule.streams.size(), 6u);
    EXPECT_EQ(schedule.streams[3].device, 1);
    EXPECT_THROW(plan(with({"devices=all"}), 1), Error);
    EXPECT_EQ(plan(HeldExperiment{}, 8).devices, 1) << "one is what was asked for";
}

/// As "before>after" names.
std::vector<std::string> edges(const Experiment& experiment, EdgeKind kind) {
    const Schedule schedule = plan(experiment, 2);
    std::vector<std::string> out;
    for (const Edge& edge : dependencies(schedule))
        if (edge.kind == kind)
            out.push_back(shortName(schedule.ops[edge.before.value]) + ">" +
                          shortName(schedule.ops[edge.after.value]));
    return out;
}

TEST(Dependencies, StreamOrder) {
    EXPECT_THAT(edges(smallRun({}), EdgeKind::Stream),
                ElementsAre("H0.0>K0.0", "H1.0>K1.0", "K0.0>H0.1", "H0.1>K0.1", "K1.0>H1.1", "H1.1>K1.1"));
    EXPECT_THAT(edges(smallRun({"iterations=1", "kernel.stream=other"}), EdgeKind::Stream),
                ElementsAre("K0.0@1>H1.0", "H0.0>K1.0@0"));
}

TEST(Dependencies, TheNullStreamIsABarrierForBlockingStreamsOnly) {
    EXPECT_THAT(
        edges(smallRun({"iterations=1", "null_op=memset", "stream.kind=blocking"}), EdgeKind::NullStream),
        ElementsAre("K0.0>mN.0", "mN.0>H1.0"));
    EXPECT_THAT(edges(smallRun({"null_op=memset"}), EdgeKind::NullStream), IsEmpty());
    EXPECT_THAT(edges(smallRun({"iterations=1", "stream.kind=legacy"}), EdgeKind::NullStream),
                ElementsAre("K0.0>H1.0"));
}

TEST(Dependencies, EventsAndHostWaits) {
    EXPECT_THAT(edges(smallRun({"h2d=off", "deps=event-chain"}), EdgeKind::Event),
                ElementsAre("r1.0>w0.1", "r0.0>w1.1"));
    EXPECT_THAT(edges(smallRun({"sync.every=iteration", "h2d=off"}), EdgeKind::HostSync),
                ElementsAre("K0.0>s0.0@*", "K1.0>s0.0@*", "s0.0@*>K0.1", "s0.0@*>K1.1", "s0.0@*>s0.1@*",
                            "K0.1>s0.1@*", "K1.1>s0.1@*"));
}

TEST(Dependencies, CallbacksHoldTheNextPassWhenTheyIssueIt) {
    EXPECT_THAT(
        edges(smallRun({"streams=1", "h2d=off", "callback=on", "issue=on-callback"}), EdgeKind::Callback),
        ElementsAre("C0.0>K0.1", "C0.0>C0.1"));
}

TEST(Dependencies, PollingLeavesTheStreamFree) {
    const HeldExperiment polled = smallRun({"streams=1", "h2d=off", "callback=on", "callback.method=poll"});
    EXPECT_THAT(edges(polled, EdgeKind::Stream), ElementsAre("K0.0>C0.0", "K0.0>K0.1", "K0.1>C0.1"));
}

TEST(Dependencies, PointBackInIssueOrder) {
    for (const char* setting :
         {"null_op=event", "deps=event-chain", "sync.every=op", "kernel.stream=null", "stream.roles=on",
          "issue.threads=per-stream", "interfere=memset-sync", "order=breadth"}) {
        const Schedule schedule = plan(with({"stream.kind=blocking", "streams=3", "iterations=3", setting}));
        for (const Edge& edge : dependencies(schedule))
            ASSERT_LT(edge.before.value, edge.after.value) << setting;
    }
}

/// Per op, all it stands behind, directly or through others.
std::vector<std::vector<bool>> behind(const Schedule& schedule) {
    const std::size_t n = schedule.ops.size();
    std::vector<std::vector<bool>> all(n, std::vector<bool>(n));
    auto edges = dependencies(schedule);
    std::ranges::stable_sort(edges, {}, [](const Edge& e) { return e.after.value; });
    for (const Edge& edge : edges) {
        auto& after = all[edge.after.value];
        after[edge.before.value] = true;
        for (std::size_t i = 0; i < n; ++i)
            after[i] = after[i] || all[edge.before.value][i];
    }
    return all;
}

TEST(Dependencies, ABarrierStandsBehindAllThatWasIssuedOnItsDevice) {
    for (const char* setting :
         {"sync.every=op", "sync.every=iteration", "null_op=memset", "null_op=event", "kernel.stream=null"}) {
        const Schedule schedule =
            plan(with({"stream.kind=blocking", "streams=3", "iterations=3", "devices=all", setting}), 2);
        const auto all = behind(schedule);
        for (const Op& op : schedule.ops) {
            const bool waitsForAll = op.kind == OpKind::HostSync && op.stream == kAllStreams;
            const bool null = streamPlaces(schedule) > schedule.streams.size() && op.stream == kNullStream;
            if (!waitsForAll && !null)
                continue;
            for (std::size_t i = 0; i < op.id.value; ++i)
                if (const Op& earlier = schedule.ops[i];
                    earlier.device == op.device && earlier.kind != OpKind::HostSync) {
                    ASSERT_TRUE(all[op.id.value][i])
                        << setting << ": " << shortName(op) << " after " << shortName(earlier);
                }
        }
    }
}

TEST(Dependencies, AFewForEachOpHoweverManyStreams) {
    for (const char* setting : {"sync.every=op", "null_op=memset", "kernel.stream=null"}) {
        const Schedule schedule =
            plan(with({"stream.kind=blocking", "streams=128", "iterations=20", setting}));
        EXPECT_LT(dependencies(schedule).size(), 5 * schedule.ops.size()) << setting;
    }
}

} // namespace
} // namespace olab::experiment
