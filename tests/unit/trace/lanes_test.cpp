#include "made_records.h"

#include <olab/trace/lanes.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace olab {
namespace {

using made::build;
using made::call;
using made::work;
using enum ActivityClass;

std::vector<std::string> labelsOf(const LaneSet& lanes) {
    std::vector<std::string> labels;
    for (const Lane& lane : lanes.lanes())
        labels.push_back(lane.label);
    return labels;
}

std::vector<int> depthsOf(std::vector<Interval> times) {
    std::vector<made::AnyRecord> records;
    for (const Interval& t : times)
        records.emplace_back(work(Kernel, t.begin, t.end));
    const LaneSet lanes = LaneSet::of(build(records));
    const Lane& lane = lanes.lanes()[0];
    std::vector<int> depths;
    for (std::size_t at = 0; at < lane.activities.size(); ++at)
        depths.push_back(lane.depthOf(at));
    return depths;
}

TEST(Lanes, AreInTheOrderOfTheView) {
    ActivityRecord other = work(MemcpyP2P, 1, 2, 30);
    other.device = 1;
    const Trace trace =
        build({work(Kernel, 1, 2, 14), work(Memset, 1, 2, 7), work(MemcpyD2H, 3, 4, 9),
               work(MemcpyH2D, 3, 4, 9), work(MemcpyD2D, 3, 4, 100), other, call(Api, 1, 2, 4711),
               call(HostFn, 1, 2, 4712), call(Sync, 1, 2, 5), ContextRecord{1, 0, 7}});
    const std::vector<std::string> expected{
        "copy H2D",   "compute",  "copy D2H",  "copy D2D",       "NULL stream", "stream 9",   "stream 14",
        "stream 100", "copy P2P", "stream 30", "host callbacks", "thread 5",    "thread 4711"};
    const LaneSet lanes = LaneSet::of(trace);
    EXPECT_EQ(labelsOf(lanes), expected);
    for (std::uint32_t i = 0; i < lanes.lanes().size(); ++i)
        EXPECT_EQ(lanes[LaneId{i}].id, LaneId{i});
    ASSERT_NE(lanes.engine(0, EngineKind::Compute), nullptr);
    EXPECT_EQ(lanes.engine(0, EngineKind::Compute)->activities.size(), 2u);
    EXPECT_EQ(lanes.engine(0, EngineKind::CopyP2P), nullptr);
    EXPECT_NE(lanes.engine(1, EngineKind::CopyP2P), nullptr);
}

TEST(Lanes, WhatBelongsToAThreadIsBeneathItAndWaitsOnlyWhereTheyCross) {
    const LaneSet lanes = LaneSet::of(
        build({call(Api, 10, 50, 1), call(Sync, 12, 48, 1), call(Overhead, 20, 60, 1), call(Nvtx, 5, 70, 1),
               call(Nvtx, 8, 30, 1), call(Nvtx, 9, 9, 1), // a mark
               call(Api, 10, 20, 2), call(Sync, 20, 30, 2), call(Api, 30, 40, 2), call(Overhead, 5, 6, 3)}));
    const std::vector<std::string> expected{"thread 1",         "thread 1 · NVTX",
                                            "thread 1 · waits", "thread 1 · tool overhead",
                                            "thread 2",         "thread 3 · tool overhead"};
    EXPECT_EQ(labelsOf(lanes), expected);
    EXPECT_EQ(lanes.lanes()[0].depthCount, 1) << "calls alone do not cross";
    EXPECT_EQ(lanes.lanes()[1].depthCount, 3) << "ranges nest";
    EXPECT_EQ(lanes.lanes()[4].activities.size(), 3u) << "a wait between calls stays with them";
    for (const Lane& lane : lanes.lanes().subspan(1, 3))
        EXPECT_TRUE(isPartOf(lane, lanes.lanes()[0]));
}

TEST(Lanes, AnEngineSaysItsChannelsAndTheyCanBeOpened) {
    const auto on = [](ActivityRecord r, std::uint32_t channel, ChannelType type) {
        r.channel = channel;
        r.channelType = type;
        return r;
    };
    const Trace trace = build({on(work(MemcpyH2D, 1, 5), 9, ChannelType::AsyncCopy),
                               on(work(MemcpyH2D, 3, 8), 4, ChannelType::AsyncCopy),
                               on(work(MemcpyH2D, 8, 9), 9, ChannelType::AsyncCopy), work(MemcpyH2D, 20, 21),
                               on(work(Kernel, 2, 6), 1, ChannelType::Compute)});
    const LaneSet lanes = LaneSet::of(trace);
    const Lane& copies = *lanes.engine(0, EngineKind::CopyH2D);
    ASSERT_EQ(copies.channels.size(), 3u);
    EXPECT_EQ(lanes.engine(0, EngineKind::Compute)->channels.size(), 1u);
    const auto opened = channelLanes(trace, copies, LaneId{100});
    ASSERT_EQ(opened.size(), 3u);
    EXPECT_EQ(opened[0].label, "channel 4 · copy");
    EXPECT_EQ(opened[1].label, "channel 9 · copy");
    EXPECT_EQ(opened[2].label, "channel unknown");
    EXPECT_EQ(opened[1].activities.size(), 2u);
    EXPECT_EQ(opened[1].id, LaneId{101});
    EXPECT_EQ(opened[1].busy, IntervalSet::unionOf({{1, 5}, {8, 9}}));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(channelLanes(trace, copies, LaneId{100}, stop.get_token()).empty());
}

TEST(Lanes, StreamsOfTheSameNumberAreToldApart) {
    ActivityRecord other = work(Kernel, 5, 6, 7);
    other.context = 2;
    const LaneSet lanes = LaneSet::of(build({work(Kernel, 1, 2, 7), other, work(Kernel, 1, 2, 8)}));
    const std::vector<std::string> expected{"compute", "stream 7 (context 1)", "stream 7 (context 2)",
                                            "stream 8"};
    EXPECT_EQ(labelsOf(lanes), expected);
}

TEST(Lanes, NothingMakesNoLanes) {
    EXPECT_TRUE(LaneSet::of(Trace()).lanes().empty());
}

TEST(Lanes, SubLanes) {
    EXPECT_EQ(depthsOf({{1, 5}, {5, 9}, {9, 12}}), (std::vector<int>{0, 0, 0})) << "touching ones share";
    EXPECT_EQ(depthsOf({{1, 6}, {5, 9}, {9, 12}}), (std::vector<int>{0, 1, 0})) << "crossing ones do not";
    EXPECT_EQ(depthsOf({{1, 20}, {5, 9}, {6, 7}, {10, 11}}), (std::vector<int>{0, 1, 2, 1}))
        << "nor do nested ones";
    EXPECT_EQ(depthsOf({{1, 20}, {5, 5}}), (std::vector<int>{0, 1}))
        << "nor one of zero length inside another";
    EXPECT_EQ(depthsOf({{1, 5}, {5, 5}, {5, 9}}), (std::vector<int>{0, 0, 0})) << "but at its end it does";
    EXPECT_EQ(depthsOf({{5, 5}, {5, 5}, {5, 9}, {6, 6}, {9, 9}}), (std::vector<int>{0, 1, 0, 1, 0}))
        << "two at one time do not share";
    EXPECT_EQ(depthsOf({{1, 5}, {5, 5}, {5, 5}, {6, 8}, {6, 8}}), (std::vector<int>{0, 0, 1, 0, 1}));
}

TEST(Lanes, SubLanesHaveACap) {
    std::vector<Interval> times;
    for (Ns i = 0; i < 4200; ++i)
        times.push_back({1 + i, 10'000});
    times.push_back({10'000, 10'001});
    const auto depths = depthsOf(times);
    for (std::size_t i = 0; i < 4200; ++i)
        ASSERT_EQ(depths[i], std::min<int>(static_cast<int>(i), 4095));
    EXPECT_EQ(depths.back(), 0);
}

class RandomLanes : public testing::TestWithParam<unsigned> {
protected:
    const Trace m_trace = build(made::randomRecords(GetParam(), 500));
    const LaneSet m_lanes = LaneSet::of(m_trace);
    IntervalSet cover(auto&& wanted) const {
        std::vector<Interval> times;
        for (ActivityIndex i = 0; i < m_trace.size(); ++i)
            if (wanted(m_trace[i]))
                times.push_back(m_trace.time(i));
        return IntervalSet::unionOf(times);
    }
};

TEST_P(RandomLanes, EveryActivityIsInItsLanesOnce) {
    std::vector<int> engineLanes(m_trace.size()), otherLanes(m_trace.size());
    for (const Lane& lane : m_lanes.lanes()) {
        EXPECT_TRUE(std::ranges::is_sorted(lane.activities));
        EXPECT_FALSE(lane.activities.empty());
        for (const ActivityIndex i : lane.activities) {
            ++(lane.kind == LaneKind::Engine ? engineLanes : otherLanes)[i];
            const Activity a = m_trace[i];
            if (lane.kind == LaneKind::Engine) {
                EXPECT_EQ(std::pair(lane.device, lane.engine), std::pair(a.device, a.engine));
            } else if (lane.kind != LaneKind::HostFn) {
                EXPECT_EQ(lane.queue, a.queue);
            }
            EXPECT_EQ(lane.kind == LaneKind::HostFn, !(lane.kind == LaneKind::Engine) && a.cls == HostFn);
        }
    }
    for (ActivityIndex i = 0; i < m_trace.size(); ++i) {
        EXPECT_EQ(otherLanes[i], 1);
        EXPECT_EQ(engineLanes[i], m_trace[i].engine != EngineKind::None ? 1 : 0);
    }
}

TEST_P(RandomLanes, ChannelsShareOutTheWorkOfTheirEngine) {
    for (const Lane& lane : m_lanes.lanes()) {
        if (lane.kind != LaneKind::Engine) {
            EXPECT_TRUE(lane.channels.empty());
            continue;
        }
        std::vector<int> seen(m_trace.size());
        for (const Lane& channel : channelLanes(m_trace, lane, LaneId{77}))
            for (const ActivityIndex i : channel.activities) {
                ++seen[i];
                EXPECT_EQ(m_trace.channelOf(i), channel.channels.front());
            }
        for (ActivityIndex i = 0; i < m_trace.size(); ++i)
            EXPECT_EQ(seen[i], std::ranges::binary_search(lane.activities, i) ? 1 : 0);
    }
}

TEST_P(RandomLanes, NoTwoInASubLaneOverlapAndNoneIsWasted) {
    for (const Lane& lane : m_lanes.lanes()) {
        std::uint16_t deepest = 0;
        for (std::size_t a = 0; a < lane.activities.size(); ++a) {
            std::vector<bool> taken(256);
            const Interval mine = m_trace.time(lane.activities[a]);
            for (std::size_t b = 0; b < a; ++b)
                if (const Interval other = m_trace.time(lane.activities[b]);
                    other.end > mine.begin || (other == mine && mine.length() == 0))
                    taken[lane.depthOf(b)] = true;
            const auto firstFree = std::ranges::find(taken, false) - taken.begin();
            ASSERT_EQ(lane.depthOf(a), firstFree) << lane.label;
            deepest = std::max(deepest, lane.depthOf(a));
        }
        EXPECT_EQ(lane.depthCount, deepest + 1);
    }
}

TEST_P(RandomLanes, CoverageIsThatOfBruteForce) {
    for (std::uint8_t d = 0; d < m_trace.devices().size(); ++d)
        for (std::size_t c = 0; c < kDeviceClassCount; ++c) {
            const auto cls = static_cast<ActivityClass>(c);
            EXPECT_EQ(m_lanes.classCoverage(d, cls),
                      cover([&](const Activity& a) { return a.device == d && a.cls == cls; }))
                << className(cls);
        }
    for (const Lane& lane : m_lanes.lanes()) {
        if (lane.kind != LaneKind::Engine)
            continue;
        const auto onLane = [&](const Activity& a) {
            return a.device == lane.device && a.engine == lane.engine;
        };
        EXPECT_EQ(lane.busy, cover(onLane));
        EXPECT_EQ(lane.coverage[static_cast<std::size_t>(Memset)],
                  cover([&](const Activity& a) { return onLane(a) && a.cls == Memset; }));
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLanes, testing::Values(1u, 2u, 3u));

} // namespace
} // namespace olab
