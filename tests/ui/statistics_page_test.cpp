// Statistics by name in the window: the table, what is counted, and what a click shows in the timeline.
#include "patience.h"
#include "pulse.h"
#include "shown_fixture.h"
#include "window_states.h"

#include <olab/ui/format.h>
#include <olab/ui/statistics_model.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <results/statistics_page.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

using analysis::StatisticsGroup;

view::CountedStatisticsPtr counted(const view::ViewDataPtr& shown, StatisticsGroup by) {
    return view::countStatistics({shown, by});
}

QString cellOf(const StatisticsModel& model, int row, int column) {
    return model.data(model.index(row, column), Qt::DisplayRole).toString();
}

/// The page in a window, in front.
class StatisticsInWindow {
public:
    explicit StatisticsInWindow(const char* recording)
        : m_opened(m_window.open(recording)) {
        m_window.window.showPage(QStringLiteral("statistics"));
        m_page = m_window.window.findChild<StatisticsPage*>();
    }
    bool isCounted() {
        StatefulWindow::settle();
        return m_opened && m_page && QTest::qWaitFor([this] { return !m_page->isCounting(); }, kPatience);
    }
    StatisticsModel& model() { return m_page->model(); }
    QTableView& table() { return *m_page->findChild<QTableView*>(); }
    QComboBox& choice(const char* name) {
        for (QComboBox* box : m_page->findChildren<QComboBox*>())
            if (box->accessibleName() == QLatin1String(name))
                return *box;
        throw std::runtime_error(name);
    }
    TimelineCanvas& canvas() { return m_window.window.timeline().canvas(); }
    std::vector<ActivityIndex> lit() { return canvas().selection().litIn(canvas().viewport().visible()); }
    bool says(const QString& text) {
        for (const QLabel* label : m_page->findChildren<QLabel*>())
            if (label->text() == text)
                return true;
        return false;
    }
    StatisticsPage& page() { return *m_page; }

private:
    StatefulWindow m_window;
    bool m_opened;
    StatisticsPage* m_page = nullptr;
};

Ns sumOf(const StatisticsModel& model) {
    Ns sum = 0;
    for (int row = 0; row < model.rowCount(); ++row)
        sum += model.rowAt(row).total;
    return sum;
}

} // namespace

TEST(Statistics, NamesGetWhatTheyNeedUpToTwoFifthsOfTheTable) {
    StatisticsInWindow t("null-stream-h200");
    ASSERT_TRUE(t.isCounted());
    QTableView& table = t.table();
    const int wanted =
        std::min(static_cast<QAbstractItemView&>(table).sizeHintForColumn(StatisticsModel::Name),
                 table.viewport()->width() * 2 / 5);
    EXPECT_GE(table.columnWidth(StatisticsModel::Name), wanted);
    EXPECT_EQ(table.textElideMode(), Qt::ElideMiddle) << "many begin alike";
}

TEST(StatisticsModel, IsAModel) {
    StatisticsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    EXPECT_EQ(model.rowCount(), 0);
    model.setCounted(counted(randomShown(21, 300), StatisticsGroup::Work));
    EXPECT_GT(model.rowCount(), 3);
    model.setCounted(counted(smallShown(), StatisticsGroup::Call));
    EXPECT_EQ(model.rowCount(), 0);
    model.setCounted(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(StatisticsModel, SaysWhatWasCounted) {
    StatisticsModel model;
    model.setCounted(counted(smallShown(), StatisticsGroup::Kernel));
    ASSERT_EQ(model.rowCount(), 1);
    EXPECT_EQ(cellOf(model, 0, StatisticsModel::Name), QStringLiteral("spin"));
    EXPECT_EQ(cellOf(model, 0, StatisticsModel::Total), durationText(100'000));
    EXPECT_EQ(cellOf(model, 0, StatisticsModel::Share), QStringLiteral("25.0 %"));
    EXPECT_EQ(cellOf(model, 0, StatisticsModel::Count), QStringLiteral("1"));
    EXPECT_EQ(cellOf(model, 0, StatisticsModel::Overlapped), QStringLiteral("0.0 %"));
    EXPECT_FALSE(model.saysSomething(StatisticsModel::Bytes));
    EXPECT_FALSE(model.saysSomething(StatisticsModel::WorkTime));
}

TEST(StatisticsModel, SortsByNumbersAndFiltersByWords) {
    StatisticsModel model;
    model.setCounted(counted(randomShown(5, 500), StatisticsGroup::Work));
    const int all = model.rowCount();
    for (const int column : {StatisticsModel::Total, StatisticsModel::Count, StatisticsModel::Longest}) {
        model.sort(column, Qt::AscendingOrder);
        for (int row = 1; row < all; ++row) {
            const auto &above = model.rowAt(row - 1), &below = model.rowAt(row);
            EXPECT_LE(column == StatisticsModel::Total   ? above.total
                      : column == StatisticsModel::Count ? static_cast<Ns>(above.count)
                                                         : above.longest,
                      column == StatisticsModel::Total   ? below.total
                      : column == StatisticsModel::Count ? static_cast<Ns>(below.count)
                                                         : below.longest);
        }
    }
    model.sort(StatisticsModel::Name, Qt::DescendingOrder);
    EXPECT_GE(cellOf(model, 0, StatisticsModel::Name), cellOf(model, 1, StatisticsModel::Name));
    model.setFilter(QStringLiteral("h2d"));
    ASSERT_GT(model.rowCount(), 0);
    EXPECT_LT(model.rowCount(), all);
    EXPECT_TRUE(cellOf(model, 0, StatisticsModel::Name).startsWith(QStringLiteral("H2D")));
    EXPECT_EQ(model.shownPart().rows.size(), static_cast<std::size_t>(model.rowCount()));
    model.setFilter(QStringLiteral("nothing of the kind"));
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(StatisticsPage, AClickOutlinesAllOfANameAndSaysCountAndSum) {
    StatisticsInWindow t("full-grid-h200");
    ASSERT_TRUE(t.isCounted());
    ASSERT_EQ(t.model().rowCount(), 4);
    EXPECT_TRUE(t.says(QStringLiteral("4 names")));
    t.table().setCurrentIndex(t.model().index(0, 0));
    const analysis::StatisticsRow& kernels = t.model().rowAt(0);
    EXPECT_EQ(kernels.cls, ActivityClass::Kernel);
    EXPECT_TRUE(t.says(QStringLiteral("48 like this, %1 in all").arg(durationText(kernels.total))));
    EXPECT_EQ(t.lit().size(), 48u);
    const Trace& trace = t.canvas().shown()->trace();
    Ns sum = 0;
    for (const ActivityIndex lit : t.lit()) {
        EXPECT_EQ(trace.cls(lit), ActivityClass::Kernel);
        sum += trace.duration(lit);
    }
    EXPECT_EQ(sum, kernels.total);
    const auto longest = t.canvas().selection().activity();
    ASSERT_TRUE(longest);
    EXPECT_EQ(trace.duration(*longest), kernels.longest);
    emit t.table().activated(t.model().index(0, 0));
    EXPECT_LT(t.canvas().viewport().visible().length(), 20 * kernels.longest);
}

TEST(StatisticsPage, EachNumberIsOfferedForRangesOnly) {
    StatisticsInWindow t("full-grid-h200");
    ASSERT_TRUE(t.isCounted());
    const auto* each = t.page().findChild<QCheckBox*>(QStringLiteral("eachNumber"));
    ASSERT_NE(each, nullptr);
    EXPECT_FALSE(each->isVisible());
    t.page().findChild<QComboBox*>()->setCurrentIndex(static_cast<int>(analysis::StatisticsGroup::Range));
    EXPECT_TRUE(each->isVisible());
    EXPECT_FALSE(each->isChecked());
}

TEST(StatisticsPage, ANameStaysSelectedInAnotherOrderAndPart) {
    StatisticsInWindow t("full-grid-h200");
    ASSERT_TRUE(t.isCounted());
    t.table().setCurrentIndex(t.model().index(1, 0));
    const std::string name = t.model().rowAt(1).name;
    const auto current = [&] { return t.model().rowAt(t.table().currentIndex().row()).name; };
    t.table().sortByColumn(StatisticsModel::Name, Qt::AscendingOrder);
    EXPECT_EQ(current(), name);
    t.canvas().select(std::nullopt);
    t.choice("Part").setCurrentIndex(3);
    ASSERT_TRUE(t.isCounted());
    EXPECT_EQ(current(), name);
    EXPECT_TRUE(t.lit().empty()) << "nobody clicked";
}

TEST(StatisticsPage, NamesGetTheRoomThatIsLeftInAWideWindow) {
    StatisticsInWindow t("default-h200");
    ASSERT_TRUE(t.isCounted());
    QTableView& table = t.table();
    const int others = table.horizontalHeader()->length() - table.columnWidth(StatisticsModel::Name);
    EXPECT_EQ(table.columnWidth(StatisticsModel::Name), std::max(164, table.viewport()->width() - others));
    table.setColumnWidth(StatisticsModel::Name, 90);
    table.resize(table.width() + 50, table.height());
    EXPECT_EQ(table.columnWidth(StatisticsModel::Name), 90) << "a person has set it";
}

TEST(StatisticsPage, SelectAllLikeItSaysTheSame) {
    StatisticsInWindow t("full-grid-h200");
    ASSERT_TRUE(t.isCounted());
    for (int row = 0; row < t.model().rowCount(); ++row) {
        t.table().setCurrentIndex(t.model().index(row, 0));
        const std::vector<ActivityIndex> lit = t.lit();
        ASSERT_FALSE(lit.empty());
        t.canvas().selectAlike(lit.back());
        EXPECT_EQ(t.lit(), lit) << t.model().rowAt(row).name;
    }
}

TEST(StatisticsPage, BetweenTheRulersFollowsThem) {
    StatisticsInWindow t("full-grid-h200");
    ASSERT_TRUE(t.isCounted());
    const Ns all = sumOf(t.model());
    t.choice("Part").setCurrentIndex(1);
    ASSERT_TRUE(t.isCounted());
    EXPECT_EQ(t.model().rowCount(), 0);
    EXPECT_TRUE(t.says(QStringLiteral("Set two rulers in the timeline (M)")));
    const Interval span = t.canvas().shown()->trace().deviceSpan();
    const Ns middle = span.begin + span.length() / 2;
    t.canvas().measure(Interval{span.begin, middle});
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.model().rowCount() > 0; }, kPatience));
    const Ns first = sumOf(t.model());
    EXPECT_GT(first, 0);
    EXPECT_LT(first, all);
    t.canvas().measure(Interval{middle, span.end});
    ASSERT_TRUE(QTest::qWaitFor([&] { return sumOf(t.model()) == all - first; }, kPatience));
    t.choice("Part").setCurrentIndex(2);
    ASSERT_TRUE(t.isCounted());
    EXPECT_EQ(t.model().counted()->statistics.iterations, 1u);
}

TEST(StatisticsPage, TheTableIsCopiedAsCsv) {
    StatisticsInWindow t("default-h200");
    t.choice("Statistics of").setCurrentIndex(static_cast<int>(StatisticsGroup::Call));
    ASSERT_TRUE(t.isCounted());
    ASSERT_GT(t.model().rowCount(), 2);
    EXPECT_EQ(t.model().rowAt(0).cls, ActivityClass::Api);
    emit t.table().customContextMenuRequested(QPoint(20, 10));
    auto* menu = t.page().findChild<QMenu*>();
    ASSERT_NE(menu, nullptr);
    ASSERT_TRUE(menu->actions().front()->text().contains(QStringLiteral("CSV")));
    menu->actions().front()->trigger();
    menu->close();
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    EXPECT_EQ(lines.size(), t.model().rowCount() + 2) << "a head, and an end behind the last line";
    EXPECT_TRUE(lines[1].startsWith(fromText(t.model().rowAt(0).name) + QStringLiteral(",api,")));
}

/// What the window does while half a million are counted is what it does while four are.
TEST(StatisticsPage, CountingIsNotTheWindowsWork) {
    StatisticsPage page;
    page.show();
    page.setShown(randomShown(3, 400'000));
    EXPECT_TRUE(page.isCounting()) << "it said so before it was done";
    EXPECT_EQ(page.model().rowCount(), 0);
    Pulse pulse;
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page.isCounting(); }, kPatience));
    EXPECT_LT(pulse.longest(), std::chrono::seconds(2));
    EXPECT_GT(page.model().rowCount(), 3);
    page.setShown(nullptr);
    EXPECT_EQ(page.model().rowCount(), 0);
}
