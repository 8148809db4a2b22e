#include "host/hand_overs.h"

#include <algorithm>
#include <utility>

namespace olab::replay {
namespace {

constexpr int kLooks = 64;

/// End of a call, and begin of the next call of its thread.
struct CallEnd {
    NodeId node = kNoNode;
    Ns end = 0, next = std::numeric_limits<Ns>::max();
    std::uint16_t thread = 0;
    std::uint32_t process = 0;
    Ns began = 0; ///< the thread's first call
};

std::vector<CallEnd> callEnds(const Sketch& sketch) {
    std::vector<CallEnd> ends;
    std::vector<std::size_t> last(sketch.trace.queues().size(), std::numeric_limits<std::size_t>::max());
    std::vector<Ns> began(sketch.trace.queues().size(), 0);
    for (NodeId n = 0; n < sketch.graph.nodes.size(); ++n) { // of a thread in their order
        const Node& node = sketch.graph.nodes[n];
        if (node.kind != NodeKind::Call)
            continue;
        if (std::size_t& before = last[node.queue]; before < ends.size())
            ends[before].next = node.measured.begin;
        else
            began[node.queue] = node.measured.begin;
        last[node.queue] = ends.size();
        const NodeId end = sketch.lastOf(n);
        ends.push_back({end, sketch.graph.nodes[end].measured.end, std::numeric_limits<Ns>::max(), node.queue,
                        sketch.trace.queues()[node.queue].process, began[node.queue]});
    }
    std::ranges::stable_sort(ends, {}, &CallEnd::end);
    return ends;
}

/// The thread that was busy while this one paused, and fell silent when it continued; kNoNode: none.
NodeId handedOverBy(const Sketch& sketch, const std::vector<CallEnd>& ends, const Edge& pause) {
    const Node &from = sketch.graph.nodes[pause.from], &to = sketch.graph.nodes[pause.to];
    const std::uint32_t process = sketch.trace.queues()[to.queue].process;
    auto at = std::ranges::upper_bound(ends, to.measured.begin, {}, &CallEnd::end);
    for (int looks = 0; looks < kLooks && at != ends.begin(); ++looks) {
        --at;
        if (at->end <= from.measured.end)
            break;
        const bool handsNothing = sketch.reasons.isLoader(QueueId{at->thread}) &&
                                  (pause.latency < usual::kBatch || at->began > from.measured.end);
        if (at->thread != to.queue && at->process == process && !handsNothing &&
            (at->next == std::numeric_limits<Ns>::max() || at->next - at->end >= usual::kWakeUp))
            return at->node;
    }
    return kNoNode;
}

/// The thread that made no call just before another thread made its first, for as long as it takes to start
/// one; kNoNode: none.
NodeId startedBy(const Sketch& sketch, const std::vector<CallEnd>& ends, NodeId first) {
    const Node& call = sketch.graph.nodes[first];
    const std::uint32_t process = sketch.trace.queues()[call.queue].process;
    auto at = std::ranges::upper_bound(ends, call.measured.begin, {}, &CallEnd::end);
    for (int looks = 0; looks < kLooks && at != ends.begin(); ++looks)
        if (--at; at->thread != call.queue && at->process == process && at->next - at->end >= usual::kPause)
            return at->node;
    return kNoNode;
}

/// A thread that appears during the run was started by another: it appears sooner if that one does.
void addStarts(Sketch& sketch, const std::vector<CallEnd>& ends) {
    std::vector<std::uint8_t> seen(sketch.trace.queues().size(), 0);
    for (NodeId n = 0; n < sketch.graph.nodes.size(); ++n) {
        if (sketch[n].kind != NodeKind::Call || std::exchange(seen[sketch[n].queue], 1))
            continue;
        const NodeId by = startedBy(sketch, ends, n);
        if (by == kNoNode || !sketch.isBefore(by, n))
            continue;
        sketch[n].earliest = kNever;
        sketch.connect({.from = by,
                        .to = n,
                        .latency = sketch[n].measured.begin - sketch[by].measured.end,
                        .kind = EdgeKind::Thread,
                        .ownLatency = true,
                        .isInferred = true});
    }
}

/// Whether the thread waited for device work: then its call follows that work, not another thread.
bool waited(const Sketch& sketch, const Edge& edge) {
    const Interval pause{sketch.graph.nodes[edge.from].measured.end,
                         sketch.graph.nodes[edge.to].measured.begin};
    const QueueId thread{sketch.graph.nodes[edge.to].queue};
    return sketch.reasons.waitedIn(thread, pause, sketch.reasons.ofPause(thread, pause)).has_value();
}

} // namespace

void addHandOvers(Sketch& sketch) {
    if (!sketch.graph.endsWithWork)
        return;
    const std::vector<CallEnd> ends = callEnds(sketch);
    addStarts(sketch, ends);
    std::vector<Edge> found;
    for (Edge& edge : sketch.graph.edges) {
        if (edge.kind != EdgeKind::Thread || edge.latency < usual::kWakeUp ||
            sketch[edge.to].kind != NodeKind::Call || waited(sketch, edge))
            continue;
        const NodeId by = handedOverBy(sketch, ends, edge);
        if (by == kNoNode || !sketch.isBefore(by, edge.to))
            continue;
        const Interval left{sketch[by].measured.end, sketch[edge.to].measured.begin};
        const QueueId thread{sketch[edge.to].queue};
        found.push_back({.from = by,
                         .to = edge.to,
                         .latency = left.length(),
                         .kind = EdgeKind::Thread,
                         .latencyCause = sketch.reasons.ofPause(thread, left),
                         .ownLatency = true,
                         .isInferred = true});
        edge.latency = edge.fixedLatency = 0;
    }
    sketch.graph.edges.insert(sketch.graph.edges.end(), found.begin(), found.end());
}

} // namespace olab::replay
