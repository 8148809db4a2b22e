// Columns that keep millions of numbers in few bytes: what comes out is what went in, whatever it is.
#include <olab/trace/columns.h>

#include <algorithm>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace olab {
namespace {

using Numbers = std::vector<std::uint32_t>;

NearColumn columnOf(const Numbers& numbers) {
    NearColumn column;
    for (const std::uint32_t number : numbers)
        column.push_back(number);
    return column;
}

Numbers listed(const auto& numbers) {
    return {numbers.begin(), numbers.end()};
}

/// Each number `least` to `most` more than the last one, every fourth none at all if wanted.
Numbers ascending(std::size_t count, std::uint32_t least, std::uint32_t most, bool withNone) {
    std::mt19937 random(1);
    std::uniform_int_distribution<std::uint32_t> step(least, most);
    Numbers numbers;
    std::uint32_t at = 5;
    for (std::size_t i = 0; i < count; ++i) {
        at += step(random);
        numbers.push_back(withNone && random() % 4 == 0 ? kNoNumber : at);
    }
    return numbers;
}

TEST(NearColumn, GivesBackWhatItWasGiven) {
    for (const bool withNone : {false, true})
        for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 1000u})
            for (const std::uint32_t most : {1u, 3u, 500u, 2000u, 100'000u}) {
                const Numbers numbers = ascending(count, 0, most, withNone);
                const NearColumn column = columnOf(numbers);
                ASSERT_EQ(column.size(), count);
                EXPECT_EQ(listed(column), numbers) << "steps up to " << most;
                for (std::size_t i = 0; i < count; ++i)
                    ASSERT_EQ(column[i], numbers[i]) << i << " of " << count << ", steps up to " << most;
            }
}

TEST(NearColumn, TakesNumbersThatAreNotNearEachOther) {
    constexpr std::uint32_t kHighest = kNoNumber - 1;
    const Numbers ends{0, kHighest, kNoNumber, 0, 32766, 32767, 32768, 65534, 65535, 65536, kNoNumber};
    EXPECT_EQ(listed(columnOf(ends)), ends);
    std::mt19937 random(2);
    Numbers any(300);
    std::ranges::generate(any, random);
    EXPECT_EQ(listed(columnOf(any)), any);
    Numbers around(200, 1'000'000); // as far from the first as 2 bytes reach, and one more
    for (const std::uint32_t distance : {32767u, 32768u, 32769u}) {
        around[70] = 1'000'000 + distance;
        around[130] = 1'000'000 - distance;
        EXPECT_EQ(listed(columnOf(around)), around) << distance;
    }
}

TEST(NearColumn, WideAndNarrowGroupsStandSideBySide) {
    Numbers numbers = ascending(640, 1, 3, false);
    for (const std::size_t at : {64u, 200u, 447u})
        numbers[at] = 4'000'000'000u; // the first of a group, one in the middle, the last
    EXPECT_EQ(listed(columnOf(numbers)), numbers);
}

TEST(NearColumn, TakesTwoBytesWhereNumbersAreNearAndFourWhereNot) {
    constexpr std::size_t kCount = 64'000;
    NearColumn near = columnOf(ascending(kCount, 1, 20, true)),
               far = columnOf(ascending(kCount, 50'000, 60'000, false));
    near.fit(), far.fit();
    EXPECT_LE(near.memoryBytes(), kCount * 5 / 2);
    EXPECT_LE(far.memoryBytes(), kCount * 5);
}

TEST(NearColumn, PartsAreAppendedBehindWholeGroups) {
    Numbers all = ascending(64 * 7 + 10, 1, 20, true);
    all[100] = 4'000'000'000u;
    NearColumn column;
    for (std::size_t from = 0; from < all.size(); from += 128)
        column.append(
            columnOf({all.begin() + static_cast<std::ptrdiff_t>(from),
                      all.begin() + static_cast<std::ptrdiff_t>(std::min(from + 128, all.size()))}));
    EXPECT_EQ(listed(column), all);
    EXPECT_EQ(column, columnOf(all)) << "the same column as if it had been filled at once";
    column.push_back(all.back() + 1);
    EXPECT_EQ(column.back(), all.back() + 1) << "and goes on";
}

TEST(NearColumn, IsSearchedAndCutLikeASpan) {
    const Numbers numbers = ascending(1000, 1, 20, false);
    const NearColumn column = columnOf(numbers);
    const NearNumbers part = column.numbers().part(100, 500);
    EXPECT_EQ(part.front(), numbers[100]);
    EXPECT_EQ(part.back(), numbers[599]);
    const auto at = std::ranges::lower_bound(part, numbers[300]);
    EXPECT_EQ(at - part.begin(), 200);
    EXPECT_TRUE(std::ranges::binary_search(part, numbers[599]));
    EXPECT_FALSE(std::ranges::binary_search(part, numbers[600]));
}

TEST(AscendingColumn, KeepsTimesThatLieYearsApart) {
    constexpr Ns kStart = 1'760'000'000'000'000'000, kYear = Ns{365} * 86'400 * 1'000'000'000;
    std::vector<Ns> begins;
    for (Ns i = 0; i < 500; ++i)
        begins.push_back(kStart + i * 1000 + (i < 100 ? 0 : kYear) + (i < 400 ? 0 : Ns{0xffffffff}));
    begins.insert(begins.begin(), {std::numeric_limits<Ns>::min(), -1, 0});
    begins.push_back(std::numeric_limits<Ns>::max());
    AscendingColumn column;
    for (const Ns begin : begins)
        column.push_back(begin);
    ASSERT_EQ(column.size(), begins.size());
    for (std::size_t i = 0; i < begins.size(); ++i)
        EXPECT_EQ(column[i], begins[i]) << i;
}

TEST(AscendingColumn, IsTheSameFilledGroupByGroupInAnyOrder) {
    constexpr std::size_t kEach = AscendingColumn::kGroup;
    std::vector<Ns> times;
    for (std::size_t i = 0; i < 4 * kEach + 5; ++i)
        times.push_back(static_cast<Ns>(i) * 7 + (i % 100 == 99 ? Ns{1} << 40 : 0));
    AscendingColumn oneByOne, byGroups;
    for (const Ns time : times)
        oneByOne.push_back(time);
    byGroups.resize(times.size());
    std::vector<std::size_t> longs;
    for (const std::size_t group : {3u, 0u, 4u, 2u, 1u})
        for (std::size_t i = group * kEach; i < std::min(times.size(), (group + 1) * kEach); ++i)
            if (!byGroups.set(i, times[i]))
                longs.push_back(i);
    std::ranges::sort(longs);
    EXPECT_FALSE(longs.empty());
    for (const std::size_t i : longs)
        byGroups.addLong(i, times[i]);
    EXPECT_EQ(byGroups, oneByOne);
}

TEST(AscendingColumn, TakesLittleMoreThanFourBytes) {
    AscendingColumn column;
    column.reserve(64'000);
    for (Ns i = 0; i < 64'000; ++i)
        column.push_back(i * 10'000);
    EXPECT_LE(column.memoryBytes(), 64'000u * 9 / 2);
}

TEST(LengthColumn, PartsAreAppendedWithTheirLongOnes) {
    constexpr Ns kLong = Ns{1} << 40;
    LengthColumn all, part;
    for (const Ns length : {Ns{1}, kLong, Ns{3}})
        all.push_back(length);
    for (const Ns length : {kLong + 1, Ns{-5}, Ns{0xffffffff}, Ns{7}})
        part.push_back(length);
    all.append(part);
    const std::vector<Ns> expected{1, kLong, 3, kLong + 1, -5, 0xffffffff, 7};
    ASSERT_EQ(all.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(all[i], expected[i]) << i;
}

TEST(NumberColumn, TakesAsManyBytesAsItsLimitNeeds) {
    for (const auto& [limit, bytes] :
         {std::pair<std::size_t, std::size_t>{1, 1}, {256, 1}, {257, 2}, {65536, 2}, {65537, 4}}) {
        NumberColumn column;
        column.resize(1000, limit);
        for (std::size_t i = 0; i < 1000; ++i)
            column.set(i, static_cast<std::uint32_t>((limit - 1) * (i % 3) / 2));
        for (std::size_t i = 0; i < 1000; ++i)
            ASSERT_EQ(column[i], (limit - 1) * (i % 3) / 2) << "below " << limit;
        EXPECT_LE(column.memoryBytes(), 1000 * bytes + 8) << "below " << limit;
    }
}

TEST(NumberColumn, GrowsWiderAndFits) {
    NumberColumn column;
    column.widen(1000, 10, 2); // ten zeros and what follows
    for (std::uint32_t i = 10; i < 500; ++i)
        column.set(i, i % 2);
    column.widen(1000, 500, 300);
    for (std::uint32_t i = 500; i < 1000; ++i)
        column.set(i, i % 300);
    for (std::uint32_t i = 0; i < 1000; ++i)
        ASSERT_EQ(column[i], i < 10 ? 0 : i < 500 ? i % 2 : i % 300) << i;
    NumberColumn small;
    small.resize(3, 200), small.set(0, 7), small.set(1, 0), small.set(2, 199);
    NumberColumn same;
    same.resize(3, 100'000), same.set(0, 7), same.set(1, 0), same.set(2, 199);
    EXPECT_NE(same, small);
    same.fit(200);
    EXPECT_EQ(same, small) << "equal numbers are equal columns";
}

} // namespace
} // namespace olab
