#include "play/tool_share.h"

#include "graph/usual_times.h"
#include "play/replay.h"

#include <algorithm>

namespace olab::replay {
namespace {

constexpr double kLeastRatio = 1.02; ///< runs differ by this much without any reason
constexpr int kSteps = 10;           ///< precise to about 10 ns of a call
constexpr double kEnough = 0.5; ///< of the recording's overhead: if calls bring less, they are not the reason

std::vector<NodeId> callsOf(const Graph& graph) {
    std::vector<NodeId> calls;
    for (NodeId n = 0; n < graph.nodes.size(); ++n)
        if (graph.nodes[n].kind == NodeKind::Call && graph.nodes[n].work > 0)
            calls.push_back(n);
    return calls;
}

/// Up to `part` of the work of each call is removed with the cause.
class Shares {
public:
    explicit Shares(Graph& graph)
        : m_graph(graph)
        , m_calls(callsOf(graph)) {
        for (const NodeId n : m_calls)
            m_whole.push_back(graph.nodes[n].work);
    }
    bool empty() const { return m_calls.empty(); }
    void set(Ns part) {
        for (std::size_t i = 0; i < m_calls.size(); ++i) {
            Node& node = m_graph.nodes[m_calls[i]];
            node.extra = std::min(part, m_whole[i] - std::min(m_whole[i], node.fixed));
            node.work = m_whole[i] - node.extra;
            node.extraCause = node.extra > 0 ? analysis::LossCause::Tool : analysis::LossCause::None;
        }
    }

private:
    Graph& m_graph;
    std::vector<NodeId> m_calls;
    std::vector<Ns> m_whole;
};

} // namespace

void shareOutTool(Graph& graph, Ns base, double ratio, const RunControl& control) {
    Shares shares(graph);
    if (ratio < kLeastRatio || shares.empty())
        return;
    const auto wanted = static_cast<Ns>(static_cast<double>(base) * (1 - 1 / ratio));
    const auto gainOf = [&](Ns part) {
        shares.set(part);
        return base - play(graph, Causes().with(analysis::LossCause::Tool), Keep::Length, control).length;
    };
    if (static_cast<double>(gainOf(usual::kCall)) < kEnough * static_cast<double>(wanted))
        return shares.set(0);
    Ns least = 0, most = usual::kCall;
    for (int step = 0; step < kSteps; ++step)
        (gainOf((least + most) / 2) < wanted ? least : most) = (least + most) / 2;
    shares.set(most);
    graph.present = graph.present.with(analysis::LossCause::Tool);
}

} // namespace olab::replay
