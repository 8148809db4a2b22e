// Every key and gesture that is written down for the timeline does what is written.
#include "canvas_fixture.h"
#include "patience.h"
#include "window_states.h"

#include <olab/analysis/cause_table.h>
#include <olab/ui/format.h>
#include <olab/ui/timeline_view.h>

#include <results/findings_page.h>
#include <timeline/rows/timeline_rows.h>
#include <timeline/view_history.h>

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QWheelEvent>
#include <timeline/search/search_bar.h>
#include <window/help.h>

#include <gtest/gtest.h>

#include <set>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

struct KeysOnScreen {
    KeysOnScreen() {
        view.resize(1000, 300);
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view, kPatience);
        view.setShown(randomShown(81, 300));
        const Interval all = canvas.viewport().limits();
        canvas.showRange({all.begin + all.length() / 4, all.begin + all.length() / 2});
        canvas.setFocus();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&canvas, key, with); }
    Interval seen() const { return canvas.viewport().visible(); }
    void wheel(QPoint angle, Qt::KeyboardModifiers with = {}) {
        const QPointF at(500, 100);
        QWheelEvent event(at, canvas.mapToGlobal(at), {}, angle, Qt::NoButton, with, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(&canvas, &event);
    }
    TimelineView view;
    TimelineCanvas& canvas = view.canvas();
};

bool nearly(Ns a, Ns b, Ns tolerance) {
    return std::abs(a - b) <= tolerance;
}

} // namespace

TEST(Keys, WAndSZoomAAndDAndTheArrowsPan) {
    KeysOnScreen t;
    const Interval start = t.seen();
    const Ns pixel = start.length() / 500;
    t.key(Qt::Key_W);
    EXPECT_LT(t.seen().length(), start.length());
    t.key(Qt::Key_S);
    EXPECT_TRUE(nearly(t.seen().length(), start.length(), pixel));
    EXPECT_TRUE(nearly(t.seen().begin, start.begin, 2 * pixel)) << "around the same point";
    for (const auto& [later, sooner] :
         {std::pair{Qt::Key_D, Qt::Key_A}, std::pair{Qt::Key_Right, Qt::Key_Left}}) {
        const Interval before = t.seen();
        t.key(later);
        EXPECT_GT(t.seen().begin, before.begin);
        EXPECT_EQ(t.seen().length(), before.length());
        t.key(sooner);
        EXPECT_EQ(t.seen(), before);
    }
    t.key(Qt::Key_Home);
    EXPECT_TRUE(t.canvas.viewport().isFit());
}

TEST(Keys, TheWheelScrollsZoomsAndPans) {
    KeysOnScreen t;
    const Interval start = t.seen();
    ASSERT_GT(t.canvas.rows().layout().height, t.canvas.height());
    t.wheel({0, -120});
    EXPECT_GT(t.canvas.rows().scroll(), 0);
    EXPECT_EQ(t.seen(), start);
    t.wheel({0, -120}, Qt::ShiftModifier);
    EXPECT_GT(t.seen().begin, start.begin);
    EXPECT_EQ(t.seen().length(), start.length());
    const Ns pointed = t.canvas.viewport().timeAt(500 - t.canvas.gutter());
    t.wheel({0, 120}, Qt::ControlModifier);
    EXPECT_LT(t.seen().length(), start.length());
    EXPECT_TRUE(nearly(t.canvas.viewport().timeAt(500 - t.canvas.gutter()), pointed, start.length() / 500))
        << "the time at the pointer stays";
}

TEST(Keys, APinchZoomsWhereTheFingersAre) {
    KeysOnScreen t;
    const Interval start = t.seen();
    const QPointF at(700, 100);
    const Ns pointed = t.canvas.viewport().timeAt(700 - t.canvas.gutter());
    const auto pinch = [&](double value) {
        QNativeGestureEvent event(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, at, at,
                                  t.canvas.mapToGlobal(at), value, {});
        QCoreApplication::sendEvent(&t.canvas, &event);
    };
    for (int i = 0; i < 5; ++i)
        pinch(0.1);
    EXPECT_LT(t.seen().length(), start.length() * 7 / 10);
    EXPECT_TRUE(nearly(t.canvas.viewport().timeAt(700 - t.canvas.gutter()), pointed, start.length() / 500));
    pinch(-0.2);
    EXPECT_GT(t.seen().length(), start.length() / 2);
    pinch(1e9);
    EXPECT_GT(t.seen().length(), start.length() / 10) << "nonsense does not throw the view away";
}

TEST(Keys, StepFitAndGoBack) {
    KeysOnScreen t;
    letPass(ViewHistory::kMoment + 150);
    const Interval start = t.seen();
    t.key(Qt::Key_Period);
    const auto first = t.canvas.selection().activity();
    ASSERT_TRUE(first);
    t.key(Qt::Key_Period);
    EXPECT_NE(t.canvas.selection().activity(), first);
    t.key(Qt::Key_Comma);
    EXPECT_EQ(t.canvas.selection().activity(), first);
    t.key(Qt::Key_F);
    const Interval time = t.canvas.shown()->trace().time(*first);
    EXPECT_LE(t.seen().begin, time.begin);
    EXPECT_GE(t.seen().end, time.end);
    EXPECT_LT(t.seen().length(), start.length());
    const Interval fitted = t.seen();
    t.view.history().back();
    while (t.view.history().canGo(-1) && t.seen() != start)
        t.view.history().back();
    EXPECT_EQ(t.seen(), start);
    while (t.view.history().canGo(+1))
        t.view.history().forth();
    EXPECT_EQ(t.seen(), fitted);
}

TEST(Keys, GapsMeasureSearchAndHelp) {
    KeysOnScreen t;
    t.key(Qt::Key_BracketRight);
    ASSERT_TRUE(t.canvas.selection().gap());
    const view::Gap gap = *t.canvas.selection().gap();
    t.key(Qt::Key_BracketRight);
    EXPECT_GT(t.canvas.selection().gap()->time.begin, gap.time.begin);
    t.key(Qt::Key_BracketLeft);
    EXPECT_EQ(t.canvas.selection().gap(), gap);
    t.key(Qt::Key_M);
    EXPECT_EQ(t.canvas.selection().range(), gap.time);
    t.key(Qt::Key_M);
    EXPECT_FALSE(t.canvas.selection().range());
    const QSignalSpy help(&t.canvas, &TimelineCanvas::helpRequested);
    t.key(Qt::Key_Question, Qt::ShiftModifier);
    EXPECT_EQ(help.count(), 1);
    t.key(Qt::Key_Slash);
    EXPECT_TRUE(t.view.findChild<QLineEdit*>()->hasFocus());
}

TEST(Keys, TheListHasGroupsAndASearch) {
    StatefulWindow t;
    showKeys(&t.window);
    const auto* dialog = t.window.findChild<QDialog*>(QStringLiteral("keys"));
    ASSERT_TRUE(dialog);
    const auto* list = dialog->findChild<QTextBrowser*>();
    int groups = 0;
    for (const KeyHelp& row : keyList())
        groups += row.group != nullptr && list->toPlainText().contains(QLatin1String(row.group));
    EXPECT_GE(groups, 8);
    dialog->findChild<QLineEdit*>()->setText(QStringLiteral("bookmark"));
    EXPECT_TRUE(list->toPlainText().contains(QStringLiteral("next and previous bookmark")));
    EXPECT_FALSE(list->toPlainText().contains(QStringLiteral("full screen")));
    EXPECT_FALSE(list->toPlainText().contains(QStringLiteral("Learn"))) << "no group without a row";
}

TEST(Glossary, HasASentenceForEachCauseAndVerdictAndIsSearched) {
    StatefulWindow t;
    t.window.findChild<QAction*>(QStringLiteral("showGlossary"))->trigger();
    const auto* dialog = t.window.findChild<QDialog*>(QStringLiteral("glossary"));
    ASSERT_TRUE(dialog);
    const auto* list = dialog->findChild<QTextBrowser*>();
    std::set<QString> words;
    for (const Term& term : glossary()) {
        EXPECT_TRUE(words.insert(term.word).second) << term.word.toStdString() << " twice";
        EXPECT_TRUE(term.meaning.endsWith(QLatin1Char('.'))) << term.word.toStdString();
        EXPECT_TRUE(list->toPlainText().contains(term.meaning.left(20))) << term.word.toStdString();
    }
    for (const analysis::CauseRow& row : analysis::causeTable())
        EXPECT_EQ(words.contains(fromText(row.label)), !row.because.empty()) << row.id;
    for (std::size_t kind = 0; kind + 1 < analysis::kVerdictKinds; ++kind)
        EXPECT_TRUE(words.contains(verdictWord(static_cast<analysis::VerdictKind>(kind)))) << kind;
    dialog->findChild<QLineEdit*>()->setText(QStringLiteral("peer"));
    EXPECT_TRUE(list->toPlainText().contains(QStringLiteral("communication hidden")));
    EXPECT_FALSE(list->toPlainText().contains(QStringLiteral("pinned")));
}

TEST(Keys, MenusAreSixNothingIsBelowQuitAndFindIsInEdit) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("full-grid-h200"));
    QStringList titles;
    for (const QAction* top : t.window.menuBar()->actions())
        titles << top->text().remove(QLatin1Char('&'));
    EXPECT_EQ(titles.join(QLatin1Char(' ')), QStringLiteral("File Edit View Experiment Learn Help"));
    const auto actionsOf = [&](int menu) { return t.window.menuBar()->actions()[menu]->menu()->actions(); };
    EXPECT_EQ(actionsOf(0).back()->text(), QStringLiteral("&Quit"));
    for (QAction* action : actionsOf(1))
        if (action->text().startsWith(QStringLiteral("&Find")))
            action->trigger();
    EXPECT_TRUE(t.window.findChild<SearchBar*>()->isVisible());
    t.window.timeline().canvas().select(5);
    for (QAction* action : actionsOf(1))
        if (action->text().startsWith(QStringLiteral("&Copy")))
            action->trigger();
    EXPECT_FALSE(QGuiApplication::clipboard()->text().isEmpty());
}

TEST(Keys, ZoomAfterEveryButtonThatLeadsToTheTimeline) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("null-stream-h200"));
    TimelineCanvas& canvas = t.window.timeline().canvas();
    const auto zooms = [&](const char* after) {
        const Ns before = canvas.viewport().visible().length();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_W);
        EXPECT_LT(canvas.viewport().visible().length(), before) << after;
    };
    int pressed = 0;
    for (auto* button : t.window.findChild<FindingsPage*>()->findChildren<QAbstractButton*>()) {
        if (button->text() != QStringLiteral("Show in timeline"))
            continue;
        button->setFocus();
        button->click();
        zooms("Show in timeline");
        ++pressed;
    }
    EXPECT_GT(pressed, 0);
    for (auto* button : t.window.findChildren<QAbstractButton*>())
        if (button->accessibleName() == QStringLiteral("Run the experiment")) {
            const QSignalSpy shown(&t.window, &MainWindow::recordingShown);
            button->setFocus();
            button->click();
            ASSERT_TRUE(QTest::qWaitFor([&] { return !shown.isEmpty() && !t.session.busy(); }, kPatience));
            zooms("Run");
        }
}
