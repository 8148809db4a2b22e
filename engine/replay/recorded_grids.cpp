#include "recorded_grids.h"

#include <algorithm>

namespace olab::replay {
namespace {

/// A grid that drains lets the next one in: beside each other are those with more than this part left to run.
constexpr Ns kDraining = 4;

bool isDraining(const Node& node, Ns at) {
    return node.measured.end - at <= node.measured.length() / kDraining;
}

} // namespace

void trustRecordedGrids(Graph& graph) {
    std::vector<NodeId> grids;
    for (const NodeId n : graph.workOf)
        if (graph.nodes[n].unit == Unit::Sms && graph.nodes[n].share > 0)
            grids.push_back(n);
    std::ranges::stable_sort(grids, {}, [&](NodeId n) { return graph.nodes[n].measured.begin; });
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

} // namespace olab::replay
