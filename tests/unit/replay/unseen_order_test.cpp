// Order that no work shows: events in the NULL stream, events of which only the calls are known, host
// functions in graphs, graphs that are made again, and a host that asks and sleeps.
#include "hand_made.h"

namespace olab::test {
namespace {

using analysis::LossCause;

constexpr double kLatency = 60; // us: latencies of calls and streams

double costOf(HandMade& m, LossCause cause) {
    const analysis::Ledger ledger = m.ledger();
    const analysis::LedgerEntry* const entry = entryOf(ledger, cause);
    return entry ? static_cast<double>(entry->cost) / 1000 : 0;
}

/// Kernels of 1 ms alternately in two streams of `kind`, an event in the NULL stream behind each.
void addTimedKernels(HandMade& m, StreamKind kind) {
    m.stream(7, StreamKind::Null);
    m.stream(8, kind);
    m.stream(9, kind);
    for (std::uint32_t i = 0; i < 8; ++i) {
        const double issued = 20.0 * i, at = 12 + 1'005.0 * i;
        m.call("cudaLaunchKernel", {issued, issued + 5}).work(Kernel, 8 + i % 2, {at, at + 1'000});
        m.call("cudaEventRecord", {issued + 6, issued + 8}).says(StreamCallKind::EventRecord, 7, i);
    }
}

TEST(UnseenOrder, AnEventInTheNullStreamHoldsBlockingStreamsApart) {
    HandMade m;
    addTimedKernels(m, StreamKind::Blocking);
    EXPECT_NEAR(costOf(m, LossCause::NullStream), 4'000, kLatency);
    EXPECT_LT(static_cast<double>(m.ledger().missed()) / 1000, kLatency);
}

TEST(UnseenOrder, NonBlockingStreamsDoNotWaitForAnEventInTheNullStream) {
    HandMade m;
    addTimedKernels(m, StreamKind::NonBlocking);
    EXPECT_EQ(costOf(m, LossCause::NullStream), 0);
}

/// Kernels of 1 ms in a blocking stream; behind each a copy of 8 MiB to the host by the NULL stream, whose
/// call returns when the copy has ended, or at once.
void addFetchedResults(HandMade& m, bool isAwaited) {
    m.stream(7, StreamKind::Null);
    m.stream(8, StreamKind::Blocking);
    for (int i = 0; i < 8; ++i) {
        const double at = 1'320.0 * i, issued = isAwaited ? at : 20.0 * i;
        m.call("cudaLaunchKernel", {issued, issued + 5}).work(Kernel, 8, {at + 8, at + 1'008});
        m.call(isAwaited ? "cudaMemcpy" : "cudaMemcpyAsync",
               {issued + 6, isAwaited ? at + 1'315 : issued + 10})
            .work(MemcpyD2H, 7, {at + 1'010, at + 1'310}, 8 << 20);
    }
}

TEST(UnseenOrder, AResultThatTheHostWaitsForNeedsTheKernelBeforeIt) {
    HandMade m;
    addFetchedResults(m, true);
    EXPECT_EQ(firstCauseOf(m.ledger()), "host-sync");
}

TEST(UnseenOrder, WhatTheNullStreamOrdersBehindACopyThatTheHostWaitsForGoesWithTheWait) {
    HandMade m;
    addFetchedResults(m, true);
    EXPECT_NEAR(costOf(m, LossCause::HostSync), 7 * 310, 2 * kLatency);
    EXPECT_EQ(costOf(m, LossCause::NullStream), 0);
}

TEST(UnseenOrder, ACopyThatNobodyWaitsForIsHeldByTheNullStream) {
    HandMade m;
    addFetchedResults(m, false);
    EXPECT_EQ(firstCauseOf(m.ledger()), "null-stream");
}

/// Ten launches of a graph of two kernels; 200 us pass before each kernel.
void addGraphLaunches(HandMade& m, double from) {
    for (int i = 0; i < 10; ++i) {
        const double at = from + 2'400.0 * i;
        m.call("cudaGraphLaunch", {from + 10.0 * i, from + 10.0 * i + 5});
        m.work(Kernel, 7, {at + 200, at + 1'200});
        m.work(Kernel, 7, {at + 1'400, at + 2'400});
    }
}

TEST(UnseenOrder, AHostFunctionThatWasCapturedIntoAGraphHoldsItsNodes) {
    HandMade m;
    m.call("cudaStreamBeginCapture", {0, 2});
    m.call("cudaLaunchHostFunc", {3, 4});
    m.call("cudaStreamEndCapture", {5, 6});
    m.notIssued();
    addGraphLaunches(m, 100);
    EXPECT_NEAR(costOf(m, LossCause::Callback), 19 * 200, 2 * kLatency);
}

TEST(UnseenOrder, GapsOfAGraphWithoutHostFunctionsAreUnexplained) {
    HandMade m;
    m.call("cudaStreamBeginCapture", {0, 2});
    m.call("cudaStreamEndCapture", {5, 6});
    m.notIssued();
    m.call("cudaLaunchHostFunc", {7, 8}); // into a stream
    m.notIssued();
    addGraphLaunches(m, 100);
    EXPECT_EQ(costOf(m, LossCause::Callback), 0);
}

TEST(UnseenOrder, AHostThatAsksWhetherTheDeviceIsDoneAndSleepsWaits) {
    HandMade m;
    for (int i = 0; i < 6; ++i) {
        const double at = 4'000.0 * i;
        m.call("cudaLaunchKernel", {at, at + 5}).work(Kernel, 7, {at + 10, at + 1'010});
        m.call("cudaEventQuery", {at + 20, at + 22});
        m.call("cudaEventQuery", {at + 3'980, at + 3'982});
    }
    EXPECT_NEAR(costOf(m, LossCause::HostSync), 5 * 3'000, 2 * kLatency);
    EXPECT_LT(static_cast<double>(m.ledger().missed()) / 1000, kLatency);
}

/// torch.profiler tells of these calls, not of which event or stream.
struct ProfiledEvents : testing::Test {
    HandMade m;
    double issued = 0;
    ProfiledEvents() {
        m.recordsStreamCalls = false;
        m.device.smCount = 0; // not known: kernels fit beside each other
    }
    void record() {
        m.call("cudaEventRecord", {issued, issued + 1});
        issued += 2;
    }
    void waitStream() {
        record();
        m.call("cudaStreamWaitEvent", {issued, issued + 1});
        issued += 2;
    }
    void work(ActivityClass cls, std::uint32_t stream, Span time) {
        m.call(cls == Kernel ? "cudaLaunchKernel" : "cudaMemcpyAsync", {issued, issued + 3})
            .work(cls, stream, time, cls == Kernel ? 0 : 50 << 20);
        issued += 5;
    }
    /// Kernels of 1 ms by turns in three streams, one `behind` us after the other.
    void addTurns(double behind, bool waits) {
        for (int i = 0; i < 24; ++i) {
            const double at = 20 + (1'000 + behind) * i;
            if (waits)
                waitStream();
            work(Kernel, static_cast<std::uint32_t>(13 + i % 3), {at, at + 1'000});
        }
    }
};

TEST_F(ProfiledEvents, StreamsThatGoOnAsAnotherOneEndsWaitForIt) {
    addTurns(4, true);
    const analysis::Ledger ledger = m.ledger();
    ASSERT_EQ(firstCauseOf(ledger), "event-order");
    EXPECT_NEAR(static_cast<double>(ledger.entries.front().cost) / 1000, 16'000, 3 * kLatency);
    EXPECT_TRUE(ledger.entries.front().isInferred);
    EXPECT_THAT(ledger.entries.front().text, testing::HasSubstr("inferred"));
    EXPECT_LT(static_cast<double>(ledger.missed()) / 1000, kLatency);
}

TEST_F(ProfiledEvents, SoDoShortOnes) {
    work(Kernel, 14, {10, 396}); // all others are issued meanwhile, and wait for it
    for (int i = 0; i < 24; ++i) {
        waitStream();
        const double at = 400 + 16.0 * i;
        work(Kernel, static_cast<std::uint32_t>(13 + i % 2), {at, at + 12});
    }
    EXPECT_NEAR(costOf(m, LossCause::EventOrder), 12 * 16, 40);
}

TEST_F(ProfiledEvents, WithoutACallThatMakesAStreamWaitNothingIsInferred) {
    addTurns(4, false);
    EXPECT_EQ(costOf(m, LossCause::EventOrder), 0);
}

TEST_F(ProfiledEvents, WorkThatBeginsLongAfterAnotherHasEndedDidNotWaitForThat) {
    addTurns(200, true);
    EXPECT_EQ(costOf(m, LossCause::EventOrder), 0);
    EXPECT_GT(m.ledger().unexplained, 0);
}

TEST_F(ProfiledEvents, RecordsOfStreamCallsAreBelieved) {
    m.recordsStreamCalls = true; // and say that no stream waited
    addTurns(4, true);
    EXPECT_EQ(costOf(m, LossCause::EventOrder), 0);
}

/// Kernels of 1 ms in the stream of the lowest number, a copy of 400 us behind each in another one.
void addSnapshots(ProfiledEvents& p, bool beside, bool kernelsWaitToo) {
    double at = 8;
    for (int i = 0; i < 12; ++i) {
        p.work(Kernel, 7, {at, at + 1'000});
        p.waitStream();
        p.work(MemcpyD2H, 13, {at + 1'004, at + 1'404});
        if (kernelsWaitToo)
            p.waitStream();
        at += beside ? 1'004 : 1'408;
    }
}

TEST_F(ProfiledEvents, StreamsThatTakeTurnsThoughNothingMadeThemWaitForTheNullStream) {
    addSnapshots(*this, false, false);
    const analysis::Ledger ledger = m.ledger();
    ASSERT_EQ(firstCauseOf(ledger), "null-stream");
    EXPECT_NEAR(static_cast<double>(ledger.entries.front().cost) / 1000, 11 * 404, 2 * kLatency);
    EXPECT_LT(static_cast<double>(ledger.missed()) / 1000, kLatency);
}

TEST_F(ProfiledEvents, StreamsThatWorkSideBySideDoNot) {
    addSnapshots(*this, true, false);
    EXPECT_EQ(costOf(m, LossCause::NullStream), 0);
}

TEST_F(ProfiledEvents, NorDoThoseOfWhichEachWasMadeToWait) {
    addSnapshots(*this, false, true);
    EXPECT_EQ(costOf(m, LossCause::NullStream), 0);
    EXPECT_EQ(firstCauseOf(m.ledger()), "event-order");
}

/// Inputs come a round ahead into two slots, `copy` us each, and take `kernel` us of work.
void addPrefetched(ProfiledEvents& p, double copy, double kernel) {
    const double round = std::max(copy, kernel) + 8;
    for (int i = 0; i < 12; ++i) { // the copy waits for the kernel before, and the next kernel for the copy
        const double at = 20 + round * i;
        p.waitStream();
        p.work(MemcpyH2D, 13, {at, at + copy});
        if (i > 0) // it does not wait for that copy
            p.work(Kernel, 7, {at, at + kernel});
        p.waitStream();
    }
}

TEST_F(ProfiledEvents, InputsThatComeAheadLoseNothing) {
    addPrefetched(*this, 400, 1'000);
    EXPECT_LT(costOf(m, LossCause::EventOrder), 2 * kLatency);
}

TEST_F(ProfiledEvents, NorDoKernelsWhoseCopiesAreTheBound) {
    addPrefetched(*this, 1'000, 400);
    EXPECT_LT(costOf(m, LossCause::EventOrder), 2 * kLatency);
}

/// Requests come into two slots, four a round, and two of them ahead. Weights of 3 ms come once a round, and
/// the third one stands behind them: that it waits for its slot too is only seen in the other ones.
void addRequestsBehindWeights(ProfiledEvents& p, int rounds) {
    constexpr double kWeights = 3'000, kRequest = 10, kBegins = 5, kAnswer = 990, kSoon = 4;
    double weights = 0, request = 0, computed = 20, slots[2] = {20, 20}; // until when
    const auto copy = [&](std::uint32_t stream, double ready, double length) {
        p.waitStream();
        p.work(MemcpyH2D, stream, {ready + kSoon, ready + kSoon + length});
        p.m.lastWork().bytes = static_cast<std::int64_t>(length * 50'000);
        return ready + kSoon + length;
    };
    const auto kernel = [&](const char* name, double ready, double length) {
        const double at = std::max(ready, computed) + kSoon;
        p.work(Kernel, 7, {at, at + length});
        p.m.lastWork().name = p.m.text(name);
        return computed = at + length;
    };
    for (int n = 0; n < 4 * rounds; ++n) {
        if (n % 4 == 0)
            weights = copy(13, computed, kWeights);
        request = copy(17, std::max({slots[n % 2], request, n % 4 < 2 ? 0 : weights}), kRequest);
        p.waitStream();
        slots[n % 2] = kernel("first", request, kBegins);
        p.record();
        kernel("answer", 0, kAnswer);
    }
}

TEST_F(ProfiledEvents, WhatWaitedForAnEngineMayHaveWaitedForAnEventBefore) {
    addRequestsBehindWeights(*this, 10);
    const analysis::Ledger ledger = m.ledger();
    EXPECT_EQ(firstCauseOf(ledger), "head-of-line") << ledger.headline;
    EXPECT_LT(std::abs(ledger.unexplained), ledger.measured / 20);
}

/// Kernels of three streams by turns, of so many us and with 96 blocks, of so many threads.
double gainOfTurns(ProfiledEvents& p, double length, std::uint32_t shared, std::uint32_t threads = 256) {
    p.m.device.smCount = 132, p.m.device.maxThreadsPerSm = 2048, p.m.device.registersPerSm = 65'536;
    p.m.device.sharedPerSm = 233'472;
    p.work(Kernel, 15, {10, 556}); // all others are issued meanwhile, and wait for it
    p.m.lastWork().geometry = KernelGeometry{{8192, 1, 1}, {128, 1, 1}, 32, 0, 0};
    for (int i = 0; i < 60; ++i) {
        p.waitStream();
        const double at = 560 + (length + 4) * i;
        p.work(Kernel, static_cast<std::uint32_t>(13 + i % 3), {at, at + length});
        p.m.lastWork().geometry = KernelGeometry{{96, 1, 1}, {threads, 1, 1}, 32, shared, 0};
    }
    return costOf(p.m, LossCause::EventOrder) / (60 * (length + 4));
}

TEST_F(ProfiledEvents, ShortKernelsTakeTheRoomThatTheirBlocksNeed) {
    EXPECT_GT(gainOfTurns(*this, 4, 0), 0.6);
}

TEST_F(ProfiledEvents, ShortKernelsWhoseBlocksTakeAMultiprocessorEachStayApart) {
    EXPECT_LT(gainOfTurns(*this, 4, 180'000), 0.55);
}

TEST_F(ProfiledEvents, LongOnesOfThatSizeStayApart) {
    EXPECT_LT(gainOfTurns(*this, 400, 0), 0.05) << "nobody has seen them beside each other";
}

/// A multiprocessor with a warp for each of its four schedulers mostly waits.
TEST_F(ProfiledEvents, LongOnesOfFewThreadsGoByTwo) {
    EXPECT_NEAR(gainOfTurns(*this, 400, 0, 128), 0.5, 0.2);
}

/// A graph of two kernels is captured and instantiated each round, then the host reads a value.
void addGraphMadeAgain(HandMade& m, double instantiating, double pause) {
    double now = 0;
    for (int i = 0; i < 6; ++i) {
        m.call("cudaStreamBeginCapture", {now, now + 4});
        for (int k = 0; k < 10; ++k)
            m.call("cudaLaunchKernel", {now + 5 + 5 * k, now + 9 + 5 * k});
        m.call("cudaStreamEndCapture", {now + 60, now + 90});
        m.call("cudaGraphInstantiate", {now + 91, now + 91 + instantiating});
        now += 92 + instantiating + pause;
        m.call("cudaGraphLaunch", {now, now + 10});
        m.work(Kernel, 7, {now + 15, now + 1'015});
        m.work(MemcpyD2H, 7, {now + 1'016, now + 1'018}, 4);
        m.call("cudaStreamSynchronize", {now + 12, now + 1'025});
        now += 1'030;
    }
}

TEST(UnseenOrder, AGraphThatIsMadeAgainIsNamedAndNotTheReadBackBeforeIt) {
    HandMade m;
    addGraphMadeAgain(m, 300, 5);
    const analysis::Ledger ledger = m.ledger();
    ASSERT_EQ(firstCauseOf(ledger), "graph-rebuilt");
    EXPECT_NEAR(static_cast<double>(ledger.entries.front().gain) / 1000, 5 * (91 + 300), 2 * kLatency);
}

/// A graph of 100 nodes is launched again and again; the device waits until so many us after each begin.
TEST(UnseenOrder, WhatRecordingTheNodesOfAGraphTakesIsNotTheProgramsOwn) {
    HandMade m;
    double now = 0;
    for (int i = 0; i < 6; ++i, now += 500) {
        m.call("cudaGraphLaunch", {now, now + 250});
        for (int k = 0; k < 100; ++k)
            m.work(Kernel, 7, {now + 230 + 2.0 * k, now + 231 + 2.0 * k});
        m.call("cudaStreamSynchronize", {now + 251, now + 435});
    }
    EXPECT_NEAR(costOf(m, LossCause::Tool), 6 * 220, 2 * kLatency);
    EXPECT_LT(static_cast<double>(m.ledger().missed()) / 1000, kLatency);
}

TEST(UnseenOrder, WhereTheHostDoesMoreElseTheReadBackIsNamed) {
    HandMade m;
    addGraphMadeAgain(m, 100, 500);
    EXPECT_EQ(firstCauseOf(m.ledger()), "readback");
}

} // namespace
} // namespace olab::test
