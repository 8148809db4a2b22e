// Orders of device work besides streams: calls, events, channels, first launches.
#include "device/device_side.h"

#include <algorithm>
#include <map>
#include <utility>

namespace olab::replay {
namespace {

/// Work begins some time after the begin of its call; a call with much other work first (loading a kernel,
/// pinning memory) issues at its end.
Edge issueEdge(const Sketch& sketch, NodeId call, NodeId work) {
    const Node &from = sketch.graph.nodes[call], &to = sketch.graph.nodes[work];
    Edge edge{.from = call, .to = work, .kind = EdgeKind::Issue, .fromBegin = true};
    const Ns behind = to.measured.begin - from.measured.end;
    if (sketch.graph.endsWithWork && from.work > usual::kWakeUp && behind >= 0) {
        edge.fromBegin = false;
        edge.ownLatency = true;
        edge.latency = std::min(behind, usual::kHandOver);
    }
    return edge;
}

/// Per copy to the host: begin of the first call that waited for it.
std::map<NodeId, Ns> waitsForCopies(const Sketch& sketch) {
    std::map<NodeId, Ns> waits;
    for (const Edge& edge : sketch.graph.edges)
        if (edge.kind == EdgeKind::Wait && sketch.graph.nodes[edge.from].cls == ActivityClass::MemcpyD2H) {
            const Ns began = sketch.trace.begin(sketch.graph.nodes[edge.to].row);
            Ns& first = waits.try_emplace(edge.from, began).first->second;
            first = std::min(first, began);
        }
    return waits;
}

} // namespace

void addIssue(Sketch& sketch) {
    for (const NodeId n : sketch.issued) {
        const ActivityIndex call = sketch.apiOf(sketch[n].row);
        if (call != kNoActivity && sketch.callOf[call] != kNoNode)
            sketch.connect(issueEdge(sketch, sketch.callOf[call], n));
    }
    if (sketch.gate == kNoNode)
        return;
    for (const auto& stream : sketch.streams)
        if (!stream.empty() && sketch[stream.front()].measured.begin >= sketch.graph.start - usual::kWakeUp) {
            Edge edge{.from = sketch.gate, .to = stream.front(), .kind = EdgeKind::Gate};
            sketch.graph.edges.push_back(edge);
        }
}

void addEvents(Sketch& sketch) {
    std::map<ActivityIndex, NodeId> hostFns;
    for (const NodeId n : sketch.hostFns)
        hostFns.emplace(sketch[n].row, n);
    const auto nodeOf = [&](ActivityIndex row) {
        if (isDeviceClass(sketch.trace.cls(row)))
            return sketch.nodeOf(row);
        const auto at = hostFns.find(row);
        return at == hostFns.end() ? kNoNode : at->second;
    };
    const auto& issued = sketch.issued;
    const std::map<NodeId, Ns> waits = waitsForCopies(sketch);
    // the host waits for it, or for work that it issued behind it in its stream, before it issues anything
    // else: it fetches the latest results, from any stream
    const auto isFetchedAtOnce = [&](std::size_t i) {
        while (i + 1 < issued.size() && sketch[issued[i + 1]].queue == sketch[issued[i]].queue)
            ++i;
        const auto wait = waits.find(issued[i]);
        return wait != waits.end() &&
               (i + 1 == issued.size() || wait->second < sketch.issuedAt(issued[i + 1]));
    };
    for (std::size_t i = 0; i < issued.size(); ++i)
        for (const ActivityIndex awaited : sketch.facts.awaitedEvents(sketch[issued[i]].row))
            if (const NodeId from = nodeOf(awaited); from != kNoNode) {
                const bool isNeeded = i > 0 && issued[i - 1] == from && isFetchedAtOnce(i);
                sketch.connect(
                    {.from = from,
                     .to = issued[i],
                     .kind = EdgeKind::Event,
                     .cause = isNeeded ? analysis::LossCause::None : analysis::LossCause::EventOrder});
            }
}

namespace {

/// Short copies right behind a long one of their stream and direction that somebody waits for separately: the
/// user of the long one does not need them, so they may go first.
struct WaysPast {
    std::map<NodeId, NodeId> first;    ///< key: the long copy; value: the first short one
    std::map<NodeId, NodeId> longerOf; ///< key: the last short copy; value: the long one
};

WaysPast waysPast(const Sketch& sketch) {
    std::vector<std::uint8_t> isAwaited(sketch.graph.nodes.size(), 0);
    for (const Edge& edge : sketch.graph.edges)
        isAwaited[edge.from] |= edge.kind == EdgeKind::Event || edge.kind == EdgeKind::Wait;
    const auto mayGoFirst = [&](NodeId copy, NodeId longer) {
        const Node &one = sketch.graph.nodes[copy], &before = sketch.graph.nodes[longer];
        return one.kind == NodeKind::Work && isCopyClass(one.cls) && one.cls == before.cls &&
               isAwaited[longer] != 0 &&
               sketch.facts.solo(before.row) >= analysis::kLongerCopy * sketch.facts.solo(one.row);
    };
    WaysPast ways;
    for (const std::vector<NodeId>& stream : sketch.streams)
        for (std::size_t i = 0; i < stream.size(); ++i) {
            const std::size_t longer = i;
            while (i + 1 < stream.size() && mayGoFirst(stream[i + 1], stream[longer]))
                ++i;
            if (i == longer)
                continue;
            ways.first.emplace(stream[longer], stream[longer + 1]);
            ways.longerOf.emplace(stream[i], stream[longer]);
        }
    return ways;
}

} // namespace

// Without the cause the short ones follow the predecessors of the long one, and their successors in the
// stream follow the long one too.
void addWaysPast(Sketch& sketch) {
    if (!sketch.graph.endsWithWork) // in a run of the lab the plan says what data needs
        return;
    const WaysPast ways = waysPast(sketch);
    if (ways.first.empty())
        return;
    std::vector<Edge> more;
    const auto addAlso = [&](Edge edge, NodeId Edge::*end, NodeId node) {
        edge.*end = node;
        more.push_back(edge);
    };
    for (Edge& edge : sketch.graph.edges) {
        if (edge.kind == EdgeKind::Issue)
            continue;
        if (const auto to = ways.first.find(edge.to); to != ways.first.end())
            addAlso(edge, &Edge::to, to->second);
        if (edge.kind != EdgeKind::Stream)
            continue;
        if (const auto from = ways.first.find(edge.from); from != ways.first.end() && from->second == edge.to)
            edge.cause = analysis::LossCause::HeadOfLine;
        if (const auto last = ways.longerOf.find(edge.from); last != ways.longerOf.end())
            addAlso(edge, &Edge::from, last->second);
    }
    for (const Edge& edge : more)
        sketch.connect(edge);
}

void addChannels(Sketch& sketch) {
    std::vector<NodeId> last(sketch.trace.channels().size(), kNoNode);
    std::vector<std::uint16_t> channelOf(sketch.streams.size(), 0xffff); // of the last work of each stream
    for (const NodeId n : sketch.issued) {
        if (sketch[n].queue >= channelOf.size())
            continue;
        if (sketch[n].kind == NodeKind::HostFn) { // it is in the channel of the work before it
            const std::uint16_t channel = channelOf[sketch[n].queue];
            if (channel < last.size() && sketch[last[channel]].queue != sketch[n].queue)
                sketch.connect({.from = last[channel],
                                .to = n,
                                .kind = EdgeKind::Dispatch,
                                .cause = analysis::LossCause::Connections,
                                .latencyCause = analysis::LossCause::Callback});
            continue;
        }
        if (sketch[n].channel >= last.size())
            continue;
        channelOf[sketch[n].queue] = sketch[n].channel;
        NodeId& before = last[sketch[n].channel];
        if (before != kNoNode && sketch[before].queue != sketch[n].queue &&
            sketch[before].measured.begin <= sketch[n].measured.begin)
            sketch.connect({.from = before,
                            .to = n,
                            .kind = EdgeKind::Channel,
                            .cause = analysis::LossCause::Connections,
                            .fromBegin = true});
        before = n;
    }
}

namespace {

/// Calls that loaded a function at its first launch.
std::vector<std::uint8_t> lazyCalls(const Sketch& sketch) {
    std::vector<std::uint8_t> lazy(sketch.trace.size(), 0);
    std::map<std::uint32_t, ActivityIndex> byCorrelation;
    for (ActivityIndex i = 0; i < sketch.trace.size(); ++i)
        if (sketch.trace.cls(i) == ActivityClass::Overhead && sketch.trace.correlation(i) != 0 &&
            sketch.trace.text(sketch.trace.nameOf(i)).find("loading") != std::string_view::npos)
            byCorrelation.emplace(sketch.trace.correlation(i), i);
    if (!byCorrelation.empty())
        for (ActivityIndex i = 0; i < sketch.trace.size(); ++i)
            lazy[i] = sketch.trace.cls(i) == ActivityClass::Api &&
                      byCorrelation.contains(sketch.trace.correlation(i));
    return lazy;
}

/// The moment when the device was empty for a launch; work of other streams may begin a little before it.
NodeId addEmpty(Sketch& sketch, NodeId launch, Ns ended) {
    Node node;
    node.kind = NodeKind::Start;
    node.row = sketch[launch].row;
    node.measured = {ended, ended};
    return sketch.add(node);
}

} // namespace

// Everything issued before it ends before it begins; everything issued later begins after it, mostly after
// the launch itself: the device is empty around it. Work before one such launch is before the next one too.
void addLoading(Sketch& sketch) {
    const std::vector<std::uint8_t> lazy = lazyCalls(sketch);
    std::vector<NodeId> last(sketch.streams.size(), kNoNode); // per stream, since the last such launch
    std::vector<std::uint16_t> used;
    NodeId launch = kNoNode, empty = kNoNode;
    Ns ended = kNever; // all that was issued
    const auto connect = [&](NodeId from, NodeId to) {
        sketch.connect({.from = from,
                        .to = to,
                        .kind = EdgeKind::NullStream,
                        .cause = analysis::LossCause::FirstLaunch});
    };
    for (const NodeId n : sketch.issued) {
        const std::uint16_t queue = sketch[n].queue;
        if (queue >= last.size())
            continue;
        const ActivityIndex call = sketch.apiOf(sketch[n].row);
        const bool isFirst = last[queue] == kNoNode; // first of its stream behind such a launch
        if (launch != kNoNode && isFirst)
            connect(empty == kNoNode || sketch.isBefore(launch, n) ? launch : empty, n);
        if (call != kNoActivity && lazy[call] && sketch[n].kind == NodeKind::Work &&
            ended <= sketch[n].measured.begin) {
            launch = n;
            empty = used.empty() ? kNoNode : addEmpty(sketch, n, ended);
            for (const std::uint16_t q : used)
                if (const NodeId before = std::exchange(last[q], kNoNode); before != kNoNode) {
                    sketch.connect({.from = before,
                                    .to = empty,
                                    .kind = EdgeKind::NullStream,
                                    .cause = analysis::LossCause::FirstLaunch,
                                    .ownLatency = true});
                    if (q != queue)
                        connect(before, n);
                }
            used.clear();
        }
        if (std::exchange(last[queue], n) == kNoNode)
            used.push_back(queue);
        ended = std::max(ended, sketch[n].measured.end);
    }
}

} // namespace olab::replay
