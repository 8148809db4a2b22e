#include "graph_nodes.h"

#include "api.h"
#include "check_cupti.h"

namespace olab::cupti {

void GraphNodes::follow(CUpti_SubscriberHandle subscriber) {
    if (m_following)
        return;
    checkCupti(api().cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                                         CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED),
               "follow the nodes of graphs");
    m_following = true;
}

void GraphNodes::tag(CUgraphNode node, OpId op) {
    std::uint64_t id = 0;
    checkCupti(api().cuptiGetGraphNodeId(node, &id), "tell a graph node's number");
    const std::lock_guard lock(m_mutex);
    m_ops[id] = op;
}

// The numbers are queried before the lock is taken: it is never held across a CUPTI call.
void GraphNodes::cloned(CUgraphNode node, CUgraphNode original) {
    std::uint64_t to = 0, from = 0;
    if (api().cuptiGetGraphNodeId(node, &to) != CUPTI_SUCCESS ||
        api().cuptiGetGraphNodeId(original, &from) != CUPTI_SUCCESS)
        return; // its activities will have no op
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_ops.find(from); found != m_ops.end())
        m_ops.emplace(to, found->second);
}

OpId GraphNodes::opOf(std::uint64_t node) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_ops.find(node);
    return found == m_ops.end() ? kNoOp : found->second;
}

void GraphNodes::clear() {
    const std::lock_guard lock(m_mutex);
    m_ops.clear();
}

void GraphNodes::onClone(const CUpti_ResourceData& resource) noexcept {
    if (!m_owner.isThis())
        return;
    const auto* graph = static_cast<const CUpti_GraphData*>(resource.resourceDescriptor);
    try {
        cloned(graph->node, graph->originalNode);
    } catch (...) { // no memory for another node: its activities will have no op
    }
}

} // namespace olab::cupti
