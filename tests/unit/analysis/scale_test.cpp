// Shapes that make a quadratic step take minutes: none may.
#include "made_trace.h"

#include <chrono>

namespace olab::test {
namespace {

constexpr std::uint32_t kMany = 200'000;
constexpr std::chrono::seconds kEnough{20}; // a second is usual; a quadratic step takes minutes

template <typename Fill>
Report analyzed(Fill fill) {
    TraceBuilder builder;
    builder.add(StreamRecord{1, 7, StreamKind::Null, 0});
    for (std::uint32_t s = 13; s < 20; ++s)
        builder.add(StreamRecord{1, s, StreamKind::Blocking, 0});
    builder.add(SoloRecord{0, Kernel, 0, us(2), 3, 1056, 1056});
    for (std::uint32_t i = 0; i < kMany; ++i) {
        ActivityRecord r;
        r.device = 0, r.context = 1, r.stream = 13 + i % 7, r.correlation = i + 1;
        fill(r, i);
        builder.add(r);
    }
    const Trace trace = builder.finish();
    const LaneSet lanes = LaneSet::of(trace);
    const auto start = std::chrono::steady_clock::now();
    Report report = analyze({trace, lanes});
    EXPECT_LT(std::chrono::steady_clock::now() - start, kEnough);
    return report;
}

TEST(Scale, OneLongCopyOverManyMemsets) {
    const Report report = analyzed([](ActivityRecord& r, std::uint32_t i) {
        r.cls = i == 0 ? MemcpyH2D : Memset;
        r.begin = us(10 * i + 1), r.end = i == 0 ? us(10. * kMany) : r.begin + us(1 + i % 5);
    });
    EXPECT_EQ(report.devices[0].classes.at(Memset).count, kMany - 1);
}

TEST(Scale, EverythingAtOnce) {
    const Report report = analyzed([](ActivityRecord& r, std::uint32_t i) {
        r.cls = i % 2 ? Kernel : Memset;
        r.begin = us(1) + i, r.end = us(1) + 2 * Ns{kMany} - i;
    });
    EXPECT_EQ(report.devices[0].busyAny, 2 * Ns{kMany});
}

TEST(Scale, ManyFullGridsWithMemsetsThatWaitedForAll) {
    const Report report = analyzed([](ActivityRecord& r, std::uint32_t i) {
        r.cls = i < kMany / 2 ? Kernel : Memset;
        r.begin = us(3. * (i % (kMany / 2)) + 1), r.end = r.begin + us(3);
        if (r.cls == Memset)
            r.begin = r.end = us(3. * kMany) + i;
    });
    EXPECT_EQ(report.devices[0].classes.at(Memset).zeroDuration, kMany / 2);
}

TEST(Scale, ManyBarriersOfTheNullStream) {
    const Report report = analyzed([](ActivityRecord& r, std::uint32_t i) {
        r.cls = i % 2 ? Memset : MemcpyH2D;
        r.stream = i % 2 ? 7 : 13 + i % 7;
        r.begin = us(10. * i + 1), r.end = r.begin + us(10);
    });
    EXPECT_NE(findingOf(report, "null-stream"), nullptr);
}

} // namespace
} // namespace olab::test
