#include <olab/trace/interval_set.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace olab {
namespace {

constexpr Ns kLow = -20, kHigh = 60; // the range of the bitmap
using Bits = std::vector<int>;       // how many intervals cover each nanosecond

Bits bitsOf(std::span<const Interval> intervals) {
    Bits bits(static_cast<std::size_t>(kHigh - kLow));
    for (const Interval& i : intervals)
        for (Ns t = i.begin; t < i.end; ++t)
            ++bits[static_cast<std::size_t>(t - kLow)];
    return bits;
}

std::vector<Interval> listOf(const IntervalSet& set) {
    std::vector<Interval> list;
    for (std::size_t i = 0; i < set.size(); ++i)
        list.push_back(set.intervals()[i]);
    return list;
}

Ns atLeast(const Bits& bits, int depth) {
    return std::count_if(bits.begin(), bits.end(), [depth](int n) { return n >= depth; });
}

std::vector<Interval> randomIntervals(std::mt19937& random) {
    std::vector<Interval> intervals(random() % 9);
    for (Interval& i : intervals) {
        i.begin = kLow + static_cast<Ns>(random() % 75);
        i.end = std::min<Ns>(kHigh, i.begin - 2 + static_cast<Ns>(random() % (random() % 4 == 0 ? 30 : 6)));
    }
    return intervals;
}

// Sorted, disjoint, not even touching, none empty: what every operation must give back.
void expectCanonical(const IntervalSet& set) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        EXPECT_LT(set.intervals()[i].begin, set.intervals()[i].end);
        if (i > 0) {
            EXPECT_LT(set.intervals()[i - 1].end, set.intervals()[i].begin);
        }
    }
}

template <typename Rule>
void expectBits(const IntervalSet& set, const Bits& a, const Bits& b, Rule rule) {
    expectCanonical(set);
    const Bits got = bitsOf(listOf(set));
    Ns total = 0;
    for (std::size_t t = 0; t < got.size(); ++t) {
        ASSERT_EQ(got[t] > 0, rule(a[t] > 0, b[t] > 0)) << "at " << static_cast<Ns>(t) + kLow;
        total += got[t];
    }
    EXPECT_EQ(set.total(), total);
}

class Random : public testing::TestWithParam<unsigned> {};

TEST_P(Random, AlgebraIsThatOfBitmaps) {
    std::mt19937 random(GetParam());
    for (int round = 0; round < 500; ++round) {
        const auto one = randomIntervals(random), two = randomIntervals(random);
        const Bits a = bitsOf(one), b = bitsOf(two);
        const auto x = IntervalSet::unionOf(one), y = IntervalSet::unionOf(two);
        expectBits(x, a, b, [](bool p, bool) { return p; });
        expectBits(x.united(y), a, b, [](bool p, bool q) { return p || q; });
        expectBits(x.intersected(y), a, b, [](bool p, bool q) { return p && q; });
        expectBits(x.subtracted(y), a, b, [](bool p, bool q) { return p && !q; });
        EXPECT_EQ(overlapLength(x, y), x.intersected(y).total());
        EXPECT_EQ(concurrentLength(one), atLeast(a, 2));
    }
}

TEST_P(Random, MeasureAndTouchesAreThoseOfBitmaps) {
    std::mt19937 random(GetParam());
    for (int round = 0; round < 100; ++round) {
        const auto set = IntervalSet::unionOf(randomIntervals(random));
        const Bits bits = bitsOf(listOf(set));
        for (Ns begin = kLow; begin < kHigh; begin += 3)
            for (Ns end = begin - 1; end < kHigh; end += 2) {
                Ns covered = 0;
                for (Ns t = begin; t < end; ++t)
                    covered += bits[static_cast<std::size_t>(t - kLow)];
                ASSERT_EQ(set.measure({begin, end}), covered);
                ASSERT_EQ(set.touches({begin, end}), covered > 0);
            }
    }
}

TEST_P(Random, ACursorMeasuresWhatTheSetMeasuresInAnyOrder) {
    std::mt19937 random(GetParam());
    const auto upTo = [&](Ns limit) { return std::uniform_int_distribution<Ns>(0, limit)(random); };
    for (const int count : {0, 1, 2, 50, 3000}) {
        std::vector<Interval> intervals;
        Ns at = -500;
        for (int i = 0; i < count;
             ++i) { // crowds and wide gaps, so that a guess from the last step is often wrong
            at += upTo(20) == 0 ? upTo(5000) : upTo(3);
            intervals.push_back({at, at + 1 + upTo(4)});
        }
        const auto set = IntervalSet::unionOf(intervals);
        const Ns end = at + 700;
        for (const Ns width : {Ns{1}, Ns{7}, Ns{333}, Ns{20'000}}) {
            CoverageCursor walk(set), jump(set);
            for (Ns t = -900; t < end; t += width) {
                ASSERT_EQ(walk.measure({t, t + width}), set.measure({t, t + width}))
                    << t << " wide " << width;
                const Ns begin = -900 + upTo(end + 900), length = upTo(2 * width) - 1;
                ASSERT_EQ(jump.measure({begin, begin + length}), set.measure({begin, begin + length}));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, testing::Values(1u, 2u, 3u));

TEST(IntervalSet, TouchingIntervalsMergeAndDoNotOverlap) {
    const auto set = IntervalSet::unionOf({{10, 20}, {0, 10}, {20, 20}, {30, 25}});
    EXPECT_EQ(set, IntervalSet::unionOf({{0, 20}}));
    EXPECT_EQ(overlapLength(IntervalSet::unionOf({{0, 10}}), IntervalSet::unionOf({{10, 20}})), 0);
    EXPECT_EQ(concurrentLength({{0, 10}, {10, 20}}), 0);
    EXPECT_EQ(concurrentLength({{0, 10}, {0, 10}, {0, 10}}), 10) << "three at once are counted once";
}

TEST(IntervalSet, EmptySetsAnswer) {
    const IntervalSet none, some = IntervalSet::unionOf({{5, 6}});
    EXPECT_EQ(none.total(), 0);
    EXPECT_FALSE(none.touches({-100, 100}));
    EXPECT_EQ(none.measure({-100, 100}), 0);
    EXPECT_EQ(some.united(none), some);
    EXPECT_EQ(some.subtracted(none), some);
    EXPECT_TRUE(some.intersected(none).empty());
    EXPECT_EQ(concurrentLength({}), 0);
}

std::vector<Interval> scaled(std::vector<Interval> intervals, Ns by) {
    for (Interval& i : intervals)
        i = {i.begin * by, i.end * by};
    return intervals;
}

TEST(IntervalSet, LongTimesAndWideGapsAreAsGoodAsShortOnes) {
    std::mt19937 random(9);
    constexpr Ns kHours = Ns{1} << 42;
    for (int round = 0; round < 200; ++round) {
        const auto one = randomIntervals(random), two = randomIntervals(random);
        const auto x = IntervalSet::unionOf(one), y = IntervalSet::unionOf(two);
        const auto farX = IntervalSet::unionOf(scaled(one, kHours)),
                   farY = IntervalSet::unionOf(scaled(two, kHours));
        ASSERT_EQ(listOf(farX), scaled(listOf(x), kHours));
        ASSERT_EQ(listOf(farX.united(farY)), scaled(listOf(x.united(y)), kHours));
        ASSERT_EQ(listOf(farX.intersected(farY)), scaled(listOf(x.intersected(y)), kHours));
        ASSERT_EQ(listOf(farX.subtracted(farY)), scaled(listOf(x.subtracted(y)), kHours));
        ASSERT_EQ(farX.measure({kLow * kHours, 20 * kHours}), x.measure({kLow, 20}) * kHours);
    }
}

TEST(IntervalSet, AWideGapBehindManyShortTimes) {
    std::vector<Interval> intervals;
    for (Ns i = 0; i < 200; ++i)
        intervals.push_back({i * 10, i * 10 + 7});
    constexpr Ns late = Ns{1} << 50;
    intervals.push_back({late, late + 5});
    const auto set = IntervalSet::unionOf(intervals);
    EXPECT_EQ(listOf(set), intervals);
    EXPECT_EQ(set.total(), 200 * 7 + 5);
    EXPECT_EQ(set.measure({15, late + 2}), 2 + 198 * 7 + 2);
    EXPECT_TRUE(set.touches({late + 4, late + 9}));
    EXPECT_FALSE(set.touches({1997, late}));
}

TEST(IntervalSet, TakesTenBytesEachOrLess) {
    constexpr Ns count = 100'000;
    std::vector<Interval> intervals;
    for (Ns i = 0; i < count; ++i)
        intervals.push_back({i * 10'000, i * 10'000 + 7'000});
    EXPECT_LE(IntervalSet::unionOf(intervals).memoryBytes(), std::size_t{10 * count});
}

TEST(IntervalSet, IsExactAtTheEndOfTime) {
    constexpr Ns last = std::numeric_limits<Ns>::max();
    const auto set = IntervalSet::unionOf({{last - 807, last}});
    EXPECT_EQ(set.total(), 807);
    EXPECT_EQ(set.measure({last - 1, last}), 1);
    EXPECT_EQ(set.measure({0, last}), 807);
}

} // namespace
} // namespace olab
