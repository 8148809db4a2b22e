// The work issued before a call, for which the call may have waited.
#pragma once

#include "graph/graph_sketch.h"

#include <map>
#include <optional>
#include <utility>

namespace olab::replay {

class IssueOrder {
public:
    explicit IssueOrder(const Sketch& sketch);
    /// When all work issued before a call had ended; empty if nothing was issued.
    std::optional<Ns> endedBefore(NodeId call) const;
    /// Per stream the last work issued before a call, without work that its thread has already waited for
    /// with the same cause: with many streams and many waits those would fill the memory. At least one.
    std::vector<NodeId> newlyBefore(NodeId call, analysis::LossCause cause);
    /// The last work of a stream that was issued before a call.
    std::vector<NodeId> lastBefore(NodeId call, std::uint16_t queue) const;

private:
    /// The count of work issued before a call.
    std::size_t countBefore(NodeId call) const;
    const Node& node(NodeId n) const { return m_sketch.graph.nodes[n]; }
    const Sketch& m_sketch;
    std::vector<std::pair<Ns, NodeId>> m_order; ///< all work in streams
    std::vector<Ns> m_ended;    ///< per position in m_order: when all work up to there had ended
    std::vector<NodeId> m_seen; ///< per stream: the last call that it was examined for
    /// Per thread and cause: how much of m_order was waited for already.
    std::map<std::pair<std::uint16_t, analysis::LossCause>, std::size_t> m_awaited;
};

/// Per name: whether none of its calls returned before work issued earlier had run: true for cudaFree, false
/// for cudaMalloc.
std::vector<std::uint8_t> barriersByName(const Sketch& sketch, const IssueOrder& order);

} // namespace olab::replay
