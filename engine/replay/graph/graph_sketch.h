// A graph under construction.
#pragma once

#include "graph/call_kinds.h"
#include "graph/graph.h"
#include "graph/host_reasons.h"
#include "graph/usual_times.h"

#include <olab/analysis/facts.h>

#include <algorithm>

namespace olab::replay {

struct Sketch {
    explicit Sketch(const analysis::Facts& f)
        : facts(f)
        , trace(f.trace())
        , calls(f.trace())
        , reasons(f, !f.trace().hasTracedWindow()) {}
    const analysis::Facts& facts;
    const Trace& trace;
    CallKinds calls;
    HostReasons reasons;
    Graph graph;
    std::vector<NodeId> callOf;   ///< per row of an API call: its node, or that of the call around it
    std::vector<NodeId> returnOf; ///< per node of a call: kNoNode if it did not wait
    std::vector<NodeId> hostFns;  ///< by begin
    std::vector<std::vector<NodeId>> streams; ///< per queue: work and host functions in the order of issue
    std::vector<NodeId> issued;               ///< all work and host functions in the order of issue
    NodeId gate = kNoNode;
    bool launchesGraphs = false;  ///< a call issues several works
    bool graphsCallHost = false;  ///< graphs may contain host functions, which leave no records
    std::vector<Ns> issuedUnseen; ///< per node of work without a recorded call: the latest time of its issue

    NodeId add(const Node& node) {
        graph.nodes.push_back(node);
        returnOf.push_back(kNoNode);
        return static_cast<NodeId>(graph.nodes.size() - 1);
    }
    Node& operator[](NodeId n) { return graph.nodes[n]; }
    /// The begin of `n` in the recording, for ordering nodes.
    bool isBefore(NodeId a, NodeId b) const {
        const Ns beginA = graph.nodes[a].measured.begin, beginB = graph.nodes[b].measured.begin;
        return beginA != beginB ? beginA < beginB : a < b;
    }
    /// Whether work `b` began well before the end of work `a`, so that it cannot have waited for it.
    bool ranBeside(NodeId a, NodeId b) const {
        const Node &first = graph.nodes[a], &second = graph.nodes[b];
        return first.kind == NodeKind::Work && second.kind == NodeKind::Work &&
               second.measured.begin + usual::kClock < first.measured.end;
    }
    /// Rejects edges back in time, so that no graph has a cycle, and edges that the recording contradicts.
    void connect(const Edge& edge) {
        if (edge.from != edge.to && isBefore(edge.from, edge.to) &&
            (edge.fromBegin || !ranBeside(edge.from, edge.to)))
            graph.edges.push_back(edge);
    }
    /// The call that issued a row, or kNoActivity. Old recordings link host functions to their calls only by
    /// the op.
    ActivityIndex apiOf(ActivityIndex row) const {
        if (const ActivityIndex call = facts.apiOf(row); call != kNoActivity)
            return call;
        ActivityIndex first = kNoActivity;
        if (facts.opOf(row))
            for (const ActivityIndex other : facts.ofOp(trace.opOf(row))) {
                if (trace.cls(other) != ActivityClass::Api)
                    continue;
                if (calls[trace.nameOf(other)] == CallKind::HostFunction)
                    return other;
                first = std::min(first, other);
            }
        return first;
    }
    /// The time that decides the order of issue: begin of the call, else of the work.
    Ns issuedAt(NodeId n) const {
        const Node& node = graph.nodes[n];
        if (node.kind == NodeKind::HostFn && launchesGraphs)
            return node.measured.begin; // its call was made when the graph was captured
        if (const ActivityIndex call = apiOf(node.row); call != kNoActivity)
            return trace.time(call).begin;
        return n < issuedUnseen.size() ? issuedUnseen[n] : node.measured.begin;
    }
    /// `row` must be device work.
    NodeId nodeOf(ActivityIndex row) const { return graph.workOf[facts.deviceWork().numberOf(row)]; }
    /// The end of a call as its thread sees it.
    NodeId lastOf(NodeId call) const { return returnOf[call] == kNoNode ? call : returnOf[call]; }
};

} // namespace olab::replay
