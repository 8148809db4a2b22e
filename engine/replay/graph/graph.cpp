#include "graph/graph.h"

namespace olab::replay {

void sortEdges(std::vector<Edge>& edges, NodeId Edge::*by, std::size_t nodes) {
    std::vector<std::uint32_t> next(nodes + 1, 0);
    for (const Edge& edge : edges)
        ++next[edge.*by + 1];
    for (std::size_t n = 0; n < nodes; ++n)
        next[n + 1] += next[n];
    std::vector<Edge> sorted(edges.size());
    for (const Edge& edge : edges)
        sorted[next[edge.*by]++] = edge;
    edges = std::move(sorted);
}

analysis::RestsOn restsOn(const Edge& edge) {
    if (edge.isInferred)
        return analysis::RestsOn::Inferred;
    const bool isImplied = edge.kind == EdgeKind::Wait || edge.kind == EdgeKind::NullStream ||
                           edge.kind == EdgeKind::Channel || edge.kind == EdgeKind::Engine;
    return isImplied ? analysis::RestsOn::Implied : analysis::RestsOn::Recorded;
}

void index(Graph& graph) {
    sortEdges(graph.edges, &Edge::from, graph.nodes.size());
    graph.first.assign(graph.nodes.size() + 1, 0);
    for (const Edge& edge : graph.edges)
        ++graph.first[edge.from + 1];
    for (std::size_t n = 0; n < graph.nodes.size(); ++n)
        graph.first[n + 1] += graph.first[n];
}

} // namespace olab::replay
