// Several recordings as one view in the window, and the marks of its iterations.
#include "answers.h"
#include "base/plain_text.h"
#include "patience.h"
#include "results/contents_page.h"
#include "timeline/minimap_marks.h"
#include "timeline/rows/row_names.h"
#include "timeline/rows/timeline_rows.h"
#include "unit/recording/made_ranks.h"
#include "window/messages/message_bars.h"
#include "window/runs/runs.h"

#include <olab/sim/sim_backend.h>
#include <olab/trace/lanes.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_view.h>

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace olab::ui {
namespace {

struct RanksWindow {
    explicit RanksWindow(int ranks) {
        window.resize(1280, 720);
        window.show();
        int rank = 0;
        for (const std::string& text :
             test::madeRanks({.ranks = ranks, .late = [](int r) { return r == 1 ? Ns{150'000} : Ns{0}; }})) {
            paths << folder.filePath(QStringLiteral("r%1.json").arg(rank++));
            std::ofstream(paths.back().toStdString()) << text;
        }
    }
    bool waitForRecording() {
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        return QTest::qWaitFor([&] { return spy.count() > 0; }, test::kPatience) &&
               QTest::qWaitFor([&] { return !session.busy(); }, test::kPatience);
    }
    const Trace& trace() const { return window.shown()->trace(); }
    Runs& runs() { return *window.findChild<Runs*>(); }

    QTemporaryDir folder;
    QStringList paths;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    WindowOptions options{.remember = false, .askBeforeClose = false};
    MainWindow window{session, options};
};

QStringList groupsOf(const view::ViewData& shown) {
    QStringList labels;
    for (const Lane& lane : shown.recording->lanes->lanes())
        if (const QString label = groupLabel(shown.trace(), lane); !labels.contains(label))
            labels << label;
    return labels;
}

TEST(MergeWindow, SeveralFilesDroppedAtOnceAreSeparateAndRanksAreOfferedAsOneView) {
    RanksWindow t(3);
    QMimeData files;
    QList<QUrl> urls;
    for (const QString& path : t.paths)
        urls << QUrl::fromLocalFile(path);
    files.setUrls(urls);
    QDragEnterEvent enter({20, 20}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&t.window, &enter); // else nothing can be dropped there
    QDropEvent drop({20, 20}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    const QSignalSpy opened(&t.window, &MainWindow::opened);
    QCoreApplication::sendEvent(&t.window, &drop);
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, test::kPatience));
    EXPECT_EQ(t.runs().count(), 3) << "each is a run of its own";
    EXPECT_TRUE(t.trace().ranks().empty());
    EXPECT_EQ(t.window.shown()->recording->file.filename(), "r0.json") << "the first stays shown";
    const auto* bar = t.window.findChild<OfferBar*>();
    ASSERT_TRUE(bar && bar->isVisible());
    EXPECT_TRUE(bar->text().contains(QStringLiteral("3 recordings look like ranks")))
        << qPrintable(bar->text());
    bar->findChild<QPushButton*>(QStringLiteral("acceptOffer"))->click();
    EXPECT_FALSE(bar->isVisible());
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.runs().count(), 4);
    EXPECT_EQ(t.trace().ranks().size(), 3u);
    const QStringList groups = groupsOf(*t.window.shown());
    EXPECT_TRUE(groups.contains(QStringLiteral("rank 2 · GPU 2 · engines")))
        << groups.join('|').toStdString();
    EXPECT_TRUE(groups.contains(QStringLiteral("rank 2 · streams")));
    for (const Row& row : t.window.timeline().canvas().rows().layout().rows)
        EXPECT_FALSE(row.lane && row.lane->kind == LaneKind::Stream &&
                     row.label.contains(QStringLiteral("rank")))
            << "its group says so: " << qPrintable(row.label);
    EXPECT_EQ(t.window.shown()->recording->title, "rank 0, rank 1 and rank 2");
    EXPECT_TRUE(t.window.shown()->recording->file.empty()) << "it is in none of theirs";
}

TEST(MergeWindow, SelectedRunsAreMergedAndStay) {
    RanksWindow t(2);
    for (const QString& path : t.paths) {
        t.window.open(path);
        ASSERT_TRUE(t.waitForRecording());
    }
    QMenu menu;
    const auto merge = [&]() -> QAction* {
        menu.clear();
        t.runs().fillMenu(menu, t.window.shown()->run);
        for (QAction* action : menu.actions())
            if (action->text().remove(QLatin1Char('&')).startsWith(QStringLiteral("Merge selected runs")))
                return action;
        return nullptr;
    };
    ASSERT_NE(merge(), nullptr);
    EXPECT_FALSE(merge()->isEnabled()) << "one alone";
    t.runs().selectAll();
    ASSERT_TRUE(merge()->isEnabled());
    merge()->trigger();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.trace().ranks().size(), 2u);
    EXPECT_EQ(t.runs().count(), 3);
}

TEST(MergeWindow, WhatIsPutTogetherIsInNoFileAndAskedAboutBeforeItIsLost) {
    RanksWindow t(2);
    t.options.askBeforeClose = true;
    MainWindow window(t.session, t.options);
    window.show();
    const QSignalSpy shown(&window, &MainWindow::recordingShown);
    ASSERT_TRUE(t.session.openMerged(t.paths));
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown.count() > 0 && !t.session.busy(); }, test::kPatience));
    EXPECT_EQ(window.findChild<Runs*>()->unsavedCount(), 1);
    const auto closeAndAnswer = [&](QMessageBox::StandardButton answer) {
        const test::Answers answers({test::press(answer)});
        window.close();
        return answers.asked == 1;
    };
    EXPECT_TRUE(closeAndAnswer(QMessageBox::Cancel));
    EXPECT_TRUE(window.isVisible());
    const QSignalSpy saved(&t.session, &Session::saved);
    ASSERT_TRUE(t.session.save(window.shown(), t.folder.filePath(QStringLiteral("both.olab"))));
    ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() == 1 && !t.session.busy(); }, test::kPatience));
    EXPECT_EQ(window.findChild<Runs*>()->unsavedCount(), 0);
    EXPECT_FALSE(closeAndAnswer(QMessageBox::Cancel)) << "it is in a file now";
    EXPECT_FALSE(window.isVisible());
}

TEST(MergeWindow, WhatTheFilesSayNamesEachOfThemAndHowItFoundItsPlace) {
    RanksWindow t(2);
    ASSERT_TRUE(t.session.openMerged(t.paths));
    ASSERT_TRUE(t.waitForRecording());
    ASSERT_TRUE(t.window.showPage(QStringLiteral("contents")));
    QString words;
    for (const QLabel* label : t.window.findChild<ContentsPage*>()->findChildren<QLabel*>())
        words += label->text() + QLatin1Char('\n');
    EXPECT_TRUE(words.contains(QStringLiteral("2 recordings are put together here"))) << qPrintable(words);
    for (const QString& path : t.paths)
        EXPECT_TRUE(words.contains(QFileInfo(path).fileName())) << qPrintable(words);
    EXPECT_TRUE(words.contains(QStringLiteral("the others are aligned with it"))) << qPrintable(words);
}

TEST(MergeWindow, TheMinimapMarksTheTypicalAndTheWorstIterationAndAClickShowsIt) {
    RanksWindow t(1);
    t.window.open(t.paths.front());
    ASSERT_TRUE(t.waitForRecording());
    auto* marks = t.window.findChild<MinimapMarks*>();
    ASSERT_NE(marks, nullptr);
    const auto flags = marks->iterations();
    ASSERT_EQ(flags.size(), 2u);
    EXPECT_GE(flags[1].time.length(), flags[0].time.length());
    EXPECT_FALSE(flags[0].box.intersects(flags[1].box));
    QTest::mouseClick(marks, Qt::LeftButton, Qt::NoModifier, flags[1].box.center());
    const Interval seen = t.window.timeline().canvas().viewport().visible();
    EXPECT_LE(std::abs(seen.begin - flags[1].time.begin), flags[1].time.length() / 10);
    EXPECT_LE(std::abs(seen.end - flags[1].time.end), flags[1].time.length() / 10);
}

} // namespace
} // namespace olab::ui
