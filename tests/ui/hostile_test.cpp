// Hostile recordings and settings: the window answers while it opens any of them, and starts with whatever
// the settings hold.
#include "hostile/hostile_files.h"
#include "patience.h"
#include "pulse.h"

#include <olab/experiment/held_experiment.h>
#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

namespace olab::ui {
namespace {

using test::Pulse;

#if defined(__SANITIZE_THREAD__)
constexpr int kSlower = 10; // than without it
#elif defined(__SANITIZE_ADDRESS__)
constexpr int kSlower = 3;
#else
constexpr int kSlower = 1;
#endif
constexpr std::chrono::milliseconds kAnswers{kSlower * 1'000}; // twice what any of them takes
constexpr int kTries = 3; // of one file: what the machine does once (a page from disk) it does not do again

struct HostileDesk {
    explicit HostileDesk(bool remember)
        : window(session, {.remember = remember, .askBeforeClose = false}) {
        window.resize(1280, 720);
        window.show();
    }
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window;
};

/// The longest time without an answer while it is opened and painted.
Pulse::Time opens(const QString& path) {
    HostileDesk desk(false);
    const QSignalSpy shown(&desk.window, &MainWindow::recordingShown);
    Pulse pulse;
    desk.window.open(path);
    EXPECT_TRUE(QTest::qWaitFor([&] { return shown.count() > 0; }, test::kPatience));
    test::letPass(50); // painted
    EXPECT_LE(desk.window.minimumSizeHint().width(), 1280) << "nothing is as wide as its text";
    return pulse.longest();
}

TEST(HostileFile, TheWindowAnswersWhileItOpensAny) {
    const QTemporaryDir folder;
    for (const hostile::Attack& attack : hostile::attacks()) {
        SCOPED_TRACE(attack.name);
        const QString path = folder.filePath(QString::fromStdString(attack.name) + QStringLiteral(".olab"));
        attack.write(path.toStdString());
        Pulse::Time best = opens(path);
        for (int i = 1; i < kTries && best >= kAnswers; ++i)
            best = std::min(best, opens(path));
        const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(best);
        EXPECT_LT(ms, kAnswers);
        std::string name = attack.name;
        std::ranges::replace(name, '-', '_');
        RecordProperty(name, std::to_string(ms.count()) + " ms without an answer"); // --gtest_output=json
    }
}

TEST(HostileFile, WhatTheWindowWaitsForIsSeenWhatTheMachineMakesItWaitIsNot) {
    using namespace std::chrono_literals;
    Pulse::Moment told{0s, 0s};
    Pulse pulse([&told] { return told; });
    told = {2s, 1'500ms};
    EXPECT_EQ(pulse.longest(), 500ms) << "the rest of the time others had the processor";
    told = {12s, 11s};
    EXPECT_EQ(pulse.longest(), 500ms);
    told = {13s, 11s};
    EXPECT_EQ(pulse.longest(), 1s) << "it did not even ask for the processor";
}

TEST(HostileFile, HowLongAThreadWaitedForAProcessorIsKnown) {
    using namespace std::chrono_literals;
    std::vector<std::jthread> others;
    for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
        others.emplace_back([](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
            }
        });
    const Pulse::Moment before = Pulse::now();
    const auto processorTime = [] {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return time.tv_sec * 1s + time.tv_nsec * 1ns;
    };
    for (const auto end = processorTime() + 200ms; processorTime() < end;) {
    }
    const Pulse::Moment after = Pulse::now();
    if (QFile::exists(QStringLiteral("/proc/thread-self/schedstat"))) {
        EXPECT_GT(after.queued, before.queued);
    }
    EXPECT_GE((after.wall - before.wall) - (after.queued - before.queued), 190ms) << "what it ran is no wait";
}

TEST(HostileSettings, TheWindowStartsWithAny) {
    const QString deep = QString(200'000, QLatin1Char('['));
    for (const QString& text :
         {QStringLiteral("{\"streams\": 1e999}"), QStringLiteral("{\"streams\": 1e300}"),
          QStringLiteral("[1]"), QStringLiteral("{\"streams\": 99999999999999999999}"),
          QStringLiteral("{\"streams\": \"\\ud800\"}"), deep, deep + QString(200'000, QLatin1Char(']'))}) {
        SCOPED_TRACE(text.left(60).toStdString());
        QSettings().clear();
        QSettings settings;
        settings.setValue(QStringLiteral("experiment"), text);
        settings.setValue(QStringLiteral("rows"), text.toUtf8());
        settings.setValue(QStringLiteral("theme"), text);
        settings.setValue(QStringLiteral("geometry"), text.toUtf8());
        settings.setValue(QStringLiteral("columns"), 1e300);
        settings.setValue(QStringLiteral("recent"), text);
        settings.sync();
        EXPECT_NO_THROW({
            HostileDesk desk(true);
            QCoreApplication::processEvents();
            EXPECT_EQ(desk.window.findChild<ExperimentForm*>()->experiment(), experiment::HeldExperiment{});
        });
    }
    QSettings().clear();
}

} // namespace
} // namespace olab::ui
