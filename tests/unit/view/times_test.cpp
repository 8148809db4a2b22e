// Times of strips, kept in any of the ways there are, and what of a strip may touch a range.
#include "shown_fixture.h"

#include <olab/trace/lanes.h>

#include <gtest/gtest.h>

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
    for (std::size_t i = 0; i + 4 <= wanted.size(); ++i) {
        Times::Four begins, ends;
        times.read(i, begins, ends);
        for (std::size_t k = 0; k < 4; ++k)
            ASSERT_EQ((Interval{begins[k], ends[k]}), wanted[i + k]) << i;
    }
}

TimesColumn columnOf(const std::vector<Interval>& times) {
    TimesColumn column(times.size());
    for (const Interval& time : times)
        column.add(time);
    return column;
}

TEST(Times, AreTheSameHoweverTheyAreKept) {
    const auto wanted = things(1, 1000, 5000, 5000);
    const TimesColumn column = columnOf(wanted);
    expectSame(column.times(), wanted);
    std::vector<Ns> begins, ends;
    for (const Interval& time : wanted)
        begins.push_back(time.begin), ends.push_back(time.end);
    expectSame(Times(begins, ends), wanted);
    EXPECT_LT(column.memoryBytes(), 9 * wanted.size());
    const std::vector<Interval> later(wanted.begin() + 130, wanted.begin() + 330);
    expectSame(column.times().part(130, 200), later);
    expectSame(Times(begins, ends).part(130, 200), later);
}

TEST(Times, ThatAreFarApartAreKeptWhole) {
    for (const auto& wanted :
         {things(2, 300, std::uint64_t{1} << 40, 5000), things(3, 300, 5000, std::uint64_t{1} << 40)})
        expectSame(columnOf(wanted).times(), wanted);
    auto late = things(4, 300, 5000, 5000); // short until the last one
    late.push_back({late.back().end, late.back().end + (Ns{1} << 50)});
    expectSame(columnOf(late).times(), late);
    expectSame(TimesColumn().times(), {});
}

TEST(Strips, CandidatesOfARangeThatBeginsAtATick) {
    const auto shown =
        shownOf({deviceWork(ActivityClass::Kernel, 1, 3, 7), deviceWork(ActivityClass::Kernel, 10, 10, 7),
                 deviceWork(ActivityClass::Kernel, 20, 20, 7)});
    const Strip& strip = shown->index.strips(LaneId{0}).front();
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
        for (const Strip& strip : shown->index.strips(lane.id))
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
