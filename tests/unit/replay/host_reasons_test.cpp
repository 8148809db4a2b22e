// What the host of a program that is not ours did while the device waited: named, and told from what its
// profiler took.
#include "hand_made.h"

namespace olab::test {
namespace {

using analysis::LossCause;
using testing::IsEmpty;

constexpr double kLatencies = 60; // us: latencies of a call and a stream

struct HostReasons : testing::Test {
    HandMade m;
    double now = 0;
    /// By a call that takes 5 us, 10 us before it; returns when it ends.
    double kernel(double length, std::string_view name = "k") {
        m.call("cudaLaunchKernel", {now, now + 5}).work(Kernel, 7, {now + 10, now + 10 + length}).name =
            m.text(name);
        return now + 10 + length;
    }
    double costOf(LossCause cause) {
        const analysis::Ledger ledger = m.ledger();
        const analysis::LedgerEntry* entry = entryOf(ledger, cause);
        return entry ? static_cast<double>(entry->cost) / 1000 : 0;
    }
};

TEST_F(HostReasons, ALongPauseOfAPythonProgramIsItsPythonCode) {
    for (int i = 0; i < 5; ++i, now += 3'000)
        kernel(1'000, "void at::native::elementwise_kernel");
    EXPECT_NEAR(costOf(LossCause::Python), 4 * 2'000, kLatencies);
    EXPECT_EQ(costOf(LossCause::HostLate), 0);
}

TEST_F(HostReasons, APauseOfAnyOtherProgramIsAHostThatIsLate) {
    for (int i = 0; i < 5; ++i, now += 3'000)
        kernel(1'000);
    EXPECT_NEAR(costOf(LossCause::HostLate), 4 * 2'000, kLatencies);
}

TEST_F(HostReasons, APauseWithinADataLoaderIsDataLoadingHoweverDeep) {
    for (int i = 0; i < 5; ++i, now += 3'000) {
        kernel(1'000);
        m.range("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", {now + 100, now + 2'900});
        m.range("aten::stack", {now + 200, now + 2'800});
    }
    EXPECT_NEAR(costOf(LossCause::DataLoading), 4 * 2'000, kLatencies);
}

/// It asks whether memory may be used again, and then hands a batch over: the workers are waited for.
TEST_F(HostReasons, AThreadThatOnlyPinsMemoryIsThatOfADataLoader) {
    for (int i = 0; i < 5; ++i, now += 3'000) {
        kernel(1'000, "void at::native::elementwise_kernel");
        m.call("cudaEventQuery", {now + 2'600, now + 2'605}, 200);
    }
    EXPECT_GT(costOf(LossCause::DataLoading), 4 * 1'400);
    EXPECT_LT(costOf(LossCause::Python), 4 * 500);
}

TEST_F(HostReasons, WaitingForACopyOfFourBytesIsAReadBack) {
    for (int i = 0; i < 5; ++i) {
        const double end = kernel(1'000);
        m.call("cudaMemcpyAsync", {now + 20, now + 25}).work(MemcpyD2H, 7, {end + 2, end + 4}, 4);
        m.call("cudaStreamSynchronize", {now + 30, end + 10});
        now = end + 500; // what the host does with it
    }
    EXPECT_NEAR(costOf(LossCause::Readback), 4 * 500, 2 * kLatencies);
    EXPECT_EQ(costOf(LossCause::HostSync), 0);
}

TEST_F(HostReasons, WaitingForAllOfTheDeviceIsNoReadBackWhateverEndedLast) {
    for (int i = 0; i < 5; ++i) {
        const double end = kernel(1'000);
        m.call("cudaMemcpyAsync", {now + 20, now + 25}).work(MemcpyD2H, 7, {end + 2, end + 4}, 4);
        m.call("cudaDeviceSynchronize", {now + 30, end + 10}).says(StreamCallKind::DeviceSync, 7);
        now = end + 500;
    }
    EXPECT_NEAR(costOf(LossCause::HostSync), 4 * 500, 2 * kLatencies);
    EXPECT_EQ(costOf(LossCause::Readback), 0);
}

/// A thread of its own brings the result of each kernel, and the first one goes on 1670 us later.
void bringByAThread(HostReasons& h, std::int64_t bytes) {
    for (int i = 0; i < 5; ++i) {
        const double end = h.kernel(1'000, "loop_multiply_fusion");
        h.m.call("cuMemcpyDtoHAsync", {end + 20, end + 25}, 101)
            .work(MemcpyD2H, 8, {end + 30, end + 330}, bytes);
        h.now = end + 2'000;
    }
}

TEST_F(HostReasons, ARuntimeThatWaitsWithoutACallWaitsForTheCopyOfAnotherThread) {
    bringByAThread(*this, 16 << 20);
    EXPECT_NEAR(m.base(), m.measured(), kLatencies);
    EXPECT_NEAR(m.without(LossCause::HostSync), 4 * 1'670 + 1'010, 400) << "what it then did takes its time";
    EXPECT_NEAR(m.without(Causes().with(LossCause::HostSync).with(LossCause::Python)), 5 * 1'010, 400);
    EXPECT_NEAR(costOf(LossCause::HostSync) + costOf(LossCause::Python), 4 * 2'000, 400);
}

TEST_F(HostReasons, WhereThatCopyIsAValueItIsAReadBack) {
    bringByAThread(*this, 4);
    EXPECT_NEAR(m.without(LossCause::Readback), 4 * 1'670 + 1'010, 400);
    EXPECT_EQ(costOf(LossCause::HostSync), 0);
}

TEST_F(HostReasons, AWaitForAnEventRightBehindTheCopyOfAValueIsAReadBack) {
    for (int i = 0; i < 5; ++i) {
        const double end = kernel(1'000);
        m.call("cudaMemcpyAsync", {now + 20, now + 25}).work(MemcpyD2H, 7, {end + 2, end + 4}, 4);
        m.call("cudaEventRecord", {now + 26, now + 28});
        m.call("cudaEventSynchronize", {now + 30, end + 10}).says(StreamCallKind::EventSync, kNoNumber);
        now = end + 500;
    }
    EXPECT_NEAR(costOf(LossCause::Readback), 4 * 500, 2 * kLatencies);
    EXPECT_EQ(costOf(LossCause::HostSync), 0);
}

TEST_F(HostReasons, AWaitForAnEventBehindWhichMoreWasIssuedIsNone) {
    for (int i = 0; i < 5; ++i) {
        const double end = kernel(1'000);
        m.call("cudaMemcpyAsync", {now + 20, now + 25}).work(MemcpyD2H, 7, {end + 2, end + 4}, 4);
        m.call("cudaLaunchKernel", {now + 30, now + 35}).work(Kernel, 8, {now + 40, now + 90});
        m.call("cudaEventSynchronize", {now + 100, end + 10}).says(StreamCallKind::EventSync, kNoNumber);
        now = end + 500;
    }
    EXPECT_GT(costOf(LossCause::HostSync), 4 * 400);
    EXPECT_EQ(costOf(LossCause::Readback), 0);
}

TEST_F(HostReasons, AValueThatIsCopiedInTheNullStreamNeedsTheKernelBeforeIt) {
    m.stream(7, StreamKind::Null);
    m.stream(13, StreamKind::Blocking);
    for (int i = 0; i < 5; ++i) { // cudaMemcpy of what a kernel of a blocking stream made
        const double end = now + 1'010;
        m.call("cudaLaunchKernel", {now, now + 5}).work(Kernel, 13, {now + 10, end});
        m.call("cudaMemcpy", {now + 20, end + 10}).work(MemcpyD2H, 7, {end + 2, end + 4}, 4);
        now = end + 800;
    }
    EXPECT_NEAR(costOf(LossCause::Readback), 4 * 800, 2 * kLatencies);
    EXPECT_LT(costOf(LossCause::NullStream), kLatencies) << "it would read what is not there yet";
}

TEST_F(HostReasons, WaysOfJaxToWaitAreNamedByItsRanges) {
    for (const auto& [range, cause] : {std::pair{"np.asarray(jax.Array)", LossCause::Readback},
                                       std::pair{"$api.py:2757 block_until_ready", LossCause::HostSync}}) {
        HandMade made;
        double at = 0;
        for (int i = 0; i < 5; ++i, at += 3'000) {
            made.call("cuGraphLaunch", {at, at + 5}).work(Kernel, 7, {at + 10, at + 1'010}).name =
                made.text("loop_multiply_fusion");
            made.range(range, {at + 10, at + 2'900});
        }
        const analysis::Ledger ledger = made.ledger();
        EXPECT_EQ(firstCauseOf(ledger), analysis::lossCauseId(cause)) << range;
    }
}

TEST_F(HostReasons, ACallThatCopiesFewBytesOnceTheNullStreamLetsItWaitedForThat) {
    m.stream(7, StreamKind::Null);
    for (const std::uint32_t stream : {13u, 14u})
        m.stream(stream, StreamKind::Blocking);
    m.device.smCount = 0;                       // not known: kernels of two streams fit beside each other
    for (int i = 0; i < 5; ++i, now += 1'010) { // two streams, a copy in the NULL stream before each kernel
        const auto stream = static_cast<std::uint32_t>(13 + i % 2);
        m.call("cudaLaunchKernel", {now, now + 5}).work(Kernel, stream, {now + 8, now + 1'000});
        m.call("cudaMemcpyToSymbol", {now + 6, now + 1'006})
            .work(MemcpyH2D, 7, {now + 1'006.5, now + 1'007}, 256)
            .source = MemoryKind::Pageable;
    }
    EXPECT_NEAR(m.base(), m.measured(), kLatencies);
    EXPECT_LT(m.without(LossCause::NullStream), 3 * 1'010) << "kernels of two streams in pairs";
}

/// `framework`: a wait is part of what copies there; the copy is slow, as the host goes on with it alone.
void copyToPageable(HandMade& m, bool framework) {
    double now = 0;
    for (int i = 0; i < 5; ++i) {
        m.call("cudaLaunchKernel", {now, now + 5}).work(Kernel, 7, {now + 10, now + 1'010}).name =
            m.text(framework ? "void at::native::elementwise_kernel" : "k");
        ActivityRecord& copy = m.call("cudaMemcpyAsync", {now + 20, now + 1'500})
                                   .work(MemcpyD2H, 7, {now + 1'012, now + 1'112}, 4 << 20);
        copy.target = MemoryKind::Pageable;
        m.call("cudaStreamSynchronize", {now + 1'510, now + 1'515});
        now += 1'530;
    }
}

TEST_F(HostReasons, AFrameworksCopyOfPageableMemoryTakesItsWaitAlong) {
    copyToPageable(m, true);
    EXPECT_NEAR(m.base(), m.measured(), kLatencies) << "the host copies on for 388 us";
    EXPECT_GT(costOf(LossCause::Pageable), 4 * 388);
    EXPECT_EQ(costOf(LossCause::HostSync), 0);
}

TEST_F(HostReasons, AWaitThatGivesMemoryOfAPoolBackIsAllocation) {
    for (int i = 0; i < 5; ++i) {
        const double end = kernel(1'000);
        m.call("cudaFreeAsync", {now + 6, now + 7});
        m.call("cudaStreamSynchronize", {now + 8, end + 300});
        now = end + 302;
    }
    EXPECT_NEAR(costOf(LossCause::Allocation), 4 * 300, kLatencies);
}

TEST_F(HostReasons, AllocatingIsACauseOfItsOwnAlsoWhereItDoesNotWait) {
    for (int i = 0; i < 5; ++i) {
        now = kernel(100);
        m.call("cudaMalloc", {now, now + 900});
        now += 905;
    }
    EXPECT_NEAR(costOf(LossCause::Allocation), 4 * 900, kLatencies);
}

TEST_F(HostReasons, ManySmallCopiesInARowCouldBeOne) {
    for (int i = 0; i < 3; ++i) {
        for (int copy = 0; copy < 100; ++copy, now += 10)
            m.call("cudaMemcpyAsync", {now, now + 6}).work(MemcpyH2D, 7, {now + 6, now + 8}, 1024);
        now = kernel(1'000);
    }
    EXPECT_NEAR(m.base() - m.without(Causes().with(LossCause::SmallCopies).with(LossCause::Tool)),
                3 * 99 * 10, 3 * kLatencies);
}

TEST_F(HostReasons, CopiesOfAThreadBetweenTheKernelsOfAnotherAreNoRun) {
    for (int i = 0; i < 60; ++i) {
        const double end = kernel(100, "loop_multiply_fusion");
        m.call("cuMemcpyDtoHAsync", {end + 2, end + 6}, 101).work(MemcpyD2H, 8, {end + 8, end + 9}, 4);
        now = end + 20;
    }
    EXPECT_FALSE(m.graph().present.has(LossCause::SmallCopies));
}

TEST_F(HostReasons, AFewSmallCopiesAreNoCause) {
    for (int copy = 0; copy < 20; ++copy, now += 10)
        m.call("cudaMemcpyAsync", {now, now + 6}).work(MemcpyH2D, 7, {now + 6, now + 8}, 1024);
    kernel(1'000);
    EXPECT_FALSE(m.graph().present.has(LossCause::SmallCopies));
}

TEST_F(HostReasons, AThreadThatWaitedForAnotherDidNothingItself) {
    for (int i = 0; i < 4;
         ++i, now += 2'000) { // forward in one thread, backward in another: the device is busy
        m.call("cudaLaunchKernel", {now, now + 5}, 100).work(Kernel, 7, {now + 10, now + 990});
        m.call("cudaLaunchKernel", {now + 200, now + 205}, 101).work(Kernel, 7, {now + 992, now + 1'400});
        m.call("cudaStreamSynchronize", {now + 300, now + 1'405}, 101);
    }
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    // Without the waits the host is ahead all the time: the pauses of either thread are the other's turns.
    EXPECT_NEAR(m.without(Causes().with(LossCause::HostSync).with(LossCause::HostLate)), 4 * 1'390, 200);
    EXPECT_GT(m.without(LossCause::HostLate), 4 * 1'390) << "each waits for the other";
}

TEST_F(HostReasons, ADelayBehindACallOfAHostFunctionIsItsOwn) {
    for (int i = 0; i < 5; ++i) {
        const double issued = 20.0 * i, at = 10 + 1'500.0 * i;
        m.call("cudaLaunchKernel", {issued, issued + 5}).work(Kernel, 7, {at, at + 1'000});
        m.call("cudaLaunchHostFunc", {issued + 6, issued + 10});
    }
    EXPECT_NEAR(costOf(LossCause::Callback), 4 * 500, kLatencies);
}

/// 120 launches of PyTorch, 9 us each and 25 us between two, of kernels of so many us.
analysis::Ledger launchedByPython(HostReasons& h, double kernel) {
    double ended = 0;
    for (int i = 0; i < 120; ++i, h.now += 34) {
        const double begin = std::max(ended + 1, h.now + 10);
        ended = begin + kernel;
        h.m.call("cudaLaunchKernel", {h.now, h.now + 9}).work(Kernel, 7, {begin, ended}).name =
            h.m.text("void at::native::elementwise_kernel");
    }
    return h.m.ledger();
}

TEST_F(HostReasons, WhereOnlyTheRecordingMayMakeTheHostLateNobodyIsToldToMendIt) {
    const analysis::Ledger ledger = launchedByPython(*this, 16);
    EXPECT_TRUE(ledger.recorderInDoubt);
    ASSERT_TRUE(entryOf(ledger, LossCause::Tool));
    EXPECT_THAT(entryOf(ledger, LossCause::Tool)->text, testing::HasSubstr("up to"));
    EXPECT_FALSE(entryOf(ledger, LossCause::LaunchBound) &&
                 entryOf(ledger, LossCause::LaunchBound)->cost > ledger.measured / 33);
    EXPECT_EQ(sumOf(ledger), ledger.measured);
}

TEST_F(HostReasons, AHostThatIsLateWhateverTheRecordingTookIsTold) {
    const analysis::Ledger ledger = launchedByPython(*this, 4);
    EXPECT_FALSE(ledger.recorderInDoubt);
    EXPECT_THAT(firstCauseOf(ledger), testing::AnyOf("launch-bound", "python"));
}

TEST_F(HostReasons, AWaitThatIsFirstByTheLargestShareOfTheRecordingIsSure) {
    for (int i = 0; i < 8;
         ++i) { // 40 launches that recording may have made late, a value, and what follows it
        double ended = now;
        for (int k = 0; k < 40; ++k, now += 34) {
            const double begin = std::max(ended + 1, now + 10);
            ended = begin + 16;
            m.call("cudaLaunchKernel", {now, now + 9}).work(Kernel, 7, {begin, ended}).name =
                m.text("void at::native::elementwise_kernel");
        }
        m.call("cudaMemcpyAsync", {now, now + 5}).work(MemcpyD2H, 7, {now + 8, now + 10}, 4);
        m.call("cudaStreamSynchronize", {now + 6, now + 15});
        now += 215;
    }
    const analysis::Ledger ledger = m.ledger();
    EXPECT_TRUE(ledger.recorderInDoubt);
    EXPECT_EQ(firstCauseOf(ledger), "readback");
    EXPECT_EQ(sumOf(ledger), ledger.measured);
}

/// PyTorch, of which each operator was recorded, waits for a long kernel behind which one more stands, then
/// launches 30 short ones; between two launches it does so many us of its own.
analysis::Ledger launchedBehindAWait(HostReasons& h, double awaitedLength, double own) {
    double ended = 0;
    const auto launch = [&](double length) {
        const double begin = std::max(ended + 1, h.now + 10);
        ended = begin + length;
        h.m.call("cudaLaunchKernel", {h.now, h.now + 9}).work(Kernel, 7, {begin, ended}).name =
            h.m.text("void at::native::elementwise_kernel");
        h.m.range("aten::linear", {h.now + 10, h.now + 33});
        h.m.range("aten::addmm", {h.now + 12, h.now + 32});
        h.now += 34 + own;
    };
    for (std::uint32_t i = 0; i < 8; ++i) {
        launch(awaitedLength);
        const double awaited = ended;
        h.m.call("cudaEventRecord", {h.now, h.now + 2}).says(StreamCallKind::EventRecord, 7, i, i + 1);
        h.now += 3;
        launch(60);
        const double returned = std::max(h.now + 10, awaited + 3);
        h.m.call("cudaEventSynchronize", {h.now, returned})
            .says(StreamCallKind::EventSync, kNoNumber, i, i + 1);
        h.now = returned + 2;
        for (int k = 0; k < 30; ++k)
            launch(6);
    }
    return h.m.ledger();
}

TEST_F(HostReasons, AWaitThatCostsByWhatRecordingMayHaveMadeLongIsNotBlamed) {
    const analysis::Ledger ledger = launchedBehindAWait(*this, 400, 0);
    EXPECT_TRUE(ledger.recorderInDoubt);
    ASSERT_TRUE(entryOf(ledger, LossCause::HostSync));
    EXPECT_EQ(entryOf(ledger, LossCause::HostSync)->cost, 0);
    EXPECT_THAT(entryOf(ledger, LossCause::Tool)->text, testing::HasSubstr("up to"));
    EXPECT_EQ(sumOf(ledger), ledger.measured);
}

TEST_F(HostReasons, AWaitThatCostsMoreThanRecordingCouldIs) {
    const analysis::Ledger ledger = launchedBehindAWait(*this, 2'400, 10);
    EXPECT_FALSE(ledger.recorderInDoubt);
    EXPECT_EQ(firstCauseOf(ledger), "host-sync");
    EXPECT_EQ(sumOf(ledger), ledger.measured);
}

TEST_F(HostReasons, TwoWaysToTheSameGainAreBothTold) {
    for (int i = 0; i < 5; ++i) {
        const double end = kernel(1'000, "void at::native::elementwise_kernel");
        m.call("cudaMemcpyAsync", {now + 20, now + 25}).work(MemcpyD2H, 7, {end + 2, end + 4}, 4);
        m.call("cudaStreamSynchronize", {now + 30, end + 10});
        now = end + 810;
    }
    auto part = std::make_shared<analysis::JudgedPart>();
    part->time = {0, us(now)}, part->iterations = 5;
    const analysis::Ledger ledger = replay::makeLedger(m.facts(), {}, 0, part);
    EXPECT_EQ(firstCauseOf(ledger), "readback");
    EXPECT_EQ(ledger.otherWay, LossCause::Python);
    EXPECT_THAT(ledger.headline, testing::HasSubstr("Fixing Python code instead would save up to"));
}

TEST_F(HostReasons, WhatAProfilerOfOperatorsTookIsNotTheProgramsOwn) {
    for (int i = 0; i < 60;
         ++i) { // the device does 10 us of work for 40 us of the host, half of it recording
        kernel(10, "void at::native::elementwise_kernel");
        m.range("aten::linear", {now + 6, now + 39});
        m.range("aten::addmm", {now + 8, now + 38});
        m.range("aten::empty", {now + 10, now + 37});
        now += 40;
    }
    const analysis::Ledger ledger = m.ledger();
    ASSERT_THAT(ledger.missing, IsEmpty());
    EXPECT_EQ(ledger.entries.back().cause, LossCause::Tool) << "nobody can mend it: the last line";
    EXPECT_NEAR(costOf(LossCause::Tool), 59 * 3 * 6, 300) << "3 ranges, 6 us each at most";
    EXPECT_EQ(ledger.entries.front().cause, LossCause::LaunchBound);
}

TEST_F(HostReasons, APauseThatIsLongOnlyByTheProfilerIsThatOfALaunch) {
    for (int i = 0; i < 120; ++i, now += 300) { // 25 operators, 6 us of recording each
        kernel(10, "void at::native::elementwise_kernel");
        m.range("aten::linear", {now + 6, now + 296});
        for (int inner = 0; inner < 24; ++inner)
            m.range("aten::empty", {now + 8 + 12 * inner, now + 18 + 12 * inner});
    }
    EXPECT_GT(costOf(LossCause::LaunchBound), 119 * 100);
    EXPECT_EQ(costOf(LossCause::HostLate), 0) << "an operator that takes 300 us would be one that computes";
}

TEST_F(HostReasons, RecordingSlowsAPythonProgramBetweenItsLaunchesToo) {
    for (int i = 0; i < 60; ++i, now += 40) // no ranges: only CUPTI recorded it
        kernel(10, "void at::native::elementwise_kernel");
    EXPECT_NEAR(costOf(LossCause::Tool), 59 * (0.5 * 5 + 6), 60);
}

TEST_F(HostReasons, RecordingTakesMoreOnASlowHost) {
    for (int i = 0; i < 120; ++i, now += 40) { // launches take half as long again as they usually do
        m.call("cudaLaunchKernel", {now, now + 9}).work(Kernel, 7, {now + 10, now + 20}).name =
            m.text("void at::native::elementwise_kernel");
    }
    EXPECT_NEAR(costOf(LossCause::Tool), 119 * (0.5 * 9 + 6 * 1.5), 120);
}

TEST_F(HostReasons, SoDoesAProfilerOfOperators) {
    for (int i = 0; i < 120; ++i, now += 100) {
        m.call("cudaLaunchKernel", {now, now + 9}).work(Kernel, 7, {now + 10, now + 20}).name =
            m.text("void at::native::elementwise_kernel");
        m.range("aten::linear", {now + 10, now + 99});
        m.range("aten::addmm", {now + 12, now + 98});
        m.range("aten::empty", {now + 14, now + 97});
    }
    EXPECT_NEAR(costOf(LossCause::Tool), 119 * (0.5 * 9 + 3 * 6 * 1.5), 300);
}

} // namespace
} // namespace olab::test
