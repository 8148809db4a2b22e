#include <olab/trace/lanes.h>
#include <olab/trace/overlap_index.h>
#include <olab/trace/trace_builder.h>

#include <gtest/gtest.h>

#include <random>

using namespace olab;

namespace {

Trace randomTrace(std::uint32_t seed, int count, Ns longest, Ns start,
                  std::uint64_t classes = kDeviceClassCount) {
    std::mt19937_64 random(seed);
    TraceBuilder builder;
    for (int i = 0; i < count; ++i) {
        ActivityRecord r;
        r.cls = static_cast<ActivityClass>(random() % classes);
        r.device = static_cast<std::uint32_t>(random() % 2), r.context = 1;
        r.stream = static_cast<std::uint32_t>(random() % 4);
        if (random() % 4 == 0) // some copies run on the compute engine: one class in two lanes
            r.channel = 1, r.channelType = ChannelType::Compute;
        r.begin = start + static_cast<Ns>(random() % static_cast<std::uint64_t>(longest * count / 8));
        r.end = r.begin + static_cast<Ns>(random() % static_cast<std::uint64_t>(longest));
        builder.add(r);
    }
    return builder.finish();
}

/// With sets made for the purpose.
RangeOverlap bruteForce(const LaneSet& lanes, std::uint8_t device, Interval range) {
    const IntervalSet all = IntervalSet::unionOf({range});
    std::array<IntervalSet, kDeviceClassCount> sets;
    for (std::size_t c = 0; c < kDeviceClassCount; ++c)
        sets[c] = lanes.classCoverage(device, static_cast<ActivityClass>(c)).intersected(all);
    RangeOverlap found;
    for (std::size_t b = 0; b < kDeviceClassCount; ++b) {
        found.busy[b] = sets[b].total();
        for (std::size_t a = 0; a < b; ++a)
            found.both[b * (b - 1) / 2 + a] = overlapLength(sets[a], sets[b]);
    }
    return found;
}

void compare(const Trace& trace, std::uint32_t seed, int rounds) {
    const LaneSet lanes = LaneSet::of(trace);
    std::mt19937_64 random(seed);
    const Interval span = trace.span();
    const auto anyTime = [&] {
        return span.begin - 10 + static_cast<Ns>(random() % static_cast<std::uint64_t>(span.length() + 20));
    };
    for (std::uint8_t device = 0; device < trace.devices().size(); ++device) {
        const OverlapIndex index(lanes, device);
        for (int round = 0; round < rounds; ++round) {
            const Interval range{anyTime(), anyTime()};
            ASSERT_EQ(index.measure(range), bruteForce(lanes, device, range))
                << "seed " << seed << " " << range.begin << " to " << range.end;
        }
        EXPECT_EQ(index.measure(span), bruteForce(lanes, device, span));
        EXPECT_EQ(index.measure({span.end, span.begin}), RangeOverlap());
    }
}

} // namespace

TEST(OverlapIndex, AnyRangeEqualsBruteForce) {
    for (std::uint32_t seed = 1; seed <= 6; ++seed)
        compare(randomTrace(seed, 400, seed % 2 == 0 ? 5 : 500, 1'700'000'000'000'000'000), seed, 60);
}

TEST(OverlapIndex, RangesFarBehindACheckpointEqualBruteForce) {
    compare(randomTrace(7, 20'000, 50, 1'000), 7, 40); // tens of checkpoints
    compare(randomTrace(8, 3'000, 50, -60'000), 8, 40);
}

TEST(OverlapIndex, AnyNumberOfClassesEqualsBruteForce) {
    for (std::uint64_t classes = 1; classes <= kDeviceClassCount; ++classes)
        compare(randomTrace(9, 3'000, 50, 1'000, classes), 9, 20);
}

TEST(OverlapIndex, NamesPairsInAnyOrder) {
    TraceBuilder builder;
    ActivityRecord r;
    r.device = 0, r.context = 1, r.stream = 7;
    r.cls = ActivityClass::Kernel, r.begin = 100, r.end = 200;
    builder.add(r);
    r.cls = ActivityClass::MemcpyH2D, r.begin = 150, r.end = 260;
    builder.add(r);
    const Trace trace = builder.finish();
    const LaneSet lanes = LaneSet::of(trace);
    const RangeOverlap found = OverlapIndex(lanes, 0).measure({120, 180});
    EXPECT_EQ(found.overlap(ActivityClass::Kernel, ActivityClass::MemcpyH2D), 30);
    EXPECT_EQ(found.overlap(ActivityClass::MemcpyH2D, ActivityClass::Kernel), 30);
    EXPECT_EQ(found.overlap(ActivityClass::Kernel, ActivityClass::Kernel), 60);
    EXPECT_EQ(found.overlap(ActivityClass::Memset, ActivityClass::Kernel), 0);
}

TEST(OverlapIndex, OfNothingFindsNothing) {
    const LaneSet lanes = LaneSet::of(TraceBuilder().finish());
    EXPECT_EQ(OverlapIndex(lanes, 0).measure({0, 100}), RangeOverlap());
}
