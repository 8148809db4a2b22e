// The interval of a slowdown: against published tables, and by counting all ways to deal runs out to two
// sides.
#include "rank_tests.h"

#include <olab/comparison/slowdown.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace olab::comparison {
namespace {

using testing::ElementsAre;
using Times = std::vector<Ns>;

/// Hollander, Wolfe, Chicken and other tables give the largest value of the statistic that is significant;
/// the bound is the value of that order, from 1.
TEST(RankTests, BoundsAreThoseOfPublishedTables) {
    EXPECT_EQ(rankSumBound(10, 10, 0.95).order, 24u);
    EXPECT_EQ(rankSumBound(10, 10, 0.98).order, 20u);
    EXPECT_EQ(rankSumBound(10, 10, 0.99).order, 17u);
    EXPECT_EQ(rankSumBound(5, 8, 0.95).order, 7u);
    EXPECT_EQ(rankSumBound(8, 5, 0.95).order, 7u);
    EXPECT_EQ(rankSumBound(20, 20, 0.95).order, 128u);
    EXPECT_EQ(signedRankBound(10, 0.95).order, 9u);
    EXPECT_EQ(signedRankBound(10, 0.98).order, 6u);
    EXPECT_EQ(signedRankBound(10, 0.99).order, 4u);
    EXPECT_EQ(signedRankBound(25, 0.95).order, 90u);
    EXPECT_NEAR(rankSumBound(5, 5, 0.99).coverage, 1 - 2.0 / 252, 1e-12);
    EXPECT_NEAR(signedRankBound(8, 0.99).coverage, 1 - 2.0 / 256, 1e-12);
}

TEST(RankTests, TooFewRunsHaveNoBound) {
    EXPECT_EQ(rankSumBound(4, 4, 0.99).order, 0u);
    EXPECT_EQ(rankSumBound(1, 100, 0.99).order, 0u);
    EXPECT_EQ(rankSumBound(0, 5, 0.99).order, 0u);
    EXPECT_EQ(signedRankBound(7, 0.99).order, 0u);
    EXPECT_EQ(signedRankBound(0, 0.99).order, 0u);
}

TEST(RankTests, LargeNumbersFollowTheNormalDistribution) {
    const RankBound exact = rankSumBound(50, 50, 0.99), normal = rankSumBound(50, 51, 0.99);
    EXPECT_NEAR(static_cast<double>(normal.order) / static_cast<double>(exact.order), 1.02, 0.01);
    EXPECT_NEAR(normal.coverage, 0.99, 1e-3);
    EXPECT_NEAR(static_cast<double>(signedRankBound(51, 0.99).order) /
                    static_cast<double>(signedRankBound(50, 0.99).order),
                1.04, 0.02);
}

/// The same program: whichever of its runs are called A, few choices may look slower.
TEST(Slowdown, TheSameProgramIsSlowerInFewOfAllDeals) {
    for (const std::size_t each : {5, 6}) {
        Times times;
        for (std::size_t i = 0; i < 2 * each; ++i)
            times.push_back(1'000'000 + static_cast<Ns>(i * i * 997));
        std::vector<bool> isAfter(2 * each, false);
        std::fill(isAfter.end() - static_cast<std::ptrdiff_t>(each), isAfter.end(), true);
        int deals = 0, slower = 0, faster = 0;
        do {
            Times before, after;
            for (std::size_t i = 0; i < times.size(); ++i)
                (isAfter[i] ? after : before).push_back(times[i]);
            const Slowdown found = slowdownOfRuns(before, after).value();
            ++deals, slower += found.rises(), faster += found.falls();
        } while (std::next_permutation(isAfter.begin(), isAfter.end()));
        EXPECT_EQ(deals, each == 5 ? 252 : 924);
        EXPECT_EQ(slower, faster);
        EXPECT_GT(slower, 0) << "what is as far apart as can be is told";
        EXPECT_LE(slower, deals * (1 - kSlowdownCoverage) / 2);
    }
}

TEST(Slowdown, TheSameProgramIsSlowerInFewOfAllSwapsOfPairs) {
    constexpr std::size_t kPairs = 9;
    int slower = 0;
    for (unsigned swaps = 0; swaps < 1u << kPairs; ++swaps) {
        Times before, after;
        for (std::size_t i = 0; i < kPairs; ++i) {
            const Ns drift = static_cast<Ns>(i) * 100'000, time = 1'000'000 + drift;
            const Ns other = time + static_cast<Ns>(1 + i) * 1'000;
            const bool isSwapped = ((swaps >> i) & 1) != 0;
            before.push_back(isSwapped ? other : time);
            after.push_back(isSwapped ? time : other);
        }
        slower += slowdownOfPairs(before, after).value().rises() ? 1 : 0;
    }
    EXPECT_GT(slower, 0);
    EXPECT_LE(slower, (1 << kPairs) * (1 - kSlowdownCoverage) / 2);
}

TEST(Slowdown, PairsSeeThroughDriftThatHidesItFromRuns) {
    Times before, after;
    for (int i = 0; i < 10; ++i) {
        before.push_back(1'000'000 + i * 50'000 + (i % 3) * 500);
        after.push_back((1'000'000 + i * 50'000 + (i % 2) * 500) * 103 / 100);
    }
    EXPECT_FALSE(slowdownOfRuns(before, after)->rises());
    const Slowdown found = slowdownOfPairs(before, after).value();
    EXPECT_TRUE(found.rises());
    EXPECT_NEAR(found.ratio, 1.03, 1e-3);
    EXPECT_EQ(found.basis, SlowdownBasis::Pairs);
    EXPECT_EQ(slowdownOfPairs(Times(7, 100), Times(7, 100))->basis, SlowdownBasis::Runs) << "too few pairs";
}

TEST(Slowdown, IsARatioWhateverTheUnit) {
    const Times a{100, 103, 99, 101, 102}, b{110, 112, 109, 114, 111};
    const Slowdown small = slowdownOfRuns(a, b).value();
    Times a1000, b1000;
    for (const Ns time : a)
        a1000.push_back(time * 1000);
    for (const Ns time : b)
        b1000.push_back(time * 1000);
    const Slowdown large = slowdownOfRuns(a1000, b1000).value(), back = slowdownOfRuns(b, a).value();
    EXPECT_NEAR(small.ratio, large.ratio, 1e-12);
    EXPECT_NEAR(*small.low, *large.low, 1e-12);
    EXPECT_NEAR(*small.low * *back.high, 1, 1e-12) << "the other way round it is one over it";
    EXPECT_NEAR(*small.low, 109.0 / 103, 1e-12) << "of five and five the outermost ratios";
    EXPECT_NEAR(*small.high, 114.0 / 99, 1e-12);
}

TEST(Slowdown, NeedsTimesAndEnoughOfThem) {
    EXPECT_FALSE(slowdownOfRuns({}, Times{1}));
    EXPECT_FALSE(slowdownOfRuns(Times{0}, Times{1}));
    EXPECT_FALSE(slowdownOfRuns(Times{5}, Times{-1}));
    const Slowdown one = slowdownOfRuns(Times{100}, Times{110}).value();
    EXPECT_NEAR(one.ratio, 1.1, 1e-12);
    EXPECT_FALSE(one.low || one.high || one.rises() || one.falls());
    EXPECT_EQ(
        one.lacks,
        "one run of each says nothing about how far runs differ: 5 of each are the fewest that can tell");
    EXPECT_EQ(slowdownOfRuns(Times(4, 100), Times(9, 100))->lacks,
              "4 and 9 runs are too few: 5 of each are the fewest that can tell");
    EXPECT_EQ(slowdownOfRuns(Times(5000, 100), Times(5000, 100))->before, kMostRunsJudged);
}

Slowdown made(double ratio, double low, double high, std::size_t runs = 10) {
    return {ratio, low, high, 0.99, runs, runs, SlowdownBasis::Runs};
}

TEST(Slowdown, SaysHowManyMoreRunsItTakes) {
    EXPECT_EQ(moreRuns(slowdownOfRuns(Times{100}, Times{110}).value(), 0.03), 4u);
    EXPECT_EQ(moreRuns(slowdownOfRuns(Times(4, 100), Times(9, 100)).value(), 0.03), 1u);
    const auto near = moreRuns(made(1.035, 1.02, 1.05), 0.03), far = moreRuns(made(1.06, 1.02, 1.10), 0.03);
    ASSERT_TRUE(near && far);
    EXPECT_GT(*near, 100u);
    EXPECT_LT(*far, 50u);
    EXPECT_FALSE(moreRuns(made(1.03, 1.02, 1.04), 0.03)) << "the limit is what it takes";
    EXPECT_FALSE(moreRuns(made(1.0301, 1.02, 1.04), 0.03));
}

TEST(Slowdown, ReadsAsPercentOrTimes) {
    EXPECT_EQ(slowdownText(made(1.041, 1.032, 1.05)), "slower by 4.1 % (3.2 to 5.0)");
    EXPECT_EQ(slowdownText(made(0.96, 0.95, 0.98)), "faster by 4.0 % (2.0 to 5.0)");
    EXPECT_EQ(slowdownText(made(2.87, 2.8, 2.93)), "2.87x slower (2.80 to 2.93)");
    EXPECT_EQ(slowdownText(made(0.25, 0.2, 0.5)), "4.00x faster (2.00 to 5.00)");
    EXPECT_EQ(slowdownText(made(1.001, 0.997, 1.004)),
              "no difference that can be told from chance (-0.3 % to +0.4 %)");
    Slowdown exact = made(1, 1, 1);
    exact.basis = SlowdownBasis::Exact;
    EXPECT_EQ(slowdownText(exact), "as long");
    EXPECT_EQ(slowdownText(slowdownOfRuns(Times{100}, Times{103}).value()), "slower by 3.0 %");
}

} // namespace
} // namespace olab::comparison
