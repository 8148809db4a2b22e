#include "shown_fixture.h"

#include <olab/ui/activities_model.h>
#include <olab/ui/format.h>

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

using namespace olab;
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
    const ShownPtr shown = smallShown();
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
