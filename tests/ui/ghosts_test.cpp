// Waits before operations and the ideal run, as ghosts in the timeline.
#include "account_fixture.h"
#include "canvas_fixture.h"
#include "patience.h"
#include "window_states.h"

#include <olab/trace/lanes.h>
#include <olab/ui/timeline_view.h>

#include <results/inspector.h>
#include <timeline/canvas/canvas_marks.h>
#include <timeline/canvas/legend.h>
#include <timeline/input/canvas_menu.h>
#include <timeline/rows/timeline_rows.h>
#include <timeline/texts/range_text.h>

#include <QMenu>
#include <QSettings>
#include <QSignalSpy>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

struct GhostsOnScreen : CanvasOnScreen {
    GhostsOnScreen()
        : CanvasOnScreen(shownWith(smallLedger())) {
        canvas.activateWindow();
        (void)QTest::qWaitForWindowActive(&canvas, kPatience);
        canvas.setFocus();
    }
    /// In the middle of the wait before an operation, in the row of its stream.
    QPoint before(ActivityIndex op) const {
        const Interval wait = canvas.shown()->account()->waitOf(op)->time;
        const QRect time = canvas.map().rectOf(wait);
        for (const view::Strip* strip : canvas.rows().drawn().stripsWith(op))
            if (strip->lane->kind == LaneKind::Stream)
                return {time.center().x(),
                        canvas.map().rectOf(*canvas.rows().layout().of(strip->lane->id)).center().y()};
        return {};
    }
    QImage grab() { return canvas.grab().toImage(); }
};

} // namespace

TEST(Ghosts, GShowsAndHidesWhatOperationsWaitedFor) {
    GhostsOnScreen t;
    const QImage without = t.grab();
    const QSignalSpy changed(&t.canvas, &TimelineCanvas::ghostsChanged);
    QTest::keyClick(&t.canvas, Qt::Key_G);
    EXPECT_TRUE(t.canvas.ghosts().showsWaits());
    EXPECT_EQ(changed.size(), 1);
    const QImage with = t.grab();
    const Theme& theme = Theme::of(t.canvas.palette());
    const QPoint host = t.before(2); // hatched: fill or ink
    EXPECT_NE(colourAt(with, host), colourAt(without, host));
    int ghost = 0;
    for (int y = 0; y < t.canvas.height(); ++y)
        ghost +=
            colourAt(with, {host.x(), y}) == ghostFill(theme.colour(analysis::LossCause::HostLate), theme) ||
            colourAt(with, {host.x(), y}) == theme.colour(analysis::LossCause::HostLate);
    EXPECT_GT(ghost, 2);
    EXPECT_LT(ghost, t.canvas.rows().at(host.y())->stripHeight) << "thinner than a bar";
    for (ActivityIndex op = 0; op < 4; ++op)
        for (const QRect& bar : t.canvas.map().rectsOf(op))
            EXPECT_EQ(colourAt(with, bar.center()), colourAt(without, bar.center()))
                << "bars stay as they are";
    QTest::keyClick(&t.canvas, Qt::Key_G);
    EXPECT_EQ(t.grab(), without);
}

TEST(Ghosts, OneSaysWhoWaitedHowLongAndForWhat) {
    GhostsOnScreen t;
    EXPECT_FALSE(t.canvas.map().waitAt(t.before(1))) << "what is not shown is not there";
    t.canvas.ghosts().setShowsWaits(true);
    const auto wait = t.canvas.map().waitAt(t.before(1));
    ASSERT_TRUE(wait);
    const QString text = waitText(*t.canvas.shown(), *wait);
    EXPECT_TRUE(text.contains(QStringLiteral("waited 50"))) << qPrintable(text);
    EXPECT_TRUE(text.contains(QStringLiteral("the NULL stream"))) << qPrintable(text);
    EXPECT_TRUE(text.contains(QStringLiteral("Held by H2D"))) << qPrintable(text);
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, t.before(1));
    EXPECT_EQ(t.canvas.selection().activity(), ActivityIndex{1}) << "a click selects who waited";
}

TEST(Ghosts, FromFarAwayNothingIsNoise) {
    GhostsOnScreen t;
    t.canvas.ghosts().setShowsWaits(false);
    view::Viewport far;
    far.setLimits({0, 1'000'000'000});
    far.setWidth(900);
    const view::ViewColumns columns(far);
    for (const view::Strip* strip : t.canvas.rows().drawn().stripsWith(1))
        EXPECT_TRUE(t.canvas.shown()
                        ->account()
                        ->waitsIn(*strip, view::StripView(*strip, columns, 12), columns)
                        .empty());
}

TEST(Ghosts, ShiftGDrawsTheIdealRunUnderTheBars) {
    GhostsOnScreen t;
    const QImage without = t.grab();
    QTest::keyClick(&t.canvas, Qt::Key_G, Qt::ShiftModifier);
    EXPECT_TRUE(t.canvas.ghosts().showsIdeal());
    EXPECT_FALSE(t.canvas.ghosts().showsWaits());
    const QImage with = t.grab();
    // The copy back ran from 1.45 ms; ideal it runs from 1.1 to 1.2 ms, in a row that is empty there.
    const QRect bar = t.canvas.map().rectsOf(3).front();
    const QRect ideal = t.canvas.map().rectOf(Interval{1'100'000, 1'200'000});
    int changed = 0;
    for (int y = bar.top(); y <= bar.bottom(); ++y)
        changed += colourAt(with, {ideal.center().x(), y}) != colourAt(without, {ideal.center().x(), y});
    EXPECT_GE(changed, 3);
    EXPECT_LT(changed, bar.height() / 2) << "below the bars, and less than they";
    EXPECT_EQ(colourAt(with, bar.topLeft() + QPoint(10, 3)),
              colourAt(without, bar.topLeft() + QPoint(10, 3)));
    QTest::keyClick(&t.canvas, Qt::Key_G, Qt::ShiftModifier);
    EXPECT_EQ(t.grab(), without);
}

TEST(Ghosts, TheLegendNamesThemAndTheErrorOfTheModel) {
    Legend legend(nullptr);
    const view::ViewDataPtr shown = shownWith(smallLedger(6'000));
    legend.setShown(shown);
    const QStringList before = legend.names();
    Ghosts ghosts([] {});
    ghosts.setShowsWaits(true);
    ghosts.setShowsIdeal(true);
    legend.setGhosts(shown->account(), ghosts);
    const QString names = legend.names().join(QLatin1Char('|'));
    EXPECT_TRUE(names.contains(QStringLiteral("waits (G): the NULL stream|CPU launches too late")))
        << qPrintable(names);
    EXPECT_TRUE(names.contains(QStringLiteral("1.0 % shorter than the run"))) << qPrintable(names);
    EXPECT_EQ(legend.placesIn(2000).size(), static_cast<std::size_t>(legend.names().size()));
    ghosts.setOnly({analysis::LossCause::HostLate});
    legend.setGhosts(shown->account(), ghosts);
    EXPECT_TRUE(legend.names().contains(QStringLiteral("waits (G): CPU launches too late")));
    EXPECT_FALSE(legend.names().join(QLatin1Char('|')).contains(QStringLiteral("NULL stream")));
    legend.setGhosts(shown->account(), Ghosts([] {}));
    EXPECT_EQ(legend.names(), before);
}

TEST(Ghosts, WithoutAnAccountNothingIsDrawnAndNothingSaid) {
    CanvasOnScreen t(smallShown());
    t.canvas.shown()->setAccount(nullptr);
    const QImage without = t.canvas.grab().toImage();
    t.canvas.ghosts().setShowsWaits(true);
    t.canvas.ghosts().setShowsIdeal(true);
    EXPECT_EQ(t.canvas.grab().toImage(), without);
}

TEST(Ghosts, TheInspectorLeadsToTheBlocker) {
    const view::ViewDataPtr shown = shownWith(smallLedger());
    Inspector inspector;
    inspector.showActivity(shown, ActivityIndex{1});
    EXPECT_TRUE(inspector.toPlainText().contains(QStringLiteral("Go to what held it")));
    QSignalSpy chosen(&inspector, &Inspector::activityChosen);
    emit inspector.anchorClicked(QUrl(QStringLiteral("go:0")));
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen.front().front().toUInt(), 0u);
    inspector.showActivity(shown, ActivityIndex{3});
    EXPECT_FALSE(inspector.toPlainText().contains(QStringLiteral("Go to what held it")));
}

TEST(Ghosts, WaitsAreShownInTheWindowFromTheStart) {
    StatefulWindow t;
    EXPECT_TRUE(t.window.timeline().canvas().ghosts().showsWaits());
    EXPECT_FALSE(t.window.timeline().canvas().ghosts().showsIdeal());
}

TEST(Ghosts, TheMenuOfAnOperationLeadsToItsBlocker) {
    GhostsOnScreen t;
    const auto entryOf = [&](QMenu& menu, ActivityIndex op) -> QAction* {
        addOpActions(menu, t.canvas, op);
        for (QAction* entry : menu.actions())
            if (entry->text().startsWith(QStringLiteral("Go to its blocker")))
                return entry;
        return nullptr;
    };
    QMenu menu, other, none;
    QAction* entry = entryOf(menu, 1);
    ASSERT_NE(entry, nullptr);
    EXPECT_TRUE(entry->text().contains(QStringLiteral("the NULL stream"))) << qPrintable(entry->text());
    entry->trigger();
    EXPECT_EQ(t.canvas.selection().activity(), ActivityIndex{0});
    EXPECT_EQ(entryOf(other, 2), nullptr) << "who held it is not known";
    EXPECT_EQ(entryOf(none, 3), nullptr) << "it did not wait";
}

TEST(Ghosts, WhichAreShownIsRemembered) {
    QSettings().clear();
    Session session({[] { return std::unique_ptr<experiment::Backend>(); }, {}});
    {
        MainWindow window(session, {.askBeforeClose = false});
        EXPECT_TRUE(window.timeline().canvas().ghosts().showsWaits()) << "as at the first start";
        window.timeline().canvas().ghosts().setShowsWaits(false);
        window.timeline().canvas().ghosts().setShowsIdeal(true);
        window.close();
    }
    MainWindow window(session, {.askBeforeClose = false});
    EXPECT_FALSE(window.timeline().canvas().ghosts().showsWaits());
    EXPECT_TRUE(window.timeline().canvas().ghosts().showsIdeal());
    QSettings().clear();
}
