// The index of a strip against looking at each thing.
#include "shown_fixture.h"

#include "column_cover.h"

#include <olab/trace/lanes.h>

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace olab;
using namespace olab::test;

namespace {

struct Things {
    std::vector<Ns> begins, ends;
    mutable TimesColumn kept; ///< the same, once they are asked for
    Times times() const {
        if (kept.size() != begins.size()) {
            kept = TimesColumn(begins.size());
            for (std::size_t i = 0; i < begins.size(); ++i)
                kept.add({begins[i], ends[i]});
            kept.finish();
        }
        return kept.times();
    }
    void add(Ns begin, Ns length) {
        begins.push_back(begin);
        ends.push_back(begin + length);
    }
    std::size_t position(Ns t) const {
        std::size_t count = 0;
        for (const Ns begin : begins)
            count += begin < t ? 1 : 0;
        return count;
    }
    bool touch(Interval column) const {
        for (std::size_t i = 0; i < begins.size(); ++i)
            if (begins[i] == ends[i]
                    ? column.contains(begins[i])
                    : begins[i] < column.end && ends[i] > column.begin && column.length() > 0)
                return true;
        return false;
    }
    Ns before(Ns t) const {
        Ns sum = 0;
        for (std::size_t i = 0; i < begins.size(); ++i)
            sum += std::max<Ns>(std::min(ends[i], t) - begins[i], 0);
        return sum;
    }
};

/// Gaps and lengths of any size from nothing to `longest`, and bursts of hundreds of very short things.
Things randomThings(std::uint32_t seed, std::size_t count, Ns longest) {
    std::mt19937_64 random(seed);
    const auto anySize = [&] {
        return static_cast<Ns>(random() % static_cast<std::uint64_t>(longest)) >> random() % 40;
    };
    Things things;
    Ns at = static_cast<Ns>(random() % 1'000'000'000);
    while (things.begins.size() < count) {
        at += anySize();
        const std::size_t many = random() % 100 == 0 ? 300 : 1;
        for (std::size_t i = 0; i < many; ++i) {
            const Ns length = many > 1 ? static_cast<Ns>(random() % 3) : anySize();
            things.add(at, length);
            at += length + static_cast<Ns>(random() % 2);
        }
    }
    return things;
}

/// Times everywhere, and those where something changes.
std::vector<Ns> timesToLookAt(const Things& things, std::uint32_t seed) {
    std::mt19937_64 random(seed);
    const Ns first = things.begins.front(), last = things.ends.back();
    std::vector<Ns> at{first - 5, first, first + 1, last - 1, last, last + 1, last + 1'000'000'000};
    for (int i = 0; i < 150; ++i) {
        const std::size_t thing = random() % things.begins.size();
        at.push_back(first + static_cast<Ns>(random() % static_cast<std::uint64_t>(last - first + 1)));
        at.push_back(things.begins[thing]);
        at.push_back(things.ends[thing]);
        at.push_back(things.begins[thing] + 1);
    }
    return at;
}

constexpr int kExactly = 1 << 20; ///< a column so high that the bits of the table are too coarse

view::ViewColumns columnsOf(Interval limits, Interval shown, int width) {
    view::Viewport view;
    view.setLimits(limits);
    view.setWidth(width);
    view.show(shown);
    return view::ViewColumns(view);
}

} // namespace

TEST(StripTable, FindsPositionsAndSumsAtAnyTime) {
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const Things things = randomThings(seed, seed == 1 ? 1 : 1500, seed < 4 ? 10'000 : 2'000'000);
        const view::StripTable table(things.times(), {}, seed % 2 == 0 ? 1.6 : 0.3);
        for (const Ns t : timesToLookAt(things, seed)) {
            view::StripTable::Sums sums{};
            ASSERT_EQ(table.position(t), things.position(t)) << "seed " << seed;
            ASSERT_EQ(table.before(t, sums), things.position(t)) << "seed " << seed;
            ASSERT_EQ(sums[0], things.before(t)) << "seed " << seed << " at " << t;
            ASSERT_LE(table.least(t), things.position(t));
            ASSERT_GE(table.most(t), things.position(t));
        }
    }
}

TEST(StripTable, AnyNumberOfThingsMayLieWithinAFewNanoseconds) {
    Things things;
    for (int i = 0; i < 1'000; ++i)
        things.add(1'000 + i / 100, 0);
    things.add(1'009, 5);
    const view::StripTable table(things.times(), {}, 1.6);
    for (Ns t = 990; t < 1'100; ++t) {
        view::StripTable::Sums sums{};
        ASSERT_EQ(table.before(t, sums), things.position(t)) << t;
        ASSERT_EQ(table.position(t), things.position(t)) << t;
        ASSERT_EQ(sums[0], things.before(t)) << t;
    }
}

TEST(StripTable, TheBitsAreWithinHalfAStep) {
    for (const std::uint32_t seed : {11u, 12u, 13u}) {
        const Things things = randomThings(seed, 1500, 100'000);
        const view::StripTable table(things.times(), {}, 1.6);
        for (const Ns t : timesToLookAt(things, seed)) {
            view::StripTable::Sums sums{};
            table.estimate(t, sums.data());
            ASSERT_NEAR(static_cast<double>(sums[0] - things.before(t)), 0,
                        static_cast<double>(table.stepLength()) / 2 + 1)
                << "seed " << seed;
        }
    }
}

TEST(ColumnCover, MeasuresEachColumn) {
    for (const std::uint32_t seed : {21u, 22u, 23u}) {
        const Things things = randomThings(seed, 1500, 100'000);
        const view::StripTable table(things.times(), {}, 1.7);
        std::mt19937_64 random(seed);
        const Interval limits{things.begins.front() - 10, things.ends.back() + 10};
        for (int look = 0; look < 40; ++look) {
            const Ns length = std::max<Ns>(2, limits.length() >> random() % 32),
                     begin =
                         limits.begin +
                         static_cast<Ns>(random() % static_cast<std::uint64_t>(limits.length() - length + 1));
            const view::ViewColumns columns = columnsOf(limits, {begin, begin + length}, 50);
            const view::ColumnCover cover(table, columns, kExactly);
            for (int px = 0; px < columns.count(); ++px) {
                const Interval column = columns[px];
                ASSERT_EQ(cover.busy(0)[static_cast<std::size_t>(px)],
                          things.before(column.end) - things.before(column.begin));
                ASSERT_EQ(cover.isTouched(static_cast<std::size_t>(px)), things.touch(column))
                    << column.begin << " to " << column.end;
            }
        }
    }
}

TEST(ColumnCover, MeasuresManyThingsInEachColumn) {
    for (const std::uint32_t seed : {24u, 25u}) {
        const Things things = randomThings(seed, 4000, seed == 24 ? 3'000 : 20'000'000);
        const view::StripTable table(things.times(), {}, 1.7);
        for (const std::size_t count : {200u, 1000u, 3900u}) {
            const Interval limits{things.begins.front() - 10, things.ends.back() + 10},
                shown{things.begins[50] + 1, things.ends[50 + count] - 1};
            const view::ViewColumns columns = columnsOf(limits, shown, 60);
            const view::ColumnCover cover(table, columns, kExactly);
            for (int px = 0; px < columns.count(); ++px) {
                const Interval column = columns[px];
                ASSERT_EQ(cover.busy(0)[static_cast<std::size_t>(px)],
                          things.before(column.end) - things.before(column.begin));
                ASSERT_EQ(cover.isTouched(static_cast<std::size_t>(px)), things.touch(column)) << px;
            }
        }
    }
}

TEST(StripTable, ACoarserLevelIsAsExactAsItIsAskedToBe) {
    const Things things = randomThings(61, 120'000, 4'000);
    const view::StripTable table(things.times(), {}, 1.7);
    EXPECT_EQ(table.within(table.stepLength() - 1), nullptr);
    std::vector<Ns> sums(1);
    std::size_t levels = 0;
    for (Ns error = 2 * table.stepLength() + 2; error < table.slotLength(); error *= 4, ++levels) {
        const view::StripTable* const level = table.within(error);
        ASSERT_TRUE(level);
        for (const Ns t : timesToLookAt(things, 61)) {
            view::StripTable::Sums exact{};
            table.before(t, exact);
            level->estimate(t, sums.data());
            ASSERT_LE(std::abs(sums[0] - exact[0]), error / 2 + 1) << t;
        }
    }
    EXPECT_GT(levels, 1u);
    EXPECT_NE(table.within(table.slotLength()), &table) << "a coarser one suffices";
}

TEST(ColumnCover, OfACrowdIsAskedOfTheTable) {
    Things things;
    for (int i = 0; i < 20'000; ++i)
        things.add(1'000 + 4 * i, i % 3);
    things.add(50'000'000, 10); // so that all others are in one slot
    const view::StripTable table(things.times(), {}, 1.6);
    const view::ViewColumns columns = columnsOf({0, 60'000'000}, {500, 90'000}, 100);
    const view::ColumnCover cover(table, columns, 100);
    for (int px = 0; px < columns.count(); ++px) {
        const Interval column = columns[px];
        ASSERT_EQ(cover.busy(0)[static_cast<std::size_t>(px)],
                  things.before(column.end) - things.before(column.begin));
        ASSERT_EQ(cover.isTouched(static_cast<std::size_t>(px)), things.touch(column)) << px;
    }
}

TEST(StripTable, AnHourIsRightToASmallPartOfASlotAndColumnsOfNanosecondsExactly) {
    const Things things = randomThings(31, 3000, 200'000'000'000);
    const view::StripTable table(things.times(), {}, 1.7);
    const Interval limits{things.begins.front(), things.ends.back()};
    ASSERT_GT(limits.length(), Ns{3600} * 1'000'000'000);
    for (const Ns t : timesToLookAt(things, 31)) {
        view::StripTable::Sums sums{};
        table.before(t, sums);
        ASSERT_NEAR(static_cast<double>(sums[0] - things.before(t)), 0,
                    static_cast<double>(table.slotLength()) / 100);
        const Ns begin = std::clamp(t, limits.begin, limits.end - 30);
        const view::ViewColumns columns = columnsOf(limits, {begin, begin + 30}, 10);
        const view::ColumnCover cover(table, columns, kExactly);
        for (int px = 0; px < 10; ++px)
            ASSERT_EQ(cover.busy(0)[static_cast<std::size_t>(px)],
                      things.before(columns[px].end) - things.before(columns[px].begin));
    }
}

TEST(StripTable, TheWholeRangeOfTimeIsNoProblem) {
    Things things;
    things.add(-4'600'000'000'000'000'000, 10);
    things.add(0, 4'600'000'000'000'000'000);
    const view::StripTable table(things.times(), {}, 1.6);
    EXPECT_EQ(table.position(1), 2u);
    view::StripTable::Sums sums{};
    table.before(2'300'000'000'000'000'000, sums);
    EXPECT_NEAR(static_cast<double>(sums[0]), 2.3e18, 1e10);
}

TEST(StripTable, ThingsOfNoLengthAtOneTimeAreAllBeforeTheNext) {
    Things things;
    for (int i = 0; i < 1000; ++i)
        things.add(5, 0);
    things.add(5, 7);
    const view::StripTable table(things.times(), {}, 1.6);
    EXPECT_EQ(table.position(5), 0u);
    EXPECT_EQ(table.position(6), 1001u);
    view::StripTable::Sums sums{};
    EXPECT_EQ(table.before(9, sums), 1001u);
    EXPECT_EQ(sums[0], 4);
}

TEST(StripTable, OfNothingFindsNothing) {
    const Things nothing;
    const view::StripTable table(nothing.times(), {}, 1.6);
    view::StripTable::Sums sums{};
    EXPECT_EQ(table.before(5, sums), 0u);
    EXPECT_EQ(table.position(5), 0u);
    EXPECT_EQ(sums[0], 0);
}

TEST(LongestTable, FindsEachThingThatIsLongEnough) {
    const Things things = randomThings(41, 5000, 1'000'000);
    const view::LongestTable table(things.times());
    for (const Ns length : {Ns{1}, Ns{2}, Ns{3}, Ns{1'000}, Ns{50'000}, Ns{900'000}, Ns{2'000'000}}) {
        std::size_t at = 17;
        for (std::size_t i = 17; i < things.begins.size() - 20; ++i) {
            if (things.ends[i] - things.begins[i] < length)
                continue;
            at = table.next(things.times(), at, things.begins.size() - 20, length);
            ASSERT_EQ(at++, i) << length;
        }
        ASSERT_EQ(table.next(things.times(), at, things.begins.size() - 20, length),
                  things.begins.size() - 20);
    }
}

TEST(StripTable, EachClassIsSummedAlone) {
    std::size_t most = 0;
    for (const std::uint32_t seed : {51u, 52u, 53u}) {
        const view::ViewDataPtr shown = randomShown(seed, 4000);
        for (const Lane& lane : shown->index.lanes().lanes())
            for (const view::Strip& strip : shown->index.strips(lane.id)) {
                const std::size_t layers = strip.table.layers();
                most = std::max(most, layers);
                std::map<ActivityClass, Things> ofClass;
                for (std::size_t i = 0; i < strip.activities.size(); ++i)
                    ofClass[shown->trace().cls(strip.activities[i])].add(strip.times.begin(i),
                                                                         strip.times[i].length());
                std::vector<Ns> times;
                const Interval limits = shown->limits();
                for (Ns t = limits.begin; t < limits.end; t += limits.length() / 200)
                    times.push_back(t);
                std::vector<Ns> estimated(times.size() * layers);
                strip.table.estimateAll(times, estimated.data());
                const auto half = static_cast<double>(strip.table.stepLength()) / 2 + 1;
                for (std::size_t i = 0; i < times.size(); ++i) {
                    view::StripTable::Sums exact{};
                    strip.table.before(times[i], exact);
                    for (std::size_t layer = 0; layer < strip.looks.size(); ++layer) {
                        const Ns expected = ofClass[strip.looks[layer]].before(times[i]);
                        ASSERT_EQ(exact[layer], expected);
                        ASSERT_NEAR(static_cast<double>(estimated[i * layers + layer] - expected), 0, half);
                    }
                }
            }
    }
    EXPECT_GT(most, 2u);
}

TEST(StripTable, AViewOfAWholeRunLooksAtNoActivityHoweverFewThousandThereAre) {
    constexpr Ns kEach = 4'000;
    for (const int count : {4'500, 6'000, 20'000, 60'000}) {
        std::vector<ActivityRecord> records;
        for (int i = 0; i < count; ++i)
            records.push_back(
                deviceWork(ActivityClass::MemcpyH2D, 2 * i * kEach, (2 * i + 1) * kEach + i % 700, 13));
        const view::ViewDataPtr shown = shownOf(records);
        view::Viewport view;
        view.setLimits(shown->limits());
        view.setWidth(1920);
        view.fit();
        const Lane* const engine = shown->index.lanes().engine(0, EngineKind::CopyH2D);
        ASSERT_TRUE(engine);
        const auto strips = shown->index.strips(engine->id);
        ASSERT_EQ(strips.size(), 1u);
        EXPECT_TRUE(view::levelFor(strips[0].table, view::ViewColumns(view), 27)) << count;
        EXPECT_LE(strips[0].table.memoryBytes(), static_cast<std::size_t>(count) * 9) << count;
    }
}

TEST(StripTable, OfAFewHundredTakesLittle) {
    std::vector<ActivityRecord> records;
    for (int i = 0; i < 1'000; ++i)
        records.push_back(deviceWork(ActivityClass::MemcpyH2D, i * 8'000, i * 8'000 + 4'000, 13));
    const view::ViewDataPtr shown = shownOf(records);
    for (const Lane& lane : shown->index.lanes().lanes())
        for (const view::Strip& strip : shown->index.strips(lane.id))
            EXPECT_LE(strip.table.memoryBytes(), 3 * strip.activities.size())
                << "ten thousand streams have ten thousand of these";
}
