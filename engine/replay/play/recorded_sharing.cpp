#include "play/recorded_sharing.h"

#include <algorithm>

namespace olab::replay {
namespace {

/// A draining grid lets the next one in: two grids ran in parallel if more than this part was left to run.
constexpr Ns kDraining = 4;

bool isDraining(const Node& node, Ns at) {
    return node.measured.end - at <= node.measured.length() / kDraining;
}

std::vector<NodeId> workByBegin(const Graph& graph, Unit unit) {
    std::vector<NodeId> work;
    for (const NodeId n : graph.workOf)
        if (graph.nodes[n].unit == unit)
            work.push_back(n);
    std::ranges::stable_sort(work, {}, [&](NodeId n) { return graph.nodes[n].measured.begin; });
    return work;
}

void trustGrids(Graph& graph) {
    std::vector<NodeId> grids = workByBegin(graph, Unit::Sms);
    std::erase_if(grids, [&](NodeId n) { return graph.nodes[n].share <= 0; });
    std::vector<std::vector<NodeId>> running(graph.devices);
    for (const NodeId n : grids) {
        Node& node = graph.nodes[n];
        auto& beside = running[node.device];
        const Ns at = node.measured.begin;
        std::erase_if(beside, [&](NodeId other) { return isDraining(graph.nodes[other], at); });
        float taken = 0;
        for (const NodeId other : beside)
            taken += graph.nodes[other].share;
        node.share = std::clamp(1 - taken, 0.0F, node.share);
        beside.push_back(n);
    }
}

void trustCopies(Graph& graph) {
    std::vector<NodeId> last(graph.devices * graph.enginesPerDevice, kNoNode); // the one that ends last
    for (const NodeId n : workByBegin(graph, Unit::CopyEngine)) {
        Node& node = graph.nodes[n];
        NodeId& before = last[node.device * graph.enginesPerDevice + node.engine];
        if (before != kNoNode && graph.nodes[before].measured.end > node.measured.begin)
            node.unit = Unit::None;
        if (before == kNoNode || node.measured.end > graph.nodes[before].measured.end)
            before = n;
    }
}

} // namespace

void trustRecorded(Graph& graph) {
    trustGrids(graph);
    trustCopies(graph);
}

void keepKernelsApart(Graph& graph) {
    for (const NodeId n : graph.workOf)
        if (Node& node = graph.nodes[n]; node.unit == Unit::Sms)
            node.share = 1;
    trustGrids(graph);
}

} // namespace olab::replay
