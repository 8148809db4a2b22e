#include "shown_fixture.h"

#include <olab/ui/activities_model.h>
#include <olab/ui/format.h>
#include <timeline/search/search.h>

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

TEST(ActivitiesModel, IsAModel) {
    ActivitiesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    EXPECT_EQ(model.rowCount(), 0);
    model.setShown(randomShown(21, 200));
    EXPECT_EQ(model.rowCount(), 201);
    model.setShown(smallShown());
    EXPECT_EQ(model.rowCount(), 4);
    model.setShown(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(ActivitiesModel, SaysWhatTheTraceSays) {
    ActivitiesModel model;
    const view::ViewDataPtr shown = smallShown();
    model.setShown(shown);
    const auto cell = [&](int row, int column) {
        return model.data(model.index(row, column), Qt::DisplayRole).toString();
    };
    EXPECT_EQ(cell(0, ActivitiesModel::Class), fromText(classLabel(ActivityClass::MemcpyH2D)));
    EXPECT_EQ(cell(0, ActivitiesModel::Begin), QStringLiteral("0.000 µs"));
    EXPECT_EQ(cell(1, ActivitiesModel::Begin), QStringLiteral("150.000 µs"));
    EXPECT_EQ(cell(2, ActivitiesModel::Name), QStringLiteral("spin"));
    EXPECT_EQ(cell(2, ActivitiesModel::Where), QStringLiteral("stream 14"));
    EXPECT_EQ(cell(3, ActivitiesModel::Bytes), QStringLiteral("16 MiB"));
    EXPECT_EQ(cell(3, ActivitiesModel::Rate), QStringLiteral("168 GB/s"));
}

namespace {

std::vector<ActivityIndex> rowsOf(const ActivitiesModel& model) {
    std::vector<ActivityIndex> rows;
    for (int i = 0; i < model.rowCount(); ++i)
        rows.push_back(model.activityAt(i));
    return rows;
}

} // namespace

TEST(ActivitiesModel, TheFilterIsTheLanguageOfTheSearch) {
    ActivitiesModel model;
    const view::ViewDataPtr shown = randomShown(5, 400);
    const Trace& trace = shown->trace();
    model.setShown(shown);
    ASSERT_EQ(model.rowCount(), static_cast<int>(trace.size()));
    for (const char* text : {"  KERNEL stream 14 ", "kernel > 10us", "h2d", "#7", "engine compute", "nvtx",
                             "because same-engine", "copy < 10us", "\"Device\""}) {
        Search search(*shown, SearchQuery::parse(QString::fromLatin1(text)));
        search.advance(trace.size());
        model.setFilter(QString::fromLatin1(text));
        EXPECT_EQ(rowsOf(model), search.matches()) << text;
        EXPECT_EQ(model.problem().isEmpty(), !search.matches().empty()) << text;
    }
    model.setFilter(QStringLiteral("kernel > 10us"));
    EXPECT_GT(model.rowCount(), 0);
    for (const ActivityIndex i : rowsOf(model))
        EXPECT_GT(trace.time(i).length(), 10'000);
    model.setFilter(QStringLiteral("kernel > 5"));
    EXPECT_EQ(model.rowCount(), 0);
    EXPECT_TRUE(model.problem().contains(QStringLiteral("unit"))) << model.problem().toStdString();
    model.setFilter(QStringLiteral("#7"));
    ASSERT_GE(model.rowCount(), 1);
    for (const ActivityIndex i : rowsOf(model))
        EXPECT_EQ(numberText(trace, i), QStringLiteral("7"));
    model.setFilter({});
    EXPECT_TRUE(model.problem().isEmpty());
    EXPECT_EQ(model.total(), trace.size());
    EXPECT_EQ(model.rowCount(), static_cast<int>(trace.size()));
}

TEST(ActivitiesModel, SortsByValueNotByText) {
    ActivitiesModel model;
    const view::ViewDataPtr shown = randomShown(9, 400);
    const Trace& trace = shown->trace();
    model.setShown(shown);
    const std::vector<ActivityIndex> before = rowsOf(model);
    model.sort(ActivitiesModel::Duration, Qt::DescendingOrder);
    const std::vector<ActivityIndex> longest = rowsOf(model);
    EXPECT_TRUE(std::ranges::is_permutation(before, longest));
    EXPECT_TRUE(std::ranges::is_sorted(longest, std::ranges::greater{},
                                       [&](ActivityIndex i) { return trace[i].duration(); }));
    EXPECT_EQ(model.data(model.index(0, ActivitiesModel::Duration), Qt::DisplayRole).toString(),
              exactDurationText(trace[longest[0]].duration()))
        << "the cells follow";
    model.sort(ActivitiesModel::Name);
    EXPECT_TRUE(std::ranges::is_sorted(rowsOf(model), {},
                                       [&](ActivityIndex i) { return trace.text(trace[i].name); }));
    for (int column = 0; column < ActivitiesModel::ColumnCount; ++column) {
        model.sort(column);
        EXPECT_TRUE(std::ranges::is_permutation(before, rowsOf(model))) << column;
    }
    model.sort(ActivitiesModel::Begin);
    EXPECT_EQ(rowsOf(model), before);
}

TEST(ActivitiesModel, EmptyCellsComeLastInEitherOrder) {
    ActivitiesModel model;
    model.setShown(randomShown(9, 400));
    const auto isEmpty = [&](int row) {
        return model.data(model.index(row, ActivitiesModel::Bytes), Qt::DisplayRole).toString().isEmpty();
    };
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model.sort(ActivitiesModel::Bytes, order);
        ASSERT_TRUE(isEmpty(model.rowCount() - 1));
        EXPECT_FALSE(isEmpty(0));
        for (int row = 1; row < model.rowCount(); ++row)
            EXPECT_LE(isEmpty(row - 1), isEmpty(row)) << row;
    }
}

TEST(ActivitiesModel, StreamsAreSortedByNumber) {
    ActivitiesModel model;
    model.setShown(
        shownOf({deviceWork(ActivityClass::Kernel, 0, 10, 13), deviceWork(ActivityClass::Kernel, 20, 30, 9),
                 deviceWork(ActivityClass::Kernel, 40, 50, 101)}));
    model.sort(ActivitiesModel::Where);
    EXPECT_EQ(rowsOf(model), (std::vector<ActivityIndex>{1, 0, 2}));
    model.sort(ActivitiesModel::Where, Qt::DescendingOrder);
    EXPECT_EQ(rowsOf(model), (std::vector<ActivityIndex>{2, 0, 1}));
}

TEST(ActivitiesModel, FilterAndOrderStayWithTheNextRecording) {
    ActivitiesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    model.setShown(randomShown(3, 100));
    model.setFilter(QStringLiteral("kernel"));
    model.sort(ActivitiesModel::Begin, Qt::DescendingOrder);
    const view::ViewDataPtr next = randomShown(4, 100);
    model.setShown(next);
    const std::vector<ActivityIndex> rows = rowsOf(model);
    ASSERT_GT(rows.size(), 1u);
    EXPECT_LT(rows.size(), next->trace().size());
    EXPECT_TRUE(std::ranges::is_sorted(rows, std::ranges::greater{},
                                       [&](ActivityIndex i) { return next->trace()[i].begin; }));
}
