#include <olab/view/viewport.h>

#include <gtest/gtest.h>

#include <random>

using namespace olab;

namespace {

constexpr Ns kOrigin = 1'700'000'000'000'000'000;

view::Viewport secondWide(int width) {
    view::Viewport view;
    view.setLimits({kOrigin, kOrigin + 1'000'000'000});
    view.setWidth(width);
    view.fit();
    return view;
}

} // namespace

TEST(Viewport, FitShowsTheLimitsExactly) {
    const view::Viewport view = secondWide(1000);
    EXPECT_EQ(view.timeAt(0), kOrigin);
    EXPECT_EQ(view.timeAt(1000), kOrigin + 1'000'000'000);
    EXPECT_EQ(view.timeAt(1), kOrigin + 1'000'000);
}

TEST(Viewport, APixelShowsTheTimesThatAreMappedToIt) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 200; ++round) {
        view::Viewport view = secondWide(1 + static_cast<int>(random() % 3000));
        const Ns begin = kOrigin + static_cast<Ns>(random() % 900'000'000);
        view.show({begin, begin + 1 + static_cast<Ns>(random() % 100'000'000)});
        for (int px : {0, 1, view.width() / 2, view.width() - 1}) {
            const Interval column = view.column(px);
            ASSERT_GT(column.length(), 0);
            EXPECT_EQ(view.xAt(column.begin), px);
            EXPECT_EQ(view.xAt(column.end - 1), px);
            EXPECT_EQ(view.xAt(column.end), px + 1);
            EXPECT_EQ(view.xAt(column.begin - 1), px - 1);
        }
    }
}

TEST(Viewport, ColumnsTileTheVisibleRange) {
    view::Viewport view = secondWide(997);
    view.show({kOrigin + 12'345, kOrigin + 7'654'321});
    Ns covered = 0;
    for (int px = 0; px < view.width(); ++px)
        covered += view.column(px).length();
    EXPECT_EQ(covered, view.visible().length());
}

TEST(Viewport, TheTimeUnderTheCursorStaysWhenZooming) {
    view::Viewport view = secondWide(1283);
    for (const int px : {1, 17, 640, 1282}) {
        view.fit();
        const Ns before = view.timeAt(px);
        for (int i = 0; i < 40; ++i) {
            view.zoomAt(px, 0.83);
            ASSERT_EQ(view.timeAt(px), before) << "zooming in, step " << i;
        }
        for (int i = 0; i < 20; ++i) {
            view.zoomAt(px, 1.1);
            ASSERT_EQ(view.timeAt(px), before) << "zooming out, step " << i;
        }
    }
}

TEST(Viewport, ZoomStopsAtANanosecondAColumnAndAtTheLimits) {
    view::Viewport view = secondWide(800);
    for (int i = 0; i < 200; ++i)
        view.zoomAt(400, 0.5);
    EXPECT_EQ(view.visible().length(), 800);
    for (int i = 0; i < 200; ++i)
        view.zoomAt(3, 2);
    EXPECT_EQ(view.visible(), view.limits());
}

TEST(Viewport, PanningForthAndBackIsWhereItWas) {
    view::Viewport view = secondWide(1111);
    view.show({kOrigin + 300'000'001, kOrigin + 400'000'020});
    const view::Viewport before = view;
    for (const int px : {1, 7, 333}) {
        view.panBy(px);
        EXPECT_NE(view, before);
        view.panBy(-px);
        EXPECT_EQ(view, before);
    }
}

TEST(Viewport, PanningNeverChangesTheLengthAndStopsAtTheLimits) {
    view::Viewport view = secondWide(500);
    view.show({kOrigin + 100, kOrigin + 100'100});
    view.panBy(-1'000'000);
    EXPECT_EQ(view.visible().begin, kOrigin);
    EXPECT_EQ(view.visible().length(), 100'000);
    view.panBy(1'000'000'000);
    EXPECT_EQ(view.visible().end, view.limits().end);
    EXPECT_EQ(view.visible().length(), 100'000);
}

TEST(Viewport, NoOverflowOverTheWholeRangeOfTime) {
    view::Viewport view;
    view.setLimits({0, 9'000'000'000'000'000'000});
    view.setWidth(4000);
    view.fit();
    EXPECT_EQ(view.timeAt(4000), 9'000'000'000'000'000'000);
    EXPECT_EQ(view.xAt(4'500'000'000'000'000'000), 2000);
    EXPECT_EQ(view.edgeAt(4'500'000'000'000'000'000), 2000);
}

TEST(Viewport, EmptyLimitsStillShowSomething) {
    view::Viewport view;
    view.setLimits({5, 5});
    view.setWidth(300);
    EXPECT_GT(view.visible().length(), 0);
    EXPECT_GE(view.xAt(5), 0);
}

TEST(Viewport, AResizeKeepsTheVisibleRange) {
    view::Viewport view = secondWide(500);
    view.show({kOrigin + 1'000'000, kOrigin + 2'000'000});
    const Interval before = view.visible();
    view.setWidth(1500);
    EXPECT_EQ(view.visible(), before);
}
