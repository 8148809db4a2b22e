#include "device/communication_side.h"

#include <olab/analysis/communication.h>

#include <algorithm>
#include <map>

namespace olab::replay {
namespace {

/// A stream order or an event.
bool isOrder(const Edge& edge) {
    return edge.kind == EdgeKind::Event ||
           (edge.kind == EdgeKind::Stream && edge.cause == analysis::LossCause::None);
}

void tagEdges(Sketch& sketch) {
    for (Edge& edge : sketch.graph.edges) {
        const Node &from = sketch[edge.from], &to = sketch[edge.to];
        if (to.communicates && edge.kind == EdgeKind::Event) // its data: no other order would do
            edge.cause = analysis::LossCause::None;
        else if (from.communicates && !to.communicates && to.kind == NodeKind::Work && isOrder(edge))
            edge.cause = analysis::LossCause::ExposedCommunication;
    }
}

/// Adds the stream order within communication and within computation, past work of the other kind.
void addBypasses(Sketch& sketch, const std::vector<NodeId>& stream) {
    NodeId computed = kNoNode, communicated = kNoNode, before = kNoNode;
    for (const NodeId n : stream) {
        if (sketch[n].kind == NodeKind::HostFn) {
            computed = communicated = before = n;
            continue;
        }
        NodeId& own = sketch[n].communicates ? communicated : computed;
        if (own != kNoNode && own != before)
            sketch.connect({.from = own, .to = n});
        own = before = n;
    }
}

/// Communication slows parallel work by this many times its share of the multiprocessors: 24 blocks of NCCL
/// on an H100 of 132 (0.18) made the backward pass of a network 0.43 times longer.
constexpr double kTimesShare = 2.4;

/// Share of the device's multiprocessors; 0: unknown.
double shareOf(const Sketch& sketch, NodeId communication) {
    const Node& node = sketch.graph.nodes[communication];
    const KernelGeometry* const geometry = sketch.trace.geometry(node.row);
    const std::uint32_t all = sketch.trace.devices()[node.device].smCount;
    if (!geometry || all == 0)
        return 0;
    double blocks = 1;
    for (const std::uint32_t size : geometry->grid)
        blocks *= size;
    return std::min(1.0, blocks / all);
}

/// Computation that waits for communication, by begin, with the last communication that it waits for.
std::vector<std::pair<NodeId, NodeId>> waitingComputation(const Sketch& sketch) {
    std::map<NodeId, NodeId> lastInto;
    for (const Edge& edge : sketch.graph.edges) {
        if (edge.cause != analysis::LossCause::ExposedCommunication)
            continue;
        const auto [at, isNew] = lastInto.try_emplace(edge.to, edge.from);
        if (!isNew && sketch.isBefore(at->second, edge.from))
            at->second = edge.from;
    }
    std::vector<std::pair<NodeId, NodeId>> order(lastInto.begin(), lastInto.end());
    std::ranges::sort(order, [&](const auto& a, const auto& b) { return sketch.isBefore(a.first, b.first); });
    return order;
}

/// A host that waited for computation also waited for the communication before it, whatever follows that.
void addHostWaits(Sketch& sketch) {
    const EndsOfWork communication(sketch, true);
    std::vector<Edge> found;
    for (const Edge& edge : sketch.graph.edges) {
        const Node& from = sketch[edge.from];
        if (edge.kind != EdgeKind::Wait || from.kind != NodeKind::Work || from.communicates)
            continue;
        if (const NodeId last = communication.lastUntil(from.device, from.measured.end); last != kNoNode)
            found.push_back({.from = last, .to = edge.to, .kind = EdgeKind::Wait, .cause = edge.cause});
    }
    for (const Edge& edge : found)
        sketch.connect(edge);
}

} // namespace

void markCommunication(Sketch& sketch) {
    std::vector<bool> is;
    for (const ActivityKind& kind : sketch.trace.kinds())
        is.push_back(kind.cls == ActivityClass::Kernel &&
                     analysis::isCommunicationKernel(sketch.trace.text(kind.name)));
    for (const NodeId n : sketch.graph.workOf)
        if (is[sketch.trace.kindOf(sketch[n].row)])
            sketch[n].communicates = sketch.graph.communicates = true;
}

void addCommunication(Sketch& sketch) {
    if (!sketch.graph.communicates)
        return;
    tagEdges(sketch);
    for (const auto& stream : sketch.streams)
        if (std::ranges::any_of(stream, [&](NodeId n) { return sketch[n].communicates; }))
            addBypasses(sketch, stream);
    addHostWaits(sketch);
}

void shareOutCommunication(Sketch& sketch) {
    if (!sketch.graph.communicates)
        return;
    std::vector<std::vector<NodeId>> all(sketch.graph.devices); // communication, by begin
    for (const NodeId n : sketch.graph.workOf)
        if (sketch[n].communicates)
            all[sketch[n].device].push_back(n);
    std::vector<std::size_t> next(all.size(), 0);
    for (const auto& [computation, last] : waitingComputation(sketch)) {
        const auto& parts = all[sketch[last].device];
        std::size_t& at = next[sketch[last].device];
        const std::size_t first = at;
        double lost = 0;
        for (; at < parts.size() && !sketch.isBefore(last, parts[at]); ++at)
            lost += kTimesShare * shareOf(sketch, parts[at]) * static_cast<double>(sketch[parts[at]].work);
        Node& node = sketch[computation];
        if (at == first || node.fixedBy != analysis::LossCause::None)
            continue;
        node.fixedBy = analysis::LossCause::ExposedCommunication;
        node.fixed = node.work + static_cast<Ns>(lost) + (at - first > 1 ? sketch[last].work : 0);
    }
}

EndsOfWork::EndsOfWork(const Sketch& sketch, bool communicates)
    : m_ends(sketch.graph.devices) {
    if (!sketch.graph.communicates)
        return;
    for (const NodeId n : sketch.graph.workOf)
        if (const Node& node = sketch.graph.nodes[n]; node.communicates == communicates)
            m_ends[node.device].emplace_back(node.measured.end, n);
    for (auto& ends : m_ends)
        std::ranges::sort(ends);
}

NodeId EndsOfWork::lastUntil(std::uint8_t device, Ns time) const {
    const auto behind = std::ranges::upper_bound(m_ends[device], std::pair(time, kNoNode));
    return behind == m_ends[device].begin() ? kNoNode : (behind - 1)->second;
}

LikelyEvents::LikelyEvents(const Sketch& sketch)
    : m_sketch(sketch)
    , m_computation(sketch, false)
    , m_communication(sketch, true) {}

std::optional<Edge> LikelyEvents::into(NodeId work, Ns within) const {
    const Node& node = m_sketch.graph.nodes[work];
    const EndsOfWork& others = node.communicates ? m_computation : m_communication;
    const NodeId last = others.lastUntil(node.device, node.measured.begin);
    if (last == kNoNode || !m_sketch.isBefore(last, work))
        return std::nullopt;
    const Ns waited = node.measured.begin - m_sketch.graph.nodes[last].measured.end;
    if (waited > within)
        return std::nullopt;
    Edge edge{.from = last,
              .to = work,
              .latency = waited,
              .kind = EdgeKind::Event,
              .ownLatency = true,
              .isInferred = true};
    if (!node.communicates)
        edge.cause = analysis::LossCause::ExposedCommunication;
    return edge;
}

} // namespace olab::replay
