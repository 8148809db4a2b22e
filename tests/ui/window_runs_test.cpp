// Runs in the whole window: one that fails, one that is cancelled, one that is tried, two that are compared.
#include "moody_window.h"
#include "test_places.h"
#include "window_states.h"

#include <results/compare_page.h>
#include <results/compare_strips.h>
#include <window/messages/message_bars.h>
#include <window/runs/runs.h>

#include <QAbstractButton>
#include <QLabel>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

TEST(MainWindow, AFailedRunCanBeRunAgain) {
    MoodyWindow t;
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
        MoodyWindow t;
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
    MoodyWindow t;
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
    MoodyWindow t;
    t.mood = MoodyBackend::Mood::Slow;
    const QSignalSpy progress(&t.session, &Session::progressed);
    t.window.run();
    EXPECT_TRUE(QTest::qWaitFor([&] { return progress.count() >= 3; }, kPatience));
    EXPECT_FALSE(t.button(QStringLiteral("Run   F5"))->isVisible());
    const auto cancel = [&t] { // the form's, or beside a folded form that of the status bar
        const auto all = t.window.findChildren<QAbstractButton*>();
        const auto at = std::ranges::find_if(all, [](const QAbstractButton* b) {
            return b->isVisible() && b->text().startsWith(QStringLiteral("Cancel"));
        });
        return at == all.end() ? nullptr : *at;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return cancel() != nullptr; }, kPatience));
    cancel()->click();
    EXPECT_TRUE(t.waitUntilIdle());
}

TEST(MainWindow, ConflictsDisableRun) {
    MoodyWindow t;
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
    MoodyWindow t;
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
    EXPECT_EQ(t.window.findChild<Runs*>()->count(), 2);
}

TEST(MainWindow, TryItSaysBeforehandThatItWillSimulate) {
    MoodyWindow t;
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

TEST(MainWindow, TryItShowsTheRecordingOfTheChangeWhereOneShips) {
    const QString folder = QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings");
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window(
        session, {.remember = false, .askBeforeClose = false, .keepToScreen = false, .recordings = folder});
    window.show();
    session.setBackend(BackendChoice::Simulator);
    window.open(folder + QStringLiteral("/full-grid-h200.olab"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.shown() && !session.busy(); }, kPatience));
    const view::ViewDataPtr before = window.shown();
    emit window.findChild<FindingsPage*>()->tryRequested({{"kernel.blocks", "64"}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.comparison().empty() && !session.busy(); }, kPatience));
    EXPECT_EQ(window.shown()->recording->file.filename(), "full-grid-room-h200.olab") << "of a lesson";
    EXPECT_EQ(window.comparison().before(), before);
    EXPECT_TRUE(window.comparison().comparison().obstacle.empty()) << "measured beside measured";
    emit window.findChild<FindingsPage*>()->tryRequested({{"kernel.blocks", "63"}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.shown()->recording->file.empty() && !session.busy(); },
                                kPatience))
        << "there is none of this one: it is simulated";
}

TEST(MainWindow, WithoutAGpuTheSimulatorIsChosenAndTheReasonIsSaid) {
    MoodyWindow t;
    const QSignalSpy probed(&t.session, &Session::gpuProbed);
    t.session.probeGpu();
    ASSERT_TRUE(QTest::qWaitFor([&] { return probed.count() == 1; }, kPatience));
    EXPECT_FALSE(t.session.gpu().usable);
    EXPECT_FALSE(t.session.gpu().why.isEmpty());
    EXPECT_EQ(t.session.backend(), BackendChoice::Simulator);
}

TEST(MainWindow, TryItShowsBothRunsOneAboveTheOther) {
    MoodyWindow t;
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
    EXPECT_EQ(t.window.comparison().before()->run, before->run) << "perhaps proved by now";
    EXPECT_EQ(t.window.comparison().after(), t.window.shown());
    EXPECT_TRUE(t.window.comparison().isVisible()) << "opened by itself";
    const auto options = t.window.comparison().comparison().options;
    ASSERT_FALSE(options.empty());
    EXPECT_TRUE(options.front().key.ends_with(".memory")) << options.front().key;
    EXPECT_EQ(options.front().after, "pinned");
    EXPECT_TRUE(t.window.comparison().headline().contains(QStringLiteral("x faster")))
        << t.window.comparison().headline().toStdString();
    const auto* strips = t.window.findChild<CompareStrips*>();
    ASSERT_NE(strips, nullptr);
    EXPECT_GE(strips->range().length(), before->trace().deviceSpan().length()) << "the longer one fits";
    EXPECT_FALSE(t.window.grab().isNull());
}

TEST(MainWindow, TwoSelectedRunsAreCompared) {
    MoodyWindow t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    const view::ViewDataPtr first = t.window.shown();
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_TRUE(t.window.comparison().empty()) << "a plain run compares nothing";
    auto* runs = t.window.findChild<Runs*>();
    QTest::mouseClick(runs->viewport(), Qt::LeftButton, Qt::ControlModifier,
                      runs->visualItemRect(runs->item(1)).center());
    ASSERT_FALSE(t.window.comparison().empty());
    EXPECT_EQ(t.window.comparison().before(), first) << "the older one is above";
    EXPECT_TRUE(t.window.comparison().comparison().options.empty());
    EXPECT_TRUE(t.window.comparison().headline().contains(QStringLiteral("no significant difference")))
        << t.window.comparison().headline().toStdString();
}

TEST(ComparePage, SaysWhatTheDifferenceIsMadeOf) {
    StatefulWindow t;
    ASSERT_TRUE(t.compareTwo());
    QStringList words;
    for (const QLabel* label : t.window.findChild<ComparePage*>()->findChildren<QLabel*>())
        words << label->text();
    const QString made = words.filter(QStringLiteral("The difference is made of: ")).value(0);
    EXPECT_TRUE(made.contains(QStringLiteral("ideal run "))) << words.join('\n').toStdString();
}
