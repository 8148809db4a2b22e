// Small things that make a timeline pleasant: names that can be read, choices that stay where they belong, a
// search that leaves no trace when it fails, marks of what is easily overlooked.
#include "canvas_fixture.h"
#include "patience.h"
#include "test_places.h"

#include <olab/analysis/statistics.h>
#include <olab/comparison/comparison.h>
#include <olab/recording/recording.h>
#include <olab/trace/lanes.h>
#include <olab/trace/trace_builder.h>
#include <olab/ui/activities_model.h>
#include <olab/ui/format.h>
#include <olab/ui/timeline_view.h>
#include <olab/view/place.h>

#include <results/activities_page.h>
#include <results/verdict_strip.h>
#include <timeline/canvas/bar_labels.h>
#include <timeline/canvas/canvas_marks.h>
#include <timeline/canvas/canvas_overlay.h>
#include <timeline/canvas/legend.h>
#include <timeline/rows/row_names.h>
#include <timeline/rows/timeline_rows.h>
#include <timeline/search/search_bar.h>
#include <timeline/texts/hover_card.h>
#include <timeline/view_history.h>

#include <QAbstractButton>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

const Row& rowCalled(TimelineCanvas& canvas, const QString& label) {
    static const Row none;
    for (const Row& row : canvas.rows().layout().rows)
        if (row.lane && row.label == label)
            return row;
    ADD_FAILURE() << "no row " << label.toStdString();
    return none;
}

view::ViewDataPtr fromFile(const char* name) {
    TraceBuilder builder;
    smallShown()->trace().replay(builder);
    auto made = recording::makeRecording({builder.finish(), nullptr, std::nullopt}, name, true);
    made->file = name;
    return std::make_shared<const view::ViewData>(std::move(made));
}

ActivityRecord range(std::uint32_t thread, const char* name, Ns begin, Ns end) {
    ActivityRecord r;
    r.cls = ActivityClass::Nvtx;
    r.thread = thread;
    r.name = textId(name);
    r.begin = begin, r.end = end;
    return r;
}

} // namespace

TEST(TimelineDetails, ASearchThatFindsNothingLeavesTheViewAndTheSelection) {
    TimelineView view;
    view.resize(900, 500);
    view.show();
    const view::ViewDataPtr shown = randomShown(41, 600);
    view.setShown(shown);
    const Interval all = shown->limits(),
                   seen{all.begin + all.length() / 2, all.begin + all.length() * 3 / 4};
    view.canvas().select(7u);
    view.canvas().showRange(seen);
    const Interval before = view.canvas().viewport().visible();
    view.openSearch();
    auto& edit = *view.findChild<QLineEdit*>();
    edit.setText(QStringLiteral("#3")); // the first letters of what is typed find something
    EXPECT_EQ(view.canvas().selection().activity(), std::optional<ActivityIndex>(3));
    EXPECT_NE(view.canvas().viewport().visible(), before);
    edit.setText(QStringLiteral("#3333333"));
    EXPECT_EQ(view.canvas().selection().activity(), std::optional<ActivityIndex>(7));
    EXPECT_EQ(view.canvas().viewport().visible(), before);
}

TEST(TimelineDetails, AStreamHasOneNameAndTimesHaveTheUnitsOfTheAxis) {
    const auto shown = std::make_shared<const view::ViewData>(
        recording::openRecording(OLAB_SOURCE_DIR "/resources/recordings/null-stream-h200.olab"));
    const Trace& trace = shown->trace();
    int checked = 0;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        if (!isDeviceClass(trace.cls(i)) || trace.queue(trace[i].queue).streamKind != StreamKind::Null)
            continue;
        const FieldList fields = activityFields(*shown, i);
        const auto valueOf = [&](const char* name) {
            return std::ranges::find(fields, QLatin1String(name), &FieldList::value_type::first)->second;
        };
        EXPECT_EQ(valueOf("Stream"), QStringLiteral("NULL stream")) << "as its row is called";
        EXPECT_EQ(valueOf("Begins"), tickText(trace.begin(i) - shown->zero(), 1));
        checked += valueOf("Begins").endsWith(QStringLiteral(" ms"));
    }
    EXPECT_GT(checked, 10);
}

TEST(TimelineDetails, HeightsOfRowsStayWithTheirFile) {
    CanvasOnScreen t(fromFile("/one.olab"));
    TimelineRows& rows = t.canvas.rows();
    const QString compute = QStringLiteral("compute");
    const int usual = rowCalled(t.canvas, compute).height;
    rows.resize(rowCalled(t.canvas, compute).lane->id, +1);
    const int tall = rowCalled(t.canvas, compute).height;
    ASSERT_GT(tall, usual);
    t.canvas.setShown(fromFile("/other.olab"));
    EXPECT_EQ(rowCalled(t.canvas, compute).height, usual);
    EXPECT_TRUE(rows.keptChoices().heights.empty()) << "those of a file are not for the next start";
    t.canvas.setShown(fromFile("/one.olab"));
    EXPECT_EQ(rowCalled(t.canvas, compute).height, tall);
    t.canvas.setShown(nullptr);
    EXPECT_TRUE(rows.keptChoices().heights.empty()) << "nor when it is not shown any more";
    t.canvas.setShown(fromFile("/other.olab"));
    EXPECT_EQ(rowCalled(t.canvas, compute).height, usual);
    EXPECT_TRUE(rows.keptChoices().heights.empty());
}

TEST(TimelineDetails, CtrlZTakesBackWhatWasDoneToRowsThenToTheView) {
    TimelineView view;
    view.resize(900, 500);
    view.show();
    view.setShown(smallShown());
    TimelineCanvas& canvas = view.canvas();
    canvas.setFocus();
    const RowChoices before = canvas.rows().choices();
    canvas.rows().hide(rowCalled(canvas, QStringLiteral("copy H2D")).lane->id);
    canvas.rows().pin(rowCalled(canvas, QStringLiteral("compute")).lane->id);
    QTest::keyClick(&canvas, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(canvas.rows().choices().pinned.empty());
    EXPECT_FALSE(canvas.rows().choices().hidden.empty());
    QTest::keyClick(&canvas, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(canvas.rows().choices(), before);
    const Interval whole = canvas.viewport().visible();
    QTest::qWait(2 * ViewHistory::kMoment); // a view counts when it was looked at
    canvas.zoomAt(canvas.width() / 2, 0.3);
    QTest::qWait(2 * ViewHistory::kMoment);
    QTest::keyClick(&canvas, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(canvas.viewport().visible(), whole);
}

TEST(TimelineDetails, NamesOfNestedRangesCanBeReadFromTheStart) {
    std::vector<ActivityRecord> records{deviceWork(ActivityClass::Kernel, 0, 10'000, 13)};
    for (int depth = 0; depth < 9; ++depth)
        records.push_back(range(4711, "aten::convolution", 100 * depth, 10'000 - 100 * depth));
    CanvasOnScreen t(shownOf(records));
    for (const Row& row : t.canvas.rows().layout().rows)
        if (row.lane && row.lane->kind == LaneKind::HostRanges) {
            ASSERT_EQ(row.lane->depthCount, 9);
            EXPECT_GE(row.stripHeight - 1, t.canvas.viewStyle().small + 1) << "what a name needs";
        }
    t.canvas.grab();
    EXPECT_GE(t.canvas.names().rectCount(), 9);
}

TEST(TimelineDetails, ArrowsDoNotStrikeNamesThrough) {
    ActivityRecord call; // below everything; what it issued is on the engine, above a long bar with its name
    call.cls = ActivityClass::Api;
    call.thread = 4711;
    call.begin = 10'000, call.end = 20'000;
    call.correlation = 1;
    ActivityRecord kernel = deviceWork(ActivityClass::Kernel, 60'000, 160'000, 14);
    kernel.correlation = 1;
    CanvasOnScreen t(shownOf({deviceWork(ActivityClass::MemcpyH2D, 0, 1'000'000, 13), call, kernel}));
    (void)t.canvas.grab();
    const QRegion names = t.canvas.names();
    ASSERT_FALSE(names.isEmpty());
    t.canvas.overlay().toggleArrows();
    t.canvas.select(2u);
    const QImage without = t.canvas.grab().toImage();
    t.canvas.overlay().toggleArrows();
    ASSERT_FALSE(t.canvas.overlay().arrows().empty());
    const QImage with = t.canvas.grab().toImage();
    int inNames = 0, elsewhere = 0;
    for (int y = 0; y < with.height(); ++y)
        for (int x = 0; x < with.width(); ++x) {
            const QPoint at(static_cast<int>(x / with.devicePixelRatio()),
                            static_cast<int>(y / with.devicePixelRatio()));
            if (with.pixel(x, y) != without.pixel(x, y))
                ++(names.contains(at) ? inNames : elsewhere);
        }
    EXPECT_EQ(inNames, 0);
    EXPECT_GT(elsewhere, 0);
}

TEST(TimelineDetails, AnArrowPointsToAMemsetOfMicroseconds) {
    using enum ActivityClass;
    const view::ViewDataPtr shown =
        shownOf({deviceWork(Kernel, 0, 40'000'000, 13), deviceWork(Memset, 60'000'000, 60'002'000, 14),
                 deviceWork(Kernel, 80'000'000, 100'000'000, 13)});
    CanvasOnScreen t(shown);
    const view::ViewColumns columns(t.canvas.viewport());
    for (const Lane& lane : shown->index.lanes().lanes()) {
        const view::Strip& strip = shown->index.strips(lane.id).front();
        const bool holds = std::ranges::binary_search(strip.activities, ActivityIndex{1});
        const auto marks = shortMarks(view::StripView(strip, columns, 20), columns, 12);
        ASSERT_EQ(marks.size(), holds ? 1u : 0u) << lane.label;
        if (holds) {
            EXPECT_EQ(marks.front().activity, 1u);
            EXPECT_TRUE(columns[marks.front().column].contains(shown->trace().begin(1)));
        }
    }
    const Row& row = rowCalled(t.canvas, QStringLiteral("stream 14"));
    const int x = t.canvas.map().xOf(60'001'000);
    const QImage image = t.canvas.grab().toImage();
    const QColor wanted = edgeOf(Theme::light().colour(Memset), Theme::light());
    EXPECT_EQ(colourAt(image, {x, t.canvas.rows().top(row) + 1}).rgb(), wanted.rgb());
    EXPECT_EQ(colourAt(image, {x + 3, t.canvas.rows().top(row) + Row::kInset + 4}).rgb(),
              Theme::light().base.rgb())
        << "the bar itself is no wider than it lasts";
}

TEST(TimelineDetails, ManyShortOnesHaveNoArrows) {
    std::vector<ActivityRecord> records;
    for (int i = 0; i < 5'000; ++i)
        records.push_back(deviceWork(ActivityClass::Kernel, i * 20'000, i * 20'000 + 500, 13));
    const view::ViewDataPtr shown = shownOf(records);
    CanvasOnScreen t(shown);
    const view::ViewColumns columns(t.canvas.viewport());
    const view::Strip& strip = shown->index.strips(LaneId{0}).front();
    EXPECT_TRUE(shortMarks(view::StripView(strip, columns, 20), columns, 12).empty());
}

TEST(TimelineDetails, NamesOfActivitiesTakeTheRoomThatIsLeft) {
    ActivitiesPage page;
    page.setShown(smallShown());
    page.resize(1500, 300);
    page.show();
    QCoreApplication::processEvents();
    const auto& table = *page.findChild<QTableView*>();
    int most = 0;
    for (int column = 0; column < ActivitiesModel::ColumnCount; ++column)
        if (column != ActivitiesModel::Name)
            most = std::max(most, table.columnWidth(column));
    EXPECT_GT(table.columnWidth(ActivitiesModel::Name), 2 * most);
    EXPECT_LE(table.horizontalHeader()->length(), table.viewport()->width());
    const int fitting = table.columnWidth(ActivitiesModel::Name);
    const_cast<QTableView&>(table).setColumnWidth(ActivitiesModel::Name, 150); // by hand
    QEvent otherType(QEvent::FontChange);
    QApplication::sendEvent(&page, &otherType);
    EXPECT_EQ(table.columnWidth(ActivitiesModel::Name), fitting) << "all columns are set anew";
}

TEST(TimelineDetails, AChipLeadsToTheWorstPlaceOfItsPair) {
    using enum ActivityClass;
    std::vector<ActivityRecord> records;
    Ns at = 0;
    for (int i = 0; i < 6; ++i) { // one after the other though on two streams
        records.push_back(deviceWork(MemcpyH2D, at, at + 1'000'000, 13));
        records.push_back(deviceWork(Kernel, at + 1'000'000, at + 2'000'000, 14));
        at += 2'000'000;
    }
    const view::ViewDataPtr shown = shownOf(records);
    VerdictStrip strip;
    strip.setShown(shown);
    QSignalSpy chosen(&strip, &VerdictStrip::placeChosen);
    for (auto* chip : strip.findChildren<QAbstractButton*>())
        chip->click();
    ASSERT_TRUE(std::ranges::any_of(comparison::allVerdicts(*shown->report()), [](const auto* verdict) {
        return verdict->kind == analysis::VerdictKind::Serialized;
    }));
    ASSERT_GE(chosen.size(), 1);
    const auto place = chosen.front().front().value<view::Place>();
    EXPECT_GT(place.time.length(), 0);
}

TEST(TimelineDetails, AnnotationsOfAGpuStandBeneathTheirStreamAndThreadsHaveNames) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("t.json"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(R"j({"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":100,"dur":50,"args":{"device":0,"stream":7,"context":1,"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":55,"tid":56,"ts":90,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":55,"tid":56,"ts":80,"dur":100},
{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":55,"tid":56,"ts":85,"dur":20},
{"ph":"X","cat":"python_function","name":"model.py(12): forward","pid":55,"tid":56,"ts":82,"dur":40},
{"ph":"X","cat":"gpu_user_annotation","name":"ProfilerStep#1","pid":0,"tid":7,"ts":100,"dur":50},
{"ph":"M","name":"thread_name","pid":55,"tid":56,"args":{"name":"thread 56 (trainer)"}}]})j");
    file.close();
    const auto shown = std::make_shared<const view::ViewData>(recording::openRecording(path.toStdString()));
    CanvasOnScreen t(shown);
    const auto& rows = t.canvas.rows().layout().rows;
    const auto at = std::ranges::find(rows, streamRangesLabel(), &Row::label);
    ASSERT_NE(at, rows.end());
    EXPECT_TRUE(at->beneath);
    EXPECT_EQ((at - 1)->label, QStringLiteral("stream 7"));
    rowCalled(t.canvas, QStringLiteral("trainer 56"));
    EXPECT_EQ(queueText(shown->trace(), at->lane->queue), QStringLiteral("annotations of stream 7"));
    const analysis::Statistics ranges =
        analysis::statisticsOf(shown->facts, analysis::ExplainedWaits(shown->facts),
                               {analysis::StatisticsGroup::Range, {}, nullptr, true});
    const auto step = std::ranges::find(ranges.rows, "ProfilerStep#1", &analysis::StatisticsRow::name);
    ASSERT_NE(step, ranges.rows.end());
    EXPECT_EQ(step->count, 1u) << "what its stream saw of it is no second step";
    QStringList words;
    for (ActivityIndex i = 0; i < shown->trace().size(); ++i)
        words << classText(shown->trace(), i);
    EXPECT_TRUE(words.contains(QStringLiteral("operator")));
    EXPECT_TRUE(words.contains(QStringLiteral("Python function")));
    EXPECT_TRUE(words.contains(QStringLiteral("profiler step")));
    EXPECT_FALSE(words.contains(QStringLiteral("NVTX range")));
    TimelineView view;
    view.setShown(shown);
    const QStringList legend = view.findChild<Legend*>()->names();
    EXPECT_TRUE(legend.contains(QStringLiteral("range")) && !legend.contains(QStringLiteral("NVTX range")))
        << legend.join('|').toStdString();
}

TEST(TimelineDetails, NumbersThatAnImporterGaveThreadsAreNotShown) {
    TraceBuilder builder;
    builder.add(deviceWork(ActivityClass::Kernel, 100, 200, 7));
    ActivityRecord spans = range(0x8000'0001, "PyTorch Profiler (0)", 0, 400);
    spans.name = builder.intern("PyTorch Profiler (0)");
    builder.add(spans);
    const auto shown = std::make_shared<const view::ViewData>(
        recording::makeRecording({builder.finish(), nullptr, std::nullopt}, "spans", false));
    CanvasOnScreen t(shown);
    QStringList labels;
    for (const Row& row : t.canvas.rows().layout().rows)
        labels << row.label;
    EXPECT_TRUE(labels.filter(QStringLiteral("2147483649")).isEmpty()) << labels.join('|').toStdString();
    EXPECT_TRUE(labels.contains(QStringLiteral("NVTX"))) << labels.join('|').toStdString();
}

TEST(EventMarks, OfThoseThatWouldTouchTheFirstIsDrawnHoweverManyThereAre) {
    std::vector<view::EventMark> marks;
    const QueueId stream{3};
    for (Ns time = 0; time < 100'000; ++time)
        marks.push_back({.queue = stream, .time = time});
    marks.push_back({.queue = QueueId{4}, .time = 5});
    std::size_t asked = 0;
    const auto seen = seenEvents(marks, {stream, {20'000, 60'000}, 20, 100, 7}, [&](Ns time) {
        ++asked;
        return static_cast<int>(time / 1000);
    });
    ASSERT_EQ(seen.size(), 6u); // columns 20, 27, ... 55
    for (std::size_t i = 0; i < seen.size(); ++i)
        EXPECT_EQ(seen[i].area.x() + 3, 20 + static_cast<int>(7 * i));
    EXPECT_LT(asked, 1000u) << "not one by one";
}
