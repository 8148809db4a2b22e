// Bars that are dragged to where a person thinks they will be, where the answer is seen, and who comes back
// later.
#include "lesson_window.h"
#include "patience.h"

#include <olab/ui/experiment_form.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <base/focus_ring.h>
#include <experiment/experiment_panel.h>
#include <lessons/bars_board.h>
#include <lessons/hand_out.h>
#include <lessons/lessons_page.h>
#include <results/compare_page.h>
#include <results/findings_page.h>
#include <results/verdict_strip.h>
#include <timeline/rows/timeline_rows.h>
#include <window/messages/message_bars.h>
#include <window/runs/runs.h>
#include <window/window_parts.h>

#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>

using namespace olab;
using namespace olab::ui;
using olab::test::LessonWindow;

namespace {

/// A step that means a finding which is not the first of its run.
lesson::Lesson aboutTheSecondFinding() {
    return lesson::parseLesson("---\ntitle: T\nminutes: 5\n---\n# One\nText.\n"
                               "```experiment\npreset: ping-pong\nrecording: ping-pong-h200\n```\n"
                               "```check\nsays: It waited.\nholds: finding(memset-full-grid)>=1\n```\n",
                               "t.md");
}

} // namespace

TEST(Lessons, BarsAreDraggedByTheMouseAndHeldAgainstTheRun) {
    LessonWindow t;
    ASSERT_NO_FATAL_FAILURE(t.toSecondStep("null-stream", 0));
    ASSERT_EQ(t.state().step, 1u);
    BarsBoard* board = t.bars();
    ASSERT_NE(board, nullptr);
    EXPECT_FALSE(t.find<QPushButton>("lessonForward")->isEnabled());
    const auto drag = [&](std::size_t bar, int units) {
        const QPoint from = board->barRect(bar).center(), to(from.x() + units * board->width() / 4, from.y());
        QTest::mousePress(board, Qt::LeftButton, {}, from);
        QTest::mouseMove(board, to);
        QTest::mouseRelease(board, Qt::LeftButton, {}, to);
        t.settle();
    };
    drag(1, 1);
    drag(2, 1);
    drag(3, 2);
    ASSERT_TRUE(t.state().placed);
    EXPECT_EQ(*t.state().placed, (std::vector<double>{0, 1, 1, 2})) << "H2D 2 beside kernel 1";
    EXPECT_TRUE(lesson::areTogether(board->spans()[1], board->spans()[2]));
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    const QString said = t.words();
    EXPECT_TRUE(said.contains(QStringLiteral("5 of 6 pairs right"))) << qPrintable(said);
    EXPECT_TRUE(said.contains(QStringLiteral("Kernel 1 and H2D 2: you had them together; they ran apart.")));
    const auto *mine = t.bars("barsPredicted"), *ran = t.bars("barsRan");
    ASSERT_NE(mine, nullptr);
    ASSERT_NE(ran, nullptr);
    EXPECT_LT(mine->mapToGlobal(QPoint()).y(), ran->mapToGlobal(QPoint()).y()) << "one above the other";
    EXPECT_EQ(mine->spans()[2].begin, 1);
}

TEST(Lessons, BarsAreMovedByKeysAndSpokenOf) {
    LessonWindow t;
    ASSERT_NO_FATAL_FAILURE(t.toSecondStep("null-stream", 0));
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, test::kPatience));
    BarsBoard* board = t.bars();
    ASSERT_NE(board, nullptr);
    EXPECT_TRUE(board->hasFocus()) << "a step begins where something is to be done";
    EXPECT_TRUE(board->accessibleDescription().contains(QStringLiteral("H2D 1: together with Kernel 1")))
        << qPrintable(board->accessibleDescription());
    t.key(Qt::Key_Down);
    t.key(Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_TRUE(board->accessibleDescription().contains(QStringLiteral("Kernel 1: alone")))
        << qPrintable(board->accessibleDescription());
    t.key(Qt::Key_Right);
    ASSERT_TRUE(t.state().placed);
    EXPECT_EQ((*t.state().placed)[1], 1.25);
    for (int i = 0; i < 9; ++i)
        t.key(Qt::Key_Left);
    EXPECT_EQ((*t.state().placed)[1], 0) << "not before the begin";
    EXPECT_TRUE(t.find<QPushButton>("lessonForward")->isEnabled());
}

TEST(Lessons, ATeacherNeedsNoBarsToBeDragged) {
    LessonWindow t;
    t.room().setTeaches(true);
    t.start("null-stream");
    for (int presses = 0; presses < 3; ++presses) {
        t.room().forward();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !t.state().running; }, test::kPatience));
        t.settle();
    }
    ASSERT_EQ(t.state().step, 1u);
    EXPECT_TRUE(t.find<QPushButton>("lessonForward")->isEnabled());
    EXPECT_FALSE(t.words().contains(QStringLiteral("Drag each bar"))) << "it would only push the bars away";
    t.room().forward();
    ASSERT_TRUE(t.waitForResult());
    t.room().forward();
    EXPECT_NE(t.bars("barsRan"), nullptr);
    EXPECT_EQ(t.bars("barsPredicted"), nullptr);
    t.room().setTeaches(false);
}

TEST(Lessons, TheAnswerIsShownWhereItIsSeenInTheRun) {
    LessonWindow t;
    t.room().start(aboutTheSecondFinding(), QStringLiteral("own/t"));
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    test::letPass(50);
    const TimelineCanvas& canvas = t.window.timeline().canvas();
    const view::ViewDataPtr shown = t.window.shown();
    ASSERT_TRUE(canvas.selection().activity()) << "a memset that waited";
    EXPECT_EQ(shown->trace()[*canvas.selection().activity()].cls, ActivityClass::Memset);
    EXPECT_LT(canvas.viewport().visible().length(), shown->limits().length() / 10)
        << "a memset of some us is seen";
    EXPECT_TRUE(t.words().contains(QStringLiteral("Ctrl+0 shows the whole run")));
    const PictureRequest onPaper = handOutPicture(t.state(), *shown);
    ASSERT_TRUE(onPaper.range);
    EXPECT_LT(onPaper.range->length(), shown->limits().length() / 10) << "and in the hand-out";
    const auto* findings = t.window.findChild<FindingsPage*>();
    const analysis::Finding& first = shown->recording->report.findings.front();
    ASSERT_NE(first.id, "memset-full-grid") << "another cost more, and stands above it";
    bool seen = false;
    for (const QLabel* label : findings->findChildren<QLabel*>())
        seen = seen || (label->text().contains(QStringLiteral("Memsets wait behind grids")) &&
                        !label->visibleRegion().isEmpty());
    EXPECT_TRUE(seen) << "the finding that the lesson is about, not the first";
}

TEST(Lessons, AStatementThatHoldsIsShownInAnOperationOfTheRun) {
    LessonWindow t;
    const auto lesson = [](const char* holds) {
        return lesson::parseLesson(
            std::string("---\ntitle: T\nminutes: 5\n---\n# One\nText.\n"
                        "```experiment\npreset: default\nrecording: default-h200\n```\n"
                        "```check\nsays: So.\nshows: memset 12\nholds: ") +
                holds + "\n```\n",
            "t.md");
    };
    const TimelineCanvas& canvas = t.window.timeline().canvas();
    for (const bool holds : {true, false}) {
        t.room().start(lesson(holds ? "count(memset)>=12" : "count(memset)==0"), QStringLiteral("own/t"));
        t.click("lessonForward");
        ASSERT_TRUE(t.waitForResult());
        test::letPass(50);
        const Ns seen = canvas.viewport().visible().length(), all = t.window.shown()->limits().length();
        EXPECT_EQ(t.words().contains(QStringLiteral("a place where it is seen")), holds);
        EXPECT_EQ(seen < all / 10, holds) << "a memset of some us is seen";
        if (!holds)
            continue;
        const auto selected = canvas.selection().activity();
        ASSERT_TRUE(selected);
        const Trace& trace = t.window.shown()->trace();
        EXPECT_EQ(trace[*selected].cls, ActivityClass::Memset);
        bool whole = false; // the kernel beside it
        for (ActivityIndex at = 0; at < trace.size(); ++at)
            whole = whole || (trace[at].cls == ActivityClass::Kernel &&
                              trace.time(at).begin < trace.time(*selected).end &&
                              trace.time(*selected).begin < trace.time(at).end &&
                              canvas.viewport().visible().begin <= trace.time(at).begin &&
                              trace.time(at).end <= canvas.viewport().visible().end);
        EXPECT_TRUE(whole);
    }
}

TEST(Lessons, AStepThatExpectsNoFindingShowsTheWholeRun) {
    LessonWindow t;
    ASSERT_TRUE(t.runFirstStep("null-stream", 0));
    test::letPass(50);
    EXPECT_FALSE(t.window.timeline().canvas().selection().activity());
    EXPECT_FALSE(t.words().contains(QStringLiteral("Ctrl+0")));
}

TEST(Lessons, TheKeyForwardIsSaidWhereItIsNeeded) {
    LessonWindow t;
    t.start("null-stream");
    ASSERT_NE(t.find<QLabel>("lessonKeys"), nullptr);
    EXPECT_TRUE(t.find<QLabel>("lessonKeys")->text().contains(QStringLiteral("Page Down")));
    t.predict(0);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    t.click("lessonForward");
    EXPECT_TRUE(t.words().contains(QStringLiteral("Enter: they stay as they are")))
        << "who thinks that all begin at once need not move one";
}

TEST(Lessons, ARunOfAnotherLessonIsSaidToBeNoneOfTheStep) {
    LessonWindow t;
    t.start("first-overlap");
    EXPECT_FALSE(t.words().contains(QStringLiteral("What the timeline shows now")));
    t.predict(1);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    EXPECT_FALSE(t.words().contains(QStringLiteral("What the timeline shows now")));
    t.start("races");
    EXPECT_FALSE(t.words().contains(QStringLiteral("What the timeline shows now"))) << "nothing is shown";
    t.window.parts().runs.setCurrentRow(0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.parts().runs.current() != nullptr; }, test::kPatience));
    t.settle();
    EXPECT_TRUE(
        t.words().contains(QStringLiteral("What the timeline shows now is not the run of this step")));
}

TEST(Lessons, WhoContinuesAfterARestartStillSeesWhatTheStepComparesWith) {
    QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    QSettings().clear();
    QSettings().setValue(QStringLiteral("lessons/pinned-or-pageable"), 1);
    LessonWindow t(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings"), true);
    t.start("pinned-or-pageable");
    ASSERT_EQ(t.state().step, 1u);
    t.predict(2);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    EXPECT_FALSE(t.words().contains(QStringLiteral("not run yet"))) << qPrintable(t.words());
    EXPECT_TRUE(t.words().contains(QStringLiteral("More than three times as long")));
    EXPECT_FALSE(t.window.comparison().empty()) << "the step asks to see both";
    QSettings().clear();
}

TEST(Lessons, AfterTeachersModeThePanelIsAsNarrowAsBefore) {
    LessonWindow t;
    t.start("null-stream");
    test::letPass(50);
    const int before = t.room().panel().width();
    t.room().setTeaches(true);
    test::letPass(50);
    ASSERT_GT(t.room().panel().width(), before) << "large type";
    t.room().setTeaches(false);
    test::letPass(100);
    EXPECT_NEAR(t.room().panel().width(), before, 20);
}

TEST(Lessons, WhoFinishesOneComesToTheNextInTheList) {
    LessonWindow t;
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, test::kPatience));
    t.room().setTeaches(true); // nothing has to be predicted
    t.start("null-stream");
    for (int presses = 0; presses < 12 && t.room().shown(); ++presses) {
        t.room().forward();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !t.state().running; }, test::kPatience));
        t.settle();
    }
    ASSERT_FALSE(t.room().shown());
    EXPECT_EQ(t.window.focusWidget()->objectName(), QStringLiteral("start events"));
    t.room().setTeaches(false);
}

TEST(Lessons, AWrongPredictionIsSaidInWordsAndSoIsARightOne) {
    LessonWindow t;
    ASSERT_TRUE(t.runFirstStep("memset-is-a-kernel", 0));
    EXPECT_TRUE(t.words().contains(QStringLiteral("The run says otherwise"))) << qPrintable(t.words());
    t.click("lessonBack");
    t.predict(1);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    EXPECT_TRUE(t.words().contains(QStringLiteral("The run says so, too"))) << qPrintable(t.words());
}

TEST(Lessons, AHintIsShownWhenAskedForAndAnswersSayWhy) {
    LessonWindow t;
    t.start("first-overlap");
    const QString hint = QStringLiteral("What does a stream promise"),
                  ofMine = QStringLiteral("It says nothing about when the work runs"),
                  ofRight = QStringLiteral("A stream keeps its order, whether a step needs");
    EXPECT_FALSE(t.words().contains(hint));
    t.click("lessonHint");
    EXPECT_TRUE(t.words().contains(hint));
    t.predict(0); // wrong
    EXPECT_FALSE(t.words().contains(ofMine));
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    EXPECT_TRUE(t.words().contains(ofMine)) << qPrintable(t.words());
    EXPECT_TRUE(t.words().contains(ofRight));
}

TEST(Lessons, WhoSimulatedIsOfferedTheRecordedRun) {
    LessonWindow t;
    ASSERT_TRUE(t.runFirstStep("memset-is-a-kernel", 1, "lessonElse"));
    ASSERT_TRUE(t.words().contains(QStringLiteral("Result, simulated")));
    ASSERT_NE(t.find<QPushButton>("lessonElse"), nullptr);
    EXPECT_EQ(t.find<QPushButton>("lessonElse")->text(), QStringLiteral("Open the H200's run"));
    t.click("lessonElse");
    ASSERT_TRUE(t.waitForResult());
    EXPECT_TRUE(t.words().contains(QStringLiteral("Result, recorded on NVIDIA H200")));
    EXPECT_EQ(t.find<QPushButton>("lessonElse")->text(), QStringLiteral("Run on the simulator"));
}

TEST(Lessons, TheFocusStaysWhereThePersonGoesOn) {
    LessonWindow t;
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, test::kPatience));
    const auto focused = [&t] {
        return t.window.focusWidget() ? t.window.focusWidget()->objectName().toStdString() : "nothing";
    };
    t.start("memset-is-a-kernel");
    EXPECT_TRUE(t.find<QLabel>("lessonKeys")->text().contains(QStringLiteral("Space"))) << "how to choose";
    t.key(Qt::Key_Space);
    EXPECT_FALSE(t.find<QLabel>("lessonKeys")->text().contains(QStringLiteral("Space")));
    t.key(Qt::Key_Tab);
    ASSERT_EQ(focused(), "lessonForward");
    t.key(Qt::Key_Tab);
    ASSERT_EQ(focused(), "lessonElse");
    QTest::keyClick(t.window.focusWidget(), Qt::Key_Return);
    EXPECT_EQ(focused(), "lessonForward") << "while it runs: not on Hand-out";
    ASSERT_TRUE(t.waitForResult());
    EXPECT_EQ(focused(), "lessonForward");
    t.click("lessonForward");
    ASSERT_EQ(t.state().step, 1u);
    t.room().setTeaches(true);
    t.settle();
    EXPECT_EQ(focused(), "lessonForward") << "nobody has to choose";
    t.room().setTeaches(false);
    t.settle();
    EXPECT_EQ(focused(), "answer0") << "not on Back";
}

TEST(Lessons, AHandOutThatWasSavedIsSaid) {
    QTemporaryDir folder;
    LessonWindow t;
    t.start("memset-is-a-kernel");
    const QString path = folder.filePath(QStringLiteral("hand-out.pdf"));
    t.room().saveHandOut(path);
    t.settle();
    EXPECT_TRUE(QFile::exists(path));
    const auto* notice = t.window.findChild<NoticeBar*>();
    EXPECT_TRUE(notice->isVisible());
    EXPECT_EQ(notice->path(), path);
    t.room().saveHandOut(folder.filePath(QStringLiteral("none/hand-out.pdf")));
    t.settle();
    EXPECT_FALSE(t.window.errors().lastText().isEmpty()) << "and so is one that was not";
}

TEST(Lessons, TheFrameOfTheFocusHoldsAnAnswerAndItsWords) {
    LessonWindow t;
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, test::kPatience));
    t.start("memset-is-a-kernel");
    t.key(Qt::Key_Down);
    auto* answer = t.find<QRadioButton>("answer1");
    ASSERT_TRUE(answer && answer->hasFocus());
    const auto* ring = t.window.findChild<FocusRing*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return ring->around() == answer; }, test::kPatience));
    EXPECT_GT(ring->width(), 3 * answer->width()) << "around the circle alone it would cover it";
    EXPECT_TRUE(ring->geometry()
                    .adjusted(1, 1, -1, -1)
                    .contains(QRect(answer->mapTo(&t.window, QPoint()), answer->size())));
}

TEST(Lessons, AClassSeesNoCausesAndTheWholeQuestionBeforeItAsks) {
    LessonWindow t;
    TimelineCanvas& canvas = t.window.timeline().canvas();
    canvas.ghosts().setShowsWaits(true);
    t.room().setTeaches(true);
    t.start("memset-is-a-kernel");
    t.room().forward();
    ASSERT_TRUE(t.waitForResult());
    test::letPass(100);
    EXPECT_FALSE(canvas.ghosts().showsWaits()) << "the legend would say: memsets behind full grids";
    EXPECT_TRUE(canvas.ghosts().wantsWaits());
    bool whole = false;
    for (const QLabel* label : t.room().panel().findChildren<QLabel*>())
        if (label->text().contains(QStringLiteral("What does it show?")))
            whole = label->visibleRegion().boundingRect() == label->rect();
    EXPECT_TRUE(whole) << "without another key";
    t.room().forward();
    t.settle();
    EXPECT_TRUE(canvas.ghosts().showsWaits());
    t.room().setTeaches(false);
}

TEST(Lessons, AfterTeachersModeTheFindingOfTheStepIsStillSeen) {
    LessonWindow t;
    t.room().start(aboutTheSecondFinding(), QStringLiteral("own/t"));
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    t.room().setTeaches(true);
    test::letPass(100);
    t.room().setTeaches(false);
    test::letPass(200);
    const auto* findings = t.window.findChild<FindingsPage*>();
    bool seen = false;
    for (const QFrame* card : findings->findChildren<QFrame*>(QStringLiteral("card")))
        if (card->property("finding").toString() == QStringLiteral("memset-full-grid"))
            seen = card->y() <= findings->verticalScrollBar()->value() + findings->viewport()->height() / 3 &&
                   !card->visibleRegion().isEmpty();
    EXPECT_TRUE(seen) << "not the first in the list, which is about something else";
}

TEST(Lessons, AnAnswerThatIsNotChosenIsSeenInTheDark) {
    LessonWindow t;
    t.window.setTheme(ThemeChoice::Dark);
    t.start("memset-is-a-kernel");
    t.settle();
    auto* answer = t.find<QRadioButton>("answer1");
    ASSERT_NE(answer, nullptr);
    const QImage picture = answer->grab().toImage();
    const QColor ground = answer->palette().color(QPalette::Window);
    double most = 1;
    for (int x = 0; x < picture.width(); ++x)
        most = std::max(most, contrastRatio(picture.pixelColor(x, picture.height() / 2), ground));
    EXPECT_GE(most, 3) << "its circle beside the window";
}

TEST(Lessons, AnotherRunLeavesNoTicksOfTheOldOneBesideIt) {
    LessonWindow t;
    ASSERT_TRUE(t.runFirstStep("first-overlap", 1));
    ASSERT_TRUE(t.words().contains(QStringLiteral("Result, recorded")));
    const view::ViewDataPtr own = t.window.shown();
    experiment::HeldExperiment other = t.state().now().experiment->experiment;
    experiment::setOption(other, "streams", "3");
    t.window.form().setExperiment(other);
    t.key(Qt::Key_F5);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return t.window.shown() != own && !t.session.busy(); }, test::kPatience));
    t.settle();
    EXPECT_TRUE(t.words().contains(QStringLiteral("The timeline shows another run")))
        << qPrintable(t.words());
    EXPECT_FALSE(t.words().contains(QStringLiteral("Result, recorded"))) << "that was of the run before";
    EXPECT_FALSE(t.words().contains(QStringLiteral("✓")));
    t.click("lessonOwnRun");
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.shown() == own; }, test::kPatience));
    t.settle();
    EXPECT_TRUE(t.words().contains(QStringLiteral("Result, recorded"))) << qPrintable(t.words());
}

TEST(Lessons, TheSameExperimentRunAgainIsJudgedAnew) {
    LessonWindow t;
    ASSERT_TRUE(t.runFirstStep("first-overlap", 1));
    const view::ViewDataPtr own = t.window.shown();
    t.window.form().setExperiment(t.state().now().experiment->experiment);
    t.key(Qt::Key_F5); // without a GPU: simulated
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return t.window.shown() != own && !t.session.busy(); }, test::kPatience));
    t.settle();
    EXPECT_TRUE(t.words().contains(QStringLiteral("Result, simulated"))) << qPrintable(t.words());
    EXPECT_FALSE(t.words().contains(QStringLiteral("Result, recorded")));
}

TEST(Lessons, TheRunsOfTwoStepsAreSeenOnOneTimeAxis) {
    LessonWindow t;
    ASSERT_NO_FATAL_FAILURE(t.toSecondStep("first-overlap", 1));
    EXPECT_EQ(t.find<QWidget>("lessonLengths"), nullptr);
    t.leaveBars();
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    const auto* bars = dynamic_cast<LengthBars*>(t.find<QWidget>("lessonLengths"));
    ASSERT_NE(bars, nullptr);
    EXPECT_TRUE(bars->accessibleDescription().contains(QStringLiteral("Step 1: 32.9 ms, This step: 11.8 ms")))
        << qPrintable(bars->accessibleDescription());
    EXPECT_EQ(bars->barRect(0).x(), bars->barRect(1).x()) << "from one zero";
    EXPECT_NEAR(double(bars->barRect(1).width()) / bars->barRect(0).width(), 11.77 / 32.86, 0.02);
}

TEST(Lessons, TheRowsThatTheTextSpeaksOfAreInSight) {
    LessonWindow t;
    ASSERT_NO_FATAL_FAILURE(t.toSecondStep("events", 0));
    t.predict(0);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    test::letPass(100);
    const TimelineRows& rows = t.window.timeline().canvas().rows();
    bool seen = false;
    for (const Row& row : rows.layout().rows)
        seen = seen || (row.lane && scopeOf(row.lane->kind) >= LaneScope::Host && rows.isSeen(row));
    EXPECT_TRUE(seen) << "the host rows, which are at the bottom";
}

/// Two steps with a recording each; the second one's bars on the axis.
std::vector<ui::LessonLength> lengthsOfTwoSteps(const char* first, const char* second) {
    LessonWindow t;
    const std::string text = std::string("---\ntitle: T\nminutes: 5\n---\n# One\nText.\n```experiment\n") +
                             first + "\n```\n# Two\nText.\n```experiment\n" + second +
                             "\n```\n```check\nsays: So.\nholds: count(kernel)>=1\n```\n";
    t.room().start(lesson::parseLesson(text, "t.md"), QStringLiteral("own/t"));
    for (int presses = 0; presses < 3; ++presses) {
        t.room().forward();
        EXPECT_TRUE(QTest::qWaitFor([&] { return !t.state().running; }, test::kPatience));
        t.settle();
    }
    EXPECT_TRUE(t.state().outcome);
    return t.state().lengths;
}

TEST(Lessons, RunsOfDifferentWorkSaySoOnTheAxis) {
    const auto lengths = lengthsOfTwoSteps("preset: default\nrecording: default-h200",
                                           "preset: one-stream\nrecording: one-stream-h200");
    ASSERT_EQ(lengths.size(), 2u);
    EXPECT_EQ(lengths[0].value, QStringLiteral("35.5 ms (4× the work)"));
    EXPECT_EQ(lengths[1].value, QStringLiteral("27.3 ms"));
}

TEST(Lessons, ARunOfAnotherDeviceIsNotOnTheAxis) {
    EXPECT_TRUE(
        lengthsOfTwoSteps("preset: one-connection\nrecording: one-connection-h200",
                          "preset: one-connection\norder: depth\nrecording: one-connection-depth-h100")
            .empty());
}
