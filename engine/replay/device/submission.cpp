#include "device/submission.h"

#include "device/unseen_events.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace olab::replay {
namespace {

constexpr int kOften = 8;        ///< seen this often, it is the queue
constexpr int kPartThatMay = 20; ///< one in this many may have run in parallel

class Submission {
public:
    explicit Submission(Sketch& sketch)
        : m_sketch(sketch)
        , m_unseen(sketch)
        , m_ready(sketch.graph.nodes.size(), sketch.graph.start) {
        for (const Edge& edge : sketch.graph.edges) {
            const Interval from = sketch[edge.from].measured;
            m_ready[edge.to] = std::max(m_ready[edge.to], edge.fromBegin ? from.begin : from.end);
        }
    }

    void add() {
        for (const auto& [where, issued] : issuedTogether())
            if (isOneQueue(issued))
                for (std::size_t i = 1; i < issued.size(); ++i)
                    connect(issued[i - 1], issued[i]);
    }

private:
    using Where = std::tuple<std::uint8_t, std::uint32_t, std::uint32_t>; ///< device, process, context

    std::map<Where, std::vector<NodeId>> issuedTogether() const {
        std::map<Where, std::vector<NodeId>> all;
        for (const NodeId n : m_sketch.issued) {
            const Node& node = m_sketch.graph.nodes[n];
            if (node.kind != NodeKind::Work || node.queue >= m_sketch.trace.queues().size() ||
                m_sketch.apiOf(node.row) == kNoActivity)
                continue;
            const Queue& queue = m_sketch.trace.queues()[node.queue];
            all[{node.device, queue.process, queue.context}].push_back(n);
        }
        return all;
    }

    /// No known constraint kept `b` from beginning well before the end of `a`. Work beside communication
    /// waits for its data through events that not every recording has; work behind a call that made its
    /// stream wait may do so.
    bool couldMeet(NodeId a, NodeId b) const {
        const Node &first = m_sketch.graph.nodes[a], &second = m_sketch.graph.nodes[b];
        const bool isKernelAndCopy = (first.unit == Unit::Sms) != (second.unit == Unit::Sms);
        const bool bothWays = first.engine != second.engine && first.unit == Unit::CopyEngine &&
                              m_sketch.trace.devices()[first.device].copyEngines > 1;
        return !first.communicates && !second.communicates && (isKernelAndCopy || bothWays) &&
               first.queue != second.queue && !m_unseen.mayWait(b) &&
               std::max(m_ready[b], first.measured.begin) + usual::kPause <= first.measured.end;
    }

    bool isOneQueue(const std::vector<NodeId>& issued) const {
        int held = 0, met = 0;
        for (std::size_t i = 1; i < issued.size(); ++i)
            if (couldMeet(issued[i - 1], issued[i])) {
                const bool waited = m_sketch.graph.nodes[issued[i]].measured.begin >=
                                    m_sketch.graph.nodes[issued[i - 1]].measured.end;
                ++(waited ? held : met);
            }
        return held >= kOften && met * kPartThatMay <= held;
    }

    void connect(NodeId before, NodeId after) {
        m_sketch.connect({.from = before,
                          .to = after,
                          .kind = EdgeKind::Channel,
                          .cause = analysis::LossCause::Submission,
                          .ownLatency = true});
    }

    Sketch& m_sketch;
    const UnseenEvents m_unseen;
    std::vector<Ns> m_ready; ///< per node: when all its predecessors were over
};

} // namespace

void addSubmission(Sketch& sketch) {
    Submission(sketch).add();
}

} // namespace olab::replay
