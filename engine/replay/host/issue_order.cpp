#include "host/issue_order.h"

#include <algorithm>

namespace olab::replay {

IssueOrder::IssueOrder(const Sketch& sketch)
    : m_sketch(sketch)
    , m_seen(sketch.streams.size(), kNoNode) {
    for (const auto& stream : sketch.streams)
        for (const NodeId n : stream)
            m_order.emplace_back(sketch.issuedAt(n), n);
    std::ranges::stable_sort(m_order, {}, &std::pair<Ns, NodeId>::first);
    Ns ended = kNever;
    for (const auto& [at, n] : m_order)
        m_ended.push_back(ended = std::max(ended, node(n).measured.end));
}

std::size_t IssueOrder::countBefore(NodeId call) const {
    const Ns begin = m_sketch.trace.time(node(call).row).begin;
    const auto after = std::ranges::upper_bound(m_order, begin, {}, &std::pair<Ns, NodeId>::first);
    return static_cast<std::size_t>(after - m_order.begin());
}

std::optional<Ns> IssueOrder::endedBefore(NodeId call) const {
    const std::size_t issued = countBefore(call);
    return issued == 0 ? std::nullopt : std::optional(m_ended[issued - 1]);
}

std::vector<NodeId> IssueOrder::newlyBefore(NodeId call, analysis::LossCause cause) {
    const std::size_t end = countBefore(call);
    std::size_t& begin = m_awaited[{node(call).queue, cause}];
    std::vector<NodeId> last;
    for (std::size_t i = end; i > std::min(begin, end); --i)
        if (const NodeId n = m_order[i - 1].second; std::exchange(m_seen[node(n).queue], call) != call)
            last.push_back(n);
    if (last.empty() && end > 0)
        last.push_back(m_order[end - 1].second);
    begin = std::max(begin, end);
    return last;
}

std::vector<NodeId> IssueOrder::lastBefore(NodeId call, std::uint16_t queue) const {
    const Ns begin = m_sketch.trace.time(node(call).row).begin;
    if (queue >= m_sketch.streams.size())
        return {};
    const auto& stream = m_sketch.streams[queue];
    const auto after =
        std::ranges::upper_bound(stream, begin, {}, [&](NodeId n) { return m_sketch.issuedAt(n); });
    return after == stream.begin() ? std::vector<NodeId>() : std::vector{*(after - 1)};
}

std::vector<std::uint8_t> barriersByName(const Sketch& sketch, const IssueOrder& order) {
    std::vector<std::uint8_t> barriers(sketch.trace.texts(), 1), waited(sketch.trace.texts(), 0);
    for (NodeId n = 0; n < sketch.graph.nodes.size(); ++n) {
        const Node& node = sketch.graph.nodes[n];
        if (node.kind != NodeKind::Call ||
            sketch.calls[sketch.trace.nameOf(node.row)] != CallKind::MayBeBarrier)
            continue;
        const StringId name = sketch.trace.nameOf(node.row);
        const std::string_view text = sketch.trace.text(name);
        waited[name.value] |= text.find("Free") != text.npos || text.find("Unregister") != text.npos;
        const std::optional<Ns> ended = order.endedBefore(n);
        if (!ended)
            continue;
        if (*ended > node.measured.end)
            barriers[name.value] = 0;
        waited[name.value] |= *ended > node.measured.begin;
    }
    for (std::size_t name = 0; name < barriers.size(); ++name)
        barriers[name] &= waited[name];
    return barriers;
}

} // namespace olab::replay
