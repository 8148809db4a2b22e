// Runs beyond a bound of memory are on disk, and are all the same to whoever works with them.
#include "answers.h"
#include "patience.h"
#include "shown_fixture.h"

#include <olab/experiment/held_experiment.h>
#include <olab/io/report_json.h>
#include <olab/recording/stored_recording.h>
#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_view.h>

#include <results/compare_page.h>
#include <results/findings_page.h>
#include <results/summary_lines.h>
#include <timeline/bookmarks/bookmark_desk.h>
#include <window/messages/message_bars.h>
#include <window/runs/run_store.h>
#include <window/runs/runs.h>
#include <window/runs/runs_foot.h>
#include <window/window_parts.h>

#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

/// Bytes of this process in memory.
std::size_t residentBytes() {
    std::ifstream file("/proc/self/statm");
    std::size_t size = 0, resident = 0;
    file >> size >> resident;
    return resident * 4096;
}

/// What can be compared of two readings of a run.
std::string told(const view::ViewData& shown) {
    const recording::Recording& r = *shown.recording;
    return io::reportToJson(r.report, {r.trace, r.experiment ? &*r.experiment : nullptr, r.live, "",
                                       r.bookmarks, shown.label()}) +
           r.badge() + r.trust() + r.raceText() + titleText(shown).toStdString() +
           std::to_string(r.otherRuns.size());
}

struct RunStoreDesk {
    explicit RunStoreDesk(std::uint64_t most = kRunMemory, std::filesystem::path folder = {},
                          bool ask = false)
        : window(session,
                 {.remember = false,
                  .askBeforeClose = ask,
                  .recordings = {},
                  .runMemory = most,
                  .runFolder = folder.empty() ? std::filesystem::path(place.path().toStdString()) : folder}) {
        window.resize(1280, 720);
        window.show();
    }
    /// `kernelUs`: so that no two have the same numbers.
    bool run(int kernelUs, int repeat = 1) {
        experiment::HeldExperiment experiment;
        experiment::setOption(experiment, "streams=2");
        experiment::setOption(experiment, "iterations=4");
        experiment::setNumber(experiment, "kernel.us", kernelUs);
        experiment::setNumber(experiment, "repeat", repeat);
        window.form().setExperiment(experiment);
        const QSignalSpy spy(&session, &Session::ready);
        window.run();
        return QTest::qWaitFor([&] { return spy.count() > 0 && !session.busy(); }, kPatience);
    }
    /// Until nothing is written any more.
    bool settled() {
        return QTest::qWaitFor([&] { return figures().memory <= figures().most || figures().inMemory <= 1; },
                               kPatience);
    }
    view::ViewDataPtr choose(int row) {
        runs().setCurrentRow(row);
        const view::RunPtr wanted = runs().runAt(row);
        const auto isShown = [&] { return window.shown() && window.shown()->run == wanted; };
        return QTest::qWaitFor(isShown, kPatience) ? window.shown() : nullptr;
    }
    RunFigures figures() const { return window.parts().runs.store().figures(); }
    Runs& runs() { return *window.findChild<Runs*>(); }
    RunsFoot& foot() { return *window.findChild<RunsFoot*>(); }
    QTemporaryDir place;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window;
};

/// Of one such run as the tests make.
std::uint64_t bytesOfOne() {
    static const std::uint64_t bytes = [] {
        RunStoreDesk desk;
        (void)desk.run(500);
        return static_cast<std::uint64_t>(desk.window.shown()->memoryBytes());
    }();
    return bytes;
}

/// RunStoreDesk with `count` runs, of which only two have room in memory. By row.
std::vector<std::string> fill(RunStoreDesk& desk, int count) {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) {
        EXPECT_TRUE(desk.run(500 + i));
        all.insert(all.begin(), told(*desk.window.shown()));
    }
    EXPECT_TRUE(desk.settled());
    return all;
}

} // namespace

TEST(RunStore, RunsBeyondTheBoundAreOnDiskAndAreShownAsTheyWere) {
    RunStoreDesk t(5 * bytesOfOne() / 2);
    const std::vector<std::string> before = fill(t, 8);
    EXPECT_EQ(t.figures().runs, 8);
    EXPECT_EQ(t.figures().inMemory, 2);
    EXPECT_LE(t.figures().memory, t.figures().most);
    EXPECT_GT(t.figures().disk, 1000u);
    EXPECT_EQ(t.runs().count(), 8);
    EXPECT_EQ(t.runs().unsavedCount(), 8) << "what is on disk is not saved";
    EXPECT_TRUE(t.foot().isVisible());
    EXPECT_TRUE(t.foot().text().startsWith(QStringLiteral("8 runs: 2 in memory")))
        << qPrintable(t.foot().text());
    std::vector<std::weak_ptr<const view::ViewData>> seen;
    for (int row = 7; row >= 0; --row) {
        const view::ViewDataPtr shown = t.choose(row);
        ASSERT_NE(shown, nullptr) << row;
        EXPECT_EQ(told(*shown), before[static_cast<std::size_t>(row)]);
        EXPECT_EQ(t.runs().current(), shown);
        EXPECT_TRUE(shown->recording->live);
        seen.push_back(shown);
    }
    ASSERT_TRUE(t.settled());
    EXPECT_LE(std::ranges::count_if(seen, [](const auto& each) { return !each.expired(); }), 2)
        << "what is not shown is not in memory";
    EXPECT_EQ(t.runs().unsavedCount(), 8);
    EXPECT_EQ(t.window.errors().count(), 0);
}

TEST(RunStore, WhatAPersonAddedStaysWithTheRun) {
    RunStoreDesk t(0); // only what is shown
    fill(t, 3);
    const view::RunPtr first = t.runs().runAt(2);
    EXPECT_EQ(t.runs().at(2), nullptr) << "it is on disk";
    t.runs().rename(first, QStringLiteral("the first"));
    t.runs().setNote(first, QStringLiteral("why"));
    EXPECT_TRUE(t.runs().item(2)->text().startsWith(QStringLiteral("the first")));
    t.window.setTheme(ThemeChoice::Dark); // rows are painted anew without their recordings
    letPass(50);
    const QImage dark = t.runs().item(2)->icon().pixmap(t.runs().iconSize()).toImage();
    ASSERT_NE(t.choose(2), nullptr);
    EXPECT_EQ(dark.convertToFormat(QImage::Format_RGB32),
              pictureOf(*t.window.shown(), dark.size(), Theme::darkTheme()));
    t.window.setTheme(ThemeChoice::System);
    EXPECT_EQ(titleText(*t.window.shown()), QStringLiteral("the first"));
    EXPECT_EQ(t.window.shown()->label().note, "why");
    ASSERT_TRUE(t.window.timeline().desk().add(io::Bookmark{{0, 10}, "", "a mark", std::nullopt}));
    ASSERT_NE(t.choose(0), nullptr);
    ASSERT_TRUE(t.settled());
    EXPECT_EQ(t.runs().at(2), nullptr);
    ASSERT_NE(t.choose(2), nullptr);
    ASSERT_EQ(t.window.timeline().desk().list().size(), 1u);
    EXPECT_EQ(t.window.timeline().desk().list()[0].note, "a mark");
}

TEST(RunStore, TheOtherRunsOfAnExperimentComeBackToo) {
    RunStoreDesk t(0);
    ASSERT_TRUE(t.run(500, 3));
    const std::string before = told(*t.window.shown());
    ASSERT_EQ(t.window.shown()->recording->otherRuns.size(), 2u);
    ASSERT_TRUE(t.run(600));
    ASSERT_TRUE(t.settled());
    EXPECT_EQ(t.runs().at(1), nullptr);
    ASSERT_NE(t.choose(1), nullptr);
    EXPECT_EQ(told(*t.window.shown()), before);
}

TEST(RunStore, ARaceIsStillSaid) {
    RunStoreDesk t(0);
    experiment::HeldExperiment racing;
    experiment::setOption(racing, "streams", "2");
    experiment::setOption(racing, "kernel.stream", "other");
    experiment::setOption(racing, "iterations", "2");
    t.window.form().setExperiment(racing);
    const QSignalSpy spy(&t.window, &MainWindow::recordingShown);
    t.window.run();
    ASSERT_TRUE(QTest::qWaitFor([&] { return spy.count() > 0 && !t.session.busy(); }, kPatience));
    const QString said = t.window.findChild<RaceLine*>()->text();
    ASSERT_FALSE(said.isEmpty());
    ASSERT_TRUE(t.run(500));
    ASSERT_TRUE(t.settled());
    EXPECT_TRUE(t.window.findChild<RaceLine*>()->isHidden());
    ASSERT_NE(t.choose(1), nullptr);
    EXPECT_EQ(t.window.findChild<RaceLine*>()->text(), said);
    EXPECT_TRUE(t.window.findChild<RaceLine*>()->isVisible());
}

TEST(RunStore, TwoOnDiskAreCompared) {
    RunStoreDesk t(0);
    fill(t, 4);
    const view::RunPtr older = t.runs().runAt(3), newer = t.runs().runAt(2);
    t.runs().setCurrentRow(3);
    t.runs().item(2)->setSelected(true);
    const auto areCompared = [&] { return !t.window.comparison().empty(); };
    ASSERT_TRUE(QTest::qWaitFor(areCompared, kPatience));
    EXPECT_EQ(t.window.comparison().before()->run, older);
    EXPECT_EQ(t.window.comparison().after()->run, newer);
    EXPECT_EQ(t.window.shown()->run, older) << "the one that was clicked first";
    ASSERT_NE(t.choose(0), nullptr);
    letPass(100);
    EXPECT_NE(t.runs().at(3), nullptr) << "what is compared is in use";
    EXPECT_EQ(t.runs().at(1), nullptr);
}

TEST(RunStore, ATryIsComparedWithARunThatWentToDisk) {
    RunStoreDesk t(0);
    ASSERT_TRUE(t.run(500));
    const view::RunPtr before = t.window.shown()->run;
    ASSERT_TRUE(t.run(600));
    ASSERT_NE(t.choose(1), nullptr);
    ASSERT_EQ(t.window.shown()->run, before);
    emit t.window.findChild<FindingsPage*>()->tryRequested({{"streams", "3"}});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.window.comparison().empty(); }, kPatience));
    EXPECT_EQ(t.window.comparison().before()->run, before);
    EXPECT_EQ(experiment::optionNumber(*t.window.comparison().after()->recording->experiment, "streams"), 3);
}

TEST(RunStore, OneOnDiskIsSavedAndThenNeedsNoOtherFile) {
    RunStoreDesk t(0);
    fill(t, 2);
    const QString path = t.place.filePath(QStringLiteral("saved.olab"));
    const view::RunPtr first = t.runs().runAt(1);
    ASSERT_NE(t.choose(1), nullptr);
    ASSERT_TRUE(t.session.save(t.window.shown(), path));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.session.busy(); }, kPatience));
    EXPECT_FALSE(t.runs().isUnsaved(first));
    t.runs().setNote(first, QStringLiteral("later"));
    ASSERT_NE(t.choose(0), nullptr);
    ASSERT_TRUE(t.settled());
    EXPECT_EQ(t.runs().at(1), nullptr);
    emit t.runs().saveRequested(first, false);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.runs().isUnsaved(first); }, kPatience));
    EXPECT_EQ(io::readRecording(path.toStdString()).label.note, "later");
}

TEST(RunStore, ClosingSavesThoseOnDisk) {
    const QTemporaryDir folder;
    RunStoreDesk t(0, {}, true);
    std::vector<std::filesystem::path> paths;
    for (int i = 0; i < 4; ++i) {
        paths.emplace_back(folder.filePath(QStringLiteral("%1.olab").arg(i)).toStdString());
        recording::saveRecording(*smallShown()->recording, paths.back());
        const QSignalSpy spy(&t.window, &MainWindow::recordingShown);
        t.window.open(QString::fromStdString(paths.back().string()));
        ASSERT_TRUE(QTest::qWaitFor([&] { return spy.count() > 0 && !t.session.busy(); }, kPatience));
    }
    ASSERT_TRUE(t.settled());
    for (int row = 0; row < 4; ++row)
        t.runs().setNote(t.runs().runAt(row), QStringLiteral("note %1").arg(row));
    EXPECT_EQ(t.figures().inMemory, 1);
    EXPECT_EQ(t.figures().disk, 0u) << "they are in files of their own";
    const Answers answers({press(QMessageBox::Save)});
    t.window.close();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.window.isVisible(); }, kPatience));
    for (int row = 0; row < 4; ++row)
        EXPECT_EQ(io::readRecording(paths[static_cast<std::size_t>(3 - row)]).label.note,
                  "note " + std::to_string(row));
}

TEST(RunStore, AFileThatHasChangedIsSaidAndWhatIsShownStays) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("gone.olab"));
    recording::saveRecording(*smallShown()->recording, path.toStdString());
    RunStoreDesk t(0);
    const QSignalSpy spy(&t.window, &MainWindow::recordingShown);
    t.window.open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return spy.count() > 0 && !t.session.busy(); }, kPatience));
    ASSERT_TRUE(t.run(500));
    const view::ViewDataPtr shown = t.window.shown();
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.runs().at(1) == nullptr; }, kPatience));
    std::ofstream(path.toStdString(), std::ios::app) << "more";
    t.runs().setCurrentRow(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.errors().count() == 1; }, kPatience));
    EXPECT_TRUE(t.window.errors().lastText().contains(QStringLiteral("has been written since")))
        << qPrintable(t.window.errors().lastText());
    EXPECT_EQ(t.window.shown(), shown);
    EXPECT_EQ(t.runs().currentRow(), 0) << "the list says what is shown";
    EXPECT_EQ(t.runs().count(), 2);
}

TEST(RunStore, WithoutRoomOnDiskEverythingStaysInMemory) {
    RunStoreDesk t(0, "/proc/no such folder");
    std::vector<std::string> before;
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(t.run(500 + i));
        before.insert(before.begin(), told(*t.window.shown()));
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.errors().count() == 1; }, kPatience));
    EXPECT_TRUE(t.window.errors().lastText().contains(QStringLiteral("stay in memory")));
    EXPECT_TRUE(t.foot().text().contains(QStringLiteral("stay in memory"))) << qPrintable(t.foot().text());
    for (int row = 0; row < 2; ++row) {
        ASSERT_NE(t.choose(row), nullptr);
        EXPECT_EQ(told(*t.window.shown()), before[static_cast<std::size_t>(row)]);
    }
    ASSERT_TRUE(t.run(700));
    letPass(100);
    EXPECT_EQ(t.window.errors().count(), 0) << "said once: a run clears what was said before";
    EXPECT_EQ(t.figures().inMemory, 3);
}

TEST(RunStore, ReadingCanBeStoppedAndAnotherChosenMeanwhile) {
    RunStoreDesk t(0);
    fill(t, 3);
    const view::ViewDataPtr shown = t.window.shown();
    auto* keeper = t.window.findChild<RunStore*>();
    t.runs().setCurrentRow(2);
    EXPECT_EQ(keeper->fetching(), t.runs().runAt(2));
    EXPECT_TRUE(t.foot().text().startsWith(QStringLiteral("Reading Run 1 again")));
    QTest::keyClick(&t.window, Qt::Key_Escape);
    EXPECT_EQ(keeper->fetching(), nullptr);
    EXPECT_EQ(t.runs().currentRow(), 0) << "what is shown stays";
    EXPECT_EQ(t.window.shown(), shown);
    t.runs().setCurrentRow(2);
    t.runs().setCurrentRow(1); // and not the one before
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.shown() != shown; }, kPatience));
    EXPECT_EQ(t.window.shown()->run, t.runs().runAt(1));
    EXPECT_EQ(t.runs().currentRow(), 1);
    letPass(50);
    EXPECT_EQ(t.window.shown()->run, t.runs().runAt(1));
    EXPECT_EQ(t.window.errors().count(), 0);
}

TEST(RunStore, TheFolderIsPrivateAndGoesWithTheWindow) {
    const QTemporaryDir place;
    const std::filesystem::path parent = place.path().toStdString();
    const auto entries = [&] { return std::distance(std::filesystem::directory_iterator(parent), {}); };
    {
        RunStoreDesk t(0, parent);
        ASSERT_TRUE(t.run(500));
        letPass(20);
        EXPECT_EQ(entries(), 0) << "there is nothing to put there yet";
        ASSERT_TRUE(t.run(600));
        ASSERT_TRUE(t.settled());
        ASSERT_EQ(entries(), 1);
        const auto folder = std::filesystem::directory_iterator(parent)->path();
        EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
        t.runs().remove(t.runs().runAt(1));
        EXPECT_EQ(t.figures().runs, 2) << "it can be brought back";
        t.runs().bringBack();
        ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.shown()->run == t.runs().runAt(1); }, kPatience));
    }
    EXPECT_EQ(entries(), 0);
}

/// By hand: OLAB_ENDURANCE=300 test_ui --gtest_filter=RunStore.Endurance says how much the process grew.
TEST(RunStore, Endurance) {
    const int count = qEnvironmentVariableIntValue("OLAB_ENDURANCE");
    const std::uint64_t most = 16 * bytesOfOne();
    RunStoreDesk t(most);
    std::vector<std::string> before;
    std::size_t atFirst = 0;
    for (int i = 0; i < std::max(count, 40); ++i) {
        ASSERT_TRUE(t.run(500 + i));
        before.push_back(told(*t.window.shown()));
        if (i == 20)
            atFirst = residentBytes();
    }
    ASSERT_TRUE(t.settled());
    EXPECT_LE(t.figures().memory, most);
    const auto grown = static_cast<double>(residentBytes()) - static_cast<double>(atFirst);
    if (count > 0)
        std::printf(
            "%d runs, bound %.1f MB: %d in memory (%.1f MB), %.1f MB on disk; the process grew by %.1f MB "
            "from the 21st run on\n",
            count, static_cast<double>(most) / 1e6, t.figures().inMemory,
            static_cast<double>(t.figures().memory) / 1e6, static_cast<double>(t.figures().disk) / 1e6,
            grown / 1e6);
    for (int row = t.runs().count() - 1; row >= 0; row -= count > 0 ? 1 : 7) {
        ASSERT_NE(t.choose(row), nullptr);
        EXPECT_EQ(told(*t.window.shown()), before[before.size() - 1 - static_cast<std::size_t>(row)]);
    }
    EXPECT_EQ(t.runs().unsavedCount(), t.runs().count());
}
