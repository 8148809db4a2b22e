#include "play/ideal_chain.h"

#include <algorithm>

namespace olab::replay {
namespace {

/// Host functions take no device time, but preserve the order of their stream.
bool keepsOrder(const Edge& edge, Causes gone) {
    const bool isOrder = edge.kind == EdgeKind::Stream || edge.kind == EdgeKind::Event ||
                         edge.kind == EdgeKind::Dispatch || edge.kind == EdgeKind::HostFn;
    return isOrder && !edge.fromBegin && !gone.has(edge.cause);
}

std::vector<std::uint32_t> countBehind(const Graph& graph, Causes gone) {
    std::vector<std::uint32_t> behind(graph.nodes.size(), 0);
    for (const Edge& edge : graph.edges)
        behind[edge.to] += keepsOrder(edge, gone);
    return behind;
}

} // namespace

Ns idealChain(const Graph& graph, Causes gone, std::span<const Ns> lengths) {
    std::vector<Ns> length(graph.nodes.size(), 0), chain(graph.nodes.size(), 0);
    for (std::size_t n = 0; n < lengths.size(); ++n)
        length[graph.workOf[n]] = lengths[n];
    std::vector<std::uint32_t> behind = countBehind(graph, gone);
    std::vector<NodeId> ready;
    for (NodeId n = 0; n < behind.size(); ++n)
        if (behind[n] == 0)
            ready.push_back(n);
    Ns longest = 0;
    while (!ready.empty()) {
        const NodeId from = ready.back();
        ready.pop_back();
        chain[from] += length[from];
        longest = std::max(longest, chain[from]);
        for (std::uint32_t e = graph.first[from]; e < graph.first[from + 1]; ++e) {
            const Edge& edge = graph.edges[e];
            if (!keepsOrder(edge, gone))
                continue;
            chain[edge.to] = std::max(chain[edge.to], chain[from]);
            if (--behind[edge.to] == 0)
                ready.push_back(edge.to);
        }
    }
    return longest;
}

} // namespace olab::replay
