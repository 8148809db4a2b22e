// Arrows: what waited for what.
#include "canvas_fixture.h"
#include "test_places.h"

#include <olab/experiment/plan.h>

#include <timeline/canvas/canvas_overlay.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

view::ViewDataPtr recorded(const std::string& name) {
    return std::make_shared<const view::ViewData>(
        recording::openRecording(std::string(OLAB_SOURCE_DIR) + "/resources/recordings/" + name + ".olab"));
}

/// Every pair of activities joined by dependencies that pass only through ops without an activity.
std::set<std::pair<ActivityIndex, ActivityIndex>> joined(const view::ViewData& shown) {
    const experiment::Schedule& schedule = *shown.recording->schedule;
    std::vector<ActivityIndex> of(schedule.ops.size(), kNoActivity);
    for (ActivityIndex i = 0; i < shown.trace().size(); ++i) {
        const Activity a = shown.trace()[i];
        if (a.op != kNoOp && (isDeviceClass(a.cls) || a.cls == ActivityClass::HostFn))
            of[a.op.value] = i;
    }
    std::vector<std::set<std::uint32_t>> sources(of.size()); // ops with an activity that lead to this one
    std::set<std::pair<ActivityIndex, ActivityIndex>> pairs;
    auto edges = experiment::dependencies(schedule);
    std::ranges::stable_sort(edges, {}, [](const experiment::Edge& e) { return e.after; });
    for (const experiment::Edge& e : edges) { // issued in order: what leads to `before` is known
        if (of[e.before.value] != kNoActivity)
            sources[e.after.value].insert(e.before.value);
        else
            sources[e.after.value].insert(sources[e.before.value].begin(), sources[e.before.value].end());
    }
    for (std::uint32_t op = 0; op < of.size(); ++op)
        for (const std::uint32_t source : sources[op])
            if (of[op] != kNoActivity)
                pairs.insert({of[source], of[op]});
    return pairs;
}

} // namespace

class RecordedLinks : public testing::TestWithParam<const char*> {};

TEST_P(RecordedLinks, AreThoseOfThePlan) {
    const view::ViewDataPtr shown = recorded(GetParam());
    ASSERT_TRUE(shown->recording->schedule);
    std::set<std::pair<ActivityIndex, ActivityIndex>> back, forth;
    bool waits = false;
    for (ActivityIndex i = 0; i < shown->trace().size(); ++i) {
        for (const view::Link& link : shown->links.before(i, shown->waitOf(i))) {
            EXPECT_EQ(link.to, i);
            waits = waits || link.kind == view::LinkKind::HostSync;
            if (link.kind != view::LinkKind::Call)
                back.insert({link.from, link.to});
        }
        for (const view::Link& link : shown->links.after(i)) {
            EXPECT_EQ(link.from, i);
            if (link.kind != view::LinkKind::Call)
                forth.insert({link.from, link.to});
        }
    }
    EXPECT_EQ(back, forth);
    EXPECT_GT(back.size(), 50u);
    if (!waits) { // calls that wait stand for themselves here, which the pairs know nothing of
        EXPECT_EQ(back, joined(*shown));
    }
}

TEST_P(RecordedLinks, WhatIsOrderedOnTheDeviceRanInThatOrder) {
    const view::ViewDataPtr shown = recorded(GetParam());
    for (ActivityIndex i = 0; i < shown->trace().size(); ++i)
        for (const view::Link& link : shown->links.before(i, shown->waitOf(i))) {
            const Interval from = shown->trace().time(link.from), to = shown->trace().time(link.to);
            if (link.kind == view::LinkKind::Call) {
                EXPECT_LE(from.begin, to.begin);
            } else if (link.kind != view::LinkKind::HostSync) {
                EXPECT_LE(from.end, to.begin)
                    << view::linkName(link.kind) << " " << link.from << " -> " << link.to;
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Recordings, RecordedLinks,
                         testing::Values("default-h200", "null-stream-h200", "ping-pong-h200",
                                         "redundant-waits-h200"),
                         [](const auto& value) {
                             std::string name = value.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(Links, WithoutAPlanTheStreamHasItsOrder) {
    const view::ViewDataPtr shown = smallShown();
    EXPECT_EQ(shown->links.before(1, shown->waitOf(1)),
              (std::vector<view::Link>{{0, 1, view::LinkKind::Stream}}));
    EXPECT_EQ(shown->links.after(0), (std::vector<view::Link>{{0, 1, view::LinkKind::Stream}}));
    EXPECT_TRUE(shown->links.before(2, shown->waitOf(2)).empty()) << "the first one of its stream";
    EXPECT_TRUE(shown->links.after(99).empty());
}

TEST(Arrows, GoFromTheEndOfOneBarToTheBeginOfTheNext) {
    CanvasOnScreen t(smallShown());
    t.canvas.select(1);
    const auto arrows = t.canvas.overlay().arrows();
    ASSERT_EQ(arrows.size(), 1u);
    const QRect from = t.canvas.map().rectsOf(0).back(),
                to = t.canvas.map().rectsOf(1).back(); // in the stream's lane
    EXPECT_NEAR(arrows[0].second.x1(), from.right() + 1, 1);
    EXPECT_NEAR(arrows[0].second.x2(), to.left(), 1);
    EXPECT_NEAR(arrows[0].second.y1(), from.center().y(), 2);
    EXPECT_NEAR(arrows[0].second.y2(), to.center().y(), 2);
    t.canvas.select(std::nullopt);
    EXPECT_TRUE(t.canvas.overlay().arrows().empty());
}

TEST(Arrows, AreFollowedWithKeys) {
    CanvasOnScreen t(smallShown());
    t.canvas.select(1);
    QTest::keyClick(&t.canvas, Qt::Key_J);
    EXPECT_EQ(t.canvas.selection().activity(), 0u);
    QTest::keyClick(&t.canvas, Qt::Key_J);
    EXPECT_EQ(t.canvas.selection().activity(), 0u) << "it waited for nothing";
    QTest::keyClick(&t.canvas, Qt::Key_K);
    EXPECT_EQ(t.canvas.selection().activity(), 1u);
}

TEST(Links, AnApiCallKnowsAllThatItIssued) {
    for (const char* name : {"default-h200", "graph-h200"}) {
        const view::ViewDataPtr shown = recorded(name);
        std::size_t calls = 0, issued = 0;
        for (ActivityIndex call = 0; call < shown->trace().size(); ++call) {
            std::vector<ActivityIndex> all; // the slow way
            for (ActivityIndex i = 0; i < shown->trace().size(); ++i)
                if (shown->facts.apiOf(i) == call)
                    all.push_back(i);
            const auto found = shown->facts.issuedBy(call);
            ASSERT_TRUE(std::ranges::equal(found, all)) << name << ", call " << call;
            calls += all.empty() ? 0 : 1;
            issued += all.size();
        }
        EXPECT_GT(calls, 0u) << name;
        EXPECT_GE(issued, calls);
    }
    EXPECT_TRUE(recorded("default-h200")->facts.issuedBy(kNoActivity).empty());
}
