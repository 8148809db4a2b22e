// Lessons: code and pictures in a step, the exercise, one's own words, the votes of a class, what is kept and
// exported, and the whole lesson on paper.
#include "lesson_window.h"
#include "patience.h"

#include <olab/ui/experiment_form.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <lessons/hand_out.h>
#include <lessons/lesson_memory.h>
#include <lessons/lessons_page.h>
#include <lessons/step_text.h>
#include <pictures/painted.h>
#include <results/compare_page.h>
#include <results/findings_page.h>

#include <QComboBox>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QWheelEvent>

#include <fstream>

using namespace olab;
using namespace olab::ui;
using olab::test::LessonWindow;

namespace {

/// The step of the NULL stream lesson that has an exercise, run and shown.
void toExercise(LessonWindow& t) {
    ASSERT_NO_FATAL_FAILURE(t.toSecondStep("null-stream", 0));
    t.leaveBars();
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    ASSERT_NE(t.find<QWidget>("lessonExercise"), nullptr);
}

void change(LessonWindow& t, const char* option, const char* value) {
    auto *options = t.find<QComboBox>("exerciseOption"), *values = t.find<QComboBox>("exerciseValue");
    ASSERT_TRUE(options && values);
    options->setCurrentText(QLatin1String(option));
    values->setCurrentText(QLatin1String(value));
    values->setEditText(QLatin1String(value));
    t.click("exerciseRun");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.session.busy() && !t.state().running; }, test::kPatience));
    t.settle();
}

int pagesOf(const QByteArray& pdf) {
    const auto count = QRegularExpression(QStringLiteral("/Count (\\d+)")).match(QString::fromLatin1(pdf));
    return count.hasMatch() ? count.captured(1).toInt() : 0;
}

} // namespace

TEST(LessonClass, AnExerciseIsCheckedOnTheRunWithTheChange) {
    LessonWindow t;
    ASSERT_NO_FATAL_FAILURE(toExercise(t));
    const view::ViewDataPtr own = t.window.shown();
    ASSERT_NO_FATAL_FAILURE(change(t, "streams", "3")); // of no use
    EXPECT_TRUE(t.words().contains(QStringLiteral("The timeline shows your change: streams=3")))
        << qPrintable(t.words());
    EXPECT_FALSE(t.words().contains(QStringLiteral("Result, recorded"))) << "no ticks of the run before";
    ASSERT_EQ(t.state().attempts.size(), 1u);
    EXPECT_EQ(t.state().attempts[0].outcome.outcome, lesson::Outcome::Differs);
    EXPECT_EQ(t.state().attempts[0].origin, QStringLiteral("simulated"));
    auto* values = t.find<QComboBox>("exerciseValue");
    ASSERT_NE(values, nullptr);
    EXPECT_EQ(t.find<QComboBox>("exerciseOption")->currentText(), QStringLiteral("streams"))
        << "one goes on there";
    EXPECT_EQ(values->currentText(), QStringLiteral("3"));
    ASSERT_NO_FATAL_FAILURE(change(t, "stream.kind", "nonblocking"));
    ASSERT_EQ(t.state().attempts.size(), 2u);
    values = t.find<QComboBox>("exerciseValue");
    ASSERT_EQ(values->currentText(), QStringLiteral("nonblocking"));
    QWheelEvent wheel(QPointF(4, 4), values->mapToGlobal(QPointF(4, 4)), {}, {0, -120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(values, &wheel);
    EXPECT_EQ(values->currentText(), QStringLiteral("nonblocking")) << "a wheel scrolls the step";
    EXPECT_EQ(t.state().attempts[1].outcome.outcome, lesson::Outcome::Holds)
        << t.state().attempts[1].outcome.found;
    EXPECT_EQ(t.state().attempts[1].origin, QStringLiteral("recorded on NVIDIA H200")) << "one ships";
    EXPECT_EQ(t.window.comparison().before()->run, own->run) << "beside the run of the step";
    t.click("lessonOwnRun");
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.shown()->run == own->run; }, test::kPatience));
    t.settle();
    EXPECT_TRUE(t.words().contains(QStringLiteral("Result, recorded")));
    EXPECT_TRUE(t.words().contains(QStringLiteral("stream.kind=nonblocking"))) << "attempts stay";
}

TEST(LessonClass, AChangeThatCannotBeIsSaidAndNothingRuns) {
    LessonWindow t;
    ASSERT_NO_FATAL_FAILURE(toExercise(t));
    const view::ViewDataPtr own = t.window.shown();
    ASSERT_NO_FATAL_FAILURE(change(t, "streams", "many"));
    EXPECT_FALSE(t.state().exerciseProblem.isEmpty());
    ASSERT_NO_FATAL_FAILURE(change(t, "streams", "4"));
    EXPECT_TRUE(t.state().exerciseProblem.contains(QStringLiteral("already")))
        << qPrintable(t.state().exerciseProblem);
    EXPECT_EQ(t.window.shown(), own);
    EXPECT_TRUE(t.state().attempts.empty());
}

TEST(LessonClass, TryItOfAFindingIsAnAttemptAtTheExercise) {
    LessonWindow t;
    ASSERT_NO_FATAL_FAILURE(toExercise(t));
    const view::ViewDataPtr own = t.window.shown();
    emit t.window.findChild<FindingsPage*>()->tryRequested({{"null_op", "off"}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.shown()->run != own->run && !t.session.busy(); },
                                test::kPatience));
    t.settle();
    ASSERT_EQ(t.state().attempts.size(), 1u);
    EXPECT_EQ(t.state().attempts[0].change, QStringLiteral("null_op=off"));
    EXPECT_EQ(t.state().attempts[0].outcome.outcome, lesson::Outcome::Holds);
}

TEST(LessonClass, ARecordedAndASimulatedRunAreComparedStatementByStatement) {
    LessonWindow t;
    ASSERT_TRUE(t.runFirstStep("memset-is-a-kernel", 1));
    const view::ViewDataPtr own = t.window.shown();
    t.click("lessonSimulate");
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.state().simulated && !t.state().running; }, test::kPatience));
    t.settle();
    EXPECT_TRUE(t.words().contains(QStringLiteral("Result, recorded on NVIDIA H200")))
        << qPrintable(t.words());
    EXPECT_TRUE(t.words().contains(QStringLiteral("The same, simulated")));
    EXPECT_EQ(t.state().simulated->checks.size(), t.state().outcome->checks.size());
    EXPECT_EQ(t.window.comparison().before()->run, own->run);
    EXPECT_EQ(t.window.comparison().after(), t.window.shown());
    EXPECT_EQ(t.window.shown()->trace().provenance().source, SourceKind::Simulated);
}

TEST(LessonClass, CodeAndPicturesStandInTheText) {
    LessonWindow t;
    t.start("first-overlap");
    test::letPass(50);
    const auto* figure = dynamic_cast<FigureView*>(t.find<QWidget>("lessonFigure"));
    ASSERT_NE(figure, nullptr);
    EXPECT_TRUE(figure->accessibleName().contains(QStringLiteral("engines")));
    const QImage picture = t.find<QWidget>("lessonFigure")->grab().toImage();
    int dark = 0; // its words
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            dark += qGray(picture.pixel(x, y)) < 90;
    EXPECT_GT(dark, 500) << "it is drawn";
    t.predict(1);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    t.click("lessonForward");
    const auto* code = t.find<QLabel>("lessonCode");
    ASSERT_NE(code, nullptr);
    const QString shown = QString(code->text()).remove(QChar(0x200b)); // where a line may break
    EXPECT_TRUE(shown.contains(QStringLiteral("cudaMemcpyAsync(p.input")));
    EXPECT_EQ(code->text().count(QStringLiteral("▸")), 1) << "the loop over the streams";
    EXPECT_FALSE(code->text().contains(QStringLiteral("CHECK")));
}

TEST(LessonClass, APictureThatIsNoneIsDrawnAsNothing) {
    EXPECT_TRUE(svgImage("words", 100, 1).isNull());
    const std::string square = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 10'><rect width='20' "
                               "height='10' fill='#ff0000'/></svg>";
    EXPECT_EQ(svgImage(square, 40, 2).size(), QSize(80, 40));
    EXPECT_EQ(svgImage(square, 40, 1).pixelColor(20, 10), QColor(255, 0, 0));
    EXPECT_DOUBLE_EQ(svgHeightPerWidth(square), 0.5);
}

TEST(LessonClass, AllThatIsWrongWithALessonIsListedWhenItIsOpened) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.md"));
    std::ofstream(path.toStdString())
        << "---\ntitle: T\nminutes: 5\n---\n# One\n```experiment\nstreams: no\n```\n"
           "```chek\n```\n";
    LessonWindow t;
    t.room().openFile(path);
    t.settle();
    EXPECT_FALSE(t.room().shown());
    QStringList said;
    for (const QLabel* label : t.window.findChildren<QLabel*>(QStringLiteral("lessonProblem")))
        said << label->text();
    ASSERT_EQ(said.size(), 2) << qPrintable(said.join(u'\n'));
    EXPECT_TRUE(said[0].startsWith(QStringLiteral("mine.md:7: "))) << qPrintable(said[0]);
    EXPECT_TRUE(said[1].startsWith(QStringLiteral("mine.md:9: "))) << qPrintable(said[1]);
    std::ofstream(path.toStdString())
        << "---\ntitle: T\nminutes: 5\n---\n# One\nT.\n```experiment\nstreams: 3\n"
           "recording: default-h200\n```\n";
    t.room().openFile(path);
    t.settle();
    EXPECT_FALSE(t.room().shown()) << "the recording has four streams";
    const auto* line = t.window.findChild<QLabel*>(QStringLiteral("lessonProblem"));
    ASSERT_NE(line, nullptr);
    EXPECT_TRUE(line->text().contains(QStringLiteral("streams=4, and here 3"))) << qPrintable(line->text());
}

TEST(LessonClass, TheVotesOfAClassAreShownBesideWhatIsRight) {
    LessonWindow t;
    t.room().setTeaches(true);
    t.start("first-overlap");
    for (const auto& [name, count] : {std::pair{"votes0", 12}, std::pair{"votes1", 4}}) {
        ASSERT_NE(t.find<QSpinBox>(name), nullptr);
        t.find<QSpinBox>(name)->setValue(count);
    }
    t.room().forward();
    ASSERT_TRUE(t.waitForResult());
    EXPECT_FALSE(t.words().contains(QStringLiteral("The class said"))) << "not before it is asked for";
    t.room().forward();
    t.settle();
    EXPECT_TRUE(t.words().contains(QStringLiteral("The class said"))) << qPrintable(t.words());
    ASSERT_NE(t.find<QWidget>("voteBar0"), nullptr);
    EXPECT_EQ(t.find<QWidget>("voteBar0")->accessibleDescription(), QStringLiteral("12 (75 %)"));
    EXPECT_TRUE(t.room().answersCsv().contains(
        "vote,All calls are asynchronous. Will a copy run while a kernel runs?,"
        "\"Yes: the calls return at once, so the work overlaps\",12,no,"))
        << t.room().answersCsv().constData();
    EXPECT_TRUE(t.room().answersCsv().contains(",4,yes,recorded on NVIDIA H200,"));
    t.room().setTeaches(false);
}

TEST(LessonClass, AnswersAreKeptFromOneStartToTheNextAndForgottenWhenAsked) {
    QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    QSettings().clear();
    const QString recordings = QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings");
    {
        LessonWindow t(recordings, true);
        ASSERT_NO_FATAL_FAILURE(toExercise(t));
        auto* words = t.find<QPlainTextEdit>("lessonWords");
        ASSERT_NE(words, nullptr);
        words->setPlainText(QStringLiteral("Because of the memset."));
        ASSERT_NO_FATAL_FAILURE(change(t, "stream.kind", "nonblocking"));
    }
    LessonWindow t(recordings, true);
    t.start("null-stream");
    const QByteArray csv = t.room().answersCsv();
    for (const char* row :
         {",1,Four streams and one memset,prediction,Will it disturb the four streams?,No,1,yes,",
          ",2,The usual streams,bars,", ",words,", "Because of the memset.",
          ",exercise,Change one option so that copies run beside kernels again.,"
          "stream.kind=nonblocking: reached,"})
        EXPECT_TRUE(csv.contains(row)) << row << "\nin\n" << csv.constData();
    t.room().forgetAnswers();
    EXPECT_EQ(t.room().answersCsv().count('\n'), 1);
    QSettings().clear();
}

TEST(LessonClass, KeptAnswersThatCannotBeReadWereNotGiven) {
    EXPECT_TRUE(answersFromJson("nothing").empty());
    EXPECT_TRUE(answersFromJson("[1,2]").empty());
    const lesson::LessonRecord odd = answersFromJson(
        "{\"0\":{\"predicted\":-5,\"votes\":[1e9,\"x\"],\"written\":7},\"x\":{},\"99999\":{}}");
    ASSERT_EQ(odd.size(), 1u);
    EXPECT_EQ(odd.at(0).predicted, 0);
    EXPECT_EQ(odd.at(0).votes, (std::vector<int>{100'000, 0}));
    lesson::LessonRecord record;
    record[2].predicted = 1;
    record[2].placed = {0, 1.25};
    record[2].written = "Ein Satz: \"µ\"";
    record[2].attempts = {"streams=3: not reached"};
    record[2].votes = {3, 4};
    record[2].pairs = 6;
    EXPECT_EQ(answersFromJson(answersToJson(record)), record);
}

TEST(LessonClass, AWholeLessonIsOnePdfForStudentsAndOneForTheTeacher) {
    LessonWindow t;
    t.start("null-stream");
    const QByteArray students = t.room().lessonPaper(false), teachers = t.room().lessonPaper(true);
    const int steps = static_cast<int>(lesson::findShippedLesson("null-stream")->steps.size());
    EXPECT_GE(pagesOf(students), steps);
    EXPECT_GE(pagesOf(teachers), 2 * steps) << "a picture of each run";
    EXPECT_LE(pagesOf(teachers), 4 * steps);
    EXPECT_GT(teachers.size(), students.size());
}

TEST(LessonClass, AMythHasTheWindowForItselfAndItsVerdictIsAKey) {
    LessonWindow t;
    t.start("myths");
    test::letPass(100);
    EXPECT_GT(t.room().panel().width(), t.window.width() * 9 / 10) << "large, before the verdict";
    EXPECT_FALSE(t.window.timeline().isVisible());
    const auto* code = t.room().panel().findChild<QScrollArea*>()->widget()->findChild<QLabel*>();
    ASSERT_NE(code, nullptr);
    EXPECT_GE(code->fontInfo().pixelSize(), 18);
    QTest::keyClick(&t.room().panel(), Qt::Key_F);
    ASSERT_TRUE(t.state().predicted);
    EXPECT_EQ(t.state().now().question->answers[static_cast<std::size_t>(*t.state().predicted)].text,
              "False");
    QTest::keyClick(&t.room().panel(), Qt::Key_1);
    EXPECT_EQ(t.state().predicted, 0);
    t.click("lessonForward");
    ASSERT_TRUE(t.waitForResult());
    test::letPass(100);
    EXPECT_TRUE(t.window.timeline().isVisible());
    EXPECT_LT(t.room().panel().width(), t.window.width() / 2);
}

TEST(LessonClass, AnswersAreAboveTheFoldAt1280x720) {
    LessonWindow t;
    for (const bool teaches : {false, true}) {
        t.room().setTeaches(teaches);
        for (const lesson::Lesson& lesson : lesson::shippedLessons())
            for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
                lesson::Lesson one = lesson;
                one.steps = {lesson.steps[step]};
                t.room().start(one, QStringLiteral("own/fold"));
                test::letPass(30);
                t.settle();
                if (!one.steps[0].question)
                    continue;
                for (std::size_t i = 0; i < one.steps[0].question->answers.size(); ++i) {
                    auto* answer =
                        t.room().panel().findChild<QRadioButton*>(QStringLiteral("answer%1").arg(i));
                    ASSERT_NE(answer, nullptr);
                    EXPECT_EQ(answer->visibleRegion().boundingRect(), answer->rect())
                        << lesson.id << ", step " << step + 1 << ", answer " << i + 1
                        << (teaches ? ", teaching" : "");
                }
            }
    }
    t.room().setTeaches(false);
}

TEST(LessonClass, TheWindowFillsTheScreenAndComesBack) {
    LessonWindow t;
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, test::kPatience));
    t.key(Qt::Key_F11, Qt::ShiftModifier);
    EXPECT_TRUE(t.window.isFullScreen());
    t.key(Qt::Key_F11, Qt::ShiftModifier);
    EXPECT_FALSE(t.window.isFullScreen());
}

TEST(LessonClass, OnesOwnLessonsComeFirstAndTheFocusStaysWhenTheLookChanges) {
    QTemporaryDir folder;
    const QByteArray before = qgetenv("XDG_DATA_HOME");
    qputenv("XDG_DATA_HOME", folder.path().toUtf8());
    const std::filesystem::path own = lesson::ownLessonFolder();
    std::filesystem::create_directories(own);
    std::ofstream(own / "mine.md") << "---\ntitle: Mine\nminutes: 5\n---\n# One\nText.\n";
    LessonWindow t;
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, test::kPatience));
    t.room().showPage();
    t.settle();
    EXPECT_EQ(t.window.focusWidget()->objectName(), QStringLiteral("start own/mine"));
    auto* races = t.find<QPushButton>("start races");
    ASSERT_NE(races, nullptr);
    races->setFocus();
    t.room().setTeaches(true);
    test::letPass(100);
    EXPECT_EQ(t.window.focusWidget()->objectName(), QStringLiteral("start races"));
    t.room().setTeaches(false);
    t.click("start own/mine");
    EXPECT_TRUE(t.room().shown());
    before.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", before);
}

TEST(LessonClass, LongCodeDoesNotPushTheTextOutOfSight) {
    LessonWindow t;
    t.room().setTeaches(true);
    ASSERT_NO_FATAL_FAILURE(t.start("first-overlap"));
    for (int presses = 0; presses < 3; ++presses) {
        t.room().forward();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !t.state().running; }, test::kPatience));
        t.settle();
    }
    ASSERT_EQ(t.state().step, 1u);
    test::letPass(100);
    const auto* scroll = t.room().panel().findChild<QScrollArea*>();
    EXPECT_LE(scroll->widget()->width(), scroll->viewport()->width());
    t.room().setTeaches(false);
}
