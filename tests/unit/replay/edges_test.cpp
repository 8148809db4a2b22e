// Each kind of edge in a trace of a few activities: what the run takes, and what it takes without the cause.
// All times in us; with nothing taken out the model has to give the measured ones exactly, since the
// latencies are learned from these very steps.
#include "hand_made.h"

namespace olab::test {
namespace {

using enum analysis::LossCause;
using testing::DoubleEq;
using testing::DoubleNear;

/// What is asked of the host and takes it no time worth noting.
constexpr double kIssue = 8; ///< from the begin of a call to that of its work, in all of these

struct Edges : testing::Test {
    HandMade m;
    /// A call of `length` at `at` that launches a kernel, which runs as said.
    void launch(double at, double length, std::uint32_t stream, Span kernel) {
        m.call("cudaLaunchKernel", {at, at + length}).work(Kernel, stream, kernel);
    }
    void expectMeasured() { EXPECT_THAT(m.base(), DoubleEq(m.measured())); }
};

TEST_F(Edges, TheOrderOfAStreamStays) {
    m.work(Kernel, 13, {10, 20});
    m.work(Kernel, 13, {24, 30});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(20));
    EXPECT_THAT(m.without(Causes::all()), DoubleEq(20));
}

TEST_F(Edges, RoundsOfTheOnlyStreamCouldOverlapButTheirKernelsStayInOrder) {
    double at = 0;
    for (int round = 0; round < 3; ++round) {
        m.work(MemcpyH2D, 13, {at, at + 10}, 4096);
        m.work(Kernel, 13, {at + 10, at + 30});
        m.work(MemcpyD2H, 13, {at + 30, at + 40}, 4096);
        at += 40;
    }
    expectMeasured();
    EXPECT_THAT(m.without(SameStream), DoubleNear(10 + 3 * 20 + 10, 5));
    EXPECT_EQ(m.graph().waits[3].cause, SameStream);
}

TEST_F(Edges, CopiesInTheStreamOfAllKernelsCouldOverlapThem) {
    m.work(MemcpyH2D, 14, {0, 10}, 4096);
    for (int round = 0; round < 3; ++round) {
        const double at = 30.0 * round;
        m.work(Kernel, 13, {at, at + 10});
        m.work(MemcpyD2H, 13, {at + 10, at + 20}, 4096);
        m.work(Kernel, 13, {at + 20, at + 30});
    }
    expectMeasured();
    EXPECT_THAT(m.without(SameStream), DoubleNear(6 * 10, 5));
    EXPECT_EQ(m.graph().waits[3].cause, SameStream);
}

TEST_F(Edges, CopiesWithinTheDeviceKeepTheirOrderBehindACopyToTheHost) {
    for (int round = 0; round < 3; ++round) {
        const double at = 30.0 * round;
        m.work(Kernel, 13, {at, at + 10});
        m.work(MemcpyD2H, 13, {at + 10, at + 20}, 4096);
        m.work(MemcpyD2D, 13, {at + 20, at + 30}, 4096);
    }
    EXPECT_THAT(m.without(SameStream), DoubleNear(6 * 10, 5));
}

TEST_F(Edges, AnEngineGoesOnWithTheCopiesOfAStream) {
    for (int copy = 0; copy < 3; ++copy) {
        const double at = 101.0 * copy + 10;
        m.call("cudaMemcpyAsync", {2.0 * copy, 2.0 * copy + 2}).work(MemcpyD2H, 13, {at, at + 100}, 1 << 20);
    }
    m.call("cudaMemcpyAsync", {6, 8}).work(MemcpyD2H, 14, {314, 316}, 4096);
    EXPECT_THAT(m.beginOf(3, Causes()), DoubleNear(314, 3)) << "though it was ready before the second";
}

TEST_F(Edges, OneOfTwoStreamsKeepsItsOrder) {
    m.work(MemcpyH2D, 13, {0, 10}, 4096);
    m.work(MemcpyD2H, 13, {10, 20}, 4096);
    m.work(MemcpyH2D, 13, {20, 30}, 4096);
    m.work(Kernel, 14, {0, 10});
    EXPECT_FALSE(m.graph().present.has(SameStream));
}

TEST_F(Edges, WorkBeginsAfterTheBeginOfItsCall) {
    launch(0, 8, 13, {kIssue, 20});
    launch(8, 8, 14, {8 + kIssue, 28});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(28));
    EXPECT_THAT(m.without(Causes().with(LaunchBound).with(Tool)), DoubleEq(1.2 + kIssue + 12))
        << "as a node of a graph, not recorded";
}

TEST_F(Edges, ACallThatIssuesNothingMakesTheHostLate) {
    launch(0, 1, 13, {kIssue, 20});
    m.call("cudaEventCreate", {1, 41});
    launch(41, 1, 14, {41 + kIssue, 61});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(61));
    EXPECT_THAT(m.without(HostLate), DoubleEq(21));
    EXPECT_THAT(m.without(LaunchBound), DoubleEq(61));
}

TEST_F(Edges, ALongTimeBetweenTwoCallsMakesTheHostLate) {
    launch(0, 1, 13, {kIssue, 20});
    launch(51, 1, 14, {51 + kIssue, 71});
    expectMeasured();
    EXPECT_THAT(m.without(HostLate), DoubleEq(21));
}

TEST_F(Edges, TheHostWaitsForAStream) {
    launch(0, 2, 13, {kIssue, 100});
    m.call("cudaStreamSynchronize", {2, 103});
    launch(103, 2, 14, {103 + kIssue, 203});
    m.call("cudaStreamSynchronize", {105, 206});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(203));
    EXPECT_THAT(m.without(HostSync), DoubleEq(2 + kIssue + 92));
}

TEST_F(Edges, TheLastWaitOfAThreadIsTheEndOfTheRunAndNoCause) {
    launch(0, 2, 13, {kIssue, 100});
    m.call("cudaDeviceSynchronize", {2, 103});
    EXPECT_FALSE(m.graph().present.has(HostSync));
}

TEST_F(Edges, AnEventHoldsTheStreamThatWaitsForIt) {
    launch(0, 2, 13, {kIssue, 100});
    m.call("cudaEventRecord", {2, 3}).says(StreamCallKind::EventRecord, 13, 1, 1);
    m.call("cudaStreamWaitEvent", {3, 4}).says(StreamCallKind::StreamWait, 14, 1, 1);
    launch(4, 2, 14, {103, 113});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(113));
    EXPECT_THAT(m.without(EventOrder), DoubleEq(100));
    EXPECT_THAT(m.beginOf(1, Causes().with(EventOrder)), DoubleEq(4 + kIssue));
}

TEST_F(Edges, TheNullStreamHoldsBlockingStreamsBothWays) {
    m.stream(13, StreamKind::Blocking);
    m.stream(14, StreamKind::Blocking);
    m.stream(15, StreamKind::NonBlocking);
    launch(0, 1, 13, {kIssue, 100});
    launch(1, 1, 7, {106, 126});
    launch(2, 1, 14, {132, 182});
    launch(3, 1, 15, {3 + kIssue, 23});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(182));
    EXPECT_THAT(m.without(NullStream), DoubleEq(100));
    EXPECT_THAT(m.beginOf(1, {}), DoubleEq(3 + kIssue)) << "non-blocking streams are free";
}

TEST(NullStreamEdges, KernelsOfAllStreamsMayOverlapThatItHeldApart) {
    HandMade m;
    double at = 10, issued = 0;
    for (std::uint32_t stream = 13; stream < 19; ++stream)
        m.stream(stream, StreamKind::Blocking);
    for (int round = 0; round < 3; ++round)
        for (std::uint32_t stream = 13; stream < 19; ++stream, at += 410, issued += 4) {
            m.call("cudaLaunchKernel", {issued, issued + 1}).work(Kernel, stream, {at, at + 400});
            m.call("cudaLaunchKernel", {issued + 2, issued + 3}).work(Kernel, 7, {at + 404, at + 405});
        }
    const analysis::Ledger ledger = m.ledger();
    ASSERT_EQ(firstCauseOf(ledger), "null-stream") << ledger.headline;
    EXPECT_GT(static_cast<double>(ledger.entries.front().cost), 0.7 * static_cast<double>(ledger.measured));
    EXPECT_FALSE(ledger.entries.front().isInferred);
}

TEST_F(Edges, TheNullStreamHoldsNoStreamOfAnotherContext) {
    m.secondDevice();
    m.stream(13, StreamKind::Blocking);
    m.stream(13, StreamKind::Blocking, 2);
    launch(0, 1, 7, {kIssue, 100});
    ActivityRecord& other = m.call("cudaLaunchKernel", {1, 2}).work(Kernel, 13, {1 + kIssue, 61});
    other.device = 1, other.context = 2;
    launch(2, 1, 13, {106, 116});
    expectMeasured();
    EXPECT_THAT(m.without(NullStream), DoubleEq(100));
    const auto held = std::ranges::count(m.graph().edges, replay::EdgeKind::NullStream, &replay::Edge::kind);
    EXPECT_EQ(held, 1);
}

TEST_F(Edges, WhatBeganAfterTheReturnOfACallWasNotAwaited) {
    launch(0, 1, 13, {50, 60});
    m.call("cudaDeviceSynchronize", {1, 20}).says(StreamCallKind::DeviceSync, kNoNumber);
    launch(20, 1, 14, {30, 40});
    for (const replay::Edge& edge : m.graph().edges)
        EXPECT_LE(m.graph().nodes[edge.from].measured.begin, m.graph().nodes[edge.to].measured.begin);
}

// Of many streams only those with something new since the thread waited last: else the memory fills.
TEST_F(Edges, WaitsForAllStreamsHaveEdgesForWhatIsNew) {
    for (int i = 0; i < 40; ++i) {
        launch(100 * i, 1, 13 + static_cast<std::uint32_t>(i), {100. * i + kIssue, 100. * i + 80});
        m.call("cudaDeviceSynchronize", {100. * i + 1, 100. * i + 83})
            .says(StreamCallKind::DeviceSync, kNoNumber);
    }
    launch(4'000, 1, 13, {4'000 + kIssue, 4'080});
    expectMeasured();
    EXPECT_EQ(std::ranges::count(m.graph().edges, replay::EdgeKind::Wait, &replay::Edge::kind), 40);
    EXPECT_LT(m.without(HostSync), 2'500) << "only the time between the calls stays";
}

TEST_F(Edges, StreamsOfOneHardwareQueueBeginInTheOrderOfIssue) {
    const auto onQueue = [&](double at, std::uint32_t stream, std::uint32_t channel, Span time) {
        ActivityRecord& r = m.call("cudaLaunchKernel", {at, at + 1}).work(Kernel, stream, time);
        r.channel = channel, r.channelType = ChannelType::Compute;
    };
    onQueue(0, 13, 3, {kIssue, 60});
    onQueue(1, 13, 3, {64, 100});
    onQueue(2, 14, 3, {65, 165}); // behind the second one of the first stream, which had to wait
    expectMeasured();
    EXPECT_THAT(m.without(Connections), DoubleEq(2 + kIssue + 100));
}

/// Two streams, a kernel in one and then a copy in the other: the copy could run beside the kernel.
void issueInTurns(HandMade& m, int turns, double behind, std::string_view kernel = "mix") {
    for (int i = 0; i < turns; ++i) {
        const double at = 1'000.0 * i;
        m.call("cudaLaunchKernel", {at, at + 1}).work(Kernel, 13, {at + kIssue, at + 308}).name =
            m.text(kernel);
        m.call("cudaMemcpyAsync", {at + 1, at + 2})
            .work(MemcpyH2D, 14, {at + behind, at + behind + 200}, 1 << 20);
    }
}

TEST_F(Edges, CopiesThatAlwaysWaitForTheKernelIssuedBeforeAreInItsQueue) {
    issueInTurns(m, 12, 308);
    expectMeasured();
    EXPECT_TRUE(m.graph().present.has(Submission));
    EXPECT_EQ(m.graph().waits[1].cause, Submission);
    EXPECT_LT(m.without(Submission), m.measured() - 150) << "the last copy begins with its call";
}

TEST_F(Edges, AFewSuchWaitsAreNoQueue) {
    issueInTurns(m, 7, 308);
    EXPECT_FALSE(m.graph().present.has(Submission));
}

TEST_F(Edges, WhatTheHostFetchesNeedsTheKernelIssuedBeforeIt) {
    for (const bool atOnce : {true, false}) {
        HandMade made;
        made.call("cudaLaunchKernel", {0, 2}).work(Kernel, 13, {kIssue, 100});
        made.call("cudaEventRecord", {2, 3}).says(StreamCallKind::EventRecord, 13, 1, 1);
        made.call("cudaStreamWaitEvent", {3, 4}).says(StreamCallKind::StreamWait, 14, 1, 1);
        made.call("cudaMemcpyAsync", {4, 6}).work(MemcpyD2H, 14, {103, 113}, 4096);
        if (!atOnce) // it does something else first
            made.call("cudaLaunchKernel", {6, 8}).work(Kernel, 13, {101, 102});
        made.call("cudaStreamSynchronize", {8, 115}).says(StreamCallKind::StreamSync, 14);
        EXPECT_EQ(made.graph().present.has(EventOrder), !atOnce);
    }
}

TEST_F(Edges, CopiesOfWhichNobodyKnowsWhatTheirStreamWaitedForAreInNoQueue) {
    m.recordsStreamCalls = false;
    for (int i = 0; i < 12; ++i) {
        const double at = 1'000.0 * i;
        m.call("cudaLaunchKernel", {at, at + 1}).work(Kernel, 13, {at + kIssue, at + 308});
        m.call("cudaEventRecord", {at + 1, at + 2});
        m.call("cudaStreamWaitEvent", {at + 2, at + 3});
        m.notIssued();
        m.call("cudaMemcpyAsync", {at + 3, at + 4}).work(MemcpyH2D, 14, {at + 310, at + 510}, 1 << 20);
    }
    EXPECT_FALSE(m.graph().present.has(Submission));
}

TEST_F(Edges, CopiesThatWaitForTheResultOfCommunicationAreInNoQueue) {
    issueInTurns(m, 12, 308, "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)");
    EXPECT_FALSE(m.graph().present.has(Submission));
}

TEST_F(Edges, WhereOneCopyMetAKernelThereIsNoQueue) {
    issueInTurns(m, 12, 308);
    m.call("cudaLaunchKernel", {20'000, 20'001}).work(Kernel, 13, {20'008, 20'308});
    m.call("cudaMemcpyAsync", {20'001, 20'002}).work(MemcpyH2D, 14, {20'020, 20'220}, 1 << 20);
    EXPECT_FALSE(m.graph().present.has(Submission));
}

TEST_F(Edges, AHostFunctionHoldsItsStreamWithTheTimeToCallIt) {
    launch(0, 1, 13, {kIssue, 50});
    m.call("cudaLaunchHostFunc", {1, 2}).hostFn(13, {120, 150});
    launch(2, 1, 13, {160, 200});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(200));
    EXPECT_THAT(m.without(Callback), DoubleEq(90)) << "the next kernel begins when the first has ended";
}

TEST_F(Edges, AWorkerRunsOneHostFunctionAfterTheOther) {
    launch(0, 1, 13, {kIssue, 50});
    m.call("cudaLaunchHostFunc", {1, 2}).hostFn(13, {100, 200});
    launch(2, 1, 14, {2 + kIssue, 52});
    m.call("cudaLaunchHostFunc", {3, 4}).hostFn(14, {200, 300});
    launch(4, 1, 14, {310, 330});
    expectMeasured();
    EXPECT_THAT(m.without(Callback), DoubleEq(72));
}

TEST_F(Edges, ACallThatFreesMemoryWaitsForAllStreams) {
    launch(0, 1, 13, {kIssue, 50});
    launch(1, 1, 14, {1 + kIssue, 90});
    m.call("cudaFree", {2, 97});
    launch(97, 1, 15, {97 + kIssue, 157});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(157));
    EXPECT_THAT(m.without(Allocation), DoubleEq(90));
}

TEST_F(Edges, AnAllocationBesideRunningWorkIsNoBarrier) {
    launch(0, 1, 13, {kIssue, 500});
    m.call("cudaMalloc", {1, 60});
    launch(60, 1, 14, {60 + kIssue, 90});
    EXPECT_FALSE(m.graph().present.has(DeviceBarrier));
}

TEST_F(Edges, AFirstLaunchThatIsLoadedEmptiesTheDevice) {
    launch(0, 1, 13, {kIssue, 100});
    launch(1, 20, 14, {106, 116});
    m.overhead("lazy function loading", {2, 20});
    launch(21, 1, 15, {122, 142});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(142));
    EXPECT_THAT(m.without(FirstLaunch), DoubleEq(100));
}

TEST_F(Edges, HostFunctionsAreCalledInTheOrderInWhichTheyMayBe) {
    m.stream(13, StreamKind::Blocking);
    m.stream(15, StreamKind::NonBlocking);
    launch(0, 1, 7, {kIssue, 200});
    launch(1, 1, 13, {206, 226});
    launch(2, 1, 15, {2 + kIssue, 211});
    m.call("cudaLaunchHostFunc", {3, 4}).hostFn(15, {215, 245});
    m.call("cudaLaunchHostFunc", {4, 5}).hostFn(13, {255, 265});
    launch(5, 1, 13, {270, 470});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(470));
    // 1 + 8, the kernel, 10 until the call, which takes 10, 5 until the next kernel
    EXPECT_THAT(m.without(NullStream), DoubleEq(9 + 20 + 10 + 10 + 5 + 200))
        << "that of stream 15 is later now";
}

TEST_F(Edges, WhatComesBehindAFirstLaunchMayBeginALittleBeforeIt) {
    launch(0, 1, 13, {kIssue, 100});
    launch(1, 20, 14, {108, 110});
    m.overhead("lazy function loading", {2, 20});
    launch(21, 1, 15, {106, 142}); // issued behind it: the device was empty for both
    EXPECT_THAT(m.base(), DoubleNear(m.measured(), 1)) << "the usual latency of the two";
    EXPECT_THAT(m.measured(), DoubleEq(142));
    EXPECT_THAT(m.without(FirstLaunch), DoubleEq(100));
    EXPECT_EQ(m.graph().waits[1].cause, FirstLaunch);
}

TEST_F(Edges, ACopyOfPageableMemoryHoldsTheHostAndIsSlow) {
    ActivityRecord& copy = m.call("cudaMemcpyAsync", {0, 65}).work(MemcpyH2D, 13, {kIssue, 60}, 550'000);
    copy.source = MemoryKind::Pageable;
    launch(65, 1, 14, {65 + kIssue, 105});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(105));
    // the call takes what issuing takes, the copy goes at 55 bytes per ns
    EXPECT_THAT(m.without(Pageable), DoubleEq(5 + kIssue + 32));
}

TEST_F(Edges, PageableCopiesTakeThePinnedRateOfTheirRecording) {
    ActivityRecord& copy = m.call("cudaMemcpyAsync", {0, 105}).work(MemcpyH2D, 13, {kIssue, 100}, 4 << 20);
    copy.source = MemoryKind::Pageable;
    m.call("cudaMemcpyAsync", {105, 106}).work(MemcpyH2D, 14, {115, 155}, 2 << 20);
    const auto& graph = m.graph();
    EXPECT_EQ(graph.nodes[graph.workOf[0]].fixed, us(80));
}

TEST_F(Edges, AHostThatPutsTheBytesOfPageableCopiesTogetherWaitsForNothing) {
    for (int i = 0; i < 20; ++i) {
        const double at = 100.0 * i;
        m.call("cudaMemcpyAsync", {at, at + 85}).work(MemcpyH2D, 13, {at + 86, at + 107}, 1 << 20).source =
            MemoryKind::Pageable;
        m.call("cudaLaunchKernel", {at + 86, at + 91}).work(Kernel, 14, {at + 95, at + 160});
    } // each kernel ends within the next call
    const analysis::Ledger ledger = m.ledger();
    ASSERT_EQ(firstCauseOf(ledger), "pageable");
    EXPECT_NEAR(static_cast<double>(ledger.entries.front().cost) / 1000, 20 * 30, 100)
        << "the kernels remain";
    EXPECT_EQ(entryOf(ledger, analysis::LossCause::NullStream), nullptr);
    EXPECT_LT(ledger.unexplained, us(20));
}

TEST_F(Edges, LaunchesThatAllReturnAfterTheirKernelAreBlocking) {
    for (int i = 0; i < 3; ++i)
        launch(60 * i, 60, 13 + static_cast<std::uint32_t>(i), {60 * i + kIssue, 60. * i + 57});
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(177));
    EXPECT_THAT(m.without(LaunchBlocking), DoubleEq(2 * 5 + kIssue + 49)) << "calls take what issuing takes";
    EXPECT_FALSE(m.graph().present.has(HostSync));
}

TEST_F(Edges, AGraphIsLaunchedNoFasterThanItsNodes) {
    m.call("cudaGraphLaunch", {0, 20});
    for (const std::uint32_t stream : {13u, 14u, 15u})
        m.work(Kernel, stream, {25, 60});
    EXPECT_EQ(m.graph().nodes[0].fixed, us(3.6)) << "1.2 us for each";
}

TEST_F(Edges, ACopyEngineDoesOneThingAtATime) {
    m.call("cudaMemcpyAsync", {0, 1}).work(MemcpyH2D, 13, {kIssue, 60}, 1 << 20);
    m.call("cudaMemcpyAsync", {1, 2}).work(MemcpyH2D, 14, {62, 114}, 1 << 20);
    expectMeasured();
    EXPECT_THAT(m.without(Causes::all()), DoubleEq(114)) << "the bound is no cause";
    EXPECT_EQ(m.graph().waits[1].cause, EngineBound);
    EXPECT_EQ(m.graph().waits[1].blocker, m.graph().nodes[m.graph().workOf[0]].row);
}

TEST_F(Edges, WhatTakesLongerThanItsKindIsStretched) {
    m.work(MemcpyH2D, 13, {10, 20}, 4096);
    m.work(MemcpyH2D, 13, {22, 52}, 4096);
    expectMeasured();
    EXPECT_THAT(m.measured(), DoubleEq(42));
    EXPECT_THAT(m.without(Stretched), DoubleEq(22));
}

TEST_F(Edges, TheGateHoldsWhatWasIssuedBeforeItOpened) {
    launch(0, 1, 13, {110, 160});
    m.window = WindowRecord{us(100), us(170), true};
    EXPECT_THAT(m.measured(), DoubleEq(70));
    expectMeasured();
    EXPECT_THAT(m.without(Causes::all()), DoubleEq(70));
}

TEST_F(Edges, TheGateHoldsAllThatIsIssuedEarlierOnceTheHostIsFree) {
    launch(0, 1, 13, {110, 160});
    m.call("cudaFree", {1, 180});
    launch(180, 1, 14, {180 + kIssue, 238});
    m.window = WindowRecord{us(100), us(250), true};
    expectMeasured();
    EXPECT_THAT(m.beginOf(1, Causes().with(DeviceBarrier)), testing::Ge(100));
}

TEST_F(Edges, AHostFunctionThatWasIssuedLateWasNotCalledLate) {
    launch(0, 1, 13, {kIssue, 50});
    ActivityRecord& copy = m.call("cudaMemcpyAsync", {1, 405}).work(MemcpyD2H, 14, {9, 400}, 4 << 20);
    copy.target = MemoryKind::Pageable;
    m.call("cudaLaunchHostFunc", {405, 406}).hostFn(13, {440, 450});
    launch(406, 1, 13, {460, 500});
    expectMeasured();
    EXPECT_THAT(m.without(Pageable), testing::Lt(200))
        << "the function comes when it is issued, not 400 us later";
}

TEST_F(Edges, ALinkThatWasSlowAtTheBeginIsNotSlowedByTheOtherDirection) {
    const auto copies = [&](ActivityClass cls, std::uint32_t stream, double from, double length) {
        m.call("cudaMemcpyAsync", {from - 8, from - 7}).work(cls, stream, {from, from + length}, 4 << 20);
    };
    for (int i = 0; i < 4; ++i)
        copies(MemcpyD2H, 14, 10 + 200. * i, 110); // alone, all but the last slower than it will be
    for (int i = 0; i < 4; ++i) {
        copies(MemcpyD2H, 14, 1010 + 200. * i, 112);
        copies(MemcpyH2D, 13, 1010 + 200. * i, 112);
    }
    copies(MemcpyD2H, 14, 2010, 100);
    EXPECT_THAT(m.graph().links[0].d2h, DoubleNear(0.02, 0.01)) << "and not 12 %";
}

TEST_F(Edges, TheIdealRunHoldsNobody) {
    launch(0, 2, 13, {kIssue, 100});
    m.call("cudaStreamSynchronize", {2, 103});
    launch(103, 2, 14, {103 + kIssue, 203});
    const analysis::Ledger ledger = m.ledger();
    ASSERT_EQ(ledger.missing, "");
    EXPECT_EQ(ledger.measured, us(203));
    EXPECT_EQ(sumOf(ledger), ledger.measured);
    EXPECT_EQ(firstCauseOf(ledger), "host-sync");
    const analysis::LedgerEntry* sync = entryOf(ledger, HostSync);
    ASSERT_NE(sync, nullptr);
    EXPECT_EQ(sync->cost, us(101.6));
    EXPECT_EQ(sync->gain, us(101.6));
    EXPECT_EQ(sync->count, 1u);
    EXPECT_NE(ledger.headline.find("the host waits for the device"), std::string::npos) << ledger.headline;
    ASSERT_EQ(ledger.idealTimes.size(), 2u);
    EXPECT_LT(ledger.idealTimes[1].begin, us(100));
}

TEST_F(Edges, ARunOfManyYearsHasAHeadline) {
    constexpr double kYears = 1.7e15; // us: more than 2^63 ns when taken 50 times
    launch(0, 1, 13, {kIssue, 10});
    m.call("cudaStreamSynchronize", {1, kYears});
    launch(kYears, 1, 13, {kYears + kIssue, kYears + 20});
    EXPECT_FALSE(m.ledger().headline.empty() && m.ledger().missing.empty());
}

TEST_F(Edges, TimesThatCannotBeAddedUpHaveNoAccount) {
    m.work(Kernel, 13, {0, 3e15});
    m.work(Kernel, 14, {10, 3e15});
    EXPECT_NE(m.ledger().missing.find("hundred years"), std::string::npos) << m.ledger().missing;
}

TEST(LedgerWithoutWork, SaysWhy) {
    HandMade m;
    m.call("cudaFree", {0, 1});
    EXPECT_EQ(m.ledger().missing, "No work of a device was recorded.");
}

} // namespace
} // namespace olab::test
