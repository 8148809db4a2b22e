// Lessons in the window: from step to step by buttons and by one key, predicting before seeing, what is
// remembered, what a teacher sees.
#include "test_places.h"
#include "usual_look.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <experiment/experiment_panel.h>
#include <experiment/shipped_recordings.h>
#include <lessons/bars_board.h>
#include <lessons/hand_out.h>
#include <lessons/lessons_page.h>
#include <olab/lesson/lesson_file.h>
#include <results/compare_page.h>
#include <results/findings_page.h>
#include <results/verdict_strip.h>
#include <timeline/rows/timeline_rows.h>
#include <window/error_bar.h>
#include <window/lesson_room.h>

#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <fstream>

using namespace olab;

namespace {

constexpr int kLessonPatience = 30'000;

int lanesSeen(const TimelineCanvas& canvas) {
    int count = 0;
    for (const Row& row : canvas.rows().layout().rows) {
        const int top = canvas.rows().layout().screenTop(row, canvas.rows().scroll());
        count += row.kind != Row::Kind::Group && top >= 0 && top + row.height <= canvas.height();
    }
    return count;
}

class LessonWindow {
public:
    explicit LessonWindow(const QString& recordings = QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings"),
                          bool remember = false)
        : window(session, {.remember = remember,
                           .askBeforeClose = false,
                           .keepToScreen = false,
                           .recordings = recordings}) {
        window.resize(1280, 720);
        window.show();
    }
    LessonRoom& room() { return LessonRoom::of(window); }
    const LessonState& state() { return room().state(); }
    void start(const char* id) {
        const Lesson* lesson = findShippedLesson(id);
        ASSERT_NE(lesson, nullptr);
        room().start(*lesson, QLatin1String(id));
    }
    template <class Widget>
    Widget* find(const char* name) {
        for (Widget* widget : window.findChildren<Widget*>(QLatin1String(name)))
            if (widget->isVisible())
                return widget;
        return nullptr;
    }
    void click(const char* name) {
        auto* button = find<QPushButton>(name);
        ASSERT_NE(button, nullptr) << name;
        button->click();
        settle();
    }
    void predict(int answer) {
        auto* button = find<QRadioButton>(qPrintable(QStringLiteral("answer%1").arg(answer)));
        ASSERT_NE(button, nullptr);
        button->click();
    }
    BarsBoard* bars(const char* name = "bars") { return dynamic_cast<BarsBoard*>(find<QWidget>(name)); }
    /// The bars stay as they are.
    void leaveBars() {
        ASSERT_NE(bars(), nullptr);
        QTest::keyClick(bars(), Qt::Key_Return);
    }
    bool waitForResult() {
        const bool came =
            QTest::qWaitFor([this] { return !session.busy() && !state().running; }, kLessonPatience);
        settle();
        return came && state().outcome.has_value();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(window.focusWidget() ? window.focusWidget() : &window, key, modifiers);
        settle();
    }
    static void settle() {
        for (int i = 0; i < 3; ++i)
            QCoreApplication::processEvents();
    }
    /// What the panel says to a person now.
    QString words() {
        QStringList all;
        for (const QLabel* label : room().panel().findChildren<QLabel*>())
            if (label->isVisibleTo(&room().panel()))
                all << label->text();
        return all.join(QLatin1Char('\n'));
    }
    QString forwardText() { return find<QPushButton>("lessonForward")->text(); }

    test::UsualLook look;
    Session session{{[] { return std::make_unique<SimBackend>(); }, {}}};
    MainWindow window;
};

} // namespace

TEST(Lessons, ThePageListsAllWithMinutesAndStartsOne) {
    LessonWindow t;
    t.room().showPage();
    for (const Lesson& lesson : shippedLessons())
        EXPECT_NE(t.find<QPushButton>(("start " + lesson.id).c_str()), nullptr) << lesson.id;
    t.click("start first-overlap");
    EXPECT_TRUE(t.room().panel().isVisible());
    EXPECT_FALSE(t.window.findChild<ExperimentPanel*>()->isVisible()) << "the lesson stands in its place";
    t.click("lessonClose");
    EXPECT_FALSE(t.room().panel().isVisible());
    EXPECT_TRUE(t.window.findChild<ExperimentPanel*>()->isVisible());
}

TEST(Lessons, AStepOpensTheRunOfARealGpuWhereThereIsNone) {
    LessonWindow t;
    t.start("bounds");
    EXPECT_EQ(t.room().panel().findChildren<QPushButton*>().isEmpty(), false);
    t.predict(0);
    EXPECT_EQ(t.forwardText(), QStringLiteral("Open the H200's run")) << "recordings/lessons has it";
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    EXPECT_TRUE(t.words().contains(QStringLiteral("Result, recorded on NVIDIA H200")))
        << qPrintable(t.words());
    EXPECT_EQ(t.window.shown()->recording->file.filename(), "bounds-1-h200.olab");
    const QString folder = QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings");
    for (const ShippedRecording& recording : shippedRecordings(folder))
        EXPECT_NE(recording.name, QStringLiteral("bounds-1-h200"))
            << "it is of no preset: not in the gallery";
}

TEST(Lessons, APersonPredictsBeforeTheRunAndSeesBothOneAboveTheOther) {
    LessonWindow t;
    t.start("first-overlap");
    EXPECT_FALSE(t.find<QPushButton>("lessonForward")->isEnabled()) << "nothing is predicted yet";
    t.predict(0); // wrong
    EXPECT_TRUE(t.find<QPushButton>("lessonForward")->isEnabled());
    EXPECT_FALSE(t.words().contains(QStringLiteral("Result")));
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    const QString said = t.words();
    EXPECT_TRUE(said.contains(QStringLiteral("Result, recorded on NVIDIA H200"))) << qPrintable(said);
    const auto predicted = said.indexOf(QStringLiteral("You predicted")),
               result = said.indexOf(QStringLiteral("The run says"));
    EXPECT_GE(predicted, 0);
    EXPECT_GT(result, predicted);
    EXPECT_TRUE(said.contains(QStringLiteral("≠")));
    EXPECT_TRUE(said.contains(QStringLiteral("Why")));
    EXPECT_EQ(t.window.shown()->recording->badge(), "RECORDED");
}

TEST(Lessons, TheSimulatorIsTheOtherWayAndIsSaidToBeIt) {
    LessonWindow t;
    t.start("first-overlap");
    t.predict(1);
    t.click("lessonElse");
    ASSERT_TRUE(t.waitForResult());
    EXPECT_TRUE(t.words().contains(QStringLiteral("Result, simulated")));
    EXPECT_TRUE(t.words().contains(QStringLiteral("✓")));
    EXPECT_EQ(optionNumber(t.window.form().experiment(), "streams"), 1) << "the form shows what ran";
}

TEST(Lessons, WithoutRecordingsEverythingIsSimulated) {
    LessonWindow t{QString()};
    t.start("first-overlap");
    EXPECT_EQ(t.find<QPushButton>("lessonElse"), nullptr);
    t.predict(1);
    EXPECT_TRUE(t.forwardText().contains(QStringLiteral("simulator")));
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    EXPECT_TRUE(t.words().contains(QStringLiteral("simulated")));
}

TEST(Lessons, ForwardAndBackGoThroughTheStepsAndRunsAreCompared) {
    LessonWindow t;
    t.start("first-overlap");
    t.predict(1);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    t.click("lessonForward");
    EXPECT_EQ(t.state().step, 1u);
    EXPECT_FALSE(t.state().outcome);
    t.leaveBars();
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    EXPECT_FALSE(t.window.comparison().empty()) << "the step asks to see both";
    EXPECT_TRUE(t.words().contains(QStringLiteral("one stream alone took")));
    t.click("lessonBack");
    EXPECT_EQ(t.state().step, 1u) << "first back to the question";
    EXPECT_FALSE(t.state().outcome);
    t.click("lessonBack");
    EXPECT_EQ(t.state().step, 0u);
}

TEST(Lessons, TheKeyboardAloneGoesFromTheMenuToTheResult) {
    LessonWindow t;
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window));
    t.key(Qt::Key_L, Qt::ControlModifier);
    EXPECT_EQ(t.window.focusWidget()->objectName(), QStringLiteral("start first-overlap"));
    t.key(Qt::Key_Space);
    ASSERT_TRUE(t.room().shown());
    EXPECT_EQ(t.window.focusWidget()->objectName(), QStringLiteral("answer0"));
    t.key(Qt::Key_Down);
    t.key(Qt::Key_Space);
    EXPECT_EQ(t.state().predicted, 1);
    for (int presses = 0; presses < 20 && !t.state().running && !t.state().outcome; ++presses)
        t.key(Qt::Key_PageDown);
    ASSERT_TRUE(t.waitForResult());
    for (int presses = 0; presses < 20 && t.state().step == 0; ++presses)
        t.key(Qt::Key_PageDown);
    EXPECT_EQ(t.state().step, 1u);
    for (int presses = 0; presses < 20 && t.state().step == 1; ++presses)
        t.key(Qt::Key_PageUp);
    EXPECT_EQ(t.state().step, 0u);
}

TEST(Lessons, EverythingThatCanHaveTheFocusHasAName) {
    LessonWindow t;
    t.room().showPage();
    t.start("races");
    for (const QWidget* widget : t.room().panel().findChildren<QWidget*>())
        if (widget->isVisible() && (widget->focusPolicy() & Qt::TabFocus)) {
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            EXPECT_TRUE(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()))
                << widget->metaObject()->className() << qPrintable(widget->objectName());
        }
}

TEST(Lessons, ProgressIsRememberedFromWindowToWindow) {
    QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    QSettings().clear();
    {
        LessonWindow t(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings"), true);
        t.start("first-overlap");
        t.predict(1);
        t.click("lessonForward");
        ASSERT_TRUE(t.waitForResult());
        t.click("lessonForward");
        EXPECT_EQ(t.state().step, 1u);
    }
    LessonWindow t(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings"), true);
    t.room().showPage();
    EXPECT_EQ(t.find<QPushButton>("start first-overlap")->text(), QStringLiteral("Continue"));
    t.click("start first-overlap");
    EXPECT_EQ(t.state().step, 1u);
    EXPECT_FALSE(t.words().contains(QStringLiteral("What the timeline shows now"))) << "it is empty";
    QSettings().clear();
}

TEST(Lessons, ATeacherShowsTheRunFirstAndTheAnswerWhenAsked) {
    LessonWindow t;
    t.room().setTeaches(true);
    EXPECT_TRUE(t.window.projector());
    t.start("memset-is-a-kernel");
    t.settle();
    EXPECT_TRUE(t.find<QPushButton>("lessonForward")->isEnabled()) << "nobody has to choose";
    t.room().forward();
    ASSERT_TRUE(t.waitForResult());
    QString said = t.words();
    EXPECT_FALSE(said.contains(QStringLiteral("The run says"))) << "hidden until asked";
    EXPECT_FALSE(said.contains(QStringLiteral("it is a small kernel"))) << "so is why";
    EXPECT_TRUE(said.contains(QStringLiteral("recorded on NVIDIA H200")));
    t.room().forward();
    t.settle();
    said = t.words();
    EXPECT_TRUE(said.contains(QStringLiteral("The run says")));
    EXPECT_TRUE(said.contains(QStringLiteral("it is a small kernel")));
    t.room().close();
    EXPECT_TRUE(t.window.projector()) << "the next lesson is for the same class";
    t.room().setTeaches(false);
    t.settle();
    EXPECT_FALSE(t.window.projector());
    EXPECT_TRUE(t.window.findChild<ExperimentPanel*>()->isVisible());
    EXPECT_FALSE(t.window.findChild<VerdictStrip*>()->isHidden());
}

TEST(Lessons, BeforeAClassFourLanesAndTheFindingsAreSeenAt1280By720) {
    LessonWindow t;
    t.room().setTeaches(true);
    t.start("memset-is-a-kernel");
    t.room().forward();
    ASSERT_TRUE(t.waitForResult());
    QTest::qWait(100);
    auto* findings = t.window.findChild<QWidget*>(QStringLiteral("findings"));
    EXPECT_FALSE(findings->isVisible()) << "they would say the answer";
    EXPECT_FALSE(t.window.findChild<VerdictStrip*>()->isVisible()) << "so would the verdicts";
    EXPECT_GE(lanesSeen(t.window.timeline().canvas()), 4);
    t.room().forward();
    QTest::qWait(100);
    EXPECT_EQ(t.window.size(), QSize(1280, 720));
    const TimelineCanvas& canvas = t.window.timeline().canvas();
    const int lanes = lanesSeen(canvas);
    EXPECT_GE(lanes, 4);
    ASSERT_TRUE(findings->isVisible());
    EXPECT_GT(findings->height(), QFontMetrics(findings->font()).lineSpacing() * 2);
}

TEST(Lessons, ThemeAndProjectorMayChangeWhileAStepIsOpen) {
    LessonWindow t;
    t.start("first-overlap");
    t.predict(1);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    const QString before = t.words();
    t.window.setTheme(ThemeChoice::Dark);
    t.settle();
    t.window.setProjector(true);
    t.settle();
    t.window.setTheme(ThemeChoice::Light);
    t.window.setProjector(false);
    t.settle();
    EXPECT_EQ(t.words(), before);
    t.room().showPage();
    t.window.setTheme(ThemeChoice::Dark);
    t.settle();
    EXPECT_NE(t.find<QPushButton>("start races"), nullptr);
}

TEST(Lessons, ALessonOfOnesOwnIsTextWhateverItHolds) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.md"));
    std::ofstream(path.toStdString())
        << "---\ntitle: <b>Mine</b>\nminutes: 5\n---\n# <img src='file:///x.png'>\n"
           "<script>x</script> ![x](http://a/b.png) **strong**\n";
    LessonWindow t;
    t.room().openFile(path);
    ASSERT_TRUE(t.room().shown());
    for (const QLabel* label : t.room().panel().findChildren<QLabel*>())
        if (label->textFormat() == Qt::RichText) {
            EXPECT_FALSE(label->text().contains(QStringLiteral("<img")));
            EXPECT_FALSE(label->text().contains(QStringLiteral("<script")));
        }
    EXPECT_TRUE(t.words().contains(QStringLiteral("<b>strong</b>")));
}

TEST(Lessons, ABadOneIsSaidWithItsLineAndChangesNothing) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("bad.md"));
    std::ofstream(path.toStdString()) << "---\ntitle: Bad\nminutes: 5\n---\n# One\n```check\nsays: x\n```\n";
    LessonWindow t;
    t.room().openFile(path);
    EXPECT_FALSE(t.room().shown());
    EXPECT_TRUE(t.window.errors().lastText().contains(QStringLiteral("bad.md:6")))
        << qPrintable(t.window.errors().lastText());
}

TEST(Lessons, AStoppedRunLeavesTheStepAsItWas) {
    LessonWindow t{QString()};
    t.start("first-overlap");
    t.predict(1);
    t.click("lessonForward");
    t.session.cancel();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.session.busy() && !t.state().running; }, kLessonPatience));
    if (t.state().outcome) // it was quicker
        return;
    EXPECT_FALSE(t.state().problem.isEmpty());
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
}

TEST(Lessons, AHandOutIsA16To9PdfWithTheRunOnItsSecondPage) {
    LessonWindow t;
    t.start("first-overlap");
    const QByteArray blank = t.room().handOutPdf();
    t.predict(1);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    const QByteArray full = t.room().handOutPdf();
    for (const QByteArray* pdf : {&blank, &full}) {
        EXPECT_TRUE(pdf->startsWith("%PDF-"));
        EXPECT_TRUE(pdf->contains("[0 0 960") || pdf->contains("[0.0 0.0 960")) << "its page";
    }
    EXPECT_EQ(blank.count("/Type /Page\n") + blank.count("/Type /Page "), 1);
    EXPECT_EQ(full.count("/Type /Page\n") + full.count("/Type /Page "), 2);
}

TEST(Lessons, EnterPressesTheButtonThatHasTheFocus) {
    LessonWindow t;
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window));
    t.room().showPage();
    t.find<QPushButton>("start first-overlap")->setFocus();
    t.key(Qt::Key_Return);
    ASSERT_TRUE(t.room().shown()) << "also in the list";
    t.key(Qt::Key_Enter); // an answer
    EXPECT_EQ(t.state().predicted, 0);
    t.key(Qt::Key_Tab);
    ASSERT_EQ(t.window.focusWidget()->objectName(), QStringLiteral("lessonForward")) << "what comes next";
    t.key(Qt::Key_Return);
    ASSERT_TRUE(t.waitForResult());
    EXPECT_EQ(t.state().step, 0u);
    t.key(Qt::Key_Return); // the focus is on Next step
    EXPECT_EQ(t.state().step, 1u);
}

TEST(Lessons, TheEmptyTimelineSaysWhatALessonWillShowThere) {
    LessonWindow t;
    const QString before = t.window.timeline().canvas().emptyText();
    EXPECT_TRUE(before.contains(QStringLiteral("F5")));
    t.start("first-overlap");
    EXPECT_TRUE(t.window.timeline().canvas().emptyText().contains(QStringLiteral("lesson")));
    t.room().close();
    EXPECT_EQ(t.window.timeline().canvas().emptyText(), before);
}

TEST(Lessons, AStepWithoutARecordingSaysThatItIsSimulated) {
    LessonWindow t;
    QTemporaryDir none; // as where only the program was copied
    LessonWindow bare(none.path());
    bare.start("bounds");
    EXPECT_TRUE(bare.words().contains(QStringLiteral("No recording of a GPU is here for this step")));
    t.start("first-overlap");
    EXPECT_FALSE(t.words().contains(QStringLiteral("No recording")));
}

TEST(Lessons, BarsAreDraggedByTheMouseAndHeldAgainstTheRun) {
    LessonWindow t;
    t.start("null-stream");
    t.predict(0);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    t.click("lessonForward");
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
    EXPECT_TRUE(areTogether(board->spans()[1], board->spans()[2]));
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
    t.start("null-stream");
    t.predict(0);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    t.click("lessonForward");
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window));
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
        ASSERT_TRUE(QTest::qWaitFor([&] { return !t.state().running; }, kLessonPatience));
        t.settle();
    }
    ASSERT_EQ(t.state().step, 1u);
    EXPECT_TRUE(t.find<QPushButton>("lessonForward")->isEnabled());
    t.room().forward();
    ASSERT_TRUE(t.waitForResult());
    t.room().forward();
    EXPECT_NE(t.bars("barsRan"), nullptr);
    EXPECT_EQ(t.bars("barsPredicted"), nullptr);
    t.room().setTeaches(false);
}

TEST(Lessons, TheAnswerIsShownWhereItIsSeenInTheRun) {
    LessonWindow t;
    t.start("memset-is-a-kernel");
    t.predict(1);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    QTest::qWait(50);
    const TimelineCanvas& canvas = t.window.timeline().canvas();
    const ViewDataPtr shown = t.window.shown();
    ASSERT_TRUE(canvas.selection().activity()) << "a memset that waited";
    EXPECT_EQ(shown->trace()[*canvas.selection().activity()].cls, ActivityClass::Memset);
    EXPECT_LT(canvas.viewport().visible().length(), shown->limits().length() / 10)
        << "a memset of some us is seen";
    EXPECT_TRUE(t.words().contains(QStringLiteral("Ctrl+0 shows the whole run")));
    const PictureRequest onPaper = handOutPicture(t.state(), *shown);
    ASSERT_TRUE(onPaper.range);
    EXPECT_LT(onPaper.range->length(), shown->limits().length() / 10) << "and in the hand-out";
    const auto* findings = t.window.findChild<FindingsPage*>();
    const Finding& first = shown->recording->report.findings.front();
    ASSERT_NE(first.id, "memset-full-grid") << "another cost more, and stands above it";
    bool seen = false;
    for (const QLabel* label : findings->findChildren<QLabel*>())
        seen = seen || (label->text().contains(QStringLiteral("memset of stream")) &&
                        !label->visibleRegion().isEmpty());
    EXPECT_TRUE(seen) << "the finding that the lesson is about, not the first";
}

TEST(Lessons, AStepThatExpectsNoFindingShowsTheWholeRun) {
    LessonWindow t;
    t.start("null-stream");
    t.predict(0);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    QTest::qWait(50);
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
    EXPECT_TRUE(t.words().contains(QStringLiteral("More than twice the time")));
    EXPECT_FALSE(t.window.comparison().empty()) << "the step asks to see both";
    QSettings().clear();
}

TEST(Lessons, AfterTeachersModeThePanelIsAsNarrowAsBefore) {
    LessonWindow t;
    t.start("null-stream");
    QTest::qWait(50);
    const int before = t.room().panel().width();
    t.room().setTeaches(true);
    QTest::qWait(50);
    ASSERT_GT(t.room().panel().width(), before) << "large type";
    t.room().setTeaches(false);
    QTest::qWait(100);
    EXPECT_NEAR(t.room().panel().width(), before, 20);
}

TEST(Lessons, WhoFinishesOneComesToTheNextInTheList) {
    LessonWindow t;
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window));
    t.room().setTeaches(true); // nothing has to be predicted
    t.start("null-stream");
    for (int presses = 0; presses < 12 && t.room().shown(); ++presses) {
        t.room().forward();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !t.state().running; }, kLessonPatience));
        t.settle();
    }
    ASSERT_FALSE(t.room().shown());
    EXPECT_EQ(t.window.focusWidget()->objectName(), QStringLiteral("start events"));
    t.room().setTeaches(false);
}
