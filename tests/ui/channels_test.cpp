// Engines opened by channel, and what a host thread did beneath its calls.
#include "canvas_fixture.h"
#include "patience.h"

#include <olab/trace/lanes.h>
#include <olab/ui/picture.h>
#include <olab/ui/row_choices.h>
#include <olab/view/drawn_lanes.h>

#include <timeline/rows/row_layout.h>
#include <timeline/rows/timeline_rows.h>

#include <QAccessible>
#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

ActivityRecord copyOn(std::uint32_t channel, Ns begin, Ns end) {
    ActivityRecord r = deviceWork(ActivityClass::MemcpyH2D, begin, end, 13 + channel);
    r.channel = channel;
    r.channelType = ChannelType::AsyncCopy;
    return r;
}

/// Copies on three channels, some of them at one time, and kernels on one.
view::ViewDataPtr channelsShown(Ns copies = 60) {
    std::vector<ActivityRecord> records;
    for (Ns i = 0; i < copies; ++i)
        records.push_back(copyOn(static_cast<std::uint32_t>(8 + i % 3), i * 1'000, i * 1'000 + 1'400));
    ActivityRecord kernel = deviceWork(ActivityClass::Kernel, 0, copies * 1'000, 30);
    kernel.channel = 2;
    kernel.channelType = ChannelType::Compute;
    records.push_back(kernel);
    return shownOf(records);
}

RowLayout rowsOn(const TimelineCanvas& canvas) {
    return RowLayout::chosen(canvas.rows().drawn(), canvas.rows().choices(), canvas.height());
}

QStringList labelsOn(const TimelineCanvas& canvas) {
    QStringList labels;
    for (const Row& row : rowsOn(canvas).rows)
        if (row.lane)
            labels << row.label;
    return labels;
}

Row rowOf(const TimelineCanvas& canvas, const char* label) {
    for (const Row& row : rowsOn(canvas).rows)
        if (row.label == QString::fromUtf8(label))
            return row;
    ADD_FAILURE() << label;
    return {};
}

bool waitForRows(const TimelineCanvas& canvas, qsizetype count) {
    return QTest::qWaitFor([&] { return labelsOn(canvas).size() == count; }, kPatience);
}

} // namespace

TEST(Channels, AnEngineIsOpenedByItsTriangleAndClosedWithAKey) {
    CanvasOnScreen t(channelsShown());
    const Row engine = rowOf(t.canvas, "copy H2D");
    ASSERT_TRUE(engine.canOpen);
    EXPECT_FALSE(rowOf(t.canvas, "compute").canOpen) << "it has one channel only";
    EXPECT_TRUE(t.canvas.rows().drawn().opened().empty()) << "nothing is made for those that nobody opens";
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, {4, engine.top + engine.height / 2});
    ASSERT_TRUE(waitForRows(t.canvas, 9));
    EXPECT_EQ(labelsOn(t.canvas).mid(0, 4),
              (QStringList{QStringLiteral("copy H2D"), QStringLiteral("ch. 8 · copy"),
                           QStringLiteral("ch. 9 · copy"), QStringLiteral("ch. 10 · copy")}));
    EXPECT_TRUE(rowOf(t.canvas, "ch. 9 · copy").beneath);
    QTest::keyClick(&t.canvas, Qt::Key_O);
    EXPECT_EQ(labelsOn(t.canvas).size(), 6);
    QTest::keyClick(&t.canvas, Qt::Key_O);
    EXPECT_TRUE(waitForRows(t.canvas, 9));
}

TEST(Channels, TheirActivitiesAreFoundSelectedAndLitThere) {
    CanvasOnScreen t(channelsShown());
    t.canvas.resize(1000, 700);
    t.canvas.rows().open(LaneId{0});
    ASSERT_TRUE(waitForRows(t.canvas, 9));
    const view::DrawnLanes& lanes = t.canvas.rows().drawn();
    for (const Lane& channel : lanes.channelsOf(LaneId{0})) {
        EXPECT_EQ(channel.depthCount, 1) << "they cross on the engine, not on a channel";
        for (const ActivityIndex a : channel.activities) {
            const auto rects = t.canvas.map().rectsOf(a);
            ASSERT_EQ(rects.size(), 3u) << "engine, stream, channel";
            t.canvas.zoomTo(a);
            for (const QRect& rect : t.canvas.map().rectsOf(a))
                ASSERT_EQ(t.canvas.map().activityAt(rect.center()), a);
            t.canvas.fit();
        }
    }
    const Lane& middle = lanes.channelsOf(LaneId{0})[1];
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {},
                      t.canvas.map().rectsOf(middle.activities[2]).back().center());
    EXPECT_EQ(t.canvas.selection().activity(), middle.activities[2]);
    EXPECT_EQ(t.canvas.rows().inUse(), middle.id);
    QTest::keyClick(&t.canvas, Qt::Key_Period);
    EXPECT_EQ(t.canvas.selection().activity(), middle.activities[3]) << "the next one of the channel";
    QTest::keyClick(&t.canvas, Qt::Key_BracketRight); // gaps are of engines: nothing happens
    EXPECT_EQ(t.canvas.selection().activity(), middle.activities[3]);
    QTest::keyClick(&t.canvas, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(&t.canvas, Qt::Key_Right, Qt::ShiftModifier); // rulers snap to edges of the channel
    EXPECT_TRUE(t.canvas.selection().range());
    QTest::keyClick(&t.canvas, Qt::Key_O);
    EXPECT_EQ(t.canvas.rows().inUse(), LaneId{0}) << "keys go on with the engine";
    (void)t.canvas.grab();
}

TEST(Channels, MoveWithTheirEngineAndCanBeHiddenAndPinned) {
    CanvasOnScreen t(channelsShown());
    t.canvas.rows().open(LaneId{0});
    ASSERT_TRUE(waitForRows(t.canvas, 9));
    t.canvas.rows().move(t.canvas.rows().drawn().channelsOf(LaneId{0})[1].id, +1);
    EXPECT_EQ(labelsOn(t.canvas).front(), QStringLiteral("compute"));
    EXPECT_EQ(labelsOn(t.canvas)[2], QStringLiteral("ch. 8 · copy"));
    t.canvas.rows().hide(t.canvas.rows().drawn().channelsOf(LaneId{0})[0].id);
    EXPECT_EQ(labelsOn(t.canvas)[2], QStringLiteral("ch. 9 · copy"));
    t.canvas.rows().pin(LaneId{0});
    EXPECT_EQ(labelsOn(t.canvas).mid(0, 2),
              (QStringList{QStringLiteral("copy H2D"), QStringLiteral("ch. 9 · copy")}));
    t.canvas.rows().hide(LaneId{0});
    EXPECT_FALSE(labelsOn(t.canvas).contains(QStringLiteral("ch. 9 · copy"))) << "with their engine";
    (void)t.canvas.grab();
}

TEST(Channels, AreOpenInTheNextRecordingTooAndInPictures) {
    CanvasOnScreen t(channelsShown());
    t.canvas.rows().open(LaneId{0});
    t.canvas.setShown(channelsShown(90)); // while the first one may be under way
    ASSERT_TRUE(waitForRows(t.canvas, 9));
    EXPECT_EQ(t.canvas.rows().drawn().opened().front()->shown, t.canvas.shown());
    PictureRequest request;
    request.rows = t.canvas.rows().choices();
    request.opened = t.canvas.rows().drawn().opened();
    const PictureFormat& svg = pictureFormatOf(QStringLiteral("x.svg"));
    const QByteArray picture = svg.make(*t.canvas.shown(), request);
    EXPECT_TRUE(QString::fromUtf8(picture).contains(QStringLiteral("ch. 9 · copy")));
    EXPECT_EQ(svg.make(*t.canvas.shown(), request), picture);
    t.canvas.setShown(smallShown()); // whose engines have one channel
    EXPECT_EQ(labelsOn(t.canvas).size(), 5);
    t.canvas.rows().reset();
    t.canvas.setShown(channelsShown());
    EXPECT_EQ(labelsOn(t.canvas).size(), 6);
}

TEST(Channels, OpeningDoesNotHoldTheWindow) {
    CanvasOnScreen t(channelsShown(300'000));
    const qsizetype closed = labelsOn(t.canvas).size();
    for (int i = 0; i < 3; ++i) { // closing it again does not wait for it either
        t.canvas.rows().open(LaneId{0});
        EXPECT_EQ(labelsOn(t.canvas).size(), closed) << "what another thread makes comes with an event";
        EXPECT_TRUE(t.canvas.rows().drawn().opened().empty());
    }
    EXPECT_TRUE(waitForRows(t.canvas, 9));
}

TEST(HostRows, RangesWaitsAndOverheadAreBeneathTheirThread) {
    const auto host = [](ActivityClass cls, const char* name, Ns begin, Ns end) {
        ActivityRecord r;
        r.cls = cls;
        r.thread = 4711;
        r.name = textId(name);
        r.begin = begin;
        r.end = end;
        return r;
    };
    using enum ActivityClass;
    CanvasOnScreen t(shownOf({deviceWork(Kernel, 100'000, 200'000, 13),
                              host(Api, "cudaDeviceSynchronize", 100'000, 210'000),
                              host(Sync, "context synchronize", 101'000, 209'000),
                              host(Overhead, "CUPTI buffer flush", 150'000, 220'000),
                              host(Nvtx, "step", 90'000, 230'000), host(Nvtx, "inner", 95'000, 220'000)}));
    EXPECT_EQ(labelsOn(t.canvas).mid(2),
              (QStringList{QStringLiteral("thread 4711"), QStringLiteral("NVTX"), QStringLiteral("waits"),
                           QStringLiteral("tool overhead")}));
    for (ActivityIndex a = 0; a < t.canvas.shown()->trace().size(); ++a)
        for (const QRect& rect : t.canvas.map().rectsOf(a))
            EXPECT_EQ(t.canvas.map().activityAt(rect.center()), a);
    const Theme& theme = Theme::of(t.canvas.palette());
    EXPECT_NE(theme.colour(Sync), theme.colour(Api));
    EXPECT_NE(hatchOf(Sync), hatchOf(Api));
    EXPECT_NE(theme.colour(Nvtx), theme.colour(Overhead));
    t.canvas.rows().move(t.canvas.shown()->index.lanes().lanes().back().id,
                         -1); // one block: it stays together
    EXPECT_EQ(labelsOn(t.canvas)[2], QStringLiteral("thread 4711"));
}

TEST(HostRows, RangesChangeNoNumberOfTheReport) {
    using enum ActivityClass;
    std::vector<ActivityRecord> records{deviceWork(MemcpyH2D, 1'000, 90'000, 13),
                                        deviceWork(Kernel, 50'000, 140'000, 14)};
    const view::ViewDataPtr without = shownOf(records);
    ActivityRecord range;
    range.cls = Nvtx;
    range.thread = 1;
    range.begin = 0;
    range.end = 200'000;
    range.name = textId("all");
    records.push_back(range);
    const view::ViewDataPtr with = shownOf(records);
    ASSERT_EQ(with->recording->report.verdicts.size(), without->recording->report.verdicts.size());
    for (std::size_t i = 0; i < with->recording->report.verdicts.size(); ++i) {
        const analysis::Verdict &a = with->recording->report.verdicts[i],
                                &b = without->recording->report.verdicts[i];
        EXPECT_EQ(a.kind, b.kind);
        EXPECT_EQ(a.ofAttainable, b.ofAttainable);
    }
    EXPECT_EQ(with->trace().deviceSpan(), without->trace().deviceSpan());
}

TEST(Channels, AScreenReaderReadsTheirRows) {
    CanvasOnScreen t(channelsShown());
    t.canvas.rows().open(rowOf(t.canvas, "copy H2D").lane->id);
    ASSERT_TRUE(waitForRows(t.canvas, 9));
    QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(&t.canvas);
    int channels = 0;
    for (int i = 0; i < reader->childCount(); ++i)
        if (QAccessibleInterface* row = reader->child(i); row->text(QAccessible::Name).contains("channel")) {
            ++channels;
            EXPECT_TRUE(row->text(QAccessible::Name).contains("20 operations"))
                << row->text(QAccessible::Name).toStdString();
            EXPECT_TRUE(row->text(QAccessible::Value).startsWith("in view 20 operations"))
                << row->text(QAccessible::Value).toStdString();
        }
    EXPECT_EQ(channels, 3);
}
