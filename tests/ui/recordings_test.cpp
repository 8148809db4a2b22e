// Many recordings in the window: a table of what is in a folder, outliers and history, to a recording and
// back.
#include "answers.h"
#include "patience.h"
#include "unit/recording/made_ranks.h"
#include "window_states.h"

#include "test_places.h"

#include <olab/recording/experiment_job.h>
#include <olab/sim/sim_backend.h>
#include <olab/survey/standing.h>

#include <recordings/column_chooser.h>
#include <recordings/recordings_page.h>
#include <window/files.h>
#include <window/rooms/recordings_room.h>
#include <window/runs/runs.h>
#include <window/window_parts.h>

#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

namespace fs = std::filesystem;
using Column = RecordingsModel::Column;

/// A window, and a folder of recordings of the simulator.
struct RecordingsWindow : StatefulWindow {
    fs::path folder() const { return fs::path(m_folder.path().toStdString()); }
    fs::path record(const std::string& name, std::initializer_list<const char*> options = {}) const {
        experiment::HeldExperiment experiment;
        experiment::setOption(experiment, "iterations=4");
        for (const char* option : options)
            experiment::setOption(experiment, option);
        sim::SimBackend simulator;
        const auto recording = recording::runExperiment(experiment, {&simulator, nullptr}, "run", {});
        fs::create_directories((folder() / name).parent_path());
        recording::saveRecording(*recording, folder() / name);
        return folder() / name;
    }
    void put(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder() / name, std::ios::binary) << bytes;
    }
    /// A traced run per day: `length` of the day in nanoseconds.
    void putDays(int days, const std::function<Ns(int)>& length) const {
        for (int day = 0; day < days; ++day)
            put("night_" + std::to_string(day) + ".json",
                test::madeRanks({.ranks = 1,
                                 .step = length(day),
                                 .scatter = 0,
                                 .base = 1'700'000'000'000'000'000 + Ns{day} * 86'400'000'000'000,
                                 .saysRank = false,
                                 .collectives = false})
                    .front());
    }
    bool openTable() {
        window.open(m_folder.path());
        return waitForTable();
    }
    bool waitForTable() {
        const QSignalSpy shown(&window, &MainWindow::tableShown);
        const bool came = QTest::qWaitFor([&] { return shown.count() > 0; }, kPatience);
        settle();
        return came;
    }
    RecordingsRoom& room() { return *window.parts().recordings; }
    RecordingsPage& page() { return room().page(); }
    RecordingsModel& model() { return page().model(); }
    QString cell(int row, int column) { return model().index(row, column).data().toString(); }
    int columnOf(const QString& head) {
        for (int i = 0; i < model().columnCount(); ++i)
            if (model().headerData(i, Qt::Horizontal, Qt::DisplayRole).toString() == head)
                return i;
        return -1;
    }
    QStringList names() {
        QStringList all;
        for (int row = 0; row < model().rowCount(); ++row)
            all << cell(row, Column::File);
        return all;
    }
    template <class Widget>
    Widget& part(const char* name) {
        return *page().findChild<Widget*>(QLatin1String(name));
    }
    bool isIn(Room room) { return window.parts().centre.isIn(room); }
    bool waitForRecording() {
        const bool came = QTest::qWaitFor([&] { return isIn(Room::Work) && !session.busy(); }, kPatience);
        settle();
        return came;
    }
    QTemporaryDir m_folder;
};

TEST(RecordingsPage, AFolderIsATableWithItsBrokenFiles) {
    RecordingsWindow t;
    t.record("fast.olab");
    t.record("below/slow.olab", {"h2d.memory=pageable"});
    t.put("noise.olab", "this is none");
    t.put("readme.txt", "hello");
    ASSERT_TRUE(t.openTable());
    EXPECT_TRUE(t.isIn(Room::Recordings));
    ASSERT_EQ(t.model().rowCount(), 3) << "other files are none of its business";
    EXPECT_EQ(t.names().front(), QStringLiteral("below/slow.olab")) << "the longest first";
    EXPECT_EQ(t.cell(0, Column::Origin), QStringLiteral("simulated"));
    EXPECT_EQ(t.cell(0, t.columnOf(QStringLiteral("First cause"))), QStringLiteral("pageable memory"));
    EXPECT_EQ(t.cell(0, t.columnOf(QStringLiteral("Verdict"))), QStringLiteral("serialized"));
    EXPECT_TRUE(t.cell(0, Column::Program).contains(QStringLiteral("h2d.memory=pageable")));
    EXPECT_TRUE(t.cell(0, Column::Machine).contains(QStringLiteral("H200")));
    EXPECT_EQ(t.names().back(), QStringLiteral("noise.olab"));
    EXPECT_TRUE(t.cell(2, Column::Note).startsWith(QStringLiteral("Not judged: unrecognized format")))
        << qPrintable(t.cell(2, Column::Note));
    EXPECT_TRUE(t.part<QLabel>("recordingsTitle")
                    .text()
                    .contains(QStringLiteral("2 recordings, all simulated, 1 not judged")))
        << qPrintable(t.part<QLabel>("recordingsTitle").text());
}

TEST(RecordingsPage, SaysWhatTheCommandLineSaysAndWritesTheSame) {
    RecordingsWindow t;
    for (int seed = 1; seed <= 7; ++seed)
        t.record("run" + std::to_string(seed) + ".olab", {("seed=" + std::to_string(seed)).c_str()});
    t.record("odd.olab", {"seed=9"});
    t.put("bad.olab", "none");
    ASSERT_TRUE(t.openTable());
    survey::SurveyPlan plan;
    plan.columns = survey::namedColumns();
    const std::vector<fs::path> places{t.folder()};
    plan.files = survey::filesIn(places, {}).files;
    const std::vector<survey::Row> rows = survey::survey(plan, {});
    for (const bool ascending : {false, true})
        for (std::size_t by = 0; by < plan.columns.size(); ++by) {
            t.page().table().sortByColumn(Column::FixedCount + static_cast<int>(by),
                                          ascending ? Qt::AscendingOrder : Qt::DescendingOrder);
            const survey::Survey survey = survey::surveyOf(rows, plan.columns, {by, ascending});
            const QString csv = QString::fromStdString((t.folder() / "out.csv").string()),
                          lines = QString::fromStdString((t.folder() / "out.jsonl").string());
            const QSignalSpy wrote(&t.page(), &RecordingsPage::wrote);
            t.page().write(csv);
            t.page().write(lines);
            ASSERT_TRUE(QTest::qWaitFor([&] { return wrote.count() == 2; }, kPatience));
            const auto content = [](const QString& file) {
                std::ifstream in(file.toStdString());
                return std::string(std::istreambuf_iterator<char>(in), {});
            };
            EXPECT_EQ(content(csv), survey::surveyToCsv(survey, 99)) << plan.columns[by].head;
            EXPECT_EQ(content(lines), survey::surveyToJsonLines(survey, 99)) << plan.columns[by].head;
        }
    const QSignalSpy failed(&t.page(), &RecordingsPage::failed);
    t.page().write(QStringLiteral("out.doc"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() == 1; }, kPatience));
    t.page().write(QString::fromStdString((t.folder() / "nowhere/out.csv").string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() == 2; }, kPatience));
}

TEST(RecordingsPage, OutliersAreNamedWithTheirNumberAndMarkedInTheHistory) {
    RecordingsWindow t;
    t.putDays(16, [](int day) { return day == 5 ? 2'000'000 : 1'000'000 + 1'000 * (day % 3); });
    ASSERT_TRUE(t.openTable());
    EXPECT_EQ(t.names().front(), QStringLiteral("night_5.json"));
    EXPECT_TRUE(t.cell(0, Column::Note).startsWith(QStringLiteral("Outlier: ")))
        << qPrintable(t.cell(0, Column::Note));
    const int time = t.columnOf(QStringLiteral("Run time"));
    EXPECT_TRUE(t.cell(0, time).startsWith(QStringLiteral("▲ ")));
    EXPECT_FALSE(t.cell(1, time).startsWith(QStringLiteral("▲ ")));
    const survey::Outlier* const outlier = t.model().standing().outlierOf(t.model().numberAt(0), 0);
    ASSERT_NE(outlier, nullptr);
    EXPECT_EQ(outlier->runs, 16u);
    EXPECT_TRUE(
        t.model().index(0, time).data(Qt::ToolTipRole).toString().contains(QStringLiteral("typical is")));
    EXPECT_TRUE(t.page().chart().isByDate());
    EXPECT_EQ(t.page().chart().points(), 16u);
    const QString words = t.part<QLabel>("recordingsHistoryWords").text();
    EXPECT_TRUE(words.startsWith(QStringLiteral("16 recordings from 2023-11-14"))) << qPrintable(words);
    EXPECT_TRUE(words.contains(QStringLiteral("no change"))) << qPrintable(words);
    // By the mouse: its point chooses the row.
    const auto place = t.page().chart().placeOf(t.model().numberAt(0));
    ASSERT_TRUE(place);
    QTest::mouseClick(&t.page().chart(), Qt::LeftButton, {}, place->toPoint());
    EXPECT_EQ(t.page().table().currentIndex().row(), 0);
    QTest::keyClick(&t.page().chart(), Qt::Key_Right);
    EXPECT_EQ(t.cell(t.page().table().currentIndex().row(), Column::File), QStringLiteral("night_6.json"))
        << "the next day";
    auto& only = t.part<QComboBox>("recordingsOnly");
    EXPECT_EQ(only.itemText(1), QStringLiteral("Outliers (1)"));
    only.setCurrentIndex(1);
    emit only.activated(1);
    EXPECT_EQ(t.names(), QStringList{QStringLiteral("night_5.json")});
}

TEST(RecordingsPage, WithoutDatesTheyStandByNameAndNothingIsSaidOfTime) {
    RecordingsWindow t;
    for (int seed = 1; seed <= 3; ++seed)
        t.record("run" + std::to_string(seed) + ".olab", {("seed=" + std::to_string(seed)).c_str()});
    ASSERT_TRUE(t.openTable());
    EXPECT_FALSE(t.page().chart().isByDate());
    EXPECT_EQ(t.page().chart().points(), 3u);
    EXPECT_TRUE(t.part<QLabel>("recordingsHistoryWords").text().contains(QStringLiteral("without a date")));
}

TEST(RecordingsPage, EnterOpensARecordingAndThereIsAWayBack) {
    RecordingsWindow t;
    t.record("a.olab");
    t.record("b.olab", {"streams=1"});
    ASSERT_TRUE(t.openTable());
    t.page().table().selectRow(0);
    const QString first = t.cell(0, Column::File), second = t.cell(1, Column::File);
    QTest::keyClick(&t.page().table(), Qt::Key_Return);
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.shown()->recording->file.filename().string(), first.toStdString());
    auto& way = *t.window.findChild<WayBack*>();
    EXPECT_TRUE(way.isVisible());
    EXPECT_FALSE(way.findChild<QPushButton*>(QStringLiteral("wayPrevious"))->isEnabled());
    way.findChild<QPushButton*>(QStringLiteral("wayNext"))->click();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return t.window.shown()->recording->file.filename().string() == second.toStdString(); },
        kPatience));
    t.settle();
    EXPECT_FALSE(way.findChild<QPushButton*>(QStringLiteral("wayNext"))->isEnabled());
    QTest::keyClick(&t.window, Qt::Key_PageUp, Qt::AltModifier);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return t.window.shown()->recording->file.filename().string() == first.toStdString(); },
        kPatience));
    EXPECT_EQ(t.window.findChild<Runs*>()->count(), 2) << "what is here is not read again";
    QTest::keyClick(&t.window, Qt::Key_R, Qt::ControlModifier);
    EXPECT_TRUE(t.isIn(Room::Recordings));
    EXPECT_EQ(t.page().table().currentIndex().row(), 0) << "the one that was shown is marked";
    QTest::keyClick(&t.page(), Qt::Key_Escape);
    EXPECT_TRUE(t.isIn(Room::Work));
}

TEST(RecordingsPage, SeveralAreOpenedAsRunsOrAsOneView) {
    RecordingsWindow t;
    t.putDays(3, [](int day) { return 1'000'000 + day; });
    ASSERT_TRUE(t.openTable());
    EXPECT_FALSE(t.part<QPushButton>("recordingsAsOne").isEnabled());
    t.page().table().selectAll();
    EXPECT_EQ(t.part<QPushButton>("recordingsOpen").text(), QStringLiteral("Open 3"));
    t.part<QPushButton>("recordingsAsOne").click();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_EQ(t.window.shown()->trace().ranks().size(), 3u);
    t.room().showPage();
    t.page().table().selectAll();
    t.part<QPushButton>("recordingsOpen").click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.findChild<Runs*>()->count() == 4; }, kPatience));
}

TEST(RecordingsPage, AnyNumberBecomesAColumnAndGoesAgain) {
    RecordingsWindow t;
    t.record("a.olab");
    t.record("b.olab", {"streams=1"});
    t.put("bad.olab", "none");
    ASSERT_TRUE(t.openTable());
    const std::vector<survey::Column> usual = t.model().all()->columns;
    const Answers answers({[](QWidget& dialog) {
        auto& chooser = dynamic_cast<ColumnChooser&>(dialog);
        chooser.filter().setText(QStringLiteral("devices/0/idle_ns"));
        for (int i = 0; i < chooser.list().count(); ++i)
            if (!chooser.list().item(i)->isHidden() &&
                chooser.list().item(i)->text().startsWith(QStringLiteral("/devices/0/idle_ns")))
                chooser.list().item(i)->setCheckState(Qt::Checked);
        chooser.accept();
    }});
    t.part<QPushButton>("recordingsColumnsButton").click();
    ASSERT_TRUE(t.waitForTable());
    const int idle = t.columnOf(QStringLiteral("idle_ns"));
    ASSERT_EQ(idle, t.model().columnCount() - 1);
    for (int row = 0; row < 2; ++row) {
        const auto report = recording::openRecording(t.model().rowAt(row).file)->report;
        EXPECT_EQ(t.model().rowAt(row).number(usual.size()),
                  static_cast<long double>(report.devices.front().idle));
        EXPECT_FALSE(t.cell(row, idle).contains(QStringLiteral("…")));
    }
    t.page().table().sortByColumn(idle, Qt::AscendingOrder);
    EXPECT_LE(*t.model().rowAt(0).number(usual.size()), *t.model().rowAt(1).number(usual.size()));
    t.page().setColumns({usual[0], usual[5]});
    ASSERT_TRUE(t.waitForTable());
    EXPECT_EQ(t.model().columnCount(), Column::FixedCount + 2);
    ASSERT_EQ(t.names().front(), QStringLiteral("a.olab")) << "what it was sorted by is gone";
    EXPECT_EQ(*t.model().rowAt(0).number(1), t.model().rowAt(0).values[1].number);
    EXPECT_EQ(t.model().headerData(Column::FixedCount + 1, Qt::Horizontal, Qt::DisplayRole).toString(),
              QStringLiteral("Costs"));
    EXPECT_GE(*t.model().rowAt(0).number(0), *t.model().rowAt(0).number(1)) << "a part of the run time";
}

TEST(RecordingsPage, AFilterTakesWordsInAnyOrder) {
    RecordingsWindow t;
    t.record("Fast.olab");
    t.record("slow.olab", {"h2d.memory=pageable"});
    t.put("bad.olab", "none");
    ASSERT_TRUE(t.openTable());
    auto& filter = t.part<QLineEdit>("recordingsFilter");
    const auto shownFor = [&](const char* text, int rows) {
        filter.setText(QLatin1String(text));
        return QTest::qWaitFor([&] { return t.model().rowCount() == rows; }, kPatience);
    };
    EXPECT_TRUE(shownFor("PAGEABLE simulated", 1));
    EXPECT_EQ(t.names(), QStringList{QStringLiteral("slow.olab")});
    EXPECT_TRUE(shownFor("fast", 1));
    EXPECT_TRUE(shownFor("unrecognized", 1)) << "the reason, too";
    EXPECT_TRUE(shownFor("nothing of the kind", 0));
    EXPECT_TRUE(shownFor("", 3));
}

TEST(RecordingsPage, DroppedFilesAreRunsWhereTheyAreFewAndATableWhereTheyAreMany) {
    RecordingsWindow t;
    constexpr const char* seeds[] = {"seed=3", "seed=4", "seed=5", "seed=6", "seed=7"};
    QList<QUrl> urls;
    for (int i = 0; i < 5; ++i)
        urls << QUrl::fromLocalFile(
            QString::fromStdString(t.record("f" + std::to_string(i) + ".olab", {seeds[i]}).string()));
    const auto drop = [&](const QList<QUrl>& what) {
        QMimeData files;
        files.setUrls(what);
        QDragEnterEvent enter({20, 20}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&t.window, &enter);
        QDropEvent event({20, 20}, Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&t.window, &event);
    };
    drop(urls.mid(0, 2));
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.findChild<Runs*>()->count() == 2; }, kPatience));
    EXPECT_FALSE(t.room().hasTable());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.session.busy(); }, kPatience));
    drop(urls);
    ASSERT_TRUE(t.waitForTable());
    EXPECT_EQ(t.model().rowCount(), 5);
    EXPECT_TRUE(t.part<QLabel>("recordingsTitle").text().startsWith(QStringLiteral("5 files")))
        << qPrintable(t.part<QLabel>("recordingsTitle").text());
    drop({QUrl::fromLocalFile(t.m_folder.path())});
    ASSERT_TRUE(t.waitForTable());
    EXPECT_EQ(t.window.findChild<Runs*>()->count(), 2) << "a table keeps no recording";
}

TEST(RecordingsPage, AnEmptyAndAMissingFolderSaySo) {
    RecordingsWindow t;
    ASSERT_TRUE(t.openTable());
    EXPECT_EQ(t.model().rowCount(), 0);
    EXPECT_TRUE(t.part<QLabel>("recordingsSaid").text().contains(QStringLiteral("no recording")));
    EXPECT_FALSE(t.part<QPushButton>("recordingsSave").isEnabled());
    t.record("late.olab");
    t.part<QPushButton>("recordingsAgain").click();
    ASSERT_TRUE(t.waitForTable());
    EXPECT_EQ(t.model().rowCount(), 1) << "read again, it is there";
    t.room().openPlaces({t.m_folder.filePath(QStringLiteral("gone"))});
    ASSERT_TRUE(t.waitForTable());
    EXPECT_EQ(t.model().rowCount(), 1);
    EXPECT_TRUE(t.cell(0, Column::Note).startsWith(QStringLiteral("Not judged")))
        << "it is named, so it is a row";
}

/// 600 recordings: rows come before the end, the window answers meanwhile, and a stop stops.
TEST(RecordingsPage, RowsComeAsTheyAreJudgedAndTheWindowAnswers) {
    RecordingsWindow t;
    const fs::path one = t.record("r0.olab", {"iterations=12"});
    for (int i = 1; i < 600; ++i)
        fs::copy_file(one, t.folder() / ("r" + std::to_string(i) + ".olab"));
    QElapsedTimer since;
    qint64 longest = 0;
    QTimer pulse;
    QObject::connect(&pulse, &QTimer::timeout, [&] { longest = std::max(longest, since.restart()); });
    pulse.start(5);
    since.start();
    const QSignalSpy shown(&t.window, &MainWindow::tableShown);
    t.window.open(t.m_folder.path());
    std::set<int> seen;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            seen.insert(t.model().rowCount());
            return shown.count() > 0;
        },
        kPatience));
    EXPECT_GT(seen.size(), 3u) << "in batches";
    EXPECT_EQ(t.model().rowCount(), 600);
    EXPECT_LT(longest, 1000) << "ms without an answer";
    t.page().read({t.folder()});
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.model().rowCount() > 0; }, kPatience));
    QTest::keyClick(&t.page(), Qt::Key_Escape);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !t.page().isRunning(); }, 2000));
    EXPECT_LT(t.model().rowCount(), 600);
    EXPECT_TRUE(t.part<QLabel>("recordingsSaid").text().contains(QStringLiteral("of 600 judged")))
        << qPrintable(t.part<QLabel>("recordingsSaid").text());
    t.page().read({t.folder()}); // and is closed while it reads
}

TEST(RecordingsPage, NothingIsDoneOnceAllIsRead) {
    RecordingsWindow t;
    t.record("a.olab");
    ASSERT_TRUE(t.openTable());
    t.settle();
    const std::clock_t before = std::clock();
    QEventLoop loop;
    QTimer::singleShot(700, &loop, &QEventLoop::quit);
    loop.exec();
    EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 0.05);
}

TEST(RecordingsPage, EverythingThatCanHaveTheFocusHasAName) {
    RecordingsWindow t;
    t.record("a.olab");
    ASSERT_TRUE(t.openTable());
    int looked = 0;
    for (QWidget* widget : t.page().findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() ||
            qobject_cast<QHeaderView*>(widget))
            continue;
        const auto* button = qobject_cast<QPushButton*>(widget);
        EXPECT_FALSE(widget->accessibleName().isEmpty() && (!button || button->text().isEmpty()))
            << widget->metaObject()->className() << ' ' << qPrintable(widget->objectName());
        ++looked;
    }
    EXPECT_GT(looked, 8);
    const int time = t.columnOf(QStringLiteral("Run time"));
    EXPECT_TRUE(t.model()
                    .index(0, time)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .startsWith(QStringLiteral("Run time ")));
}

} // namespace
