#include "report/repetition.h"

#include <gtest/gtest.h>

#include <random>

namespace olab::analysis {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers operator+(Numbers a, const Numbers& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Numbers times(std::size_t n, const Numbers& part) {
    Numbers all;
    for (std::size_t i = 0; i < n; ++i)
        all = all + part;
    return all;
}

TEST(Repetition, IsTheShortestPeriodWithoutWhatComesBefore) {
    const Repetition found = repetitionOf(Numbers{9, 8, 7, 9, 9} + times(10, {1, 2, 3, 4}), 4);
    EXPECT_EQ(found.period, 4u);
    EXPECT_EQ(found.begin, 5u);
    EXPECT_EQ(found.end, 45u);
}

TEST(Repetition, OfTwoPartsOfComparableLengthTheLaterOneCounts) {
    const Numbers tuning = times(14, {1, 2, 3, 4, 5, 6, 7, 8, 9}), loop = times(24, {11, 12, 13, 14});
    EXPECT_EQ(repetitionOf(tuning + loop, 4).period, 4u);
    EXPECT_EQ(repetitionOf(tuning + times(6, {11, 12, 13, 14}), 4).period, 9u) << "a short end";
}

TEST(Repetition, OfLayersIsTheStepNotTheLayer) {
    const Numbers step = Numbers{10, 11} + times(32, {1, 2, 3, 4, 5}) + Numbers{12, 13, 14};
    const Repetition found = repetitionOf(times(8, step), 4);
    EXPECT_EQ(found.period, step.size());
}

TEST(Repetition, IsFoundWhereNoNumberComesOnceInEach) {
    const Numbers step = times(6, {1, 2, 3, 2}) + times(6, {4, 5, 1, 5}), copies = times(12, {6});
    const Repetition everySecond = repetitionOf(times(14, step + step + copies), 4);
    EXPECT_EQ(everySecond.period, 2 * step.size() + copies.size());
}

TEST(Repetition, BearsADifferenceHereAndThere) {
    Numbers numbers = times(100, {1, 2, 3, 4, 5, 6, 7, 8});
    numbers[400] = 42;
    const Repetition found = repetitionOf(numbers, 4);
    EXPECT_EQ(found.period, 8u);
    EXPECT_GE(found.end - found.begin, 700u);
}

TEST(Repetition, IsNoneInChanceOrInTooLittle) {
    std::mt19937 random(3);
    Numbers numbers;
    for (int i = 0; i < 2000; ++i)
        numbers.push_back(static_cast<std::uint32_t>(random() % 50));
    EXPECT_EQ(repetitionOf(numbers, 4).period, 0u);
    EXPECT_EQ(repetitionOf(times(3, {1, 2, 3}), 4).period, 0u);
    EXPECT_EQ(repetitionOf({}, 4).period, 0u);
    EXPECT_EQ(repetitionOf(times(10, {1}), 4).period, 1u);
}

} // namespace
} // namespace olab::analysis
