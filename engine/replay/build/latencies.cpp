#include "build/latencies.h"

#include "device/unseen_events.h"
#include "host/recorder_cost.h"

#include <algorithm>
#include <array>
#include <utility>

namespace olab::replay {
namespace {

struct Kind {
    Ns usual; ///< used if the recording shows none
    Ns most;  ///< a longer one has another reason
};
constexpr std::array<Kind, kEdgeKinds> kKinds{{
    {4'000, 40'000},     // Stream
    {8'000, 300'000},    // Issue
    {0, 0},              // Thread: each its own
    {5'000, 300'000},    // Wait
    {5'000, 40'000},     // Event
    {6'000, 40'000},     // NullStream
    {70'000, 1'000'000}, // Dispatch
    {20'000, 300'000},   // HostFn
    {1'000, 20'000},     // Channel
    {10'000, 60'000},    // Gate
    {2'000, 20'000},     // Engine
}};

/// Of a stream whose host was always late: nothing ran back to back. Kernels of PyTorch on an H200 begin 0.5
/// to 1.3 us after the one before, as nodes of a graph or issued well ahead.
constexpr Ns kForeignStream = 1'500;
/// As nodes of a graph, the remedy of launches that take longer than their work: 1536 small kernels of a loop
/// on an H100 began 0.4 us after each other, and the whole loop took 2.1 us a kernel.
constexpr Ns kForeignGraphStream = 500;
constexpr std::size_t kFew = 5;
constexpr Ns kMostDispatch = 5'000'000; ///< a later one has another reason

/// The mean without outliers: otherwise a few calls delayed by the system would dominate.
class Samples {
public:
    void add(Ns latency) { m_all.push_back(latency); }
    std::size_t count() const { return m_all.size(); }
    /// The lower quartile: shorter latencies had no other reason.
    std::optional<Ns> shortOnes() {
        if (m_all.empty())
            return std::nullopt;
        const auto quarter = m_all.begin() + static_cast<std::ptrdiff_t>(m_all.size() / 4);
        std::ranges::nth_element(m_all, quarter);
        return *quarter;
    }
    std::optional<Ns> usual() {
        if (m_all.empty())
            return std::nullopt;
        const auto middle = m_all.begin() + static_cast<std::ptrdiff_t>(m_all.size() / 2);
        std::ranges::nth_element(m_all, middle);
        const Ns most = *middle * kOutlier + kStep;
        Ns total = 0, count = 0;
        for (const Ns latency : m_all)
            if (latency <= most) {
                total += latency;
                ++count;
            }
        return total / count;
    }

private:
    static constexpr Ns kOutlier = 4, kStep = 5'000;
    std::vector<Ns> m_all;
};

class Learner {
public:
    explicit Learner(Sketch& sketch)
        : m_sketch(sketch)
        , m_unseen(sketch)
        , m_engineEnd(sketch.graph.devices * sketch.graph.enginesPerDevice) {}

    void learn() {
        std::vector<Edge>& edges = m_sketch.graph.edges;
        sortEdges(edges, &Edge::to, m_sketch.graph.nodes.size());
        followEngines();
        // An issue is not done with the begin of its call: its latency is learned first, where nothing else
        // can have held the work.
        for (const bool onlyIssue : {true, false})
            for (std::size_t e = 0; e < edges.size();) {
                std::size_t end = e;
                while (end < edges.size() && edges[end].to == edges[e].to)
                    ++end;
                look(std::span(edges).subspan(e, end - e), onlyIssue);
                e = end;
            }
        learnEngines();
        for (Edge& edge : edges)
            if (!edge.ownLatency) {
                edge.latency = latencyOf(edge.kind, m_sketch[edge.to].latencyKind);
                followInGraph(edge);
            }
        keepDispatches();
    }

private:
    Samples& samplesOf(EdgeKind kind, std::size_t of) {
        return m_samples[static_cast<std::size_t>(kind)][of];
    }
    Ns latencyOf(EdgeKind kind, std::size_t of) {
        std::optional<Ns>& known = m_usual[static_cast<std::size_t>(kind)][of];
        if (known)
            return *known;
        const Ns usual = kKinds[static_cast<std::size_t>(kind)].usual;
        Samples& samples = samplesOf(kind, of);
        known = samples.usual();
        if (!known)
            known = kind == EdgeKind::Stream ? streamLatency(of) : usual;
        if (kind == EdgeKind::Issue &&
            samples.count() < kFew) // where a call was late, another reason is likely
            known = std::min(*known, usual);
        m_sketch.graph.timings.push_back({kind, of, *known, samples.count()});
        return *known;
    }
    /// Kernels whose host was late follow each other faster once they are one graph.
    void followInGraph(Edge& edge) {
        const Node &from = m_sketch[edge.from], &to = m_sketch[edge.to];
        if (edge.kind != EdgeKind::Stream || !m_sketch.graph.endsWithWork || to.kind != NodeKind::Work ||
            to.unit == Unit::CopyEngine)
            return;
        const ActivityIndex call = m_sketch.apiOf(to.row);
        if (call == kNoActivity || m_sketch.trace.begin(call) + usual::kPause <= from.measured.end)
            return;
        edge.latencyCause = analysis::LossCause::LaunchBound;
        edge.fixedLatency = std::min(edge.latency, kForeignGraphStream);
    }
    /// Where nothing surely waited for its stream alone.
    Ns streamLatency(std::size_t of) {
        const Ns usual = m_sketch.graph.endsWithWork
                             ? kForeignStream
                             : kKinds[static_cast<std::size_t>(EdgeKind::Stream)].usual;
        return std::min(usual, m_justIssued[of].shortOnes().value_or(usual));
    }
    Ns measuredFrom(const Edge& edge) const {
        const Interval time = m_sketch.graph.nodes[edge.from].measured;
        return edge.fromBegin ? time.begin : time.end;
    }
    void take(EdgeKind kind, std::size_t of, Ns latency) {
        if (latency > kKinds[static_cast<std::size_t>(kind)].most)
            return;
        samplesOf(kind, of).add(std::max<Ns>(0, latency));
    }

    /// How late each host function was called is its own, not the mean: it differs tenfold from one to the
    /// next, and the stream waits for each.
    void keepDispatches() {
        std::vector<Ns> ready(m_sketch.graph.nodes.size(), kNever), free(m_sketch.graph.workers, kNever);
        for (const Edge& edge : m_sketch.graph.edges)
            if (isIntoHost(edge))
                ready[edge.to] = std::max(ready[edge.to], measuredFrom(edge));
        for (const NodeId n : m_sketch.hostFns) {
            Node& node = m_sketch[n];
            Ns since = ready[n];
            if (node.unit == Unit::Worker)
                since = std::max(since, std::exchange(free[node.engine], node.measured.end));
            if (since != kNever) // else nothing tells when it could have begun
                node.lead = std::clamp<Ns>(node.measured.begin - since, 0, kMostDispatch);
        }
        for (Edge& edge : m_sketch.graph.edges) {
            if (m_sketch[edge.to].lead <= 0 || !isIntoHost(edge))
                continue;
            if (edge.kind == EdgeKind::Issue) {
                edge.fixedLatency = edge.latency;
                edge.latencyCause = analysis::LossCause::Callback;
            }
            edge.latency = 0; // all of it is the node's
        }
    }
    bool isIntoHost(const Edge& edge) const {
        return m_sketch[edge.to].kind == NodeKind::HostFn &&
               (edge.kind == EdgeKind::Dispatch || edge.kind == EdgeKind::Issue);
    }

    /// Looks at the edges that end in one node: the last one to be met decided.
    void look(std::span<const Edge> into, bool onlyIssue) {
        const Node& node = m_sketch[into.front().to];
        if (node.kind == NodeKind::Call)
            return;
        const Ns begin = node.kind == NodeKind::Return ? node.measured.end : node.measured.begin;
        const Edge* last = nullptr;
        Ns at = 0;
        for (const Edge& edge : into) {
            const Ns from =
                measuredFrom(edge) +
                (edge.kind == EdgeKind::Issue && !onlyIssue ? latencyOf(edge.kind, node.latencyKind) : 0);
            if (!last || from > at) {
                last = &edge;
                at = from;
            }
        }
        if (last->ownLatency || (last->kind == EdgeKind::Issue) != onlyIssue)
            return;
        if (last->kind == EdgeKind::Stream && m_unseen.mayWait(last->to))
            return;
        if (onlyIssue && isWithinGraphLaunch(node))
            return;
        if (last->kind == EdgeKind::Stream && isJustIssued(node, into, at))
            return m_justIssued[node.latencyKind].add(std::max<Ns>(0, begin - measuredFrom(*last)));
        if (node.kind == NodeKind::Work &&
            (byEngine(node, at) || analysis::isForRoom(m_sketch.facts.causeOf(node.row))))
            return;
        take(last->kind, node.latencyKind, begin - measuredFrom(*last));
    }

    /// A graph recorded node by node begins late because of the recording.
    bool isWithinGraphLaunch(const Node& node) const {
        const ActivityIndex call = m_sketch.apiOf(node.row);
        return m_sketch.graph.endsWithWork && call != kNoActivity &&
               m_sketch.facts.issuedBy(call).size() >= kFewestRecordedNodes &&
               node.measured.begin < m_sketch.trace.end(call);
    }

    /// Work of a program that is not the lab's, issued so shortly before it could begin that the issue may
    /// have delayed it; also true for work without a recorded call, whose issue time is unknown.
    bool isJustIssued(const Node& node, std::span<const Edge> into, Ns ready) const {
        if (!m_sketch.graph.endsWithWork || node.kind != NodeKind::Work)
            return false;
        return (m_sketch.facts.hasApi() && m_sketch.apiOf(node.row) == kNoActivity) ||
               std::ranges::any_of(into, [&](const Edge& edge) {
                   return edge.kind == EdgeKind::Issue && measuredFrom(edge) + usual::kPause > ready;
               });
    }

    /// It began when its engine finished the previous work, which ended after `at`.
    bool byEngine(const Node& node, Ns at) const {
        const Ns end = engineEndBefore(node);
        return end > at && node.measured.begin - end <= usual::kCall;
    }

    /// When the engine of a copy finished the previous copy.
    Ns engineEndBefore(const Node& node) const {
        if (node.unit != Unit::CopyEngine)
            return kNever;
        return m_before[m_sketch.facts.deviceWork().numberOf(node.row)];
    }
    void followEngines() {
        std::ranges::fill(m_engineEnd, kNever);
        for (const NodeId n : m_sketch.graph.workOf) {
            const Node& node = m_sketch[n];
            Ns& end = m_engineEnd[node.device * m_sketch.graph.enginesPerDevice + node.engine];
            m_before.push_back(end);
            end = std::max(end, node.measured.end);
        }
    }
    void learnEngines() {
        for (const NodeId n : m_sketch.graph.workOf) {
            const Node& node = m_sketch[n];
            const Ns before = engineEndBefore(node);
            if (before == kNever || before > node.measured.begin)
                continue;
            if (node.measured.begin - before <= usual::kCall)
                take(EdgeKind::Engine, node.latencyKind, node.measured.begin - before);
        }
        for (std::size_t of = 0; of < kLatencyKinds; ++of)
            m_sketch.graph.engineLatency.push_back(latencyOf(EdgeKind::Engine, of));
    }

    Sketch& m_sketch;
    UnseenEvents m_unseen;
    std::array<std::array<Samples, kLatencyKinds>, kEdgeKinds> m_samples;
    std::array<Samples, kLatencyKinds> m_justIssued; ///< between works of a stream; may contain host time
    std::array<std::array<std::optional<Ns>, kLatencyKinds>, kEdgeKinds> m_usual; ///< computed on first use
    std::vector<Ns> m_engineEnd, m_before;
};

} // namespace

void learnLatencies(Sketch& sketch) {
    Learner(sketch).learn();
}

} // namespace olab::replay
