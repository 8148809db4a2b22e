// Idle stretches of engine lanes.
#include "canvas_fixture.h"

#include <olab/trace/lanes.h>
#include <timeline/texts/hover_card.h>

#include <QGuiApplication>
#include <QSignalSpy>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

LaneId compute(const view::ViewDataPtr& shown) {
    return shown->index.lanes().engine(0, EngineKind::Compute)->id;
}

ActivityRecord apiCall(const char* name, Ns begin, Ns end, std::uint32_t thread,
                       std::uint32_t correlation = 0) {
    ActivityRecord r;
    r.cls = ActivityClass::Api;
    r.name = textId(name);
    r.begin = begin;
    r.end = end;
    r.thread = thread;
    r.correlation = correlation;
    return r;
}

} // namespace

TEST(Gaps, AreTheComplementOfTheBusyTime) {
    const view::ViewDataPtr shown = randomShown(31, 500);
    const Interval run = shown->trace().deviceSpan();
    for (const Lane& lane : shown->index.lanes().lanes()) {
        std::vector<view::Gap> gaps;
        for (auto gap = view::nextGap(*shown, lane.id, run.begin - 1, +1); gap;
             gap = view::nextGap(*shown, lane.id, gap->time.begin, +1))
            gaps.push_back(*gap);
        if (lane.kind != LaneKind::Engine) {
            EXPECT_TRUE(gaps.empty()) << "a stream with nothing to do is no idle hardware";
            continue;
        }
        Ns idle = 0;
        for (const view::Gap& gap : gaps) {
            EXPECT_EQ(lane.busy.measure(gap.time), 0);
            EXPECT_GT(gap.time.length(), 0);
            EXPECT_EQ(view::gapAt(*shown, lane.id, gap.time.begin), gap);
            EXPECT_EQ(view::gapAt(*shown, lane.id, gap.time.end - 1), gap);
            idle += gap.time.length();
        }
        EXPECT_EQ(idle, run.length() - lane.busy.measure(run)) << lane.label;
        EXPECT_GT(gaps.size(), 10u);
        std::vector<view::Gap> back;
        for (auto gap = view::nextGap(*shown, lane.id, run.end + 1, -1); gap;
             gap = view::nextGap(*shown, lane.id, gap->time.begin, -1))
            back.insert(back.begin(), *gap);
        EXPECT_EQ(back, gaps);
    }
}

TEST(Gaps, AreNotWhereSomethingRunsOrOutsideTheRun) {
    const view::ViewDataPtr shown = smallShown();
    EXPECT_EQ(view::gapAt(*shown, compute(shown), 1'150'000), std::nullopt);
    EXPECT_EQ(view::gapAt(*shown, compute(shown), 1'249'999), std::nullopt);
    EXPECT_EQ(view::gapAt(*shown, compute(shown), 1'250'000),
              (view::Gap{compute(shown), {1'250'000, 1'300'000}}));
    EXPECT_EQ(view::gapAt(*shown, compute(shown), 1'000'000),
              (view::Gap{compute(shown), {1'000'000, 1'150'000}}))
        << "before its first work, since the device worked";
    EXPECT_EQ(view::gapAt(*shown, compute(shown), 999'999), std::nullopt);
    EXPECT_EQ(view::gapAt(*shown, compute(shown), 1'550'000), std::nullopt);
}

TEST(Gaps, SayWhatTheHostWasInside) {
    using enum ActivityClass;
    ActivityRecord kernel = deviceWork(Kernel, 200'000, 300'000, 13);
    kernel.correlation = 7;
    const view::ViewDataPtr shown = shownOf({deviceWork(Kernel, 100'000, 117'000, 13), kernel,
                                             apiCall("cudaMemcpyAsync", 110'000, 198'000, 4711),
                                             apiCall("cudaLaunchKernel", 198'500, 199'500, 4711, 7),
                                             apiCall("cudaStreamSynchronize", 90'000, 310'000, 4712)});
    const auto gap = view::gapAt(*shown, compute(shown), 150'000);
    ASSERT_TRUE(gap);
    EXPECT_EQ(gap->time, (Interval{117'000, 200'000}));
    const auto doing = view::hostDoing(*shown, *gap);
    ASSERT_EQ(doing.size(), 2u);
    EXPECT_EQ(doing[0].thread->label, "thread 4711") << "the thread that issued the next kernel comes first";
    EXPECT_EQ(doing[0].time, 81'000);
    EXPECT_EQ(doing[0].inCalls, 82'000);
    EXPECT_EQ(doing[1].inCalls, 83'000);
    const std::string said = gapSentence(*shown, *gap).toStdString();
    EXPECT_EQ(said,
              "Nothing on compute for 83.0 \xC2\xB5s: the host (thread 4711) was inside cudaMemcpyAsync for "
              "81.0 \xC2\xB5s of it.");
}

TEST(Gaps, SayWhenTheHostWasNotRecorded) {
    const view::ViewDataPtr shown = smallShown();
    const auto gap = view::gapAt(*shown, compute(shown), 1'260'000);
    ASSERT_TRUE(gap);
    EXPECT_TRUE(gapSentence(*shown, *gap).contains(QStringLiteral("was not recorded")));
}

TEST(Gaps, AClickSelectsOneAndKeysGoOn) {
    CanvasOnScreen t(smallShown());
    const LaneId lane = compute(t.canvas.shown());
    const QRect memset = t.canvas.map().rectsOf(1).front(), kernel = t.canvas.map().rectsOf(2).front();
    const QSignalSpy spy(&t.canvas, &TimelineCanvas::selectionChanged);
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {},
                      {(memset.right() + kernel.left()) / 2, memset.center().y()});
    EXPECT_EQ(t.canvas.selection().gap(), (view::Gap{lane, {1'250'000, 1'300'000}}));
    EXPECT_EQ(t.canvas.selection().picked(), view::Selection::Picked::Gap);
    EXPECT_EQ(spy.count(), 1);
    QTest::keyClick(&t.canvas, Qt::Key_BracketLeft);
    EXPECT_EQ(t.canvas.selection().gap(), (view::Gap{lane, {1'000'000, 1'150'000}}));
    QTest::keyClick(&t.canvas, Qt::Key_BracketLeft);
    EXPECT_EQ(t.canvas.selection().gap(), (view::Gap{lane, {1'000'000, 1'150'000}})) << "the first one stays";
    QTest::keyClick(&t.canvas, Qt::Key_BracketRight);
    QTest::keyClick(&t.canvas, Qt::Key_BracketRight);
    EXPECT_EQ(t.canvas.selection().gap(), (view::Gap{lane, {1'400'000, 1'550'000}}));
    QTest::keyClick(&t.canvas, Qt::Key_M);
    EXPECT_EQ(t.canvas.selection().range(), (Interval{1'400'000, 1'550'000}))
        << "M measures what is selected";
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, kernel.center());
    EXPECT_EQ(t.canvas.selection().gap(), std::nullopt);
    EXPECT_EQ(t.canvas.selection().activity(), 2u);
}
