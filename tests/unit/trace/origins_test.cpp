// Processes and clocks: numbers that mean something in one process only never meet those of another.
#include "made_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace olab {
namespace {

using namespace made;
using enum ActivityClass;
using testing::ElementsAre;
using testing::SizeIs;

ActivityRecord of(std::uint32_t process, ActivityRecord r, std::uint32_t correlation = 0) {
    r.process = process, r.correlation = correlation;
    return r;
}
ActivityRecord by(std::uint32_t clock, ActivityRecord r) {
    r.clock = clock;
    return r;
}
bool hasDefect(const Trace& trace, DefectCode code) {
    return std::ranges::any_of(trace.defects(), [code](const Defect& d) { return d.code == code; });
}
/// A call and its kernel under the same numbers in each process, and the claims of two ops.
std::vector<AnyRecord> twins() {
    return {ProcessRecord{1, 4711, 1000, "trainer"},
            ProcessRecord{2, 4712, 2000, "loader"},
            ContextRecord{1, 0, 7, 1},
            ContextRecord{1, 0, 9, 2},
            StreamRecord{1, 7, StreamKind::Null, 0, 1},
            StreamRecord{1, 7, StreamKind::NonBlocking, -1, 2},
            of(1, work(Kernel, 100, 200), 5),
            of(2, work(Kernel, 150, 250), 5),
            of(1, call(Api, 90, 95), 5),
            of(2, call(Api, 140, 145), 5),
            CorrelationRecord{5, OpId{10}, 1},
            CorrelationRecord{5, OpId{20}, 2},
            CorrelationRecord{6, OpId{30}, 2}};
}

TEST(Processes, OfEqualNumbersStayApart) {
    const Trace trace = build(twins());
    ASSERT_THAT(trace.queues(), SizeIs(4)) << "two streams, two threads";
    EXPECT_THAT(trace.processes(), SizeIs(2));
    ASSERT_THAT(trace, SizeIs(4));
    const Activity callOne = trace[0], kernelOne = trace[1], callTwo = trace[2], kernelTwo = trace[3];
    EXPECT_NE(kernelOne.queue, kernelTwo.queue);
    EXPECT_NE(callOne.queue, callTwo.queue);
    EXPECT_EQ(trace.queue(kernelOne.queue).streamKind, StreamKind::Null);
    EXPECT_EQ(trace.queue(kernelTwo.queue).streamKind, StreamKind::NonBlocking);
    EXPECT_EQ(trace.queue(kernelTwo.queue).process, 2u);
    EXPECT_EQ(trace.queueText(trace.queue(kernelTwo.queue)), "stream 7 of process 4712");
    EXPECT_EQ(kernelOne.correlation, callOne.correlation);
    EXPECT_EQ(kernelTwo.correlation, callTwo.correlation);
    EXPECT_NE(kernelOne.correlation, kernelTwo.correlation);
    EXPECT_EQ(kernelOne.op, OpId{10});
    EXPECT_EQ(callOne.op, OpId{10});
    EXPECT_EQ(kernelTwo.op, OpId{20});
    EXPECT_EQ(callTwo.op, OpId{20});
}

TEST(Processes, AClaimForWhatWasNotRecordedMeetsNobodyElse) {
    const Trace trace = build({of(1, work(Kernel, 1, 2), 5), of(2, work(Kernel, 3, 4), 6),
                               CorrelationRecord{5, OpId{9}, 2}, CorrelationRecord{6, OpId{8}, 2}});
    EXPECT_EQ(trace[0].op, kNoOp);
    EXPECT_EQ(trace[1].op, OpId{8});
}

TEST(Processes, ReplayAndFilesKeepThem) {
    const Trace trace = build(twins());
    TraceBuilder again;
    trace.replay(again);
    EXPECT_EQ(again.finish(), trace);
}

TEST(Processes, OneDeviceUnderTwoNumbersIsOne) {
    const DeviceRecord a{.device = 0, .name = "GPU", .uuid = "a", .process = 1},
        same{.device = 3, .name = "GPU", .uuid = "a", .process = 2},
        other{.device = 0, .name = "GPU", .uuid = "b", .process = 2};
    ActivityRecord mine = of(1, work(Kernel, 1, 2)), theirs = of(2, work(Kernel, 3, 4)),
                   elsewhere = of(2, work(Kernel, 5, 6));
    mine.device = 0, theirs.device = 3, elsewhere.device = 0;
    const Trace trace = build({a, same, other, mine, theirs, elsewhere});
    ASSERT_THAT(trace.devices(), SizeIs(2));
    EXPECT_EQ(trace[0].device, trace[1].device);
    EXPECT_NE(trace[0].device, trace[2].device);
    EXPECT_EQ(trace.devices()[trace[0].device].uuid, "a");
    EXPECT_EQ(trace.devices()[trace[2].device].uuid, "b");
    TraceBuilder again;
    trace.replay(again);
    EXPECT_EQ(again.finish(), trace);
}

TEST(Clocks, BecomeWallTime) {
    const Trace trace = build({ClockRecord{1, 1000, 5000}, by(1, work(Kernel, 1100, 1200)),
                               work(Memset, 5150, 5250), by(1, work(MemcpyH2D, 900, 950))});
    ASSERT_THAT(trace, SizeIs(3));
    EXPECT_EQ(trace.time(0), (Interval{4900, 4950}));
    EXPECT_EQ(trace.time(1), (Interval{5100, 5200}));
    EXPECT_EQ(trace.time(2), (Interval{5150, 5250}));
    EXPECT_THAT(trace.queues(), SizeIs(1)) << "two clocks, one stream";
    EXPECT_TRUE(trace.defects().empty());
}

TEST(Clocks, TwoReadingsSayHowFastOneGoes) {
    WindowRecord window{1000, 3000, true, 1};
    const Trace trace =
        build({ClockRecord{1, 2000, 13000}, ClockRecord{1, 1000, 12000}, ClockRecord{1, 3000, 14500},
               by(1, work(Kernel, 1500, 2500)), by(1, work(Kernel, 500, 4000)), window});
    EXPECT_EQ(trace.time(1), (Interval{12500, 13750}));
    EXPECT_EQ(trace.time(0), (Interval{11500, 16000})) << "outside along the nearest line";
    ASSERT_THAT(trace.windows(), SizeIs(1));
    EXPECT_EQ(trace.windows()[0].begin, 12000);
    EXPECT_EQ(trace.windows()[0].end, 14500);
}

TEST(Clocks, AContradictionAndAnUnknownClockAreTold) {
    EXPECT_TRUE(
        hasDefect(build({ClockRecord{1, 1000, 5000}, ClockRecord{1, 2000, 4000}, by(1, work(Kernel, 1, 2))}),
                  DefectCode::BadRecord));
    EXPECT_TRUE(hasDefect(build({work(Kernel, 1, 2), by(3, work(Kernel, 1, 2))}), DefectCode::UnknownClock));
    EXPECT_FALSE(hasDefect(build({by(3, work(Kernel, 1, 2))}), DefectCode::UnknownClock))
        << "one clock alone";
}

TEST(Clocks, AbsurdReadingsNeverOverflow) {
    constexpr Ns low = std::numeric_limits<Ns>::min(), high = std::numeric_limits<Ns>::max(),
                 far = Ns{1} << 62;
    for (const Ns at : {low, -far, Ns{0}, far, high})
        for (const Ns wall : {low, -far, Ns{1}, far, high}) {
            const Trace trace =
                build({ClockRecord{1, at, wall}, ClockRecord{1, 7, 9}, ClockRecord{1, far, far},
                       by(1, work(Kernel, low, low + 5)), by(1, work(Kernel, high - 5, high)),
                       WindowRecord{low, low + 9, true, 1}});
            EXPECT_EQ(trace.counts().read, 2u);
        }
}

} // namespace
} // namespace olab
