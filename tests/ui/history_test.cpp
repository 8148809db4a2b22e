// Back and forth through the views that were seen.
#include "patience.h"
#include "shown_fixture.h"

#include <olab/ui/timeline_view.h>

#include <timeline/rows/timeline_rows.h>
#include <timeline/view_history.h>

#include <QTest>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

constexpr int kLook = ViewHistory::kMoment + 150;

} // namespace

TEST(ViewHistory, GoesBackToWhatWasLookedAt) {
    TimelineView view;
    view.resize(900, 400);
    view.show();
    view.setShown(randomShown(71));
    TimelineCanvas& canvas = view.canvas();
    ViewHistory& history = view.history();
    const Interval whole = canvas.viewport().visible();
    EXPECT_FALSE(history.canGo(-1));
    for (int i = 0; i < 5; ++i)
        canvas.zoomAt(400, 0.7); // a wheel: many steps, one view
    const Interval second = canvas.viewport().visible();
    letPass(kLook);
    canvas.panBy(200);
    canvas.rows().setScroll(30);
    const Interval third = canvas.viewport().visible();
    ASSERT_TRUE(history.canGo(-1)) << "also before it was looked at for long";
    history.back();
    EXPECT_EQ(canvas.viewport().visible(), second);
    EXPECT_EQ(canvas.rows().scroll(), 0);
    history.back();
    EXPECT_EQ(canvas.viewport().visible(), whole);
    EXPECT_FALSE(history.canGo(-1));
    history.back();
    EXPECT_EQ(canvas.viewport().visible(), whole);
    history.forth();
    history.forth();
    EXPECT_EQ(canvas.viewport().visible(), third);
    EXPECT_FALSE(history.canGo(+1));
    history.back();
    canvas.panBy(-300);
    letPass(kLook);
    EXPECT_FALSE(history.canGo(+1)) << "a new way was taken";
    history.back();
    EXPECT_EQ(canvas.viewport().visible(), second);
}

TEST(ViewHistory, BeginsAnewWithAnotherRecording) {
    TimelineView view;
    view.resize(900, 400);
    view.show();
    view.setShown(randomShown(72));
    view.canvas().zoomAt(400, 0.1);
    letPass(kLook);
    EXPECT_TRUE(view.history().canGo(-1));
    view.setShown(smallShown());
    EXPECT_FALSE(view.history().canGo(-1));
    view.history().back();
    EXPECT_TRUE(view.canvas().viewport().isFit());
}
