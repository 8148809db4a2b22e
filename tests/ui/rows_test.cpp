// Rows that are pinned, hidden, folded, moved or made taller, and that all of this is remembered.
#include "canvas_fixture.h"

#include <olab/trace/lanes.h>

#include <timeline/canvas/lane_renderer.h>
#include <timeline/rows/row_layout.h>
#include <timeline/rows/row_names.h>
#include <timeline/rows/timeline_rows.h>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

LaneId laneOf(const TimelineCanvas& canvas, const char* label) {
    for (const Lane& lane : canvas.shown()->index.lanes().lanes())
        if (lane.label == label)
            return lane.id;
    return LaneId{kNoNumber};
}

int yOf(const TimelineCanvas& canvas, ActivityIndex activity, std::size_t lane) {
    const auto rects = canvas.map().rectsOf(activity);
    return lane < rects.size() ? rects[lane].center().y() : -1;
}

/// Of the rows on the canvas that show lanes, from top to bottom: where the first activity of each is drawn.
QStringList labelsOn(const TimelineCanvas& canvas) {
    const RowLayout layout =
        RowLayout::chosen(canvas.shown()->index, canvas.rows().choices(), canvas.height());
    QStringList labels;
    for (const Row& row : layout.rows)
        if (row.lane)
            labels << row.label;
    return labels;
}

Row rowOf(const TimelineCanvas& canvas, const char* label) {
    const RowLayout layout =
        RowLayout::chosen(canvas.shown()->index, canvas.rows().choices(), canvas.height());
    for (const Row& row : layout.rows)
        if (row.label == QLatin1String(label))
            return row;
    ADD_FAILURE() << label;
    return {};
}

QPoint nameOf(const TimelineCanvas& canvas, const char* label) {
    const Row row = rowOf(canvas, label);
    return {40, row.top - canvas.rows().scroll() + row.height / 2};
}

QStringList listOf(std::initializer_list<const char*> words) {
    QStringList list;
    for (const char* const word : words)
        list << QLatin1String(word);
    return list;
}

/// Each activity is found where the canvas says that it is drawn, whatever was done to the rows.
void expectFoundInItsRows(const TimelineCanvas& canvas) {
    for (ActivityIndex a = 0; a < canvas.shown()->trace().size(); ++a)
        for (const QRect& rect : canvas.map().rectsOf(a))
            EXPECT_EQ(canvas.map().activityAt(rect.center()), a);
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
    const view::ViewDataPtr shown = smallShown();
    const RowLayout layout = RowLayout::of(shown->index, {}, 500);
    ASSERT_GE(layout.rows.size(), 2u);
    EXPECT_EQ(layout.rows[0].kind, Row::Kind::Group);
    EXPECT_EQ(layout.rows[1].kind, Row::Kind::Ribbon);
}

TEST(Rows, ChoicesLeaveEveryLaneOnceOrSayThatItIsHidden) {
    const view::ViewDataPtr shown = randomShown(51);
    const auto lanes = shown->index.lanes().lanes();
    const RowNames names(shown->trace(), shown->index.lanes());
    std::mt19937 random(1);
    for (int round = 0; round < 50; ++round) {
        RowChoices choices;
        for (const Lane& lane : lanes) {
            const unsigned choice = random() % 4;
            if (choice < 2)
                (choice == 0 ? choices.hidden : choices.pinned).insert(names.of(lane.id));
            choices.setHeight(names.of(lane.id), static_cast<int>(random() % 300));
            const QString group = names.groupOf(lane.id);
            const Lane& other = lanes[random() % lanes.size()];
            choices.move(group, RowLayout::of(shown->index, {}, 700).natural.at(group), names.of(lane.id),
                         names.of(other.id), choice % 2 == 0);
        }
        const RowLayout layout = RowLayout::chosen(shown->index, choices, 700);
        expectWellStacked(layout);
        int said = 0;
        for (const Row& row : layout.rows)
            if (row.kind == Row::Kind::Group && row.label.endsWith(QStringLiteral(" hidden")))
                said += row.label.section(QLatin1Char(' '), -2, -2).toInt();
        EXPECT_EQ(said, static_cast<int>(choices.hidden.size()));
        EXPECT_EQ(layout.hidden, said);
        for (const Lane& lane : lanes) {
            const auto rows =
                std::ranges::count_if(layout.rows, [&](const Row& row) { return row.lane == &lane; });
            EXPECT_EQ(rows, choices.hidden.contains(names.of(lane.id)) ? 0 : 1);
        }
    }
}

TEST(Rows, APinnedRowStaysWhereItIsWhileTheOthersScroll) {
    CanvasOnScreen t(randomShown(52, 60));
    t.canvas.resize(900, 260);
    const LaneId stream = laneOf(t.canvas, "stream 20");
    const ActivityIndex first = t.canvas.shown()->index.lanes()[stream].activities.front();
    t.canvas.rows().pin(stream);
    const int pinned = yOf(t.canvas, first, 1);
    ASSERT_GT(pinned, 0);
    EXPECT_LT(pinned, 60) << "at the top";
    for (int scroll = 0; scroll < t.canvas.rows().layout().height - t.canvas.height(); scroll += 17) {
        t.canvas.rows().setScroll(scroll);
        ASSERT_EQ(yOf(t.canvas, first, t.canvas.map().rectsOf(first).size() - 1), pinned);
        for (ActivityIndex a = 0; a < t.canvas.shown()->trace().size(); ++a)
            for (const QRect& rect : t.canvas.map().rectsOf(a))
                if (rect.width() >= 4 && rect.bottom() < t.canvas.height()) {
                    ASSERT_EQ(t.canvas.map().activityAt(rect.center()), a) << "found where it is drawn";
                }
    }
    t.canvas.rows().pin(stream);
    t.canvas.rows().setScroll(0);
    EXPECT_GT(yOf(t.canvas, first, t.canvas.map().rectsOf(first).size() - 1), 100) << "let go";
}

TEST(Rows, AHiddenRowIsNotDrawnAndComesBack) {
    CanvasOnScreen t(smallShown());
    ASSERT_EQ(t.canvas.map().rectsOf(2).size(), 2u);
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, t.canvas.map().rectsOf(2).back().center());
    EXPECT_EQ(t.canvas.rows().inUse(), laneOf(t.canvas, "stream 14"));
    QTest::keyClick(&t.canvas, Qt::Key_H);
    EXPECT_EQ(t.canvas.map().rectsOf(2).size(), 1u);
    EXPECT_EQ(t.canvas.rows().inUse(), laneOf(t.canvas, "stream 13")) << "keys go on with the row beside it";
    QTest::keyClick(&t.canvas, Qt::Key_H, Qt::ShiftModifier);
    EXPECT_EQ(t.canvas.map().rectsOf(2).size(), 2u);
}

TEST(Rows, AreChosenFoldedAndPinnedWithKeys) {
    CanvasOnScreen t(smallShown());
    QTest::keyClick(&t.canvas, Qt::Key_Down, Qt::ControlModifier);
    EXPECT_EQ(t.canvas.rows().inUse(), laneOf(t.canvas, "copy H2D"));
    QTest::keyClick(&t.canvas, Qt::Key_Down, Qt::ControlModifier);
    EXPECT_EQ(t.canvas.rows().inUse(), laneOf(t.canvas, "compute"));
    QTest::keyClick(&t.canvas, Qt::Key_C);
    EXPECT_EQ(t.canvas.rows().choices().folded.size(), 1u);
    EXPECT_EQ(t.canvas.map().rectsOf(1).size(), 1u) << "its stream alone";
    QTest::keyClick(&t.canvas, Qt::Key_H, Qt::ShiftModifier);
    EXPECT_EQ(t.canvas.map().rectsOf(1).size(), 2u);
    const int before = t.canvas.map().rectsOf(1).front().top();
    QTest::keyClick(&t.canvas, Qt::Key_P);
    EXPECT_LT(t.canvas.map().rectsOf(1).front().top(), before);
    QTest::keyClick(&t.canvas, Qt::Key_P);
    EXPECT_EQ(t.canvas.map().rectsOf(1).front().top(), before);
}

TEST(Rows, PinnedRowsThatFillTheScreenScrollLikeTheOthers) {
    const view::ViewDataPtr shown = randomShown(53);
    RowChoices choices;
    for (const Lane& lane : shown->index.lanes().lanes())
        choices.pinned.insert(RowNames(shown->trace(), shown->index.lanes()).of(lane.id));
    const RowLayout layout = RowLayout::chosen(shown->index, choices, 120);
    EXPECT_EQ(layout.pinnedHeight, 0);
    EXPECT_GT(layout.height, 120);
}

TEST(Rows, AreDraggedToAnotherPlaceInTheirGroup) {
    CanvasOnScreen t(smallShown());
    ASSERT_EQ(labelsOn(t.canvas), listOf({"copy H2D", "compute", "copy D2H", "stream 13", "stream 14"}));
    const QPoint target = nameOf(t.canvas, "copy D2H");
    t.drag(nameOf(t.canvas, "copy H2D"), target + QPoint(0, 8));
    EXPECT_EQ(labelsOn(t.canvas), listOf({"compute", "copy D2H", "copy H2D", "stream 13", "stream 14"}));
    expectFoundInItsRows(t.canvas);
    EXPECT_GT(t.canvas.map().rectsOf(0).front().top(), t.canvas.map().rectsOf(3).front().top());
    t.drag(nameOf(t.canvas, "stream 14"), nameOf(t.canvas, "compute")); // no further than its group
    EXPECT_EQ(labelsOn(t.canvas), listOf({"compute", "copy D2H", "copy H2D", "stream 14", "stream 13"}));
    EXPECT_EQ(t.canvas.selection().activity(), std::nullopt) << "a drag is no click";
}

TEST(Rows, ALineShowsWhereARowLands) {
    CanvasOnScreen t(smallShown());
    const QPoint from = nameOf(t.canvas, "copy H2D"), to = nameOf(t.canvas, "copy D2H") - QPoint(0, 6);
    const QImage before = t.canvas.grab().toImage();
    QTest::mousePress(&t.canvas, Qt::LeftButton, {}, from);
    for (const QPoint at : {from + QPoint(0, 9), to}) {
        QMouseEvent move(QEvent::MouseMove, at, t.canvas.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&t.canvas, &move);
    }
    const int line = rowOf(t.canvas, "copy D2H").top;
    const QColor accent = Theme::of(t.canvas.palette()).accent;
    const QImage during = t.canvas.grab().toImage();
    EXPECT_NE(colourAt(before, {700, line}), accent);
    EXPECT_EQ(colourAt(during, {700, line}), accent);
    QTest::mouseRelease(&t.canvas, Qt::LeftButton, {}, to);
    EXPECT_NE(colourAt(t.canvas.grab().toImage(), {700, line}), accent);
    EXPECT_EQ(labelsOn(t.canvas).mid(0, 3), listOf({"compute", "copy H2D", "copy D2H"}));
}

TEST(Rows, MoveWithKeysAndGroupsWithTheMouse) {
    CanvasOnScreen t(smallShown());
    for (int i = 0; i < 2; ++i)
        QTest::keyClick(&t.canvas, Qt::Key_Down, Qt::ControlModifier);
    ASSERT_EQ(t.canvas.rows().inUse(), laneOf(t.canvas, "compute"));
    const auto both = Qt::ControlModifier | Qt::ShiftModifier;
    QTest::keyClick(&t.canvas, Qt::Key_Up, both);
    EXPECT_EQ(labelsOn(t.canvas).mid(0, 3), listOf({"compute", "copy H2D", "copy D2H"}));
    QTest::keyClick(&t.canvas, Qt::Key_Up, both);
    EXPECT_EQ(labelsOn(t.canvas).mid(0, 3), listOf({"compute", "copy H2D", "copy D2H"})) << "at the top";
    EXPECT_EQ(t.canvas.rows().inUse(), laneOf(t.canvas, "compute")) << "keys go on with it";
    t.drag(nameOf(t.canvas, "Streams"), {40, 2});
    EXPECT_EQ(labelsOn(t.canvas), listOf({"stream 13", "stream 14", "compute", "copy H2D", "copy D2H"}));
    EXPECT_TRUE(t.canvas.rows().choices().folded.empty()) << "a drag is no click";
    expectFoundInItsRows(t.canvas);
    QTest::keyClick(&t.canvas, Qt::Key_R, Qt::ShiftModifier);
    EXPECT_EQ(labelsOn(t.canvas), listOf({"copy H2D", "compute", "copy D2H", "stream 13", "stream 14"}));
}

TEST(Rows, AHiddenRowKeepsItsPlaceWhenOthersMovePastIt) {
    CanvasOnScreen t(smallShown());
    t.canvas.rows().hide(laneOf(t.canvas, "compute"));
    t.canvas.rows().move(laneOf(t.canvas, "copy H2D"), +1);
    EXPECT_EQ(labelsOn(t.canvas).mid(0, 2), listOf({"copy D2H", "copy H2D"}));
    t.canvas.rows().showAll();
    EXPECT_EQ(labelsOn(t.canvas).mid(0, 3), listOf({"compute", "copy D2H", "copy H2D"}));
}

TEST(Rows, GetTallerByTheirLowerEdgeAndTheEdgeFollowsTheHand) {
    CanvasOnScreen t(smallShown());
    for (const int wanted : {70, 130, 30, 16}) {
        const Row row = rowOf(t.canvas, "compute");
        t.drag({40, row.bottom() - 1}, {40, row.top + wanted});
        EXPECT_NEAR(rowOf(t.canvas, "compute").height, wanted, 3);
        expectFoundInItsRows(t.canvas);
    }
    EXPECT_EQ(t.canvas.selection().activity(), std::nullopt);
    const Row row = rowOf(t.canvas, "compute");
    const QPoint edge(40, row.bottom() - 1);
    QMouseEvent hover(QEvent::MouseMove, edge, t.canvas.mapToGlobal(edge), Qt::NoButton, {}, {});
    QCoreApplication::sendEvent(&t.canvas, &hover);
    EXPECT_EQ(t.canvas.cursor().shape(), Qt::SplitVCursor);
}

TEST(Rows, GetTallerWithKeysAndAsUsualAgain) {
    CanvasOnScreen t(smallShown());
    QTest::keyClick(&t.canvas, Qt::Key_Down, Qt::ControlModifier);
    const int usual = rowOf(t.canvas, "copy H2D").height;
    QTest::keyClick(&t.canvas, Qt::Key_Up, Qt::AltModifier);
    const int taller = rowOf(t.canvas, "copy H2D").height;
    EXPECT_GT(taller, usual);
    for (int i = 0; i < 20; ++i)
        QTest::keyClick(&t.canvas, Qt::Key_Down, Qt::AltModifier);
    EXPECT_LT(rowOf(t.canvas, "copy H2D").height, usual);
    EXPECT_GE(rowOf(t.canvas, "copy H2D").stripHeight, 4) << "never nothing";
    for (int i = 0; i < 40; ++i)
        QTest::keyClick(&t.canvas, Qt::Key_Up, Qt::AltModifier);
    EXPECT_LE(rowOf(t.canvas, "copy H2D").height, 300);
    QTest::keyClick(&t.canvas, Qt::Key_0);
    EXPECT_EQ(rowOf(t.canvas, "copy H2D").height, usual);
    EXPECT_EQ(t.canvas.rows().choices(), RowChoices{});
}

TEST(Rows, AreTheSameInTheNextRecordingOfTheSameShape) {
    CanvasOnScreen t(smallShown());
    t.canvas.rows().pin(laneOf(t.canvas, "stream 14"));
    t.canvas.rows().hide(laneOf(t.canvas, "copy H2D"));
    t.canvas.rows().move(laneOf(t.canvas, "copy D2H"), -1);
    t.canvas.rows().resize(laneOf(t.canvas, "compute"), +1);
    const QStringList labels = labelsOn(t.canvas);
    ASSERT_EQ(labels, listOf({"stream 14", "copy D2H", "compute", "stream 13"}));
    const int height = rowOf(t.canvas, "compute").height;
    t.canvas.setShown(randomShown(3)); // of another shape: more streams, a host thread
    EXPECT_EQ(labelsOn(t.canvas).front(), QStringLiteral("stream 14"));
    EXPECT_TRUE(labelsOn(t.canvas).contains(QStringLiteral("stream 20")));
    t.canvas.setShown(smallShown());
    EXPECT_EQ(labelsOn(t.canvas), labels);
    EXPECT_EQ(rowOf(t.canvas, "compute").height, height);
}

TEST(RowNames, AreOfTheShapeNotOfTheProcess) {
    const auto namesOf = [](std::uint32_t thread) {
        auto call = [](std::uint32_t number, Ns begin) {
            ActivityRecord r;
            r.cls = ActivityClass::Api;
            r.thread = number;
            r.begin = begin;
            r.end = begin + 10;
            return r;
        };
        const view::ViewDataPtr shown =
            shownOf({deviceWork(ActivityClass::Kernel, 5, 6, 13), call(thread, 1), call(thread + 7, 2)});
        const RowNames names(shown->trace(), shown->index.lanes());
        QStringList all;
        for (const Lane& lane : shown->index.lanes().lanes())
            all << names.of(lane.id);
        return all;
    };
    EXPECT_EQ(namesOf(4711), listOf({"gpu0/compute", "gpu0/stream 13", "host/thread 1", "host/thread 2"}));
    EXPECT_EQ(namesOf(99), namesOf(4711));
}

TEST(RowChoices, SurviveSettingsAndNonsenseDoesNot) {
    RowChoices choices;
    choices.folded = {QStringLiteral("host")};
    choices.hidden = {QStringLiteral("gpu0/stream 13"), QStringLiteral("\"<ü\n")};
    choices.pinned = {QStringLiteral("gpu0/compute")};
    choices.setHeight(QStringLiteral("gpu0/compute"), 240);
    choices.order[{}] = listOf({"host", "gpu0"});
    choices.order[QStringLiteral("gpu0")] = listOf({"gpu0/b", "gpu0/a"});
    EXPECT_EQ(RowChoices::fromJson(choices.toJson()), choices);
    for (const char* const nonsense : {"", "7", "[]", "{\"folded\":7}", "{\"hidden\":[1,{}]}",
                                       "{\"heights\":{\"a\":\"x\"}}", "{\"order\":[\"a\"]}"})
        EXPECT_EQ(RowChoices::fromJson(nonsense), RowChoices{}) << nonsense;
    EXPECT_EQ(RowChoices::fromJson("{\"heights\":{\"a\":2000000000}}").heights.begin()->second,
              RowChoices::kTallest);
}

TEST(RowChoices, AnOrderHoldsForThoseItKnowsAndTheOthersStay) {
    RowChoices choices;
    choices.order[QStringLiteral("g")] = listOf({"c", "x", "a"});
    EXPECT_EQ(choices.arranged(QStringLiteral("g"), listOf({"a", "b", "c", "d"})),
              listOf({"c", "b", "a", "d"}));
    choices.move(QStringLiteral("g"), listOf({"a", "b", "c", "d"}), QStringLiteral("d"), QStringLiteral("c"),
                 false);
    EXPECT_EQ(choices.arranged(QStringLiteral("g"), listOf({"a", "b", "c", "d"})),
              listOf({"d", "c", "b", "a"}));
    EXPECT_TRUE(choices.order[QStringLiteral("g")].contains(QStringLiteral("x"))) << "of another recording";
}

TEST(Rows, OnesThatAreEmptyInViewAreThinUntilTheyAreUsed) {
    CanvasOnScreen t(randomShown(52, 60));
    t.canvas.resize(900, 160);
    TimelineRows& rows = t.canvas.rows();
    const auto thin = [&] {
        std::vector<LaneId> lanes;
        for (const Row& row : rows.layout().rows)
            if (row.lane && row.height < 10)
                lanes.push_back(row.lane->id);
        return lanes;
    };
    const ActivityIndex op =
        t.canvas.shown()->index.lanes()[laneOf(t.canvas, "stream 20")].activities.front();
    const int whole = rows.layout().height;
    t.canvas.showRange(t.canvas.shown()->trace().time(op));
    EXPECT_TRUE(thin().empty()) << "nothing moves while the view does";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !thin().empty(); }, kPatience));
    EXPECT_LT(rows.layout().height, whole);
    expectWellStacked(rows.layout());
    for (const QRect& rect : t.canvas.map().rectsOf(op))
        EXPECT_GT(rect.height(), 8) << "what is in view is as tall as before";

    const LaneId used = thin().back();
    const auto before = thin().size();
    rows.use(used);
    EXPECT_GT(rows.layout().of(used)->height, 10);
    EXPECT_EQ(thin().size(), before - 1);
    t.canvas.fit();
    ASSERT_TRUE(QTest::qWaitFor([&] { return thin().empty(); }, kPatience));
    EXPECT_EQ(rows.layout().height, whole);

    t.canvas.resize(900, whole + 50);
    t.canvas.showRange(t.canvas.shown()->trace().time(op));
    QTest::qWait(600);
    EXPECT_TRUE(thin().empty()) << "there is room for all";
}
