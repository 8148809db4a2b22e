// Programs that were not written for the lab: what they did before their first work, work from before the
// recording, and waits that no record explains are no reason to have no account.
#include "hand_made.h"

#include <olab/analysis/analyze.h>

namespace olab::test {
namespace {

using analysis::LossCause;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr double kClose = 30; // us: latencies of a call and a stream

double inUs(Ns time) {
    return static_cast<double>(time) / 1000;
}

/// Kernels of 1 ms, one each `step` us, each by a call 10 us before it.
void addKernels(HandMade& m, double from, double step, int count) {
    for (int i = 0; i < count; ++i) {
        const double at = from + step * i;
        m.call("cudaLaunchKernel", {at, at + 5}).work(Kernel, 7, {at + 10, at + 1'010});
    }
}

TEST(ForeignRun, WhatItDidBeforeItsFirstWorkHoldsNothingUp) {
    HandMade m;
    m.call("cuInit", {0, 50'000});
    m.call("cudaMalloc", {50'100, 50'200});
    addKernels(m, 60'000, 10'000, 5);
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    EXPECT_NEAR(inUs(ledger.measured), 41'010, 1);
    EXPECT_NEAR(inUs(ledger.ideal), 5'000, 2 * kClose);
    const analysis::LedgerEntry* late = entryOf(ledger, LossCause::HostLate);
    ASSERT_TRUE(late);
    EXPECT_NEAR(inUs(late->cost), 36'000, 2 * kClose);
}

TEST(ForeignRun, WorkFromBeforeTheRecordingKeepsItsPlaceInItsStream) {
    HandMade m;
    m.notIssued();
    m.work(Kernel, 7, {0, 1'000});
    m.work(Kernel, 7, {1'002, 2'002});
    m.call("cudaLaunchKernel", {10, 15}).work(Kernel, 7, {2'004, 3'004});
    EXPECT_NEAR(m.base(), 3'004, kClose);
    EXPECT_THAT(m.ledger().missing, IsEmpty());
}

TEST(ForeignRun, AHostFunctionWithoutACallKeepsItsPlaceBesideWorkFromBeforeTheRecording) {
    HandMade m;
    m.notIssued();
    m.work(Kernel, 7, {0, 1'000});
    m.hostFn(7, {2'010, 2'110});
    m.call("cudaLaunchKernel", {10, 15}).work(Kernel, 7, {1'005, 2'005});
    const replay::Graph& graph = m.graph();
    const auto hostFn = std::ranges::find(graph.nodes, replay::NodeKind::HostFn, &replay::Node::kind);
    ASSERT_NE(hostFn, graph.nodes.end());
    const auto n = static_cast<replay::NodeId>(hostFn - graph.nodes.begin());
    EXPECT_TRUE(std::ranges::any_of(graph.edges, [&](const replay::Edge& e) {
        return e.kind == replay::EdgeKind::Dispatch && e.to == n && e.from == graph.workOf[1];
    })) << "it was called behind the second kernel";
}

TEST(ForeignRun, AWaitThatNoRecordExplainsIsUnexplainedAndTheRestStands) {
    HandMade m;
    m.call("cudaLaunchKernel", {0, 5}).work(Kernel, 7, {10, 1'010});
    m.call("cudaLaunchKernel", {20, 25}).work(Kernel, 7, {3'010, 4'010});
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    EXPECT_NEAR(inUs(ledger.unexplained), 2'000, kClose);
    EXPECT_NEAR(inUs(ledger.ideal), 2'010, kClose);
    EXPECT_THAT(ledger.headline, HasSubstr("no record says what the device waited for"));
}

TEST(ForeignRun, WithoutCallsItIsSaidWhatIsMissingAndTheRestStands) {
    HandMade m;
    m.notIssued();
    m.work(Kernel, 7, {0, 1'000});
    m.work(Kernel, 7, {5'000, 6'000});
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    EXPECT_NEAR(inUs(ledger.unexplained), 4'000, kClose);
    EXPECT_THAT(ledger.headline, HasSubstr("API calls were not recorded"));
}

TEST(ForeignRun, WhereSomeCallsLackItIsSaidOfHowManyOperations) {
    HandMade m;
    m.call("cudaLaunchKernel", {0, 5}).work(Kernel, 7, {10, 1'010});
    m.notIssued();
    m.work(Kernel, 7, {5'000, 6'000});
    EXPECT_THAT(m.ledger().headline, HasSubstr("the calls of 1 of its 2 operations were not recorded"));
}

TEST(ForeignRun, CopiesRecordedBesideEachOtherNeedNotFollowEachOther) {
    HandMade m;
    m.notIssued();
    for (int stream = 7; stream < 12; ++stream) // recorded from their submission on
        m.work(MemcpyH2D, static_cast<unsigned>(stream), {stream - 7.0, 1'000.0 + stream});
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    EXPECT_NEAR(inUs(ledger.ideal), 1'011, kClose);
}

TEST(ForeignRun, GridsThatTakeTurnsAcrossStreamsAreNoUnexplainedWait) {
    HandMade m;
    m.device.smCount = 132;
    for (int i = 0; i < 12; ++i) { // each begins as the last blocks of the one before still run
        const double issued = 10.0 * i, at = 200 + 290.0 * i;
        m.call("cudaLaunchKernel", {issued, issued + 5})
            .work(Kernel, static_cast<std::uint32_t>(13 + i % 3), {at, at + 350})
            .geometry = KernelGeometry{{8192, 1, 1}, {128, 1, 1}, 16, 0, 0};
    }
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    EXPECT_NEAR(inUs(ledger.ideal), 11 * 290 + 350, 3 * kClose);
    EXPECT_LT(inUs(ledger.unexplained), 250) << "the first one was late";
}

TEST(ForeignRun, WorkThatRanBesideOtherDidNotStandBehindIt) {
    HandMade m;
    m.call("cudaLaunchKernel", {0, 5}).work(Kernel, 7, {10, 1'010});
    m.call("cudaLaunchKernel", {6, 9}).work(Kernel, 7, {100, 1'100}); // nodes of a graph have one stream
    EXPECT_NEAR(m.base(), m.measured(), kClose);
}

TEST(ForeignRun, ALaunchThatLoadedItsKernelIsNoSlowCall) {
    HandMade m;
    m.call("cudaLaunchKernel", {0, 5}).work(Kernel, 7, {10, 1'010}).name = m.text("first");
    m.call("cudaLaunchKernel", {20, 25}).work(Kernel, 7, {1'015, 2'015}).name = m.text("first");
    m.call("cudaLaunchKernel", {30, 9'030}).work(Kernel, 7, {9'035, 10'035}).name = m.text("second");
    m.call("cudaLaunchKernel", {9'040, 9'045}).work(Kernel, 7, {10'040, 11'040}).name = m.text("second");
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    ASSERT_FALSE(ledger.entries.empty());
    EXPECT_EQ(ledger.entries.front().cause, LossCause::FirstLaunch);
    EXPECT_NEAR(inUs(ledger.entries.front().cost), 7'000, kClose);
}

TEST(ForeignRun, WhereAllLaunchesAreFirstOnesThoseThatLoadAreTold) {
    HandMade m;
    m.call("cudaLaunchKernel", {0, 17'000}).work(Kernel, 7, {17'005, 17'105}).name = m.text("first");
    m.call("cudaLaunchKernel", {17'010, 34'000}).work(Kernel, 7, {34'005, 34'105}).name = m.text("second");
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    EXPECT_EQ(firstCauseOf(ledger), "first-launch");
    EXPECT_FALSE(entryOf(ledger, LossCause::LaunchBound) &&
                 entryOf(ledger, LossCause::LaunchBound)->cost > us(50));
}

TEST(ForeignRun, ALaunchThatWaitsForItsKernelLoadsNothing) {
    HandMade m; // CUDA_LAUNCH_BLOCKING
    m.call("cudaLaunchKernel", {0, 17'000}).work(Kernel, 7, {10, 16'990}).name = m.text("first");
    m.call("cudaLaunchKernel", {17'100, 34'000}).work(Kernel, 7, {17'110, 33'990}).name = m.text("second");
    EXPECT_FALSE(m.graph().present.has(LossCause::FirstLaunch));
}

TEST(ForeignRun, ThreadsThatHandWorkToEachOtherAreNoCallbacks) {
    HandMade m;
    m.call("cudaLaunchKernel", {0, 5}, 100).work(Kernel, 7, {10, 1'010});
    m.call("cudaStreamSynchronize", {20, 1'015}, 100);
    m.call("cudaLaunchKernel", {6, 11}, 101).work(Kernel, 8, {15, 115});
    m.call("cudaLaunchKernel", {1'100, 1'105}, 101).work(Kernel, 8, {1'110, 2'110}); // once 100 has returned
    EXPECT_FALSE(entryOf(m.ledger(), LossCause::Callback));
}

TEST(ForeignRun, AThreadThatIsStartedOnTheWayComesSoonerIfItsStarterDoes) {
    HandMade m;
    for (std::uint32_t i = 0; i < 4; ++i) { // each round starts a thread of its own for a second kernel
        const double at = 1'100.0 * i;
        m.call("cudaLaunchKernel", {at, at + 5}, 100).work(Kernel, 7, {at + 10, at + 1'010});
        m.call("cudaLaunchKernel", {at + 60, at + 65}, 101 + i).work(Kernel, 8, {at + 70, at + 170});
        m.call("cudaDeviceSynchronize", {at + 80, at + 1'015}, 100).says(StreamCallKind::DeviceSync, 7);
    }
    EXPECT_LT(m.beginOf(7, Causes().with(LossCause::HostSync).with(LossCause::HostLate)), 1'000)
        << "the kernel of the last thread";
}

TEST(ForeignRun, InputsBehindTheKernelsOfOneStreamCouldComeDuringThem) {
    HandMade m; // of each round 1 ms of copy and 2 ms of kernel, all issued at once
    for (int round = 0; round < 4; ++round) {
        const double issued = 20.0 * round, at = 100 + 3'010.0 * round;
        m.call("cudaMemcpyAsync", {issued, issued + 5}).work(MemcpyH2D, 7, {at, at + 1'000}, 50 << 20);
        m.call("cudaLaunchKernel", {issued + 6, issued + 10}).work(Kernel, 7, {at + 1'005, at + 3'005});
    }
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    const analysis::LedgerEntry* same = entryOf(ledger, LossCause::SameStream);
    ASSERT_TRUE(same);
    EXPECT_NEAR(inUs(same->cost), 3'000, 3 * kClose) << "all copies but the first hide behind kernels";
}

TEST(ForeignRun, WhatKeptTheHostBusyIsNamedByTheInnermostRange) {
    HandMade m;
    m.range("ProfilerStep#4", {0, 45'000});
    for (int i = 0; i < 4; ++i) {
        const double at = 10'000.0 * i;
        m.range("train", {at + 20, at + 10'000});
        m.range("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", {at + 100, at + 9'000});
        m.range("aten::stack", {at + 200, at + 1'200});
    }
    addKernels(m, 0, 10'000, 5);
    analysis::Report report = analysis::reportOf(m.facts());
    report.ledger = std::make_shared<const analysis::Ledger>(m.ledger());
    analysis::judge(report, m.facts());
    const auto late = std::ranges::find(report.findings, "data-loading", &analysis::Finding::id);
    ASSERT_NE(late, report.findings.end());
    EXPECT_THAT(late->text,
                HasSubstr("longest in enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__: "));
    EXPECT_THAT(late->text, HasSubstr("in 4 ranges of that name"));
    EXPECT_THAT(late->remedy, HasSubstr("num_workers=4")) << "in the words of PyTorch";
    EXPECT_THAT(late->text, Not(HasSubstr("no named range")));
}

TEST(ForeignRun, AMemsetThatBeginsLateBesideAKernelWaitedForRoom) {
    HandMade m;
    for (int i = 0; i < 5; ++i) {
        const double at = 2'000.0 * i;
        m.call("cudaLaunchKernel", {at, at + 5}).work(Kernel, 8, {at + 10, at + 1'510});
        m.call("cudaMemsetAsync", {at + 6, at + 10}).work(Memset, 7, {at + 1'000, at + 1'100}, 1 << 20);
        m.call("cudaMemcpyAsync", {at + 10, at + 14}).work(MemcpyH2D, 7, {at + 1'102, at + 1'902}, 1 << 20);
    }
    const analysis::Ledger ledger = m.ledger();
    const analysis::LedgerEntry* entry = entryOf(ledger, LossCause::MemsetFullGrid);
    ASSERT_TRUE(entry);
    EXPECT_NEAR(inUs(entry->gain), 1'902 - 1'510, kClose) << "then the last kernel ends";
    EXPECT_LT(inUs(ledger.missed()), kClose);
}

TEST(ForeignRun, KernelsThatTookTurnsByTheHostStayApartWhereAllAtOnceWouldBeTooShort) {
    HandMade m;
    m.device.smCount = 0; // not known: kernels of all streams fit beside each other
    for (int i = 0; i < 8; ++i) {
        const double at = 1'100.0 * i; // each in a stream and a thread of its own
        const auto stream = static_cast<std::uint32_t>(20 + i);
        m.stream(stream, StreamKind::NonBlocking);
        m.call("cudaLaunchKernel", {at, at + 5}, 100 + static_cast<std::uint32_t>(i))
            .work(Kernel, stream, {at + 10, at + 1'010});
    }
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    EXPECT_GE(inUs(ledger.ideal), 8'000);
}

TEST(ForeignRun, ALaunchDoesNotWaitForTheTinyKernelThatEndsBeforeItReturns) {
    HandMade m;
    for (int i = 0; i < 20; ++i) {
        const double at = 50.0 * i;
        m.call("cudaLaunchKernel", {at, at + 30}).work(Kernel, 7, {at + 20, at + 25});
    }
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    EXPECT_FALSE(entryOf(ledger, LossCause::HostSync));
    EXPECT_FALSE(entryOf(ledger, LossCause::Unexplained));
}

/// Of a PyTorch program: `pause` us of Python between two launches, and `load` us of a data loader after ten.
std::string firstOfPythonAndLoading(double pause, double load) {
    HandMade m;
    double at = 0;
    for (int i = 0; i < 40; ++i, at += pause) {
        m.call("cudaLaunchKernel", {at, at + 5}).work(Kernel, 7, {at + 10, at + 20}).name =
            m.text("void at::native::elementwise_kernel");
        if (i % 10 != 9)
            continue;
        m.range("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                {at + pause, at + pause + load});
        at += load;
    }
    return firstCauseOf(m.ledger());
}

TEST(ForeignRun, OfTheInterpreterAndTheLoaderThatComesFirstWhoseMendLikelyBringsMore) {
    EXPECT_EQ(firstOfPythonAndLoading(300, 2'800), "data-loading");
    EXPECT_EQ(firstOfPythonAndLoading(300, 2'000), "python");
}

TEST(ForeignRun, KernelsWhoseHostWasAlwaysLateFollowEachOtherWithinAMicrosecondOrTwo) {
    HandMade m;
    for (int i = 0; i < 50; ++i)
        m.call("cudaLaunchKernel", {50.0 * i, 50.0 * i + 5}).work(Kernel, 7, {50.0 * i + 8, 50.0 * i + 28});
    EXPECT_NEAR(m.without(LossCause::HostLate), 50 * 21.5, kClose);
    EXPECT_NEAR(m.without(Causes::all()), 50 * 20.5, 10) << "as nodes of a graph";
}

/// `names` by turns.
Ns moreBySmallKernels(const std::vector<std::string>& names) {
    HandMade m;
    for (int i = 0; i < 100; ++i)
        m.call("cudaLaunchKernel", {20.0 * i, 20.0 * i + 5})
            .work(Kernel, 7, {20.0 * i + 8, 20.0 * i + 12})
            .name = m.text(names[static_cast<std::size_t>(i) % names.size()]);
    const analysis::Ledger ledger = m.ledger();
    const analysis::LedgerEntry* const entry = entryOf(ledger, LossCause::LaunchBound);
    EXPECT_TRUE(entry);
    return entry ? entry->more : 0;
}

TEST(ForeignRun, ManyShortKernelsOfOneNameInARowCouldBeFewer) {
    EXPECT_EQ(moreBySmallKernels({"one"}), us(99 * 4));
    EXPECT_EQ(moreBySmallKernels({"one", "other"}), 0);
}

TEST(ForeignRun, KernelsIssuedWellAheadFollowEachOtherNoFasterAsAGraph) {
    HandMade m;
    for (int i = 0; i < 50; ++i)
        m.call("cudaLaunchKernel", {5.0 * i, 5.0 * i + 4}).work(Kernel, 7, {8 + 51.5 * i, 58 + 51.5 * i});
    EXPECT_NEAR(m.without(LossCause::LaunchBound), m.base(), 2);
}

TEST(ForeignRun, WhatTheModelMissesIsUnexplainedAndTheRestStands) {
    HandMade m;
    addKernels(m, 0, 2'000, 5);
    m.notIssued();
    m.work(Kernel, 9, {11'500, 12'500}); // nobody knows why it began then
    EXPECT_THAT(m.ledger().missing, IsEmpty());
}

/// Rounds of a pageable copy in, a kernel, a pageable copy out and a call of 2 ms on a device that is idle.
analysis::Ledger ofRoundsWith(const std::string& call) {
    HandMade m;
    for (int i = 0; i < 8; ++i) {
        const double at = 3'850.0 * i;
        m.call("cudaMemcpy", {at, at + 410}).work(MemcpyH2D, 7, {at + 8, at + 408}, 4 << 20).source =
            MemoryKind::Pageable;
        m.call("cudaLaunchKernel", {at + 412, at + 418}).work(Kernel, 7, {at + 420, at + 1'420});
        m.call("cudaMemcpy", {at + 419, at + 1'840})
            .work(MemcpyD2H, 7, {at + 1'424, at + 1'834}, 4 << 20)
            .target = MemoryKind::Pageable;
        m.call(call, {at + 1'845, at + 3'845});
    }
    return m.ledger();
}

TEST(ForeignRun, WhatACallTakesBehindAPageableCopyCountsOnce) {
    for (const char* call : {"cudaFree", "cudaFreeHost", "cudaHostUnregister"}) {
        const analysis::Ledger ledger = ofRoundsWith(call);
        ASSERT_THAT(ledger.missing, IsEmpty()) << call;
        const analysis::LedgerEntry* const entry = entryOf(ledger, LossCause::Allocation);
        ASSERT_TRUE(entry) << call;
        EXPECT_NEAR(inUs(entry->cost), 7 * 2'000, 7 * kClose) << call;
        EXPECT_EQ(firstCauseOf(ledger), "allocation") << call;
        EXPECT_LT(std::abs(inUs(ledger.unexplained)), 7 * kClose) << call;
    }
}

/// Rounds of a copy in, a kernel and a copy out, 240 us each, by turns in so many streams. The next one
/// begins `apart` later, issued long before.
double gainOfMoreStreams(std::uint32_t streams, double apart) {
    HandMade m;
    for (std::uint32_t s = 0; s < streams; ++s)
        m.stream(13 + s, StreamKind::NonBlocking);
    for (std::uint32_t i = 0; i < 40; ++i) {
        const double issued = 6.0 * i, at = 300 + apart * i;
        const std::uint32_t stream = 13 + i % streams;
        m.call("cudaMemcpyAsync", {issued, issued + 1}).work(MemcpyH2D, stream, {at, at + 240}, 12 << 20);
        m.call("cudaLaunchKernel", {issued + 2, issued + 3}).work(Kernel, stream, {at + 241, at + 481});
        m.call("cudaMemcpyAsync", {issued + 4, issued + 5})
            .work(MemcpyD2H, stream, {at + 482, at + 722}, 12 << 20);
    }
    const analysis::Ledger ledger = m.ledger();
    const analysis::LedgerEntry* const entry = entryOf(ledger, LossCause::TooFewStreams);
    return entry ? static_cast<double>(entry->gain) / static_cast<double>(ledger.measured) : 0;
}

TEST(ForeignRun, FewerStreamsThanEnginesLetOneRest) {
    EXPECT_NEAR(gainOfMoreStreams(2, 364), 1. / 3, 0.04) << "240 us a round instead of 364";
    EXPECT_EQ(gainOfMoreStreams(3, 243), 0);
}

} // namespace
} // namespace olab::test
