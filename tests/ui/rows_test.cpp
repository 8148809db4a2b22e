// Rows that are pinned, hidden or folded.
#include "canvas_fixture.h"

#include <timeline/lane_renderer.h>
#include <timeline/row_layout.h>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::test;

namespace {

LaneId laneOf(const TimelineCanvas& canvas, const char* label) {
    for (const Lane& lane : canvas.shown()->index.lanes().lanes())
        if (lane.label == label)
            return lane.id;
    return LaneId{kNoNumber};
}

int yOf(const TimelineCanvas& canvas, ActivityIndex activity, std::size_t lane) {
    const auto rects = canvas.rectsOf(activity);
    return lane < rects.size() ? rects[lane].center().y() : -1;
}

void expectWellStacked(const RowLayout& layout) {
    int y = 0;
    for (const Row& row : layout.rows) {
        EXPECT_EQ(row.top, y) << row.label.toStdString();
        y = row.bottom();
    }
    EXPECT_EQ(layout.height, y);
}

} // namespace

TEST(Rows, TheOverlapRibbonIsTheFirstRowOfADevice) {
    const ShownPtr shown = smallShown();
    const RowLayout layout = RowLayout::of(shown->index, {}, 500);
    ASSERT_GE(layout.rows.size(), 2u);
    EXPECT_EQ(layout.rows[0].kind, Row::Kind::Group);
    EXPECT_EQ(layout.rows[1].kind, Row::Kind::Ribbon);
}

TEST(Rows, ChoicesLeaveEveryLaneOnceOrSayThatItIsHidden) {
    const ShownPtr shown = randomShown(51);
    const auto lanes = shown->index.lanes().lanes();
    std::mt19937 random(1);
    for (int round = 0; round < 50; ++round) {
        RowChoices choices;
        for (const Lane& lane : lanes)
            if (const unsigned choice = random() % 4; choice < 2)
                (choice == 0 ? choices.hidden : choices.pinned).insert(lane.id);
        const RowLayout layout = RowLayout::chosen(shown->index, choices, 700);
        expectWellStacked(layout);
        int said = 0;
        for (const Row& row : layout.rows)
            if (row.kind == Row::Kind::Group && row.label.endsWith(QStringLiteral(" hidden")))
                said += row.label.section(QLatin1Char(' '), -2, -2).toInt();
        EXPECT_EQ(said, static_cast<int>(choices.hidden.size()));
        for (const Lane& lane : lanes) {
            const auto rows =
                std::ranges::count_if(layout.rows, [&](const Row& row) { return row.lane == &lane; });
            EXPECT_EQ(rows, choices.hidden.contains(lane.id) ? 0 : 1);
        }
    }
}

TEST(Rows, APinnedRowStaysWhereItIsWhileTheOthersScroll) {
    CanvasOnScreen t(randomShown(52, 60));
    t.canvas.resize(900, 260);
    const LaneId stream = laneOf(t.canvas, "stream 20");
    const ActivityIndex first = t.canvas.shown()->index.lanes()[stream].activities.front();
    t.canvas.pinRow(stream);
    const int pinned = yOf(t.canvas, first, 1);
    ASSERT_GT(pinned, 0);
    EXPECT_LT(pinned, 60) << "at the top";
    for (int scroll = 0; scroll < t.canvas.contentHeight() - t.canvas.height(); scroll += 17) {
        t.canvas.setScroll(scroll);
        ASSERT_EQ(yOf(t.canvas, first, t.canvas.rectsOf(first).size() - 1), pinned);
        for (ActivityIndex a = 0; a < t.canvas.shown()->trace().size(); ++a)
            for (const QRect& rect : t.canvas.rectsOf(a))
                if (rect.width() >= 4 && rect.bottom() < t.canvas.height()) {
                    ASSERT_EQ(t.canvas.activityAt(rect.center()), a) << "found where it is drawn";
                }
    }
    t.canvas.pinRow(stream);
    t.canvas.setScroll(0);
    EXPECT_GT(yOf(t.canvas, first, t.canvas.rectsOf(first).size() - 1), 100) << "let go";
}

TEST(Rows, AHiddenRowIsNotDrawnAndComesBack) {
    CanvasOnScreen t(smallShown());
    ASSERT_EQ(t.canvas.rectsOf(2).size(), 2u);
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, t.canvas.rectsOf(2).back().center());
    EXPECT_EQ(t.canvas.row(), laneOf(t.canvas, "stream 14"));
    QTest::keyClick(&t.canvas, Qt::Key_H);
    EXPECT_EQ(t.canvas.rectsOf(2).size(), 1u);
    EXPECT_EQ(t.canvas.row(), laneOf(t.canvas, "stream 13")) << "keys go on with the row beside it";
    QTest::keyClick(&t.canvas, Qt::Key_H, Qt::ShiftModifier);
    EXPECT_EQ(t.canvas.rectsOf(2).size(), 2u);
}

TEST(Rows, AreChosenFoldedAndPinnedWithKeys) {
    CanvasOnScreen t(smallShown());
    QTest::keyClick(&t.canvas, Qt::Key_Down, Qt::ControlModifier);
    EXPECT_EQ(t.canvas.row(), laneOf(t.canvas, "copy H2D"));
    QTest::keyClick(&t.canvas, Qt::Key_Down, Qt::ControlModifier);
    EXPECT_EQ(t.canvas.row(), laneOf(t.canvas, "compute"));
    QTest::keyClick(&t.canvas, Qt::Key_C);
    EXPECT_EQ(t.canvas.collapsed().size(), 1u);
    EXPECT_EQ(t.canvas.rectsOf(1).size(), 1u) << "its stream alone";
    QTest::keyClick(&t.canvas, Qt::Key_H, Qt::ShiftModifier);
    EXPECT_EQ(t.canvas.rectsOf(1).size(), 2u);
    const int before = t.canvas.rectsOf(1).front().top();
    QTest::keyClick(&t.canvas, Qt::Key_P);
    EXPECT_LT(t.canvas.rectsOf(1).front().top(), before);
    QTest::keyClick(&t.canvas, Qt::Key_P);
    EXPECT_EQ(t.canvas.rectsOf(1).front().top(), before);
}

TEST(Rows, PinnedRowsThatFillTheScreenScrollLikeTheOthers) {
    const ShownPtr shown = randomShown(53);
    RowChoices choices;
    for (const Lane& lane : shown->index.lanes().lanes())
        choices.pinned.insert(lane.id);
    const RowLayout layout = RowLayout::chosen(shown->index, choices, 120);
    EXPECT_EQ(layout.pinnedHeight, 0);
    EXPECT_GT(layout.height, 120);
}
