// The whole window, with the simulator behind it.
#include "shown_fixture.h"

#include <olab/run/recording.h>
#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/timeline_view.h>

#include <shell/error_bar.h>
#include <shell/run_list.h>

#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

using namespace olab;
using namespace olab::test;

namespace {

/// As the test wants it: the simulator, one that waits for the stop, or one that does not even look at it for
/// a while.
class MoodyBackend final : public Backend {
public:
    enum class Mood { Good, Slow, Deaf, Failing };
    explicit MoodyBackend(const std::atomic<Mood>& mood)
        : m_mood(mood) {}
    void run(const Schedule& schedule, const RunOptions& options, TraceBuilder& out,
             const RunControl& control) override {
        if (m_mood == Mood::Failing)
            throw Error(ErrorKind::DeviceFailed, "test-failure", "The device fell over.", "Set it up again.");
        if (m_mood == Mood::Deaf)
            std::this_thread::sleep_for(std::chrono::milliseconds(900));
        for (int i = 0; m_mood == Mood::Slow && i < 1000; ++i) {
            control.throwIfCancelled();
            control.report(i / 1000.0, "waiting");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        SimBackend().run(schedule, options, out, control);
    }

private:
    const std::atomic<Mood>& m_mood;
};

struct WindowOnScreen {
    WindowOnScreen() {
        window.resize(1280, 720);
        window.show();
        window.activateWindow(); // keys go to the active window
        (void)QTest::qWaitForWindowActive(&window);
    }
    bool waitForRecording() {
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        return QTest::qWaitFor([&] { return spy.count() > 0; }, 20'000);
    }
    bool waitUntilIdle(int ms = 20'000) {
        return QTest::qWaitFor([&] { return !session.busy(); }, ms);
    }
    QPushButton* button(const QString& text) {
        for (QPushButton* b : window.findChildren<QPushButton*>())
            if (b->text().startsWith(text))
                return b;
        return nullptr;
    }

    std::atomic<MoodyBackend::Mood> mood{MoodyBackend::Mood::Good};
    Session session{{[this] { return std::make_unique<MoodyBackend>(mood); }, {}}};
    MainWindow window{session, {.remember = true, .askBeforeClose = false}};
};

const Verdict* verdictOf(const Shown& shown, ActivityClass a, ActivityClass b) {
    for (const Verdict& v : shown.recording->report.verdicts)
        if (v.a == a && v.b == b)
            return &v;
    return nullptr;
}

QStringList namesIn(const QWidget& window) {
    QStringList names;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (!widget->accessibleName().isEmpty())
            names << widget->accessibleName();
    return names;
}

} // namespace

TEST(MainWindow, ASimulatedRunShowsItsVerdicts) {
    WindowOnScreen t;
    QTest::keyClick(&t.window, Qt::Key_F5);
    ASSERT_TRUE(t.waitForRecording());
    const Verdict* verdict = verdictOf(*t.window.shown(), ActivityClass::MemcpyH2D, ActivityClass::Kernel);
    ASSERT_NE(verdict, nullptr);
    EXPECT_EQ(verdict->kind, VerdictKind::Overlapped);
    EXPECT_TRUE(
        namesIn(t.window).join(QLatin1Char('\n')).contains(QStringLiteral("H2D | kernel: overlapped")))
        << "the chip";
    EXPECT_EQ(t.window.shown()->recording->badge(), "SIMULATED");
    EXPECT_TRUE(t.window.timeline().canvas().viewport().isFit());
    EXPECT_EQ(t.window.errors().count(), 0);
    EXPECT_FALSE(t.window.grab().isNull());
}

TEST(MainWindow, ShowsEveryPageInBothThemes) {
    WindowOnScreen t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
        t.window.setTheme(theme);
        for (const char* page : {"findings", "matrix", "activities", "charts", "log"}) {
            EXPECT_TRUE(t.window.showPage(QLatin1String(page)));
            QCoreApplication::processEvents();
            EXPECT_FALSE(t.window.grab().isNull());
        }
    }
    EXPECT_FALSE(t.window.showPage(QStringLiteral("nothing")));
}

TEST(MainWindow, FitsIntoAWindowOf1280By720) {
    WindowOnScreen t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    QCoreApplication::processEvents();
    EXPECT_EQ(t.window.size(), QSize(1280, 720));
    EXPECT_GT(t.window.timeline().canvas().height(), 200);
}

TEST(MainWindow, AFileThatIsNoRecordingIsAnErrorWithAHint) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("bad.olab"));
    std::ofstream(path.toStdString()) << "this is no recording";
    WindowOnScreen t;
    const QSignalSpy errors(&t.window, &MainWindow::errorShown);
    t.window.open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return errors.count() > 0; }, 5'000));
    EXPECT_EQ(t.window.errors().count(), 1);
    try {
        openRecording(path.toStdString());
        FAIL() << "it can be read";
    } catch (const Error& error) {
        EXPECT_TRUE(t.window.errors().lastText().contains(QString::fromUtf8(error.what())));
        EXPECT_FALSE(error.hint().empty());
        EXPECT_TRUE(t.window.errors().lastText().contains(QString::fromStdString(error.hint())));
    }
    EXPECT_EQ(t.button(QStringLiteral("Run again")), nullptr)
        << "running again would not help to open a file";
    EXPECT_TRUE(t.waitUntilIdle());
}

TEST(MainWindow, AFailedRunCanBeRunAgain) {
    WindowOnScreen t;
    t.mood = MoodyBackend::Mood::Failing;
    t.window.run();
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.errors().count() == 1; }, 5'000));
    EXPECT_EQ(t.window.errors().lastText(), QStringLiteral("The device fell over. Set it up again."));
    ASSERT_TRUE(t.waitUntilIdle());
    t.mood = MoodyBackend::Mood::Good;
    QPushButton* again = t.button(QStringLiteral("Run again"));
    ASSERT_NE(again, nullptr);
    again->click();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.errors().count(), 0);
}

TEST(MainWindow, CancelMakesTheWindowReadyWithin200Ms) {
    for (const auto mood : {MoodyBackend::Mood::Slow, MoodyBackend::Mood::Deaf}) {
        WindowOnScreen t;
        t.mood = mood;
        t.window.run();
        QTest::qWait(60);
        ASSERT_TRUE(t.session.busy());
        QElapsedTimer clock;
        clock.start();
        QTest::keyClick(&t.window, Qt::Key_Escape);
        ASSERT_TRUE(t.waitUntilIdle());
        EXPECT_LE(clock.elapsed(), 200);
        EXPECT_TRUE(t.button(QStringLiteral("Run "))->isEnabled());
        t.mood =
            MoodyBackend::Mood::Good; // and it runs again, even while the old job is still on its way out
        t.window.run();
        ASSERT_TRUE(t.waitForRecording());
        EXPECT_EQ(t.window.errors().count(), 0);
    }
}

TEST(MainWindow, ACancelledRunLeavesNothingBehind) {
    WindowOnScreen t;
    t.mood = MoodyBackend::Mood::Deaf;
    const QSignalSpy shown(&t.window, &MainWindow::recordingShown);
    t.window.run();
    QTest::qWait(30);
    t.session.cancel();
    QTest::qWait(1300); // longer than the deaf one sleeps
    EXPECT_EQ(shown.count(), 0);
    EXPECT_EQ(t.window.errors().count(), 0);
}

TEST(MainWindow, ProgressIsShownWhileItRuns) {
    WindowOnScreen t;
    t.mood = MoodyBackend::Mood::Slow;
    const QSignalSpy progress(&t.session, &Session::progressed);
    t.window.run();
    EXPECT_TRUE(QTest::qWaitFor([&] { return progress.count() >= 3; }, 3'000));
    EXPECT_FALSE(t.button(QStringLiteral("Run "))->isVisible());
    EXPECT_TRUE(t.button(QStringLiteral("Cancel"))->isVisible());
    t.button(QStringLiteral("Cancel"))->click();
    EXPECT_TRUE(t.waitUntilIdle(500));
}

TEST(MainWindow, ConflictsDisableRun) {
    WindowOnScreen t;
    Experiment nothing;
    nothing.h2d = nothing.memset = nothing.kernel = nothing.d2h = false;
    t.window.form().setExperiment(nothing);
    EXPECT_FALSE(t.button(QStringLiteral("Run "))->isEnabled());
    QTest::keyClick(&t.window, Qt::Key_F5);
    EXPECT_FALSE(t.session.busy());
    t.window.form().setExperiment({});
    EXPECT_TRUE(t.button(QStringLiteral("Run "))->isEnabled());
}

TEST(MainWindow, TryItRunsTheExperimentWithThatOneChange) {
    WindowOnScreen t;
    Experiment pageable;
    pageable.h2dMemory = pageable.d2hMemory = HostMemory::Pageable;
    t.window.form().setExperiment(pageable);
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    QPushButton* tryIt = t.button(QStringLiteral("Try it"));
    ASSERT_NE(tryIt, nullptr);
    tryIt->click();
    ASSERT_TRUE(t.waitForRecording());
    ASSERT_TRUE(t.window.shown()->recording->experiment);
    EXPECT_NE(*t.window.shown()->recording->experiment, pageable);
    EXPECT_EQ(t.window.form().experiment(), *t.window.shown()->recording->experiment);
    EXPECT_EQ(t.window.findChild<RunList*>()->count(), 2);
}

TEST(MainWindow, SavesAndOpensAgain) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("run.olab"));
    WindowOnScreen t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.findChild<RunList*>()->unsavedCount(), 1);
    const ShownPtr first = t.window.shown();
    const QSignalSpy saved(&t.session, &Session::saved);
    ASSERT_TRUE(t.session.save(first, path));
    ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() == 1; }, 5'000));
    EXPECT_EQ(t.window.findChild<RunList*>()->unsavedCount(), 0);
    t.window.open(path);
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.shown()->trace().size(), first->trace().size());
    EXPECT_EQ(t.window.shown()->recording->report.bounds.measured, first->recording->report.bounds.measured);
    EXPECT_EQ(t.window.findChild<RunList*>()->unsavedCount(), 0);
}

TEST(MainWindow, RemembersTheExperiment) {
    Experiment wanted;
    wanted.streams = 7;
    {
        WindowOnScreen t;
        t.window.form().setExperiment(wanted);
        t.window.close();
    }
    WindowOnScreen again;
    EXPECT_EQ(again.window.form().experiment(), wanted);
    again.window.form().setExperiment({});
    again.window.close();
}

TEST(MainWindow, WithoutAGpuTheSimulatorIsChosenAndTheReasonIsSaid) {
    WindowOnScreen t;
    const QSignalSpy probed(&t.session, &Session::gpuProbed);
    t.session.probeGpu();
    ASSERT_TRUE(QTest::qWaitFor([&] { return probed.count() == 1; }, 5'000));
    EXPECT_FALSE(t.session.gpu().usable);
    EXPECT_FALSE(t.session.gpu().why.isEmpty());
    EXPECT_EQ(t.session.backend(), BackendChoice::Simulator);
}
