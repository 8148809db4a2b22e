// Opening several files, folders and recent files in the window.
#include "answers.h"
#include "patience.h"
#include "unit/recording/made_ranks.h"
#include "window/files.h"
#include "window/messages/message_bars.h"
#include "window/opening.h"
#include "window/runs/runs.h"
#include "window/window_parts.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <gtest/gtest.h>

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace olab::ui {
namespace {

struct OpeningWindow {
    explicit OpeningWindow(bool remember = false)
        : options{.remember = remember, .askBeforeClose = false}
        , window(session, options) {
        window.resize(1280, 720);
        window.show();
    }
    /// A run of other times each, with names that tell nothing.
    QString write(const QString& name, int number = 0) {
        const QString path = folder.filePath(name);
        QDir().mkpath(QFileInfo(path).absolutePath());
        std::ofstream(path.toStdString())
            << test::madeRanks({.ranks = 1,
                                .base = 1'700'000'000'000'000'000 + Ns{number} * 86'400'000'000'000,
                                .saysRank = false})
                   .front();
        return path;
    }
    bool open(const QStringList& paths) {
        const QSignalSpy opened(&window, &MainWindow::opened);
        window.open(paths);
        return QTest::qWaitFor([&] { return opened.count() == 1; }, test::kPatience);
    }
    Runs& runs() { return *window.findChild<Runs*>(); }
    const OfferBar& offers() { return *window.findChild<OfferBar*>(); }

    QTemporaryDir folder;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    WindowOptions options;
    MainWindow window;
};

TEST(Opening, UnrelatedFilesAreSeparateRunsAndNothingIsOffered) {
    OpeningWindow t;
    ASSERT_TRUE(
        t.open({t.write(QStringLiteral("bert.json"), 0), t.write(QStringLiteral("resnet.json"), 48)}));
    EXPECT_EQ(t.runs().count(), 2);
    EXPECT_EQ(t.window.shown()->recording->file.filename(), "bert.json");
    EXPECT_FALSE(t.offers().isVisible());
}

TEST(Opening, AFileThatCannotBeReadDoesNotKeepTheOthersFromBeingOpened) {
    OpeningWindow t;
    std::ofstream(t.folder.filePath(QStringLiteral("bad.json")).toStdString()) << "no json";
    ASSERT_TRUE(t.open({t.write(QStringLiteral("a.json")), t.folder.filePath(QStringLiteral("bad.json")),
                        t.write(QStringLiteral("b.json"), 1)}));
    EXPECT_EQ(t.runs().count(), 2);
    EXPECT_EQ(t.window.errors().count(), 1);
    EXPECT_TRUE(t.window.errors().lastText().contains(QStringLiteral("bad.json")));
}

TEST(Opening, CancellingLeavesTheRestUnopened) {
    OpeningWindow t;
    QStringList paths;
    for (int i = 0; i < 4; ++i)
        paths << t.write(QStringLiteral("f%1x.json").arg(QChar('a' + i)), i);
    const QSignalSpy opened(&t.window, &MainWindow::opened);
    QObject::connect(&t.session, &Session::started, &t.window, [&t, n = 0]() mutable {
        if (++n == 2)
            QTimer::singleShot(0, &t.session, &Session::cancel);
    });
    t.window.open(paths);
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, test::kPatience));
    EXPECT_LT(t.runs().count(), 4);
}

TEST(Opening, MoreFilesThanAnybodyWantsAsRunsAreATable) {
    OpeningWindow t;
    QStringList paths;
    for (int i = 0; i < 33; ++i)
        paths << t.write(QStringLiteral("many/%1.json").arg(i), i);
    const QSignalSpy shown(&t.window, &MainWindow::tableShown);
    t.window.open(paths);
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown.count() == 1; }, test::kPatience));
    EXPECT_EQ(t.runs().count(), 0);
    EXPECT_TRUE(t.window.parts().centre.isIn(Room::Recordings));
}

TEST(Opening, RanksThatAreKeptSeparateStayRuns) {
    OpeningWindow t;
    QStringList paths;
    const auto texts = test::madeRanks({.ranks = 2, .saysRank = false});
    for (std::size_t i = 0; i < texts.size(); ++i) {
        paths << t.folder.filePath(QStringLiteral("worker_rank%1.json").arg(i));
        std::ofstream(paths.back().toStdString()) << texts[i];
    }
    ASSERT_TRUE(t.open(paths));
    ASSERT_TRUE(t.offers().isVisible()) << "the names tell the rank";
    t.offers().findChild<QPushButton*>(QStringLiteral("refuseOffer"))->click();
    EXPECT_FALSE(t.offers().isVisible());
    EXPECT_EQ(t.runs().count(), 2);
    EXPECT_FALSE(t.session.busy());
}

TEST(Opening, MergingWhatDoesNotLookLikeRanksIsAskedFirst) {
    OpeningWindow t;
    t.options.askBeforeClose = true;
    MainWindow asking(t.session, t.options);
    asking.show();
    const QSignalSpy opened(&asking, &MainWindow::opened);
    asking.open({t.write(QStringLiteral("bert.json"), 0), t.write(QStringLiteral("resnet.json"), 48)});
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, test::kPatience));
    auto& runs = *asking.findChild<Runs*>();
    runs.selectAll();
    const test::Answers answers({test::press(QMessageBox::Cancel)});
    emit runs.mergeRequested(runs.selectedRuns());
    ASSERT_TRUE(QTest::qWaitFor([&] { return answers.asked == 1; }, test::kPatience));
    EXPECT_EQ(runs.count(), 2);
    EXPECT_FALSE(t.session.busy());
}

TEST(Opening, RecentFilesSayWhatTheyAreAndAMissingOneGoes) {
    QSettings().clear();
    OpeningWindow t(true);
    const QString path = t.write(QStringLiteral("recent.json"));
    ASSERT_TRUE(t.open({path}));
    ASSERT_EQ(recentFiles().size(), 1u);
    EXPECT_TRUE(recentFiles().front().about.startsWith(QStringLiteral("PyTorch Profiler (Kineto)")))
        << qPrintable(recentFiles().front().about);
    QAction* entry = nullptr;
    for (QMenu* menu : t.window.menuBar()->findChildren<QMenu*>())
        for (QAction* action : menu->actions())
            if (action->text().contains(QStringLiteral("recent.json")))
                entry = action;
    ASSERT_NE(entry, nullptr);
    EXPECT_TRUE(entry->text().contains(recentFiles().front().about.left(6))) << qPrintable(entry->text());
    EXPECT_TRUE(entry->text().contains(QFileInfo(path).absolutePath().right(8)))
        << "files of one name differ";
    QFile::remove(path);
    entry->trigger();
    EXPECT_TRUE(t.window.errors().lastText().contains(QStringLiteral("is not there any more")));
    EXPECT_TRUE(recentFiles().empty());
    QSettings().clear();
}

TEST(Opening, TheFirstFilterOfTheDialogTakesEveryFormat) {
    OpeningWindow t;
    QStringList filters;
    const test::Answers answers({[&filters](QWidget& dialog) {
        if (auto* choose = qobject_cast<QFileDialog*>(&dialog))
            filters = choose->nameFilters();
        dialog.close();
    }});
    t.window.parts().files.chooseToOpen();
    ASSERT_FALSE(filters.isEmpty());
    for (const char* pattern : {"*.olab", "*.sqlite", "*.nvvp", "*.csv", "*.json", "*.json.gz"})
        EXPECT_TRUE(filters.front().contains(QLatin1String(pattern))) << pattern;
}

} // namespace
} // namespace olab::ui
