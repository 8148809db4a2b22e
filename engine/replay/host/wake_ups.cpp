// Threads that slept until something else ended.
#include "host/host_side.h"

#include <algorithm>

namespace olab::replay {
namespace {

/// The last host function, or return of another thread from a wait, that ended while this thread made no
/// call. call.
NodeId wokenBy(const Sketch& sketch, const std::vector<NodeId>& sources, const Edge& gap) {
    const auto& nodes = sketch.graph.nodes;
    const Ns begin = nodes[gap.to].measured.begin;
    auto after =
        std::ranges::upper_bound(sources, begin, {}, [&](NodeId n) { return nodes[n].measured.end; });
    while (after != sources.begin() && nodes[*(after - 1)].kind == NodeKind::Return &&
           nodes[*(after - 1)].queue == nodes[gap.to].queue)
        --after;
    if (after == sources.begin())
        return kNoNode;
    const Ns end = nodes[*(after - 1)].measured.end;
    return end < nodes[gap.from].measured.end || begin - end > usual::kSetOff ? kNoNode : *(after - 1);
}

} // namespace

void addWakeUps(Sketch& sketch) {
    std::vector<NodeId> sources = sketch.hostFns;
    for (const NodeId back : sketch.returnOf)
        if (back != kNoNode)
            sources.push_back(back);
    if (sketch.hostFns.empty() && sketch.graph.endsWithWork)
        return; // threads that hand work to each other are handled as hand-overs
    const auto endOf = [&](NodeId n) { return sketch[n].measured.end; };
    std::ranges::sort(sources, {}, endOf);
    std::vector<Edge> found;
    for (Edge& edge : sketch.graph.edges)
        if (edge.kind == EdgeKind::Thread && edge.latency > usual::kCall &&
            sketch[edge.to].kind == NodeKind::Call)
            if (const NodeId by = wokenBy(sketch, sources, edge);
                by != kNoNode && sketch.isBefore(by, edge.to)) {
                const Ns latency = sketch[edge.to].measured.begin - sketch[by].measured.end;
                edge.latency = 0;
                found.push_back({.from = by,
                                 .to = edge.to,
                                 .latency = latency,
                                 .kind = EdgeKind::HostFn,
                                 .cause = analysis::LossCause::Callback,
                                 .ownLatency = true,
                                 .isInferred = true});
            }
    sketch.graph.edges.insert(sketch.graph.edges.end(), found.begin(), found.end());
}

} // namespace olab::replay
