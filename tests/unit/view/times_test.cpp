// Times of strips, kept in any of the ways there are, and what of a strip may touch a range.
#include "shown_fixture.h"

#include <olab/trace/lanes.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

using namespace olab;
using namespace olab::test;

namespace {

/// Things that do not cross, with gaps below `gap` and lengths below `length`.
std::vector<Interval> things(std::uint32_t seed, std::size_t count, std::uint64_t gap, std::uint64_t length) {
    std::mt19937_64 random(seed);
    std::vector<Interval> made;
    Ns at = 1'760'000'000'000'000'000;
    for (std::size_t i = 0; i < count; ++i) {
        at += static_cast<Ns>(random() % gap);
        const Ns end = at + static_cast<Ns>(random() % length);
        made.push_back({at, end});
        at = end;
    }
    return made;
}

void expectSame(const Times& times, const std::vector<Interval>& wanted) {
    ASSERT_EQ(times.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        ASSERT_EQ(times[i], wanted[i]) << i;
    std::array<Interval, Times::kMostRead> read;
    for (std::size_t from : {0, 1, 63})
        for (std::size_t i = from; i < wanted.size();) {
            const std::size_t count = times.read(i, wanted.size(), read);
            ASSERT_GT(count, 0u);
            for (std::size_t k = 0; k < count; ++k, ++i)
                ASSERT_EQ(read[k], wanted[i]) << i;
        }
}

TimesColumn columnOf(const std::vector<Interval>& times) {
    TimesColumn column(times.size());
    for (const Interval& time : times)
        column.add(time);
    column.finish();
    return column;
}

TEST(Times, AreTheSameInHoweverManyBits) {
    for (const std::size_t count : {1u, 63u, 64u, 65u, 300u})
        for (unsigned bits = 1; bits < 53; ++bits) { // of gaps and lengths; of distances in a group some more
            SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(bits) + " bits");
            const std::uint64_t most = std::uint64_t{1} << bits;
            const auto wide = things(bits, count, most, 3), lengthy = things(bits, count, 3, most);
            expectSame(columnOf(wide).times(), wide);
            expectSame(columnOf(lengthy).times(), lengthy);
        }
}

TEST(Times, AreReadAsShortNumbersWhereTheyLieClose) {
    Times::Near near;
    for (unsigned bits = 1; bits < 40; ++bits)
        for (const auto& wanted : {things(bits, 200, std::uint64_t{1} << bits, 3),
                                   things(bits, 200, 3, std::uint64_t{1} << bits)}) {
            SCOPED_TRACE(std::to_string(bits) + " bits");
            const TimesColumn column = columnOf(wanted);
            for (std::size_t first = 5; first < wanted.size();) {
                const std::size_t count = column.times().readNear(first, near);
                for (std::size_t i = 0; i < count; ++i) {
                    ASSERT_EQ(near.base + near.begins[i], wanted[first + i].begin) << first + i;
                    ASSERT_EQ(near.lengths[i], wanted[first + i].length()) << first + i;
                }
                ASSERT_TRUE(count > 0 || bits > 23) << "64 gaps of so many bits lie close";
                first += std::max<std::size_t>(count, 1);
            }
        }
}

TEST(Times, OfWhatFollowsCloselyTakeFewBytes) {
    const auto wanted = things(1, 1000, 5000, 5000);
    const TimesColumn column = columnOf(wanted);
    EXPECT_LT(column.memoryBytes(), 5 * wanted.size());
    const std::vector<Interval> later(wanted.begin() + 130, wanted.begin() + 330);
    expectSame(column.times().part(130, 200), later);
}

TEST(Times, AreFoundByTheirBegin) {
    for (const std::size_t count : {0u, 1u, 64u, 65u, 640u}) {
        const auto wanted = things(5, count, 50, 50); // some begin together
        const TimesColumn column = columnOf(wanted);
        const Times times = column.times();
        const Ns from = count == 0 ? 0 : wanted.front().begin, to = count == 0 ? 0 : wanted.back().end;
        for (Ns t = from - 2; t < to + 2; t += 7) {
            const auto begin = [](const Interval& time) { return time.begin; };
            const auto first = std::ranges::lower_bound(wanted, t, {}, begin) - wanted.begin(),
                       behind = std::ranges::upper_bound(wanted, t, {}, begin) - wanted.begin();
            ASSERT_EQ(times.firstFrom(t), static_cast<std::size_t>(first)) << count << " at " << t - from;
            ASSERT_EQ(times.firstBehind(t), static_cast<std::size_t>(behind)) << count << " at " << t - from;
            if (count < 300)
                continue;
            const auto inside =
                std::ranges::lower_bound(wanted.begin() + 100, wanted.begin() + 300, t, {}, begin);
            ASSERT_EQ(times.firstFrom(t, 100, 300), static_cast<std::size_t>(inside - wanted.begin()));
            ASSERT_EQ(times.part(100, 200).firstFrom(t) + 100,
                      static_cast<std::size_t>(inside - wanted.begin()));
        }
    }
}

TEST(Times, ThatAreFarApartAreKeptWhole) {
    for (const auto& wanted :
         {things(2, 300, std::uint64_t{1} << 40, 5000), things(3, 300, 5000, std::uint64_t{1} << 40)})
        expectSame(columnOf(wanted).times(), wanted);
    auto late = things(4, 300, 5000, 5000); // short until the last one
    late.push_back({late.back().end, late.back().end + (Ns{1} << 50)});
    expectSame(columnOf(late).times(), late);
    constexpr auto limits = std::numeric_limits<Ns>();
    const std::vector<Interval> ends{
        {limits.min(), limits.min() + 1}, {-1, 0}, {0, 5}, {limits.max() - 1, limits.max()}};
    expectSame(columnOf(ends).times(), ends);
    expectSame(TimesColumn().times(), {});
}

TEST(Strips, CandidatesOfARangeThatBeginsAtATick) {
    const auto shown =
        shownOf({deviceWork(ActivityClass::Kernel, 1, 3, 7), deviceWork(ActivityClass::Kernel, 10, 10, 7),
                 deviceWork(ActivityClass::Kernel, 20, 20, 7)});
    const view::Strip& strip = shown->index.strips(LaneId{0}).front();
    using Range = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(strip.candidates({10, 20}), Range(1, 2))
        << "what has no length is in the range that begins with it";
    EXPECT_EQ(strip.candidates({11, 20}), Range(2, 2));
    EXPECT_EQ(strip.candidates({2, 10}), Range(0, 1));
    EXPECT_EQ(strip.candidates({21, 99}), Range(3, 3));
}

TEST(Strips, CandidatesMissNothingThatTouches) {
    const auto shown = randomShown(7);
    const Interval span = shown->trace().span();
    for (const Lane& lane : shown->index.lanes().lanes())
        for (const view::Strip& strip : shown->index.strips(lane.id))
            for (int part = 0; part < 100; ++part) {
                const Ns begin = span.begin + span.length() / 100 * part;
                const Interval range{begin, begin + span.length() / 70};
                const auto [first, last] = strip.candidates(range);
                ASSERT_LE(first, last);
                ASSERT_LE(last, strip.times.size());
                for (std::size_t i = 0; i < strip.times.size(); ++i) {
                    const Interval t = strip.times[i];
                    const bool touches =
                        t.begin < range.end && (t.end > range.begin || t.begin >= range.begin);
                    ASSERT_TRUE(!touches || (first <= i && i < last));
                }
            }
}

} // namespace
