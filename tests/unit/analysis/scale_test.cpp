// Shapes that make a quadratic step take minutes: none may.
#include "made_trace.h"

#include <olab/trace/lanes.h>

#include <ctime>

namespace olab::test {
namespace {

constexpr std::uint32_t kMany = 120'000;
constexpr double kFast = 2; // seconds of CPU: far below what a quadratic step takes on any machine
constexpr double kGrowth =
    10; // four times the work in at most ten times the time; quadratic would be sixteen

struct Timed {
    Report report;
    double seconds = 0;
};

template <typename Fill>
Timed timed(Fill fill, std::uint32_t count) {
    TraceBuilder builder;
    builder.add(StreamRecord{1, 7, StreamKind::Null, 0});
    for (std::uint32_t s = 13; s < 20; ++s)
        builder.add(StreamRecord{1, s, StreamKind::Blocking, 0});
    builder.add(SoloRecord{0, Kernel, 0, us(2), 3, 1056, 1056});
    for (std::uint32_t i = 0; i < count; ++i) {
        ActivityRecord r;
        r.device = 0, r.context = 1, r.stream = 13 + i % 7, r.correlation = i + 1;
        fill(r, i, count);
        builder.add(r);
    }
    const Trace trace = builder.finish();
    const LaneSet lanes = LaneSet::of(trace);
    const std::clock_t start = std::clock();
    Report report = analyze({trace, lanes});
    return {std::move(report), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

template <typename Fill>
Report analyzed(Fill fill) {
    Timed large = timed(fill, kMany);
    if (large.seconds > kFast) {
        EXPECT_LT(large.seconds, kGrowth * timed(fill, kMany / 4).seconds);
    }
    return std::move(large.report);
}

TEST(Scale, OneLongCopyOverManyMemsets) {
    const Report report = analyzed([](ActivityRecord& r, std::uint32_t i, std::uint32_t n) {
        r.cls = i == 0 ? MemcpyH2D : Memset;
        r.begin = us(10 * i + 1), r.end = i == 0 ? us(10. * n) : r.begin + us(1 + i % 5);
    });
    EXPECT_EQ(report.devices[0].classes.at(Memset).count, kMany - 1);
}

TEST(Scale, EverythingAtOnce) {
    const Report report = analyzed([](ActivityRecord& r, std::uint32_t i, std::uint32_t n) {
        r.cls = i % 2 ? Kernel : Memset;
        r.begin = us(1) + i, r.end = us(1) + 2 * Ns{n} - i;
    });
    EXPECT_EQ(report.devices[0].busyAny, 2 * Ns{kMany});
}

TEST(Scale, ManyFullGridsWithMemsetsThatWaitedForAll) {
    const Report report = analyzed([](ActivityRecord& r, std::uint32_t i, std::uint32_t n) {
        r.cls = i < n / 2 ? Kernel : Memset;
        r.begin = us(3. * (i % (n / 2)) + 1), r.end = r.begin + us(3);
        if (r.cls == Memset)
            r.begin = r.end = us(3. * n) + i;
    });
    EXPECT_EQ(report.devices[0].classes.at(Memset).zeroDuration, kMany / 2);
}

TEST(Scale, ManyBarriersOfTheNullStream) {
    const Report report = analyzed([](ActivityRecord& r, std::uint32_t i, std::uint32_t) {
        r.cls = i % 2 ? Memset : MemcpyH2D;
        r.stream = i % 2 ? 7 : 13 + i % 7;
        r.begin = us(10. * i + 1), r.end = r.begin + us(10);
    });
    EXPECT_NE(findingOf(report, "null-stream"), nullptr);
}

// A copy behind another one asks for the lane of its engine: that must not cost a look at each stream of
// another device.
TEST(Scale, CopiesOfASecondDeviceBehindManyStreamsOfTheFirst) {
    const Report report = analyzed([](ActivityRecord& r, std::uint32_t i, std::uint32_t n) {
        const bool copy = i % 2 == 1;
        r.cls = copy ? MemcpyH2D : Memset;
        r.device = copy, r.context = 1 + copy;
        r.stream = 100 + i % (copy ? 64 : n / 3);
        r.begin = us(10 * i + 1), r.end = r.begin + us(copy ? 20 : 5);
    });
    EXPECT_EQ(report.devices[1].classes.at(MemcpyH2D).count, kMany / 2);
}

} // namespace
} // namespace olab::test
