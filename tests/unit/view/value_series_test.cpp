// Values over time, such as GB/s: what known copies come to at known places, that those that run at once add
// up, and that nothing is lost at any zoom.
#include "shown_fixture.h"

#include <olab/trace/lanes.h>
#include <olab/view/drawn_lanes.h>
#include <olab/view/strip_view.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace olab::view {
namespace {

using test::deviceWork;
using test::shownOf;

ActivityRecord copy(ActivityClass cls, Ns begin, Ns end, std::int64_t bytes, std::uint32_t stream = 13) {
    ActivityRecord r = deviceWork(cls, begin, end, stream);
    r.bytes = bytes;
    return r;
}

Viewport viewOf(Interval whole, int width) {
    Viewport view;
    view.setLimits(whole);
    view.setWidth(width);
    view.fit();
    return view;
}

std::vector<ValuePart> someParts(std::uint32_t seed, int count) {
    std::mt19937 random(seed);
    std::vector<ValuePart> parts;
    for (int i = 0; i < count; ++i) {
        const Ns begin = static_cast<Ns>(random() % 100'000);
        parts.push_back({{begin, begin + 1 + static_cast<Ns>(random() % 3'000)},
                         1 + static_cast<std::int64_t>(random() % 1'000'003)});
    }
    std::ranges::sort(parts, {}, [](const ValuePart& part) { return part.time.begin; });
    return parts;
}

TEST(ValueSeries, ACopyIsSpreadEvenlyOverItsTime) {
    const ValueSeries one(std::vector<ValuePart>{{{100, 300}, 1'000}}); // 5 bytes per ns: 5 GB/s
    EXPECT_DOUBLE_EQ(one.peak(), 5.0);
    EXPECT_EQ(one.in({0, 1'000}), 1'000);
    EXPECT_EQ(one.in({100, 150}), 250);
    EXPECT_EQ(one.in({299, 900}), 5);
    EXPECT_EQ(one.in({0, 100}), 0);
    EXPECT_EQ(one.in({300, 400}), 0);
    const ValueSeries uneven(std::vector<ValuePart>{{{0, 3}, 10}}); // thirds: the sum loses nothing
    EXPECT_EQ(uneven.in({0, 1}) + uneven.in({1, 2}) + uneven.in({2, 3}), 10);
    EXPECT_EQ(uneven.in({0, 2}), 6);
}

TEST(ValueSeries, CopiesThatRunAtOnceAddUp) {
    const ValueSeries two(std::vector<ValuePart>{{{0, 100}, 1'000}, {{50, 150}, 600}}); // 10 and 6 GB/s
    EXPECT_EQ(two.in({0, 50}), 500);
    EXPECT_EQ(two.in({50, 100}), 800);
    EXPECT_EQ(two.in({100, 150}), 300);
    EXPECT_EQ(two.in({75, 125}), 550);
    EXPECT_DOUBLE_EQ(two.peak(), 16.0);
    EXPECT_EQ(two.total(), 1'600);
    ASSERT_EQ(two.stretches(), 3u);
    EXPECT_EQ(two.stretch(1).time, (Interval{50, 100}));
    const ValueSeries inside(std::vector<ValuePart>{{{0, 100}, 100}, {{40, 60}, 200}, {{100, 200}, 100}});
    EXPECT_EQ(inside.in({40, 60}), 220);
    EXPECT_DOUBLE_EQ(inside.peak(), 11.0);
    EXPECT_EQ(inside.in({60, 140}), 80);
}

TEST(ValueSeries, EveryColumnIsRightAndTheirSumIsExactAtEveryZoom) {
    const auto parts = someParts(5, 700); // some twenty run at once
    const ValueSeries series(parts);
    std::int64_t total = 0;
    for (const ValuePart& part : parts)
        total += part.amount;
    EXPECT_EQ(series.total(), total);
    for (const int width : {1, 7, 640, 1'919, 40'000}) {
        const ViewColumns columns(viewOf({-500, 104'000}, width));
        std::int64_t sum = 0;
        for (int px = 0; px<width; px += width> 2'000 ? 97 : 1) { // by each copy on its own
            double wanted = 0, crossing = 0;
            for (const ValuePart& part : parts)
                if (const Ns covered = std::min(part.time.end, columns[px].end) -
                                       std::max(part.time.begin, columns[px].begin);
                    covered > 0) {
                    wanted += static_cast<double>(part.amount) * static_cast<double>(covered) /
                              static_cast<double>(part.time.length());
                    ++crossing;
                }
            EXPECT_NEAR(static_cast<double>(series.in(columns[px])), wanted, 1 + crossing) << width;
        }
        for (int px = 0; px < width; ++px)
            sum += series.in(columns[px]);
        EXPECT_EQ(sum, total) << width;
    }
}

TEST(ValueSeries, WhatWasNotRecordedIsNoneAndIsCounted) {
    const ValueSeries some(std::vector<ValuePart>{
        {{0, 10}, 0}, {{5, 15}, 100}, {{20, 20}, 100}, {{30, 40}, -1}, {{30, 40}, ValueSeries::kMost + 1}});
    EXPECT_EQ(some.count(), 1u);
    EXPECT_EQ(some.leftOut(), 4u);
    EXPECT_EQ(some.total(), 100);
    EXPECT_EQ(some.in({20, 50}), 0);
    EXPECT_DOUBLE_EQ(some.peak(), 10.0);
    const ValueSeries none(std::vector<ValuePart>{{{0, 10}, 0}});
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.in({0, 10}), 0);
    EXPECT_EQ(ValueSeries().in({0, 10}), 0);
    const auto flat = valueHeights(none, ViewColumns(viewOf({0, 10}, 5)), 30);
    EXPECT_EQ(std::ranges::count(flat, 0), 5);
}

TEST(ValueSeries, AbsurdSizesAndTimesDoNotWrap) {
    std::vector<ValuePart> parts;
    for (Ns i = 0; i < 9'000; ++i) // 2^63 bytes and more, all at once
        parts.push_back({{i, Ns{1} << 62}, ValueSeries::kMost});
    const ValueSeries series(parts);
    std::int64_t before = 0;
    for (Ns t = 1; t > 0 && t < Ns{1} << 62; t *= 2) {
        EXPECT_GE(series.before(t), before);
        before = series.before(t);
    }
    EXPECT_GT(series.total(), Ns{1} << 62);
    const ValueSeries one(std::vector<ValuePart>{{{-(Ns{1} << 61), Ns{1} << 61}, 8}}); // over 146 years
    EXPECT_EQ(one.total(), 8);
    EXPECT_EQ(one.before(0), 4);
}

TEST(ValueSeries, HeightsAreOfThePeakAndNothingIsHidden) {
    // 8 GB/s, then 2 GB/s, then next to nothing: columns of 10 ns.
    const ValueSeries series(
        std::vector<ValuePart>{{{0, 100}, 800}, {{100, 200}, 200}, {{205, 206}, 1}, {{290, 295}, 20}});
    const auto heights = valueHeights(series, ViewColumns(viewOf({0, 300}, 30)), 40);
    EXPECT_EQ(heights[0], 40);
    EXPECT_EQ(heights[9], 40);
    EXPECT_EQ(heights[10], 10);
    EXPECT_EQ(heights[19], 10);
    EXPECT_EQ(heights[20], 1) << "0.1 GB/s is half a pixel";
    EXPECT_EQ(heights[25], 0);
    EXPECT_EQ(heights[29], 10) << "4 GB/s in half of the column";
}

TEST(ValueLanes, ThereIsOneForEachDirectionThatHasCopies) {
    using enum ActivityClass;
    const ViewDataPtr shown = shownOf({copy(MemcpyH2D, 0, 100, 1'000), copy(MemcpyH2D, 50, 150, 600, 14),
                                       copy(Memset, 0, 90, 900), copy(MemcpyOther, 400, 410, 70),
                                       copy(MemcpyD2H, 200, 300, 0), deviceWork(Kernel, 0, 9, 13)});
    std::vector<std::string> labels;
    for (const Lane& lane : shown->index.valueLanes())
        if (lane.kind == LaneKind::Throughput)
            labels.push_back(lane.label);
    EXPECT_EQ(labels,
              (std::vector<std::string>{"H2D throughput", "D2H throughput", "other copy throughput"}));
    const auto valuesOf = [&](std::size_t lane) {
        return openLane(shown, shown->index.valueLanes()[lane].id)->values;
    };
    EXPECT_EQ(valuesOf(0).in({50, 100}), 800);
    EXPECT_EQ(valuesOf(2).total(), 70);
    EXPECT_TRUE(valuesOf(1).empty()) << "nobody recorded its size";
    EXPECT_EQ(valuesOf(1).leftOut(), 1u);
}

TEST(ValueLanes, AreOfOneDeviceEachAndNoneIsAmongTheLanesThatAreJudged) {
    ActivityRecord other = copy(ActivityClass::MemcpyH2D, 0, 50, 500);
    other.device = 1, other.context = 2;
    const ViewDataPtr shown = shownOf({copy(ActivityClass::MemcpyH2D, 0, 100, 1'000), other});
    const auto lanes = shown->index.valueLanes();
    ASSERT_EQ(lanes.size(), 2u);
    EXPECT_EQ(openLane(shown, lanes[0].id)->values.total() + openLane(shown, lanes[1].id)->values.total(),
              1'500);
    EXPECT_NE(lanes[0].device, lanes[1].device);
    for (const Lane& lane : shown->index.lanes().lanes())
        EXPECT_FALSE(showsValue(lane.kind));
    const DrawnLanes closed(shown->index);
    EXPECT_EQ(closed.lane(lanes[1].id), &lanes[1]);
    EXPECT_EQ(closed.valuesOf(lanes[1].id), nullptr) << "until somebody opens it";
    const DrawnLanes opened(shown->index, {openLane(shown, lanes[1].id)});
    EXPECT_NE(opened.valuesOf(lanes[1].id), nullptr);
    EXPECT_EQ(opened.valuesOf(lanes[0].id), nullptr);
    EXPECT_TRUE(opened.strips(lanes[1].id).empty());
}

} // namespace
} // namespace olab::view
