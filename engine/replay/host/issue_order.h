// What was issued before a call: what it waited for if it waited.
#pragma once

#include "graph/graph_sketch.h"

#include <map>
#include <optional>
#include <utility>

namespace olab::replay {

class IssueOrder {
public:
    explicit IssueOrder(const Sketch& sketch);
    /// When all that was issued before a call had ended; nothing was: nothing.
    std::optional<Ns> endedBefore(NodeId call) const;
    /// Of each stream the last that was issued before a call, but for those that its thread has waited for
    /// already for the same cause: with many streams and many waits those would fill the memory. One at
    /// least.
    std::vector<NodeId> newlyBefore(NodeId call, analysis::LossCause cause);
    /// Of a stream the last that was issued before a call.
    std::vector<NodeId> lastBefore(NodeId call, std::uint16_t queue) const;

private:
    /// Of all that is in streams, how much was issued before a call.
    std::size_t countBefore(NodeId call) const;
    const Node& node(NodeId n) const { return m_sketch.graph.nodes[n]; }
    const Sketch& m_sketch;
    std::vector<std::pair<Ns, NodeId>> m_order; ///< all that is in streams
    std::vector<Ns> m_ended;                    ///< per place in it: when all up to there had ended
    std::vector<NodeId> m_seen;                 ///< per stream: the call for which it was looked at last
    /// How much of m_order each thread has waited for, for each cause.
    std::map<std::pair<std::uint16_t, analysis::LossCause>, std::size_t> m_awaited;
};

/// Per name: whether none of its calls returned while work issued before it ran: cudaFree is one, cudaMalloc
/// not.
std::vector<std::uint8_t> barriersByName(const Sketch& sketch, const IssueOrder& order);

} // namespace olab::replay
