// The interval of a change, against counting all signs; and the words for changes.
#include <olab/comparison/paired_change.h>

#include <gmock/gmock.h>

#include <bit>
#include <numeric>

namespace olab::comparison {
namespace {

/// Share of all sign patterns of n differences in which the median lies between the k-th of both ends.
double countedCoverage(int n, int k) {
    int inside = 0;
    for (unsigned pattern = 0; pattern < (1u << n); ++pattern) {
        const int below = std::popcount(pattern);
        inside += below >= k && n - below >= k ? 1 : 0;
    }
    return static_cast<double>(inside) / (1u << n);
}

std::vector<Ns> upTo(int n) {
    std::vector<Ns> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 1);
    return values;
}

TEST(PairedChange, IsTheExactIntervalOfTheMedianDifference) {
    for (int n = kFewestPairs; n <= 16; ++n) {
        const std::vector<Ns> before(static_cast<std::size_t>(n), 100);
        std::vector<Ns> after = upTo(n); // differences 1 - 100 ... n - 100
        const PairedChange change = pairedChange(before, after);
        ASSERT_TRUE(change.low) << n;
        const int k = static_cast<int>(*change.low + 100);
        EXPECT_EQ(*change.high + 100, n + 1 - k) << n;
        EXPECT_NEAR(change.coverage, countedCoverage(n, k), 1e-12) << n;
        EXPECT_GE(change.coverage, kConfidence) << n;
        EXPECT_LT(countedCoverage(n, k + 1), kConfidence) << n << ": a narrower one would do";
    }
}

TEST(PairedChange, FivePairsAreTooFewAndSixEncloseAll) {
    const std::vector<Ns> before{10, 10, 10, 10, 10, 10}, after{4, 5, 6, 7, 8, 90};
    const PairedChange five = pairedChange(std::span(before).first(5), std::span(after).first(5));
    EXPECT_FALSE(five.low);
    EXPECT_FALSE(five.falls());
    EXPECT_EQ(five.change, -4);
    const PairedChange six = pairedChange(before, after);
    EXPECT_EQ(six.low, -6);
    EXPECT_EQ(six.high, 80) << "one run that is far off is not thrown away";
    EXPECT_FALSE(six.falls());
    EXPECT_NEAR(six.coverage, 0.96875, 1e-12);
}

TEST(PairedChange, IsOfDifferencesSoThatWhatDriftsCancels) {
    std::vector<Ns> before, after;
    for (Ns drift = 0; drift < 600; drift += 100) {
        before.push_back(1000 + drift);
        after.push_back(950 + drift);
    }
    const PairedChange change = pairedChange(before, after);
    EXPECT_EQ(change.low, -50);
    EXPECT_EQ(change.high, -50);
    EXPECT_TRUE(change.falls());
}

TEST(PairedChange, IsSaidInOneUnit) {
    PairedChange change;
    change.change = -24'600'000;
    change.low = -25'020'000;
    change.high = 900'000;
    EXPECT_EQ(changeText(change), "-24.60 ms (95 %: -25.02 to +0.90)");
}

TEST(RatioText, SaysTimesWhereItIsMuchAndPercentWhereItIsLittle) {
    EXPECT_EQ(ratioText(21.08), "21x slower");
    EXPECT_EQ(ratioText(2.5), "2.5x slower");
    EXPECT_EQ(ratioText(1 / 2.87), "2.87x faster");
    EXPECT_EQ(ratioText(1.041), "4.1 % longer");
    EXPECT_EQ(ratioText(0.9), "10.0 % shorter");
    EXPECT_EQ(ratioText(1), "as long");
}

TEST(Spread, IsMedianAndRangeAndBeyondOnlyWithoutAnyRunInCommon) {
    EXPECT_FALSE(spreadOf({}));
    const Spread a = *spreadOf({5, 1, 3}), b = *spreadOf({6, 8, 7}), c = *spreadOf({5, 9});
    EXPECT_EQ(a, (Spread{3, 1, 5, 3}));
    EXPECT_TRUE(beyondSpread(a, b));
    EXPECT_TRUE(beyondSpread(b, a));
    EXPECT_FALSE(beyondSpread(a, c)) << "both had a run of 5";
    EXPECT_FALSE(beyondSpread(a, *spreadOf({50}))) << "one run has no spread";
}

} // namespace
} // namespace olab::comparison
