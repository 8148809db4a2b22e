// Pages of managed memory that move because somebody touched them, in traces of a few activities: times in
// us.
#include "hand_made.h"

namespace olab::test {
namespace {

using enum analysis::LossCause;
using testing::DoubleEq;

struct Managed : testing::Test {
    HandMade m;
    /// Pages of 50 KB each, which take 5 us and come one by one, 20 us apart.
    void missing(ActivityClass cls, Span time) {
        for (double at = time.from; at < time.to; at += 20)
            migration(cls, {at, at + 5}, 50'000, kFlagUnified);
    }
    void askedFor(ActivityClass cls, Span time) { migration(cls, time, 500'000, kFlagUnified | kFlagAsync); }
    void kernel(double issued, Span time) {
        m.call("cudaLaunchKernel", {issued, issued + 2}).work(Kernel, 13, time);
    }
    void wait(Span time) {
        m.call("cudaStreamSynchronize", time).says(StreamCallKind::StreamSync, 13);
        m.notIssued();
    }

private:
    void migration(ActivityClass cls, Span time, std::int64_t bytes, std::uint8_t flags) {
        m.notIssued();
        ActivityRecord& r = m.work(cls, kNoNumber, time, bytes);
        r.context = kNoNumber;
        r.flags = flags;
    }
};

TEST_F(Managed, AKernelTakesOneCopyOfItsPagesInsteadOfItsFaults) {
    kernel(0, {8, 1000});
    missing(MemcpyH2D,
            {100, 500}); // 20 pages until 485, and 50 us of a fault: 435 us, of which 50 are recording
    EXPECT_THAT(m.base(), DoubleEq(1000));
    EXPECT_THAT(m.without(UnifiedMemory), DoubleEq(1000 - (435 - 50 - 100)));
    EXPECT_THAT(m.without(Tool), DoubleEq(950));
    EXPECT_EQ(firstCauseOf(m.ledger()), "unified-memory");
}

TEST_F(Managed, NothingStandsBehindPagesThatWereMissing) {
    kernel(0, {8, 500});
    missing(MemcpyH2D, {100, 480});
    kernel(3, {504, 600});
    EXPECT_THAT(m.base(), DoubleEq(600));
    EXPECT_EQ(m.graph().waits[1].cause, None) << "a page has no stream in which it could wait";
    EXPECT_FALSE(m.graph().present.has(SameStream));
}

TEST_F(Managed, TheHostWaitsForItsPagesAndNeedsTheWaitBefore) {
    kernel(0, {8, 500});
    wait({3, 505});
    missing(MemcpyD2H, {550, 1500});
    kernel(1507, {1515, 2000});
    EXPECT_THAT(m.base(), DoubleEq(2000));
    // 48 pages until 1507, at 5.2 GB/s 461.5 us
    EXPECT_NEAR(m.without(UnifiedMemory), 2000 - (1507 - 550 - 48 * 2.5 - 461.5), 1);
    EXPECT_THAT(m.without(HostSync), DoubleEq(2000)) << "it touches what the kernel wrote";
}

TEST_F(Managed, WhatWasAskedForIsWaitedForAndLosesNothing) {
    m.call("cudaMemPrefetchAsync", {0, 5});
    askedFor(MemcpyH2D, {10, 100});
    kernel(5, {120, 500});
    m.call("cudaMemPrefetchAsync", {8, 10});
    askedFor(MemcpyD2H, {502, 600});
    wait({12, 900}); // pages are mapped once they are there
    kernel(910, {918, 1300});
    EXPECT_THAT(m.base(), DoubleEq(m.measured()));
    EXPECT_THAT(m.without(UnifiedMemory), DoubleEq(m.measured()));
    EXPECT_THAT(m.without(HostSync), DoubleEq(m.measured()));
    EXPECT_LT(m.ledger().unexplained, us(20));
}

} // namespace
} // namespace olab::test
