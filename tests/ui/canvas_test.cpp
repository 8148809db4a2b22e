#include "canvas_fixture.h"
#include "double_click.h"

#include <timeline/canvas/legend.h>
#include <timeline/canvas/small_picture.h>

#include <QSignalSpy>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

TEST(TimelineCanvas, NamesAreMadeWiderAtTheirEdge) {
    CanvasOnScreen t(randomShown(11, 60));
    const int usual = t.canvas.gutter();
    EXPECT_EQ(usual, t.canvas.viewStyle().scaled(160));
    const Interval seen = t.canvas.viewport().visible();
    t.drag({usual, 60}, {usual + 70, 60});
    EXPECT_NEAR(t.canvas.gutter(), usual + 70, 2);
    EXPECT_EQ(t.canvas.viewport().visible(), seen) << "the same time in less room";
    QTest::mouseDClick(&t.canvas, Qt::LeftButton, {}, {t.canvas.gutter(), 60});
    EXPECT_EQ(t.canvas.gutter(), usual);
    t.canvas.setNamesWidth(5000);
    EXPECT_LE(t.canvas.gutter(), t.canvas.viewStyle().scaled(480));
}

TEST(TimelineCanvas, HoverFindsAnActivityWhereItIsDrawn) {
    CanvasOnScreen t(randomShown(11, 60));
    int checked = 0;
    for (ActivityIndex a = 0; a < t.canvas.shown()->trace().size(); ++a)
        for (const QRect& rect : t.canvas.map().rectsOf(a))
            if (rect.width() >= 3) {
                EXPECT_EQ(t.canvas.map().activityAt(rect.center()), a);
                ++checked;
            }
    EXPECT_GT(checked, 20);
}

TEST(TimelineCanvas, HoverOnShortActivitiesFindsOneInReach) {
    CanvasOnScreen t(randomShown(12, 3000));
    for (ActivityIndex a = 0; a < t.canvas.shown()->trace().size(); a += 7)
        for (const QRect& rect : t.canvas.map().rectsOf(a)) {
            const auto found = t.canvas.map().activityAt({rect.x(), rect.center().y()});
            ASSERT_TRUE(found);
            const Interval time = t.canvas.shown()->trace().time(*found);
            const auto px = t.canvas.viewport().xAt(t.canvas.shown()->trace().time(a).begin);
            EXPECT_LE(t.canvas.viewport().xAt(time.begin), px + 4);
            EXPECT_GE(t.canvas.viewport().xAt(time.end), px - 4);
        }
}

TEST(TimelineCanvas, EmptySpaceHoldsNothing) {
    CanvasOnScreen t(smallShown());
    const QRect first = t.canvas.map().rectsOf(0).front();
    EXPECT_EQ(t.canvas.map().activityAt({first.right() + 40, first.center().y()}), std::nullopt);
    EXPECT_EQ(t.canvas.map().activityAt({t.canvas.gutter() / 2, first.center().y()}), std::nullopt);
    EXPECT_EQ(t.canvas.map().activityAt({300, t.canvas.height() - 2}), std::nullopt);
}

TEST(TimelineCanvas, AnOpIsDrawnInItsEngineLaneAndInItsStreamLane) {
    CanvasOnScreen t(smallShown());
    for (ActivityIndex a = 0; a < 4; ++a)
        EXPECT_EQ(t.canvas.map().rectsOf(a).size(), 2u) << a;
}

TEST(TimelineCanvas, AClickSelectsAndAClickBesideDeselects) {
    CanvasOnScreen t(smallShown());
    const QSignalSpy spy(&t.canvas, &TimelineCanvas::selectionChanged);
    const QRect rect = t.canvas.map().rectsOf(2).front();
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, rect.center());
    EXPECT_EQ(t.canvas.selection().activity(), 2u);
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, {rect.right() + 40, rect.center().y()});
    EXPECT_EQ(t.canvas.selection().activity(), std::nullopt);
    EXPECT_EQ(spy.count(), 2);
}

TEST(TimelineCanvas, FullStopAndCommaStepAlongTheRow) {
    CanvasOnScreen t(smallShown());
    const QRect kernel = t.canvas.map().rectsOf(2).back(); // in its stream, which also holds the D2H copy
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, kernel.center());
    QTest::keyClick(&t.canvas, Qt::Key_Period);
    EXPECT_EQ(t.canvas.selection().activity(), 3u);
    QTest::keyClick(&t.canvas, Qt::Key_Period);
    EXPECT_EQ(t.canvas.selection().activity(), 3u) << "the last one stays";
    QTest::keyClick(&t.canvas, Qt::Key_Comma);
    EXPECT_EQ(t.canvas.selection().activity(), 2u);
    QTest::keyClick(&t.canvas, Qt::Key_Comma);
    EXPECT_EQ(t.canvas.selection().activity(), 2u) << "the first one stays";
}

TEST(TimelineCanvas, CtrlWheelZoomsAtThePointer) {
    CanvasOnScreen t(smallShown());
    const QPoint pointer(600, 60);
    const auto px = t.column(pointer.x());
    const Ns before = t.canvas.viewport().timeAt(px);
    const Ns length = t.canvas.viewport().visible().length();
    QWheelEvent wheel(pointer, t.canvas.mapToGlobal(pointer), {}, {0, 120}, Qt::NoButton, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&t.canvas, &wheel);
    EXPECT_LT(t.canvas.viewport().visible().length(), length);
    EXPECT_EQ(t.canvas.viewport().timeAt(px), before);
}

TEST(TimelineCanvas, ADragMovesTheTimeWithTheHand) {
    CanvasOnScreen t(smallShown());
    t.canvas.showRange({1'200'000, 1'400'000});
    const view::Viewport before = t.canvas.viewport();
    t.drag({500, 60}, {450, 60});
    const view::Viewport& after = t.canvas.viewport();
    EXPECT_EQ(after.visible().length(), before.visible().length());
    const Ns grabbed = before.timeAt(t.column(500)), now = after.timeAt(t.column(450));
    EXPECT_LE(std::abs(grabbed - now), 11 * before.lengthOf(1) / 10)
        << "each move rounds to whole nanoseconds only";
    EXPECT_EQ(t.canvas.selection().activity(), std::nullopt) << "a drag is no click";
}

TEST(TimelineCanvas, KeysZoomPanAndFit) {
    CanvasOnScreen t(smallShown());
    const Interval all = t.canvas.viewport().visible();
    QTest::keyClick(&t.canvas, Qt::Key_W);
    const Interval zoomed = t.canvas.viewport().visible();
    EXPECT_LT(zoomed.length(), all.length());
    QTest::keyClick(&t.canvas, Qt::Key_D);
    EXPECT_GT(t.canvas.viewport().visible().begin, zoomed.begin);
    QTest::keyClick(&t.canvas, Qt::Key_A);
    EXPECT_EQ(t.canvas.viewport().visible(), zoomed);
    QTest::keyClick(&t.canvas, Qt::Key_Home);
    EXPECT_EQ(t.canvas.viewport().visible(), all);
}

TEST(TimelineCanvas, ADoubleClickZoomsToTheOp) {
    CanvasOnScreen t(smallShown());
    doubleClick(t.canvas, t.canvas.map().rectsOf(1).front().center());
    const Interval seen = t.canvas.viewport().visible(), time = t.canvas.shown()->trace().time(1);
    EXPECT_LE(seen.begin, time.begin);
    EXPECT_GE(seen.end, time.end);
    EXPECT_LE(seen.length(), 4 * time.length());
}

TEST(TimelineCanvas, BarsAreOnThePictureInTheirColour) {
    CanvasOnScreen t(smallShown());
    const QImage picture = t.canvas.grab().toImage();
    const Theme& theme = Theme::of(t.canvas.palette());
    for (ActivityIndex a : {0u, 2u}) // plain fills; the others have a hatch
        for (const QRect& rect : t.canvas.map().rectsOf(a))
            EXPECT_EQ(colourAt(picture, {rect.right() - 3, rect.y() + 2}),
                      theme.colour(t.canvas.shown()->trace().cls(a)))
                << a;
}

TEST(TimelineCanvas, AScaledScreenKeepsRowsAndTimesInPlace) {
    CanvasOnScreen t(smallShown());
    const double ratio = t.canvas.devicePixelRatioF();
    EXPECT_EQ(t.canvas.viewport().width(),
              qRound(t.canvas.width() * ratio) - qRound(t.canvas.gutter() * ratio));
}

TEST(TimelineCanvas, WhatIsDrawnIsFoundThereAtAnyRatio) {
    CanvasOnScreen t(randomShown(31, 400));
    const Theme& theme = Theme::of(t.canvas.palette());
    const Trace& trace = t.canvas.shown()->trace();
    std::mt19937 random(7);
    int checked = 0;
    for (int zoom = 0; zoom < 6; ++zoom) {
        const QImage picture = t.canvas.grab().toImage();
        for (int i = 0; i < 3000; ++i) {
            const QPoint point(t.canvas.gutter() + static_cast<int>(random() % 830),
                               static_cast<int>(random() % 500));
            for (const ActivityClass cls : {ActivityClass::Kernel, ActivityClass::MemcpyH2D}) {
                if (colourAt(picture, point) != theme.colour(cls))
                    continue;
                const auto found = t.canvas.map().activityAt(point);
                ASSERT_TRUE(found) << point.x() << ", " << point.y();
                for (const QRect& rect : t.canvas.map().rectsOf(*found))
                    if (rect.width() > 4 && rect.contains(point)) {
                        EXPECT_EQ(trace.cls(*found), cls) << point.x() << ", " << point.y();
                        ++checked;
                    }
            }
        }
        t.canvas.zoomAt(500, 0.5);
    }
    EXPECT_GT(checked, 500);
}

TEST(TimelineCanvas, NoSeamAndNoForeignColourAtAnyRatio) {
    CanvasOnScreen t(randomShown(32, 400));
    for (const int height : {519, 520, 521, 523}) {
        t.canvas.resize(1001, height);
        QCoreApplication::processEvents();
        const QImage picture = t.canvas.grab().toImage().convertToFormat(QImage::Format_RGB32);
        for (int y = 0; y < picture.height(); ++y) // left of the names' text nothing but their grounds
            for (const int x : {1, picture.width() - 1}) {
                const QColor here = picture.pixelColor(x, y);
                EXPECT_GT(here.lightness(), 40) << "black at " << x << ", " << y << " of " << height;
            }
    }
}

TEST(Legend, IsOneLineOfWhatIsInViewAndTellsTheRibbon) {
    Legend legend(nullptr);
    const view::ViewDataPtr shown = smallShown();
    legend.setShown(shown);
    legend.show();
    const int line = legend.height();
    for (const int wide : {1500, 400, 150}) {
        legend.resize(wide, line);
        QCoreApplication::processEvents();
        EXPECT_EQ(legend.height(), line) << "whatever the width";
        const auto places = legend.placesIn(wide);
        EXPECT_EQ(places.size() == static_cast<std::size_t>(legend.names().size()), wide == 1500);
        for (std::size_t i = 0; i < places.size(); ++i) {
            EXPECT_TRUE(legend.rect().contains(places[i])) << wide << ": " << i;
            EXPECT_FALSE(i > 0 && places[i].left() < places[i - 1].right());
        }
        EXPECT_FALSE(legend.grab().isNull());
    }
    EXPECT_TRUE(legend.names().contains(QStringLiteral("3 or more")));
    EXPECT_TRUE(legend.names().contains(QStringLiteral("kernel")));
    const Interval span = shown->trace().span();
    legend.setSeen({span.end + 1000, span.end + 2000});
    EXPECT_FALSE(legend.names().contains(QStringLiteral("kernel"))) << "none is in view";
    legend.setShown(nullptr);
    EXPECT_TRUE(legend.names().isEmpty());
}

TEST(Legend, NcclIsCommunicationAndNoKernel) {
    ActivityRecord reduce = deviceWork(ActivityClass::Kernel, 2'000'000, 3'000'000, 14);
    reduce.name = textId("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
    const view::ViewDataPtr shown =
        shownOf({deviceWork(ActivityClass::Kernel, 1'000'000, 2'000'000, 13), reduce});
    Legend legend(nullptr);
    legend.setShown(shown);
    EXPECT_TRUE(legend.names().contains(QStringLiteral("kernel")));
    EXPECT_TRUE(legend.names().contains(QStringLiteral("communication")));
    legend.setSeen({2'100'000, 2'900'000});
    EXPECT_FALSE(legend.names().contains(QStringLiteral("kernel")));
    EXPECT_TRUE(legend.names().contains(QStringLiteral("communication")));
    EXPECT_TRUE(legend.names().contains(QStringLiteral("1 engine")));
    const QImage whole = pictureOf(*shown, {200, 20}, Theme::light());
    EXPECT_EQ(whole.pixelColor(20, 10), Theme::light().colour(ActivityClass::Kernel));
    EXPECT_EQ(whole.pixelColor(180, 10), Theme::light().colour(view::kCommunication));
}

TEST(TimelineCanvas, ACallThatIssuedVeryMuchWorkIsSelectedAndPaintedInLittleWork) {
    constexpr Ns kPieces = 100'000;
    ActivityRecord call;
    call.cls = ActivityClass::Api;
    call.thread = 4711;
    call.name = textId("cudaGraphLaunch");
    call.correlation = 7;
    call.begin = 0;
    call.end = 5'000;
    std::vector<ActivityRecord> records{call};
    for (Ns i = 0; i < kPieces; ++i) {
        records.push_back(deviceWork(ActivityClass::Kernel, 10'000 + i * 100, 10'050 + i * 100, 13));
        records.back().correlation = 7;
    }
    CanvasOnScreen t(shownOf(records));
    t.canvas.select(ActivityIndex{0});
    ASSERT_EQ(t.canvas.shown()->sameOp(ActivityIndex{0}).size(), 100'001u);
    const auto lit = t.canvas.selection().litIn(t.canvas.viewport().visible());
    EXPECT_EQ(lit.size(), 2'000u);
    EXPECT_EQ(lit.front(), ActivityIndex{0});
    EXPECT_GT(lit.back(), ActivityIndex{99'000}) << "all over the view";
    (void)t.canvas.grab();
    t.canvas.showRange({20'000, 20'500}); // a few of them
    const Interval seen = t.canvas.viewport().visible();
    std::vector<ActivityIndex> expected;
    for (ActivityIndex a{0}; a < t.canvas.shown()->trace().size(); ++a)
        if (const Interval time = t.canvas.shown()->trace().time(a);
            time.end >= seen.begin && time.begin <= seen.end)
            expected.push_back(a);
    EXPECT_EQ(t.canvas.selection().litIn(t.canvas.viewport().visible()), expected);
    EXPECT_LT(expected.size(), 20u);
    t.canvas.showRange({1'000, 2'000}); // within the call, which began before
    EXPECT_EQ(t.canvas.selection().litIn(t.canvas.viewport().visible()), std::vector{ActivityIndex{0}});
}
