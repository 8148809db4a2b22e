// Lessons in the window: from step to step by buttons and by one key, predicting before seeing, what is
// remembered, what a teacher sees.
#include "lesson_window.h"
#include "patience.h"

#include <olab/ui/experiment_form.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <experiment/experiment_panel.h>
#include <lessons/hand_out.h>
#include <lessons/lessons_page.h>
#include <results/compare_page.h>
#include <results/findings_page.h>
#include <results/verdict_strip.h>
#include <timeline/canvas/canvas_overlay.h>
#include <timeline/rows/timeline_rows.h>
#include <window/messages/message_bars.h>
#include <window/runs/runs.h>
#include <window/runs/verdict_band.h>
#include <window/window_layout.h>
#include <window/window_parts.h>

#include <QSettings>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <fstream>

using namespace olab;
using namespace olab::ui;
using olab::test::LessonWindow;

namespace {

int lanesSeen(const TimelineCanvas& canvas) {
    int count = 0;
    for (const Row& row : canvas.rows().layout().rows) {
        const int top = canvas.rows().layout().screenTop(row, canvas.rows().scroll());
        count += row.kind != Row::Kind::Group && top >= 0 && top + row.height <= canvas.height();
    }
    return count;
}

} // namespace

TEST(Lessons, ThePageListsAllWithMinutesAndStartsOne) {
    LessonWindow t;
    t.room().showPage();
    for (const lesson::Lesson& lesson : lesson::shippedLessons())
        EXPECT_NE(t.find<QPushButton>(("start " + lesson.id).c_str()), nullptr) << lesson.id;
    t.click("start first-overlap");
    EXPECT_TRUE(t.room().panel().isVisible());
    EXPECT_FALSE(t.window.findChild<ExperimentPanel*>()->isVisible()) << "the lesson stands in its place";
    t.click("lessonClose");
    EXPECT_FALSE(t.room().panel().isVisible());
    t.window.parts().centre.enter(Room::Work);
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
    EXPECT_EQ(t.window.shown()->recording->file.filename(), "same-work-one-stream-h200.olab");
    const QString folder = QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings");
    for (const ShippedRecording& recording : shippedRecordings(folder))
        EXPECT_NE(recording.name, QStringLiteral("bounds-2-h200"))
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
    ASSERT_TRUE(t.runFirstStep("first-overlap", 1, "lessonElse"));
    EXPECT_TRUE(t.words().contains(QStringLiteral("Result, simulated")));
    EXPECT_TRUE(t.words().contains(QStringLiteral("✓")));
    EXPECT_EQ(experiment::optionNumber(t.window.form().experiment(), "streams"), 1)
        << "the form shows what ran";
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
    ASSERT_NO_FATAL_FAILURE(t.toSecondStep("first-overlap", 1));
    EXPECT_EQ(t.state().step, 1u);
    EXPECT_FALSE(t.state().outcome);
    t.leaveBars();
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    EXPECT_FALSE(t.window.comparison().empty()) << "the step asks to see both";
    EXPECT_TRUE(t.words().contains(QStringLiteral("in one stream they took")));
    t.click("lessonBack");
    EXPECT_EQ(t.state().step, 1u) << "first back to the question";
    EXPECT_FALSE(t.state().outcome);
    t.click("lessonBack");
    EXPECT_EQ(t.state().step, 0u);
}

TEST(Lessons, TheKeyboardAloneGoesFromTheMenuToTheResult) {
    LessonWindow t;
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, test::kPatience));
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
    EXPECT_TRUE(t.window.parts().layout.projector());
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
    EXPECT_TRUE(t.window.findChild<VerdictBand*>()->isVisible()) << "the answer was asked for";
    t.room().close();
    EXPECT_TRUE(t.window.parts().layout.projector()) << "the next lesson is for the same class";
    t.room().setTeaches(false);
    t.settle();
    EXPECT_FALSE(t.window.parts().layout.projector());
    t.window.parts().centre.enter(Room::Work);
    EXPECT_TRUE(t.window.findChild<ExperimentPanel*>()->isVisible());
    EXPECT_FALSE(t.window.findChild<VerdictStrip*>()->isHidden());
}

TEST(Lessons, BeforeAClassFourLanesAndTheFindingsAreSeenAt1280By720) {
    LessonWindow t;
    t.room().setTeaches(true);
    t.start("memset-is-a-kernel");
    t.room().forward();
    ASSERT_TRUE(t.waitForResult());
    test::letPass(100);
    auto* findings = t.window.findChild<QWidget*>(QStringLiteral("findings"));
    EXPECT_FALSE(findings->isVisible()) << "they would say the answer";
    EXPECT_FALSE(t.window.findChild<VerdictStrip*>()->isVisible()) << "so would the verdicts";
    EXPECT_GE(lanesSeen(t.window.timeline().canvas()), 4);
    t.room().forward();
    test::letPass(100);
    EXPECT_EQ(t.window.size(), QSize(1280, 720));
    const TimelineCanvas& canvas = t.window.timeline().canvas();
    const int lanes = lanesSeen(canvas);
    EXPECT_GE(lanes, 4);
    ASSERT_TRUE(findings->isVisible());
    EXPECT_GT(findings->height(), QFontMetrics(findings->font()).lineSpacing() * 2);
}

TEST(Lessons, TheRunOfAnotherLessonIsNotBesideTheFirstQuestion) {
    LessonWindow t;
    ASSERT_TRUE(t.runFirstStep("first-overlap", 1));
    const Runs& runs = t.window.parts().runs;
    ASSERT_NE(runs.current(), nullptr);
    t.start("memset-is-a-kernel");
    t.settle();
    EXPECT_EQ(runs.current(), nullptr);
    EXPECT_EQ(runs.currentRow(), -1);
    EXPECT_EQ(runs.count(), 1) << "it stays in the list";
    EXPECT_FALSE(t.window.findChild<VerdictStrip*>()->isVisible());
}

TEST(Lessons, InALargeWindowTheResultsHaveAQuarterOfIt) {
    LessonWindow t;
    t.window.resize(1920, 1080);
    ASSERT_TRUE(t.runFirstStep("first-overlap", 1));
    t.settle();
    EXPECT_GT(t.room().panel().width(), 400);
}

TEST(Lessons, ThemeAndProjectorMayChangeWhileAStepIsOpen) {
    LessonWindow t;
    ASSERT_TRUE(t.runFirstStep("first-overlap", 1));
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
    const auto* said = t.window.findChild<QLabel*>(QStringLiteral("lessonProblem"));
    ASSERT_NE(said, nullptr);
    EXPECT_TRUE(said->text().contains(QStringLiteral("bad.md:6"))) << qPrintable(said->text());
}

TEST(Lessons, AStoppedRunLeavesTheStepAsItWas) {
    LessonWindow t{QString()};
    t.start("first-overlap");
    t.predict(1);
    t.click("lessonForward");
    t.session.cancel();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.session.busy() && !t.state().running; }, test::kPatience));
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
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, test::kPatience));
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
    const QString before = t.window.timeline().canvas().overlay().emptyText();
    EXPECT_TRUE(before.contains(QStringLiteral("F5")));
    t.start("first-overlap");
    EXPECT_TRUE(t.window.timeline().canvas().overlay().emptyText().contains(QStringLiteral("lesson")));
    t.room().close();
    EXPECT_EQ(t.window.timeline().canvas().overlay().emptyText(), before);
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
