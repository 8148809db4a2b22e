#include "build/owners.h"

#include "device/communication_side.h"
#include "device/occupied.h"
#include "device/starved.h"
#include "device/unseen_events.h"
#include "graph/captured_calls.h"
#include "graph/room.h"
#include "host/recorder_cost.h"

#include <algorithm>
#include <array>
#include <optional>

namespace olab::replay {
namespace {

constexpr int kCallsBack = 64; ///< how far back to look for the host's reason

struct Decided {
    Ns at = kNever;
    const Edge* edge = nullptr;
    void take(Ns when, const Edge& by) {
        if (when > at) {
            at = when;
            edge = &by;
        }
    }
};

class Owners {
public:
    explicit Owners(Sketch& sketch)
        : m_sketch(sketch)
        , m_engineEnd(sketch.graph.devices * sketch.graph.enginesPerDevice, kNever)
        , m_engineLast(m_engineEnd.size(), kNoNode)
        , m_first(sketch.graph.nodes.size() + 1, 0)
        , m_events(sketch)
        , m_unseen(sketch)
        , m_starved(sketch) {
        for (const Edge& edge : sketch.graph.edges)
            ++m_first[edge.to + 1];
        for (std::size_t n = 0; n < sketch.graph.nodes.size(); ++n)
            m_first[n + 1] += m_first[n];
        findHostFunctions();
    }

    void find() {
        for (const NodeId n : m_sketch.graph.workOf) {
            if (analysis::isMigration(m_sketch.trace, m_sketch[n].row)) { // others wait for it
                m_sketch.graph.waits.push_back({.ready = m_sketch[n].measured.begin});
                continue;
            }
            analysis::OwnedWait& wait = m_sketch.graph.waits.emplace_back(ownerOf(n));
            Node& node = m_sketch[n];
            // a run of the lab is fully recorded: the rest is in the model's latencies
            if (wait.cause == analysis::LossCause::Unexplained && m_sketch.graph.endsWithWork &&
                !into(n).empty()) {
                node.held = node.measured.begin - explainedOf(n);
                if (isBehindHostFunction(n))
                    wait.cause = node.heldBy = analysis::LossCause::Callback;
                else if (const NodeId call = callAround(n); call != kNoNode)
                    leaveToCall(wait, n, call);
                else if (const NodeId large = m_starved.heldBy(n, explainedOf(n)); large != kNoNode)
                    goesAfter(wait, n, large);
                else if (const NodeId kernel = fullGridBefore(n); kernel != kNoNode)
                    waitsForRoom(wait, node, kernel);
                else if (const auto event = m_events.into(n, std::min(usual::kPause, node.held)))
                    follow(wait, node, *event);
                else if (!m_unseen.ask(n, node.held))
                    lookBeside(wait, n);
            } else if (!m_unseen.isEmpty() && mayHaveWaited(wait, node) && !into(n).empty())
                m_unseen.ask(n, node.measured.begin - explainedOf(n));
            if (node.unit == Unit::CopyEngine) {
                m_engineEnd[engineOf(node)] = node.measured.end;
                m_engineLast[engineOf(node)] = n;
            }
        }
        followUnseen();
        auto& edges = m_sketch.graph.edges; // into() needs the former edges in order
        edges.insert(edges.end(), m_found.begin(), m_found.end());
    }

private:
    std::size_t engineOf(const Node& node) const {
        return node.device * m_sketch.graph.enginesPerDevice + node.engine;
    }
    std::span<const Edge> into(NodeId n) const {
        return std::span(m_sketch.graph.edges).subspan(m_first[n], m_first[n + 1] - m_first[n]);
    }
    /// Whether no cause removes it.
    static bool isKept(const Edge& edge) {
        const bool isOrder = edge.kind == EdgeKind::Stream || edge.kind == EdgeKind::Event;
        return (isOrder && edge.cause == analysis::LossCause::None) || edge.kind == EdgeKind::Gate;
    }
    Ns measuredFrom(const Edge& edge) const {
        const Interval time = m_sketch.graph.nodes[edge.from].measured;
        return (edge.fromBegin ? time.begin : time.end) + edge.latency;
    }

    analysis::OwnedWait ownerOf(NodeId n) const {
        const Node& node = m_sketch.graph.nodes[n];
        analysis::OwnedWait wait;
        wait.ready = m_sketch.graph.start;
        Decided last;
        for (const Edge& edge : into(n)) {
            const Ns at = measuredFrom(edge);
            if (isKept(edge)) {
                wait.ready = std::max(wait.ready, at);
                continue;
            }
            if (edge.kind == EdgeKind::HostFn)
                wait.ready = std::max(wait.ready, endBehind(edge.from));
            last.take(at, edge);
        }
        const Ns begin = node.measured.begin;
        wait.ready = std::min(wait.ready, begin);
        if (begin - wait.ready <= usual::kHandOver)
            return wait;
        const Ns explained = std::max(last.at, wait.ready);
        if (byUnit(wait, node, explained))
            return wait;
        if (last.edge && last.at > wait.ready && begin - last.at <= usual::kPause) {
            wait.cause = last.edge->kind == EdgeKind::Issue ? hostOwner(last.edge->from, wait.ready)
                                                            : reasonOf(*last.edge);
            wait.rests = restsOn(*last.edge);
            wait.blocker = m_sketch.graph.nodes[last.edge->from].row;
        } else if (begin - explained > usual::kPause) {
            wait.cause = analysis::LossCause::Unexplained;
            wait.rests = analysis::restsOn(wait.cause);
        }
        return wait;
    }

    bool isOfGraph(NodeId work) const {
        const ActivityIndex call = m_sketch.apiOf(m_sketch.graph.nodes[work].row);
        return call != kNoActivity &&
               analysis::launchesGraph(m_sketch.trace.text(m_sketch.trace.nameOf(call)));
    }
    /// The issuing call if it was still running when the work began, so that it issued the work only then.
    /// kNoNode: it had returned.
    NodeId callAround(NodeId n) const {
        const ActivityIndex row = m_sketch.graph.nodes[n].row, call = m_sketch.apiOf(row);
        if (call == kNoActivity || m_sketch.trace.begin(row) > m_sketch.trace.end(call))
            return kNoNode;
        return m_sketch.callOf[call];
    }
    /// A graph recorded node by node is launched late because of that.
    bool isRecorders(NodeId n, NodeId launch) const {
        const auto nodes = static_cast<Ns>(m_sketch.facts.issuedBy(m_sketch.graph.nodes[launch].row).size());
        return isOfGraph(n) && m_sketch.graph.nodes[n].held <= nodes * kMostOfRecordedNode;
    }
    /// The reason for a call's duration: its own work, or what it waited for.
    analysis::LossCause reasonOfCall(NodeId call) const {
        if (const NodeId back = m_sketch.returnOf[call]; back != kNoNode)
            for (const Edge& edge : into(back))
                if (edge.kind == EdgeKind::Wait)
                    return edge.cause;
        return m_sketch.graph.nodes[call].fixedBy;
    }
    /// Attributes the wait to the call if that took most of it, else to what the host did before the call.
    void leaveToCall(analysis::OwnedWait& wait, NodeId n, NodeId call) const {
        Node& node = m_sketch[n];
        wait.rests = analysis::RestsOn::Recorded;
        node.heldBy = isRecorders(n, call) ? analysis::LossCause::Tool : reasonOfCall(call);
        const bool isMost = node.measured.begin - wait.ready < 2 * node.held;
        wait.cause = isMost ? node.heldBy : hostOwner(call, wait.ready);
        wait.blocker = m_sketch.graph.nodes[call].row;
    }
    /// No record says when host functions of other programs run, but calls put them into streams between this
    /// work and the work before it, or into graphs.
    bool isBehindHostFunction(NodeId n) const {
        const auto calledAt = [&](NodeId work) {
            const ActivityIndex call = m_sketch.apiOf(m_sketch.graph.nodes[work].row);
            return call == kNoActivity ? std::nullopt : std::optional(m_sketch.trace.begin(call));
        };
        for (const Edge& edge : into(n)) {
            if (edge.kind != EdgeKind::Stream)
                continue;
            if (m_sketch.graphsCallHost && isOfGraph(edge.from))
                return true;
            const auto before = calledAt(edge.from), own = calledAt(n);
            const auto next = std::ranges::upper_bound(m_hostFunctions, before.value_or(0));
            if (before && own && next != m_hostFunctions.end() && *next < *own)
                return true;
        }
        return false;
    }
    void goesAfter(analysis::OwnedWait& wait, NodeId n, NodeId large) {
        wait.cause = m_sketch[n].heldBy = analysis::LossCause::Priority;
        wait.blocker = m_sketch[large].row;
        m_starved.free(n, large);
    }
    /// The kernel that left no SM room for any of its blocks; kNoNode: there was room, or it is unknown. A
    /// grid does not wait until all of it fits: it uses what is free.
    NodeId fullGridBefore(NodeId n) const {
        const Node& node = m_sketch.graph.nodes[n];
        if (node.cls != ActivityClass::Kernel || node.share <= 0)
            return kNoNode;
        return occupiedBy(m_sketch, n, explainedOf(n),
                          [](const Node& other) { return other.share >= kMostRoom; });
    }
    void waitsForRoom(analysis::OwnedWait& wait, Node& node, NodeId kernel) const {
        node.held = 0;
        wait.cause = analysis::LossCause::FullGrid;
        wait.blocker = m_sketch.graph.nodes[kernel].row;
    }
    void follow(analysis::OwnedWait& wait, Node& node, const Edge& event) {
        m_found.push_back(event);
        node.held = 0;
        wait.cause = event.cause;
        wait.rests = restsOn(event);
        if (wait.cause != analysis::LossCause::None)
            wait.blocker = m_sketch[event.from].row;
    }
    void followUnseen() {
        for (const UnseenEvents::Answer& answer : m_unseen.answers()) {
            Node& node = m_sketch[answer.work];
            analysis::OwnedWait& wait = m_sketch.graph.waits[m_sketch.facts.deviceWork().numberOf(node.row)];
            if (answer.event)
                follow(wait, node, *answer.event);
            else if (wait.cause == analysis::LossCause::Unexplained)
                lookBeside(wait, answer.work);
        }
        const std::vector<Edge> others = m_unseen.others();
        m_found.insert(m_found.end(), others.begin(), others.end());
    }
    void lookBeside(analysis::OwnedWait& wait, NodeId n) {
        const NodeId kernel = kernelBeside(n);
        if (kernel == kNoNode)
            return;
        wait.cause = m_sketch[n].heldBy = analysis::LossCause::MemsetFullGrid;
        wait.blocker = m_sketch[kernel].row;
    }
    void findHostFunctions() {
        for (const Node& node : m_sketch.graph.nodes)
            if (node.kind == NodeKind::Call &&
                m_sketch.calls[m_sketch.trace.nameOf(node.row)] == CallKind::HostFunction)
                m_hostFunctions.push_back(m_sketch.trace.begin(node.row));
        std::ranges::sort(m_hostFunctions);
    }

    /// For a memset with an unexplained wait: the kernel of another stream that ran during it. A memset needs
    /// SMs too; how many the kernel left is unknown.
    NodeId kernelBeside(NodeId n) const {
        if (m_sketch.graph.nodes[n].cls != ActivityClass::Memset)
            return kNoNode;
        return occupiedBy(m_sketch, n, explainedOf(n) + usual::kPause, [](const Node&) { return true; });
    }

    /// When all known constraints were met.
    Ns explainedOf(NodeId n) const {
        Ns at = m_sketch.graph.start;
        for (const Edge& edge : into(n))
            at = std::max(at, measuredFrom(edge));
        return std::min(at, m_sketch.graph.nodes[n].measured.begin);
    }

    /// The end of the work before a host function in its stream.
    Ns endBehind(NodeId hostFn) const {
        Ns end = m_sketch.graph.start;
        for (const Edge& edge : into(hostFn))
            if (edge.kind == EdgeKind::Dispatch && edge.cause == analysis::LossCause::None)
                end = std::max(end, m_sketch.graph.nodes[edge.from].measured.end);
        return end;
    }

    static analysis::LossCause reasonOf(const Edge& edge) {
        const bool ofHostFn = edge.kind == EdgeKind::HostFn || edge.kind == EdgeKind::Dispatch;
        return ofHostFn ? analysis::LossCause::Callback : edge.cause;
    }

    /// The known wait ended before the work began: the engine may have been idle for long.
    bool mayHaveWaited(const analysis::OwnedWait& wait, const Node& node) const {
        if (wait.cause == analysis::LossCause::EngineBound)
            return node.measured.begin - m_engineEnd[engineOf(node)] > usual::kHandOver;
        return wait.cause == analysis::LossCause::None;
    }

    bool byUnit(analysis::OwnedWait& wait, const Node& node, Ns explained) const {
        const analysis::LossCause seen = m_sketch.facts.causeOf(node.row);
        const bool isForEngine = node.unit == Unit::CopyEngine && m_engineEnd[engineOf(node)] > explained;
        if (isForEngine) {
            wait.cause = analysis::LossCause::EngineBound;
            wait.blocker = m_sketch.graph.nodes[m_engineLast[engineOf(node)]].row;
        }
        const bool isForRoom = node.unit == Unit::Sms && analysis::isForRoom(seen);
        if ((isForEngine && seen == analysis::LossCause::HeadOfLine) || isForRoom) {
            wait.cause = seen;
            wait.blocker = m_sketch.facts.waitTable().blocker(m_sketch.facts.deviceWork().numberOf(node.row));
        }
        wait.rests = analysis::restsOn(wait.cause);
        return isForEngine || isForRoom;
    }

    /// What the thread did longest between `from` and the call.
    analysis::LossCause hostOwner(NodeId call, Ns from) const {
        std::array<Ns, analysis::kLossCauses> sums{};
        NodeId n = call;
        for (int i = 0; i < kCallsBack; ++i) {
            const Edge* before = nullptr;
            for (const Edge& edge : into(n)) {
                if (edge.kind == EdgeKind::Thread)
                    before = &edge;
                else if (edge.kind == EdgeKind::HostFn)
                    return reasonOf(edge);
            }
            if (!before)
                break;
            add(sums, before->latencyCause, before->latency);
            n = before->from;
            addNode(sums, n);
            if (m_sketch.graph.nodes[n].measured.begin <= from)
                break;
        }
        const auto most = std::ranges::max_element(sums);
        return *most > 0 ? static_cast<analysis::LossCause>(most - sums.begin())
                         : analysis::LossCause::HostLate;
    }

    void addNode(std::array<Ns, analysis::kLossCauses>& sums, NodeId n) const {
        const Node& node = m_sketch.graph.nodes[n];
        if (node.kind != NodeKind::Return)
            return add(sums, node.fixedBy, node.work);
        for (const Edge& edge : into(n))
            if (edge.kind ==
                EdgeKind::Wait) // the call counts from its begin, which is that of its other node
                return add(sums, edge.cause, m_sketch.trace.duration(node.row));
    }

    static void add(std::array<Ns, analysis::kLossCauses>& sums, analysis::LossCause cause, Ns time) {
        if (cause != analysis::LossCause::None)
            sums[static_cast<std::size_t>(cause)] += time;
    }

    Sketch& m_sketch;
    std::vector<Ns> m_engineEnd;
    std::vector<NodeId> m_engineLast;
    std::vector<std::uint32_t> m_first;
    LikelyEvents m_events;
    UnseenEvents m_unseen;
    Starved m_starved;
    std::vector<Edge> m_found;       ///< of those two
    std::vector<Ns> m_hostFunctions; ///< begins of the calls that put a host function into a stream
};

} // namespace

void findOwners(Sketch& sketch) {
    Owners(sketch).find();
}

} // namespace olab::replay
