#include "canvas_fixture.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;
using namespace olab::test;

TEST(TimelineCanvas, HoverFindsAnActivityWhereItIsDrawn) {
    CanvasOnScreen t(randomShown(11, 60));
    int checked = 0;
    for (ActivityIndex a = 0; a < t.canvas.shown()->trace().size(); ++a)
        for (const QRect& rect : t.canvas.rectsOf(a))
            if (rect.width() >= 3) {
                EXPECT_EQ(t.canvas.activityAt(rect.center()), a);
                ++checked;
            }
    EXPECT_GT(checked, 20);
}

TEST(TimelineCanvas, HoverOnShortActivitiesFindsOneInReach) {
    CanvasOnScreen t(randomShown(12, 3000));
    for (ActivityIndex a = 0; a < t.canvas.shown()->trace().size(); a += 7)
        for (const QRect& rect : t.canvas.rectsOf(a)) {
            const auto found = t.canvas.activityAt({rect.x(), rect.center().y()});
            ASSERT_TRUE(found);
            const Interval time = t.canvas.shown()->trace().time(*found);
            const auto px = t.canvas.viewport().xAt(t.canvas.shown()->trace().time(a).begin);
            EXPECT_LE(t.canvas.viewport().xAt(time.begin), px + 4);
            EXPECT_GE(t.canvas.viewport().xAt(time.end), px - 4);
        }
}

TEST(TimelineCanvas, EmptySpaceHoldsNothing) {
    CanvasOnScreen t(smallShown());
    const QRect first = t.canvas.rectsOf(0).front();
    EXPECT_EQ(t.canvas.activityAt({first.right() + 40, first.center().y()}), std::nullopt);
    EXPECT_EQ(t.canvas.activityAt({t.canvas.gutter() / 2, first.center().y()}), std::nullopt);
    EXPECT_EQ(t.canvas.activityAt({300, t.canvas.height() - 2}), std::nullopt);
}

TEST(TimelineCanvas, AnOpIsDrawnInItsEngineLaneAndInItsStreamLane) {
    CanvasOnScreen t(smallShown());
    for (ActivityIndex a = 0; a < 4; ++a)
        EXPECT_EQ(t.canvas.rectsOf(a).size(), 2u) << a;
}

TEST(TimelineCanvas, AClickSelectsAndAClickBesideDeselects) {
    CanvasOnScreen t(smallShown());
    const QSignalSpy spy(&t.canvas, &TimelineCanvas::selectionChanged);
    const QRect rect = t.canvas.rectsOf(2).front();
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, rect.center());
    EXPECT_EQ(t.canvas.selected(), 2u);
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, {rect.right() + 40, rect.center().y()});
    EXPECT_EQ(t.canvas.selected(), std::nullopt);
    EXPECT_EQ(spy.count(), 2);
}

TEST(TimelineCanvas, FullStopAndCommaStepAlongTheRow) {
    CanvasOnScreen t(smallShown());
    const QRect kernel = t.canvas.rectsOf(2).back(); // in its stream, which also holds the D2H copy
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, kernel.center());
    QTest::keyClick(&t.canvas, Qt::Key_Period);
    EXPECT_EQ(t.canvas.selected(), 3u);
    QTest::keyClick(&t.canvas, Qt::Key_Period);
    EXPECT_EQ(t.canvas.selected(), 3u) << "the last one stays";
    QTest::keyClick(&t.canvas, Qt::Key_Comma);
    EXPECT_EQ(t.canvas.selected(), 2u);
    QTest::keyClick(&t.canvas, Qt::Key_Comma);
    EXPECT_EQ(t.canvas.selected(), 2u) << "the first one stays";
}

TEST(TimelineCanvas, CtrlWheelZoomsAtThePointer) {
    CanvasOnScreen t(smallShown());
    const QPoint pointer(600, 60);
    const auto px = pointer.x() - t.canvas.gutter();
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
    const Viewport before = t.canvas.viewport();
    t.drag({500, 60}, {450, 60});
    const Viewport& after = t.canvas.viewport();
    EXPECT_EQ(after.visible().length(), before.visible().length());
    const Ns grabbed = before.timeAt(500 - t.canvas.gutter()), now = after.timeAt(450 - t.canvas.gutter());
    EXPECT_LE(std::abs(grabbed - now), 11 * before.lengthOf(1) / 10)
        << "each move rounds to whole nanoseconds only";
    EXPECT_EQ(t.canvas.selected(), std::nullopt) << "a drag is no click";
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
    QTest::mouseDClick(&t.canvas, Qt::LeftButton, {}, t.canvas.rectsOf(1).front().center());
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
        for (const QRect& rect : t.canvas.rectsOf(a))
            EXPECT_EQ(picture.pixelColor(rect.right() - 3, rect.y() + 2),
                      theme.colour(t.canvas.shown()->trace().cls(a)))
                << a;
}

TEST(TimelineCanvas, AScaledScreenKeepsRowsAndTimesInPlace) {
    CanvasOnScreen t(smallShown());
    EXPECT_EQ(t.canvas.viewport().width(),
              qRound((t.canvas.width() - t.canvas.gutter()) * t.canvas.devicePixelRatioF()));
}
