// How a graph is played: engines, the SMs, the link, causes taken out. Graphs by hand, times in ns.
#include "hand_made.h"

namespace olab::test {
namespace {

using namespace replay;
using enum analysis::LossCause;

/// Nodes and edges in any order.
class Drawn {
public:
    explicit Drawn(std::size_t devices = 1) {
        m_graph.devices = devices;
        m_graph.enginesPerDevice = kEngineCount;
        m_graph.links.resize(devices);
        m_graph.engineLatency.assign(kLatencyKinds, 0);
    }
    NodeId node(Node node) {
        node.kind = NodeKind::Work;
        m_graph.nodes.push_back(node);
        return static_cast<NodeId>(m_graph.nodes.size() - 1);
    }
    NodeId copy(ActivityClass cls, std::uint16_t channel, Ns length, Ns earliest = 0) {
        Node copy;
        copy.unit = Unit::CopyEngine, copy.cls = cls, copy.channel = channel;
        copy.engine = cls == MemcpyH2D ? 0 : 1;
        copy.work = length, copy.earliest = earliest;
        return node(copy);
    }
    NodeId grid(float share, Ns length, Ns earliest = 0, std::int32_t priority = 0) {
        Node grid;
        grid.unit = Unit::Sms, grid.cls = Kernel, grid.share = share;
        grid.work = length, grid.earliest = earliest, grid.priority = priority;
        return node(grid);
    }
    NodeId memset(Ns length, Ns earliest) {
        Node set;
        set.unit = Unit::Sms, set.cls = Memset;
        set.work = length, set.earliest = earliest;
        return node(set);
    }
    NodeId step(Ns length, Ns earliest = std::numeric_limits<Ns>::min()) {
        Node step;
        step.work = length, step.earliest = earliest;
        return node(step);
    }
    void edge(const replay::Edge& edge) { m_graph.edges.push_back(edge); }
    Graph indexed() const {
        Graph graph = m_graph;
        sortEdges(graph.edges, &replay::Edge::from, graph.nodes.size());
        graph.first.assign(graph.nodes.size() + 1, 0);
        for (const replay::Edge& e : graph.edges)
            ++graph.first[e.from + 1];
        for (std::size_t n = 0; n < graph.nodes.size(); ++n)
            graph.first[n + 1] += graph.first[n];
        return graph;
    }
    Played play(Causes without = {}) const { return replay::play(indexed(), without, Keep::Times, {}); }
    Ns beginOf(NodeId n, Causes without = {}) const { return play(without).times[n].begin; }
    Graph& operator*() { return m_graph; }

private:
    Graph m_graph;
};

Causes only(analysis::LossCause cause) {
    return Causes().with(cause);
}

TEST(Play, AnEmptyGraphTakesNoTime) {
    EXPECT_EQ(Drawn().play().length, 0);
}

TEST(Play, AStepBeginsWhenTheLastOfThoseBeforeItHasEnded) {
    Drawn d;
    const NodeId a = d.step(10, 0), b = d.step(30, 5), c = d.step(7);
    d.edge({.from = a, .to = c, .latency = 100});
    d.edge({.from = b, .to = c, .latency = 3, .cause = EventOrder});
    EXPECT_EQ(d.beginOf(c), 110);
    EXPECT_EQ(d.play().length, 117);
    (*d).edges[0].latency = 1;
    EXPECT_EQ(d.beginOf(c), 38);
    EXPECT_EQ(d.beginOf(c, only(EventOrder)), 11);
    EXPECT_EQ(d.play(only(EventOrder)).length, 35) << "what stays is the longest chain that stays";
}

TEST(Play, AnEdgeFromTheBeginDoesNotWaitForTheEnd) {
    Drawn d;
    const NodeId a = d.step(1'000, 0), b = d.step(10);
    d.edge({.from = a, .to = b, .latency = 20, .fromBegin = true});
    EXPECT_EQ(d.beginOf(b), 20);
}

TEST(Play, WithoutItsCauseAStepTakesWhatItMendedTakes) {
    Drawn d;
    Node node;
    node.earliest = 0, node.work = 100, node.fixed = 20, node.fixedBy = Pageable;
    node.extra = 30, node.extraCause = Stretched;
    d.node(node);
    EXPECT_EQ(d.play().length, 130);
    EXPECT_EQ(d.play(only(Pageable)).length, 50);
    EXPECT_EQ(d.play(only(Stretched)).length, 100);
    EXPECT_EQ(d.play(only(Pageable).with(Stretched)).length, 20);
    EXPECT_EQ(d.play(only(Callback)).length, 130) << "another cause is not its";
}

TEST(Play, WithoutItsCauseALatencyIsTheMendedOne) {
    Drawn d;
    const NodeId a = d.step(10, 0), b = d.step(10);
    d.edge({.from = a, .to = b, .latency = 50, .latencyCause = Callback, .fixedLatency = 2});
    EXPECT_EQ(d.beginOf(b), 60);
    EXPECT_EQ(d.beginOf(b, only(Callback)), 12);
}

TEST(Play, ALengthIsNeverBelowZero) {
    Drawn d;
    Node node;
    node.earliest = 0, node.work = 10, node.extra = -50;
    d.node(node);
    EXPECT_EQ(d.play().length, 0);
}

TEST(Play, AnEngineDoesOneCopyAtATimeWithItsLatencyBetween) {
    Drawn d;
    (*d).engineLatency[0] = 7;
    const NodeId a = d.copy(MemcpyH2D, 1, 100), b = d.copy(MemcpyH2D, 1, 50, 10),
                 c = d.copy(MemcpyD2H, 1, 50, 10);
    EXPECT_EQ(d.beginOf(a), 0);
    EXPECT_EQ(d.beginOf(b), 107);
    EXPECT_EQ(d.beginOf(c), 10) << "the other direction has an engine of its own";
}

TEST(Play, AnEngineStaysWithItsChannelThenTakesTheNext) {
    Drawn d;
    d.copy(MemcpyH2D, 4, 100);
    const NodeId two = d.copy(MemcpyH2D, 2, 10, 1), six = d.copy(MemcpyH2D, 6, 10, 2),
                 five = d.copy(MemcpyH2D, 5, 10, 3), four = d.copy(MemcpyH2D, 4, 10, 4),
                 fourAgain = d.copy(MemcpyH2D, 4, 10, 5);
    EXPECT_EQ(d.beginOf(four), 100);
    EXPECT_EQ(d.beginOf(fourAgain), 110) << "in the order in which they became ready";
    EXPECT_EQ(d.beginOf(five), 120);
    EXPECT_EQ(d.beginOf(six), 130);
    EXPECT_EQ(d.beginOf(two), 140) << "after the last channel the first";
}

TEST(Play, BothDirectionsAtOnceAreSlower) {
    Drawn d;
    (*d).links[0] = {.h2d = 0.5, .d2h = 0.25};
    const NodeId in = d.copy(MemcpyH2D, 1, 100), out = d.copy(MemcpyD2H, 2, 40);
    const Played played = d.play();
    EXPECT_EQ(played.times[out].end, 50) << "1.25 times as long";
    // in 50 ns beside it a third less is done than alone: 100/3 of 100, and the rest at the full rate
    EXPECT_NEAR(static_cast<double>(played.times[in].end), 50 + 100 - 100 / 3., 1);
}

TEST(Play, WhatStandsBehindACopyBeginsWhenItReallyEnds) {
    Drawn d;
    (*d).links[0] = {.h2d = 1.0, .d2h = 1.0};
    const NodeId in = d.copy(MemcpyH2D, 1, 100);
    d.copy(MemcpyD2H, 2, 30, 50);
    const NodeId after = d.step(1);
    d.edge({.from = in, .to = after});
    EXPECT_EQ(d.beginOf(after), 130) << "the end that was known first holds no longer";
}

TEST(Play, GridsRunTogetherAsFarAsTheyFit) {
    Drawn d;
    const NodeId a = d.grid(0.6F, 100), b = d.grid(0.4F, 50, 1), c = d.grid(0.4F, 50, 2),
                 e = d.grid(0.1F, 5, 3);
    EXPECT_EQ(d.beginOf(a), 0);
    EXPECT_EQ(d.beginOf(b), 1);
    EXPECT_EQ(d.beginOf(c), 51);
    EXPECT_EQ(d.beginOf(e), 100) << "what does not fit holds up those behind it";
}

TEST(Play, AGridOfUnknownSizeFits) {
    Drawn d;
    d.grid(1.0F, 100);
    const NodeId unknown = d.grid(0, 10, 5);
    EXPECT_EQ(d.beginOf(unknown), 5);
}

TEST(Play, TheHigherPriorityEntersFirst) {
    Drawn d;
    d.grid(1.0F, 100);
    const NodeId low = d.grid(1.0F, 10, 1, 0), high = d.grid(1.0F, 10, 2, -5),
                 high2 = d.grid(1.0F, 10, 3, -5);
    EXPECT_EQ(d.beginOf(high), 100);
    EXPECT_EQ(d.beginOf(high2), 110);
    EXPECT_EQ(d.beginOf(low), 120);
}

TEST(Play, AMemsetWaitsForAGridThatFillsTheDevice) {
    Drawn d;
    d.grid(0.9F, 100);
    const NodeId set = d.memset(5, 10), kernel = d.grid(0.05F, 5, 20);
    EXPECT_EQ(d.beginOf(set), 100);
    EXPECT_EQ(d.beginOf(kernel), 100) << "it stands behind the memset";
    EXPECT_EQ(d.beginOf(set, only(MemsetFullGrid)), 10);
    EXPECT_EQ(d.beginOf(kernel, only(MemsetFullGrid)), 20);
}

TEST(Play, AMemsetPassesGridsThatWaitForRoom) {
    Drawn d;
    d.grid(0.8F, 100);
    const NodeId wide = d.grid(0.8F, 10, 1), set = d.memset(5, 10);
    EXPECT_EQ(d.beginOf(set), 10);
    EXPECT_EQ(d.beginOf(wide), 100);
}

TEST(Play, DevicesHaveTheirOwnUnits) {
    Drawn d(2);
    Node other;
    other.unit = Unit::Sms, other.cls = Kernel, other.share = 1, other.work = 10, other.earliest = 0,
    other.device = 1;
    d.grid(1.0F, 100);
    EXPECT_EQ(d.beginOf(d.node(other)), 0);
}

TEST(Play, OnlyWorkOfDevicesEndsARunThatEndsWithIt) {
    Drawn d;
    d.step(10, 0);
    Node call;
    call.work = 500, call.earliest = 0;
    d.node(call);
    (*d).nodes.back().kind = NodeKind::Call;
    EXPECT_EQ(d.play().length, 500);
    (*d).endsWithWork = true;
    EXPECT_EQ(d.play().length, 10);
    (*d).tail = 3;
    EXPECT_EQ(d.play().length, 13);
}

TEST(Play, CanBeCancelled) {
    Drawn d;
    for (int i = 0; i < 10'000; ++i)
        d.step(1, i);
    std::stop_source stop;
    RunControl control;
    control.stop = stop.get_token();
    const Graph graph = d.indexed();
    EXPECT_EQ(play(graph, {}, Keep::Length, control).length, 10'000);
    stop.request_stop();
    EXPECT_THROW(play(graph, {}, Keep::Length, control), Error);
}

} // namespace
} // namespace olab::test
