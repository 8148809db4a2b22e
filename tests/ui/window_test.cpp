// The whole window, with the simulator behind it.
#include "answers.h"
#include "patience.h"
#include "shown_fixture.h"
#include "test_places.h"

#include <olab/experiment/plan.h>
#include <olab/recording/recording.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/lanes.h>
#include <olab/trace/trace_builder.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/row_choices.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_view.h>
#include <timeline/rows/timeline_rows.h>

#include <results/compare_page.h>
#include <results/compare_strips.h>
#include <results/inspector.h>
#include <results/trust_line.h>
#include <results/verdict_strip.h>
#include <timeline/search/search_bar.h>
#include <window/messages/error_bar.h>
#include <window/runs/run_list.h>

#include <QAbstractButton>
#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFontInfo>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

/// As the test wants it: the simulator, one that waits for the stop, or one that does not even look at it
/// until its mood changes.
class MoodyBackend final : public experiment::Backend {
public:
    enum class Mood { Good, Slow, Deaf, Failing };
    /// `running`: how many runs are under way, wanted or not.
    MoodyBackend(const std::atomic<Mood>& mood, std::atomic<int>& running)
        : m_mood(mood)
        , m_running(running) {}
    void run(const experiment::Plan& schedule, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        if (m_mood == Mood::Failing)
            throw Error(ErrorKind::DeviceFailed, "test-failure", "The device fell over.", "Set it up again.");
        const Counted counted(m_running);
        while (m_mood == Mood::Deaf)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        for (int i = 0; m_mood == Mood::Slow; ++i) {
            control.throwIfCancelled();
            control.report(i % 1000 / 1000.0, "waiting");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        sim::SimBackend().run(schedule, options, out, control);
    }

private:
    struct Counted {
        explicit Counted(std::atomic<int>& count_)
            : count(count_) {
            ++count;
        }
        ~Counted() { --count; }
        std::atomic<int>& count;
    };
    const std::atomic<Mood>& m_mood;
    std::atomic<int>& m_running;
};

struct ShownWindow {
    /// What another window remembers is kept at once: `fresh` forgets it.
    explicit ShownWindow(bool fresh = true)
        : isFresh((fresh ? QSettings().clear() : void(), fresh)) {
        window.resize(1280, 720);
        window.show();
        window.activateWindow(); // keys go to the active window
        (void)QTest::qWaitForWindowActive(&window, kPatience);
    }
    ~ShownWindow() { mood = MoodyBackend::Mood::Good; } // who hears nothing would be waited for
    bool waitForRecording() {
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        return QTest::qWaitFor([&] { return spy.count() > 0; }, kPatience);
    }
    bool waitUntilIdle() {
        return QTest::qWaitFor([&] { return !session.busy(); }, kPatience);
    }
    bool waitUntilItRuns() {
        return QTest::qWaitFor([&] { return running > 0; }, kPatience);
    }
    QPushButton* button(const QString& text) {
        for (QPushButton* b : window.findChildren<QPushButton*>())
            if (b->text().startsWith(text))
                return b;
        return nullptr;
    }

    const bool isFresh; ///< before the window is made
    std::atomic<MoodyBackend::Mood> mood{MoodyBackend::Mood::Good};
    std::atomic<int> running{0};
    Session session{{[this] { return std::make_unique<MoodyBackend>(mood, running); }, {}}};
    MainWindow window{session, {.remember = true, .askBeforeClose = false}};
};

const analysis::Verdict* verdictOf(const view::ViewData& shown, ActivityClass a, ActivityClass b) {
    for (const analysis::Verdict& v : shown.recording->report.verdicts)
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
    ShownWindow t;
    QTest::keyClick(&t.window, Qt::Key_F5);
    ASSERT_TRUE(t.waitForRecording());
    const analysis::Verdict* verdict =
        verdictOf(*t.window.shown(), ActivityClass::MemcpyH2D, ActivityClass::Kernel);
    ASSERT_NE(verdict, nullptr);
    EXPECT_EQ(verdict->kind, analysis::VerdictKind::Overlapped);
    EXPECT_TRUE(
        namesIn(t.window).join(QLatin1Char('\n')).contains(QStringLiteral("H2D and kernel: overlapped")))
        << "the chip";
    EXPECT_EQ(t.window.shown()->recording->badge(), "SIMULATED");
    EXPECT_TRUE(t.window.timeline().canvas().viewport().isFit());
    EXPECT_EQ(t.window.errors().count(), 0);
    EXPECT_FALSE(t.window.grab().isNull());
}

TEST(MainWindow, ASimulatedRunSaysHowFarToTrustIt) {
    ShownWindow t;
    const auto* line = t.window.findChild<TrustLine*>();
    ASSERT_NE(line, nullptr);
    EXPECT_FALSE(line->isVisible());
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_TRUE(line->isVisible());
    EXPECT_TRUE(line->text().contains(QStringLiteral("Runs like this one"))) << qPrintable(line->text());
    EXPECT_TRUE(line->text().contains(QStringLiteral("measured runs")));
    experiment::HeldExperiment other;
    experiment::setOption(other, "kernel.us=120");
    t.window.form().setExperiment(other);
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_TRUE(line->text().contains(QStringLiteral("kernel.us=120"))) << qPrintable(line->text());
    t.window.open(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/default-h200.olab"));
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_FALSE(line->isVisible()) << "it was measured";
}

TEST(MainWindow, SeveralDevicesEachHaveTheirVerdicts) {
    ShownWindow t;
    t.window.open(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/two-gpus-p2p-h200.olab"));
    ASSERT_TRUE(t.waitForRecording());
    QStringList names;
    for (const QAbstractButton* chip : t.window.findChild<VerdictStrip*>()->findChildren<QAbstractButton*>())
        names << chip->accessibleName();
    for (const char* device : {"GPU 0: ", "GPU 1: "})
        EXPECT_EQ(names.filter(QLatin1String(device)).size(), 7) << device;
}

TEST(MainWindow, TheInspectorFollowsWhatIsPickedInTheTimeline) {
    ShownWindow t;
    QTest::keyClick(&t.window, Qt::Key_F5);
    ASSERT_TRUE(t.waitForRecording());
    TimelineCanvas& canvas = t.window.timeline().canvas();
    const auto* inspector = t.window.findChild<Inspector*>();
    ASSERT_NE(inspector, nullptr);
    QTest::keyClick(&canvas, Qt::Key_M);
    EXPECT_TRUE(inspector->toPlainText().startsWith(QStringLiteral("Measured"))) << "a range";
    QTest::keyClick(&canvas, Qt::Key_BracketRight);
    EXPECT_TRUE(inspector->toPlainText().contains(QStringLiteral("Nothing on"))) << "a gap";
    QTest::keyClick(&canvas, Qt::Key_Period);
    EXPECT_TRUE(inspector->toPlainText().contains(QStringLiteral("Why it started then"))) << "an operation";
}

TEST(MainWindow, ShowsEveryPageInBothThemes) {
    ShownWindow t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
        t.window.setTheme(theme);
        for (const char* page :
             {"findings", "ledger", "matrix", "activities", "bookmarks", "charts", "log"}) {
            EXPECT_TRUE(t.window.showPage(QLatin1String(page)));
            QCoreApplication::processEvents();
            EXPECT_FALSE(t.window.grab().isNull());
        }
    }
    EXPECT_FALSE(t.window.showPage(QStringLiteral("nothing")));
}

TEST(MainWindow, FitsIntoAWindowOf1280By720) {
    ShownWindow t;
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
    ShownWindow t;
    const QSignalSpy errors(&t.window, &MainWindow::errorShown);
    t.window.open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return errors.count() > 0; }, kPatience));
    EXPECT_EQ(t.window.errors().count(), 1);
    try {
        recording::openRecording(path.toStdString());
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
    ShownWindow t;
    t.mood = MoodyBackend::Mood::Failing;
    t.window.run();
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.errors().count() == 1; }, kPatience));
    EXPECT_EQ(t.window.errors().lastText(), QStringLiteral("The device fell over. Set it up again."));
    ASSERT_TRUE(t.waitUntilIdle());
    t.mood = MoodyBackend::Mood::Good;
    QPushButton* again = t.button(QStringLiteral("Run again"));
    ASSERT_NE(again, nullptr);
    again->click();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.errors().count(), 0);
}

TEST(MainWindow, CancelMakesTheWindowReadyAlsoWhileTheJobIsOnItsWayOut) {
    for (const auto mood : {MoodyBackend::Mood::Slow, MoodyBackend::Mood::Deaf}) {
        ShownWindow t;
        t.mood = mood;
        t.window.run();
        ASSERT_TRUE(t.waitUntilItRuns());
        ASSERT_TRUE(t.session.busy());
        QTest::keyClick(&t.window, Qt::Key_Escape);
        ASSERT_TRUE(t.waitUntilIdle());
        EXPECT_TRUE(mood == MoodyBackend::Mood::Slow || t.running == 1) << "nobody waited for it";
        EXPECT_TRUE(t.button(QStringLiteral("Run   F5"))->isEnabled());
        t.mood =
            MoodyBackend::Mood::Good; // and it runs again, even while the old job is still on its way out
        t.window.run();
        ASSERT_TRUE(t.waitForRecording());
        EXPECT_EQ(t.window.errors().count(), 0);
    }
}

TEST(MainWindow, ACancelledRunLeavesNothingBehind) {
    ShownWindow t;
    t.mood = MoodyBackend::Mood::Deaf;
    const QSignalSpy shown(&t.window, &MainWindow::recordingShown);
    t.window.run();
    ASSERT_TRUE(t.waitUntilItRuns());
    t.session.cancel();
    t.mood = MoodyBackend::Mood::Good;
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.running == 0; }, kPatience));
    letPass(50);
    EXPECT_EQ(shown.count(), 0);
    EXPECT_EQ(t.window.errors().count(), 0);
}

TEST(MainWindow, ProgressIsShownWhileItRuns) {
    ShownWindow t;
    t.mood = MoodyBackend::Mood::Slow;
    const QSignalSpy progress(&t.session, &Session::progressed);
    t.window.run();
    EXPECT_TRUE(QTest::qWaitFor([&] { return progress.count() >= 3; }, kPatience));
    EXPECT_FALSE(t.button(QStringLiteral("Run   F5"))->isVisible());
    EXPECT_TRUE(t.button(QStringLiteral("Cancel"))->isVisible());
    t.button(QStringLiteral("Cancel"))->click();
    EXPECT_TRUE(t.waitUntilIdle());
}

TEST(MainWindow, ConflictsDisableRun) {
    ShownWindow t;
    experiment::HeldExperiment nothing;
    for (const char* step : {"h2d", "memset", "kernel", "d2h"})
        experiment::setOption(nothing, step, "off");
    t.window.form().setExperiment(nothing);
    EXPECT_FALSE(t.button(QStringLiteral("Run   F5"))->isEnabled());
    QTest::keyClick(&t.window, Qt::Key_F5);
    EXPECT_FALSE(t.session.busy());
    t.window.form().setExperiment(experiment::HeldExperiment{});
    EXPECT_TRUE(t.button(QStringLiteral("Run   F5"))->isEnabled());
}

TEST(MainWindow, TryItRunsTheExperimentWithThatOneChange) {
    ShownWindow t;
    experiment::HeldExperiment pageable;
    for (const char* key : {"h2d.memory", "d2h.memory"})
        experiment::setOption(pageable, key, "pageable");
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

TEST(MainWindow, TryItSaysBeforehandThatItWillSimulate) {
    ShownWindow t;
    t.session.setBackend(BackendChoice::Simulator);
    t.window.open(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/pageable-h200.olab"));
    ASSERT_TRUE(t.waitForRecording());
    ASSERT_NE(t.button(QStringLiteral("Try it, simulated")), nullptr) << "it was measured";
    t.session.setBackend(BackendChoice::Gpu);
    EXPECT_EQ(t.button(QStringLiteral("Try it, simulated")), nullptr);
    EXPECT_NE(t.button(QStringLiteral("Try it: ")), nullptr);
    t.session.setBackend(BackendChoice::Simulator);
    t.button(QStringLiteral("Try it, simulated"))->click();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.button(QStringLiteral("Try it, simulated")), nullptr) << "now a simulated run is shown";
}

TEST(MainWindow, SavesAndOpensAgain) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("run.olab"));
    ShownWindow t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.findChild<RunList*>()->unsavedCount(), 1);
    const view::ViewDataPtr first = t.window.shown();
    const QSignalSpy saved(&t.session, &Session::saved);
    ASSERT_TRUE(t.session.save(first, path));
    ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() == 1; }, kPatience));
    EXPECT_EQ(t.window.findChild<RunList*>()->unsavedCount(), 0);
    t.window.open(path);
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.shown()->trace().size(), first->trace().size());
    EXPECT_EQ(t.window.shown()->recording->report.bounds.measured, first->recording->report.bounds.measured);
    EXPECT_EQ(t.window.findChild<RunList*>()->unsavedCount(), 0);
}

TEST(MainWindow, RemembersTheExperiment) {
    experiment::HeldExperiment wanted;
    experiment::setOption(wanted, "streams=7");
    {
        ShownWindow t;
        t.window.form().setExperiment(wanted);
        t.window.close();
    }
    ShownWindow again(false);
    EXPECT_EQ(again.window.form().experiment(), wanted);
    again.window.form().setExperiment(experiment::HeldExperiment{});
    again.window.close();
}

TEST(MainWindow, WithoutAGpuTheSimulatorIsChosenAndTheReasonIsSaid) {
    ShownWindow t;
    const QSignalSpy probed(&t.session, &Session::gpuProbed);
    t.session.probeGpu();
    ASSERT_TRUE(QTest::qWaitFor([&] { return probed.count() == 1; }, kPatience));
    EXPECT_FALSE(t.session.gpu().usable);
    EXPECT_FALSE(t.session.gpu().why.isEmpty());
    EXPECT_EQ(t.session.backend(), BackendChoice::Simulator);
}

TEST(MainWindow, TryItShowsBothRunsOneAboveTheOther) {
    ShownWindow t;
    experiment::HeldExperiment pageable;
    for (const char* key : {"h2d.memory", "d2h.memory"})
        experiment::setOption(pageable, key, "pageable");
    t.window.form().setExperiment(pageable);
    EXPECT_FALSE(t.window.showPage(QStringLiteral("compare"))) << "nothing to compare yet";
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    const view::ViewDataPtr before = t.window.shown();
    ASSERT_NE(t.button(QStringLiteral("Try it")), nullptr);
    t.button(QStringLiteral("Try it"))->click();
    ASSERT_TRUE(t.waitForRecording());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.window.comparison().empty(); }, kPatience));
    EXPECT_EQ(t.window.comparison().before(), before);
    EXPECT_EQ(t.window.comparison().after(), t.window.shown());
    EXPECT_TRUE(t.window.comparison().isVisible()) << "opened by itself";
    const auto options = t.window.comparison().comparison().options;
    ASSERT_FALSE(options.empty());
    EXPECT_TRUE(options.front().key.ends_with(".memory")) << options.front().key;
    EXPECT_EQ(options.front().after, "pinned");
    EXPECT_TRUE(t.window.comparison().headline().contains(QStringLiteral("times as fast")))
        << t.window.comparison().headline().toStdString();
    const auto* strips = t.window.findChild<CompareStrips*>();
    ASSERT_NE(strips, nullptr);
    EXPECT_GE(strips->range().length(), before->trace().deviceSpan().length()) << "the longer one fits";
    EXPECT_FALSE(t.window.grab().isNull());
}

TEST(MainWindow, SlashSearchesWhereverTheFocusIs) {
    ShownWindow t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    auto* box = qobject_cast<QWidget*>(t.window.form().editor("memset"));
    for (const bool slash : {true, false}) {
        box->setFocus();
        if (slash)
            QTest::keyClick(box, Qt::Key_Slash);
        else
            QTest::keyClick(box, Qt::Key_F, Qt::ControlModifier);
        auto* search = t.window.findChild<SearchBar*>();
        ASSERT_NE(search, nullptr);
        EXPECT_TRUE(search->isVisible());
        EXPECT_TRUE(search->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        EXPECT_FALSE(search->isVisible());
    }
}

TEST(MainWindow, TheLogFollowsItsEndAlsoWhenItBecomesSmaller) {
    ShownWindow t;
    ASSERT_TRUE(t.window.showPage(QStringLiteral("log")));
    auto* log = t.window.findChild<QPlainTextEdit*>(QStringLiteral("log"));
    ASSERT_NE(log, nullptr);
    for (int i = 0; i < 100; ++i)
        log->appendPlainText(QString::number(i));
    const QScrollBar& bar = *log->verticalScrollBar();
    QCoreApplication::processEvents();
    ASSERT_EQ(bar.value(), bar.maximum());
    log->setMaximumHeight(log->height() / 2);
    letPass(20);
    log->appendPlainText(QStringLiteral("last"));
    EXPECT_EQ(bar.value(), bar.maximum());
    log->verticalScrollBar()->setValue(0);
    log->appendPlainText(QStringLiteral("more"));
    EXPECT_EQ(bar.value(), 0) << "who reads something older is left there";
}

TEST(MainWindow, TwoSelectedRunsAreCompared) {
    ShownWindow t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    const view::ViewDataPtr first = t.window.shown();
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_TRUE(t.window.comparison().empty()) << "a plain run compares nothing";
    auto* runs = t.window.findChild<RunList*>();
    QTest::mouseClick(runs->viewport(), Qt::LeftButton, Qt::ControlModifier,
                      runs->visualItemRect(runs->item(1)).center());
    ASSERT_FALSE(t.window.comparison().empty());
    EXPECT_EQ(t.window.comparison().before(), first) << "the older one is above";
    EXPECT_TRUE(t.window.comparison().comparison().options.empty());
    EXPECT_TRUE(t.window.comparison().headline().contains(QStringLiteral("no significant difference")))
        << t.window.comparison().headline().toStdString();
}

TEST(MainWindow, OpeningAFileShowsItsSettingsUnlessThePersonChangedTheForm) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("three.olab"));
    experiment::HeldExperiment three, own;
    experiment::setOption(three, "streams=3");
    experiment::setOption(own, "streams=9");
    ShownWindow t;
    t.window.form().setExperiment(three);
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    ASSERT_TRUE(t.session.save(t.window.shown(), path));
    ASSERT_TRUE(t.waitUntilIdle());
    const auto openInto = [&](const experiment::Experiment& form) {
        t.window.form().setExperiment(form); // as a person does: the window did not
        t.window.open(path);
        return t.waitForRecording();
    };
    ASSERT_TRUE(openInto(own));
    EXPECT_EQ(t.window.form().experiment(), own) << "what a person chose is not thrown away";
    auto* use = t.window.findChild<QPushButton*>(QStringLiteral("useSettings"));
    ASSERT_NE(use, nullptr);
    EXPECT_TRUE(use->isVisible());
    EXPECT_TRUE(use->isEnabled());
    use->click();
    EXPECT_EQ(t.window.form().experiment(), three);
    EXPECT_FALSE(use->isEnabled());

    ShownWindow fresh;
    EXPECT_FALSE(fresh.window.findChild<QPushButton*>(QStringLiteral("useSettings"))->isVisible());
    fresh.window.open(path);
    ASSERT_TRUE(fresh.waitForRecording());
    EXPECT_EQ(fresh.window.form().experiment(), three);
}

TEST(MainWindow, AFileCanBeDroppedOnTheWindow) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("dropped.olab"));
    ShownWindow t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    ASSERT_TRUE(t.session.save(t.window.shown(), path));
    ASSERT_TRUE(t.waitUntilIdle());
    QMimeData file, text;
    file.setUrls({QUrl::fromLocalFile(path)});
    text.setText(QStringLiteral("no file"));
    QDragEnterEvent wrong({20, 20}, Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
    wrong.ignore();
    QCoreApplication::sendEvent(&t.window, &wrong);
    EXPECT_FALSE(wrong.isAccepted());
    QDragEnterEvent enter({20, 20}, Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&t.window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop({20, 20}, Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&t.window, &drop);
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.shown()->recording->file, std::filesystem::path(path.toStdString()));
}

TEST(MainWindow, AsksBeforeAnUnsavedRecordingIsLost) {
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window(session, {.remember = false, .askBeforeClose = true});
    window.show();
    const QSignalSpy shown(&window, &MainWindow::recordingShown);
    window.run();
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown.count() > 0; }, kPatience));
    const auto closeAndAnswer = [&](QMessageBox::StandardButton answer) {
        const Answers answers({press(answer)});
        window.close();
        return answers.asked == 1;
    };
    EXPECT_TRUE(closeAndAnswer(QMessageBox::Cancel));
    EXPECT_TRUE(window.isVisible());
    EXPECT_TRUE(closeAndAnswer(QMessageBox::Discard));
    EXPECT_FALSE(window.isVisible());
}

TEST(MainWindow, RemembersItsSplittersAndTheme) {
    QList<int> sizes;
    {
        ShownWindow t;
        auto* columns = t.window.findChild<QSplitter*>(QStringLiteral("columns"));
        ASSERT_NE(columns, nullptr);
        columns->setSizes({320, 700, 260});
        t.window.setTheme(ThemeChoice::Dark);
        sizes = columns->sizes();
        t.window.close();
    }
    ShownWindow again(false);
    EXPECT_EQ(again.window.findChild<QSplitter*>(QStringLiteral("columns"))->sizes(), sizes);
    EXPECT_TRUE(Theme::of(QApplication::palette()).dark);
    again.window.setTheme(ThemeChoice::System);
    again.window.close();
}

TEST(MainWindow, RemembersItsRows) {
    RowChoices choices;
    {
        ShownWindow t;
        t.window.run();
        ASSERT_TRUE(t.waitForRecording());
        TimelineCanvas& canvas = t.window.timeline().canvas();
        canvas.rows().pin(canvas.shown()->index.lanes().lanes().front().id);
        canvas.rows().resize(canvas.shown()->index.lanes().lanes().back().id, +1);
        choices = canvas.rows().choices();
        t.window.close();
    }
    ASSERT_EQ(choices.pinned.size() + choices.heights.size(), 2u);
    ShownWindow again(false);
    EXPECT_EQ(again.window.timeline().canvas().rows().choices(), choices);
    again.window.timeline().canvas().rows().reset();
    again.window.close();
    ShownWindow usual(false);
    EXPECT_EQ(usual.window.timeline().canvas().rows().choices(), RowChoices{});
}

TEST(MainWindow, VerdictsFitIntoOneRowAt1280) {
    QSettings().clear(); // splitters where they are at the first start
    ShownWindow t;
    if (QFontInfo(t.window.font()).family() != QStringLiteral("DejaVu Sans"))
        GTEST_SKIP() << "measured with DejaVu Sans, the widest of the usual fonts";
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    QCoreApplication::processEvents();
    EXPECT_LT(t.window.findChild<VerdictStrip*>()->height(), 60);
}
