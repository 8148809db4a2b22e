// Truthful pixels against a count by hand that knows neither IntervalSet nor StripView.
#include "shown_fixture.h"

#include <olab/trace/lanes.h>
#include <olab/ui/strip_painter.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

constexpr int kHeight = 33;

view::Viewport viewOf(const view::ViewData& shown, int width, Interval range) {
    view::Viewport view;
    view.setLimits(shown.limits());
    view.setWidth(width);
    view.show(range);
    return view;
}

/// A view of the whole run, some of parts of it, down to a few nanoseconds a pixel.
std::vector<view::Viewport> manyViews(const view::ViewData& shown, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<view::Viewport> views{viewOf(shown, 701, shown.limits())};
    for (const Ns length : {2'000'000, 300'000, 40'000, 5'000, 1'000})
        for (int i = 0; i < 3; ++i) {
            const Ns begin = shown.limits().begin +
                             std::uniform_int_distribution<Ns>(0, shown.limits().length() - length)(random);
            views.push_back(viewOf(shown, 257 + i * 111, {begin, begin + length}));
        }
    return views;
}

bool isTouched(Interval time, Interval column) {
    return time.length() == 0 ? column.contains(time.begin)
                              : time.begin < column.end && time.end > column.begin;
}

struct Counted {
    Ns busy = 0;
    bool any = false, shortOne = false;
};

/// What a column holds, activity by activity. Activities of a strip never cross, so their parts add up.
Counted countColumn(const view::ViewData& shown, const view::Strip& strip, const view::Viewport& view,
                    Interval column) {
    Counted counted;
    for (const ActivityIndex a : strip.activities) {
        const Interval time = shown.trace().time(a);
        if (!isTouched(time, column))
            continue;
        counted.any = true;
        counted.busy += std::min(time.end, column.end) - std::max(time.begin, column.begin);
        counted.shortOne = counted.shortOne || time.length() < view.lengthOf(2);
    }
    return counted;
}

int paintedRows(const QImage& image, int x, int rows, QRgb empty) {
    int painted = 0;
    for (int y = 0; y < rows; ++y)
        painted += image.pixel(x, y) != empty;
    return painted;
}

/// `slack`: pixels of height beyond the half that rounding takes.
void checkStrip(const view::ViewData& shown, const view::Strip& strip, const view::Viewport& view,
                double slack = 1e-9) {
    const Theme& theme = Theme::light();
    QImage image(view.width(), kHeight, QImage::Format_RGB32);
    const view::ViewColumns columns(view);
    const view::StripView drawn(strip, columns, kHeight - 1);
    StripPainter painter(image, 0,
                         std::vector<QRgb>(static_cast<std::size_t>(view.width()), theme.base.rgb()), theme);
    painter.paint(0, kHeight, drawn, shown.index.looks());
    for (int px = 0; px < view.width(); ++px) {
        const Interval column = view.column(px);
        const Counted counted = countColumn(shown, strip, view, column);
        const bool tick = image.pixel(px, kHeight - 1) == theme.tick.rgb();
        const int fill = drawn.coveredByBar(px) ? 0 : paintedRows(image, px, kHeight - 1, theme.base.rgb());
        if (counted.shortOne) {
            ASSERT_FALSE(drawn.coveredByBar(px)) << "a bar hides something shorter in column " << px;
        }
        ASSERT_EQ(tick, counted.shortOne) << "column " << px;
        const double share = static_cast<double>(counted.busy) / static_cast<double>(column.length());
        ASSERT_NEAR(fill, counted.shortOne ? share * (kHeight - 1) : 0, 0.5 + slack) << "column " << px;
        if (!counted.any) {
            ASSERT_FALSE(drawn.coveredByBar(px) && drawn.coveredByBar(px - 1) && drawn.coveredByBar(px + 1))
                << "column " << px;
        }
    }
}

} // namespace

TEST(StripPainter, FillHeightIsTheMeasuredShareAndTicksAreWhereSomethingIs) {
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
        const view::ViewDataPtr shown = randomShown(seed);
        for (const view::Viewport& view : manyViews(*shown, seed))
            for (const Lane& lane : shown->index.lanes().lanes())
                for (const view::Strip& strip : shown->index.strips(lane.id))
                    checkStrip(*shown, strip, view);
    }
}

TEST(StripPainter, ManyActivitiesInAColumnAreRightToOnePixel) {
    const view::ViewDataPtr shown = randomShown(8, 30'000);
    std::mt19937 random(8);
    int glided = 0;
    for (const int width : {3, 17, 60, 150, 400}) {
        const Ns length = shown->limits().length() / static_cast<Ns>(1 + random() % 5);
        const Ns begin = shown->limits().begin +
                         std::uniform_int_distribution<Ns>(0, shown->limits().length() - length)(random);
        const view::Viewport view = viewOf(*shown, width, {begin, begin + length});
        for (const Lane& lane : shown->index.lanes().lanes())
            for (const view::Strip& strip : shown->index.strips(lane.id)) {
                glided += view::levelFor(strip.table, view::ViewColumns(view), kHeight - 1) ? 1 : 0;
                checkStrip(*shown, strip, view, 0.5);
            }
    }
    EXPECT_GT(glided, 10) << "both ways must be looked at";
}

TEST(StripPainter, ARibbonIsRightToOnePixel) {
    const view::ViewDataPtr shown = randomShown(10, 30'000);
    const auto& sets = shown->index.atOnce(0);
    for (const int width : {5, 60, 1000, 20'000}) {
        const view::ViewColumns columns(viewOf(*shown, width, shown->limits()));
        std::vector<int> tops(static_cast<std::size_t>(width));
        for (std::size_t level = 0; level < sets.size(); ++level) {
            view::paintTops(shown->index.atOnceTables(0)[level], columns, kHeight, tops);
            for (int px = 0; px < width; ++px) {
                const double share = static_cast<double>(sets[level].measure(columns[px])) /
                                     static_cast<double>(columns[px].length());
                ASSERT_NEAR(tops[static_cast<std::size_t>(px)], share * kHeight, 1) << "column " << px;
            }
        }
    }
}

TEST(StripPainter, WhatIsDrawnIsWhatIsJudged) {
    const view::ViewDataPtr shown = randomShown(9);
    for (const view::Viewport& view : manyViews(*shown, 9))
        for (const Lane& lane : shown->index.lanes().lanes()) {
            if (lane.depthCount != 1)
                continue;
            const view::ViewColumns columns(view);
            const view::StripView drawn(shown->index.strips(lane.id)[0], columns, kHeight);
            for (int px = 0; px < view.width(); ++px)
                if (const view::ColumnFill fill = drawn.column(px); fill.tick) {
                    ASSERT_EQ(fill.total, view::shareHeight(lane.busy.measure(view.column(px)),
                                                            view.column(px).length(), kHeight));
                }
        }
}

TEST(StripPainter, EveryLongActivityIsABarWithinAPixelOfItsTimes) {
    const view::ViewDataPtr shown = randomShown(4);
    for (const view::Viewport& view : manyViews(*shown, 4))
        for (const Lane& lane : shown->index.lanes().lanes())
            for (const view::Strip& strip : shown->index.strips(lane.id)) {
                const view::ViewColumns columns(view);
                const view::StripView drawn(strip, columns, kHeight);
                for (const view::Bar& bar : drawn.bars()) {
                    const Interval time = shown->trace().time(bar.activity);
                    EXPECT_GE(time.length(), view.lengthOf(2));
                    EXPECT_LE(std::max<std::int64_t>(view.xAt(time.begin), 0), bar.x0);
                    EXPECT_LE(bar.x0 - std::max<std::int64_t>(view.xAt(time.begin), 0), 2);
                    EXPECT_GE(std::min<std::int64_t>(view.xAt(time.end) + 1, view.width()), bar.x1);
                    EXPECT_LE(std::min<std::int64_t>(view.xAt(time.end) + 1, view.width()) - bar.x1, 2);
                }
            }
}

TEST(StripPainter, NothingIsHidden) {
    const view::ViewDataPtr shown = randomShown(5);
    for (const view::Viewport& view : manyViews(*shown, 5))
        for (const Lane& lane : shown->index.lanes().lanes())
            for (const view::Strip& strip : shown->index.strips(lane.id)) {
                const view::ViewColumns columns(view);
                const view::StripView drawn(strip, columns, kHeight);
                for (const ActivityIndex a : strip.activities) {
                    const Interval time = shown->trace().time(a);
                    if (!isTouched(time, view.visible()))
                        continue;
                    bool seen = false;
                    const auto last = std::min<std::int64_t>(view.xAt(std::max(time.begin, time.end - 1)),
                                                             view.width() - 1);
                    for (auto px = std::max<std::int64_t>(view.xAt(time.begin), 0); px <= last && !seen; ++px)
                        seen = drawn.coveredByBar(static_cast<int>(px)) ||
                               drawn.column(static_cast<int>(px)).tick;
                    // A bar cut by the border of the view may round to nothing there.
                    EXPECT_TRUE(seen || last - view.xAt(time.begin) < 1 || last == 0 ||
                                view.xAt(time.begin) >= view.width() - 1)
                        << "activity " << a << " of " << lane.label;
                }
            }
}

TEST(StripPainter, ClassesOfAColumnAddUpToItsHeight) {
    const view::ViewDataPtr shown = randomShown(6);
    const view::Viewport view = viewOf(*shown, 97, shown->limits()); // many activities a column
    for (const Lane& lane : shown->index.lanes().lanes())
        for (const view::Strip& strip : shown->index.strips(lane.id)) {
            const view::ViewColumns columns(view);
            const view::StripView drawn(strip, columns, kHeight);
            for (int px = 0; px < view.width(); ++px) {
                const view::ColumnFill fill = drawn.column(px);
                int sum = 0;
                for (const int part : fill.height)
                    sum += part;
                ASSERT_EQ(sum, fill.total);
            }
        }
}

TEST(StripPainter, ActivitiesThatCrossAreInDifferentStrips) {
    using enum ActivityClass;
    const view::ViewDataPtr shown =
        shownOf({deviceWork(Kernel, 1'000, 9'000, 13), deviceWork(Kernel, 5'000, 12'000, 14),
                 deviceWork(Kernel, 13'000, 14'000, 13)});
    const Lane* compute = shown->index.lanes().engine(0, EngineKind::Compute);
    ASSERT_NE(compute, nullptr);
    const auto strips = shown->index.strips(compute->id);
    ASSERT_EQ(strips.size(), 2u);
    Ns busy = 0;
    for (const view::Strip& strip : strips)
        for (std::size_t i = 0; i < strip.times.size(); ++i)
            busy += strip.times[i].length();
    EXPECT_EQ(busy, 8'000 + 7'000 + 1'000);
}

TEST(StripPainter, TheRibbonCountsEnginesAtOnce) {
    using enum ActivityClass;
    const view::ViewDataPtr shown = shownOf({deviceWork(MemcpyH2D, 0 + 1000, 1000 + 600, 13),
                                             deviceWork(Kernel, 1000 + 200, 1000 + 800, 14),
                                             deviceWork(MemcpyD2H, 1000 + 400, 1000 + 500, 15)});
    const auto& atOnce = shown->index.atOnce(0);
    EXPECT_EQ(atOnce[0].total(), 800);
    EXPECT_EQ(atOnce[1].total(), 400);
    EXPECT_EQ(atOnce[2].total(), 100);
}
