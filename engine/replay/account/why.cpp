#include <olab/replay/why.h>

#include "build/build_graph.h"

#include <olab/analysis/cause_table.h>
#include <olab/trace/run_control.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>

namespace olab::replay {
namespace {

constexpr std::size_t kCauses = 4, kConstraints = 3; ///< shown: the first causes, the longest of each

constexpr std::array<std::string_view, kEdgeKinds> kEdgeNames{"order of its stream",
                                                              "issued by",
                                                              "before it in its thread",
                                                              "waited for by the call",
                                                              "event",
                                                              "NULL stream",
                                                              "into the host function",
                                                              "after the host function",
                                                              "hardware queue that streams share",
                                                              "gate",
                                                              "copy engine"};
constexpr std::string_view kRestsOn[] = {"recorded", "implied by CUDA", "inferred from times"};

/// What a cause removes: an edge or its latency, or a part of a step's duration.
struct Constraint {
    Ns time = 0;
    NodeId at = kNoNode;
    std::size_t edge = 0; ///< among the edges into `at`; kNone: the step's own time
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
};

std::string microseconds(Ns time) {
    const Ns tenths = time / 100;
    return std::string(tenths < 0 ? "-" : "") + std::to_string(std::abs(tenths) / 10) + "." +
           std::to_string(std::abs(tenths) % 10) + " us";
}

std::string latencyName(std::size_t kind) {
    return kind < kClassCount ? std::string(className(static_cast<ActivityClass>(kind))) : "pageable copy";
}

class Why {
public:
    Why(const analysis::Facts& facts, const analysis::Ledger& ledger)
        : m_facts(facts)
        , m_ledger(ledger)
        , m_graph(buildGraph(facts, {}, ledger.part.get())) {
        sortEdges(m_graph.edges, &Edge::to, m_graph.nodes.size());
    }

    std::vector<std::string> lines() {
        if (m_ledger.missing.empty())
            addOrder();
        else
            line("", "There is no account. " + m_ledger.missing);
        for (std::size_t n = 0; n < std::min(kCauses, m_ledger.entries.size()); ++n)
            addCause(m_ledger.entries[n].cause);
        addCause(analysis::LossCause::Unexplained);
        addConstraints(contradicted(),
                       " constraints are broken by the recording, the latency of their kind mostly:");
        addTimings();
        return std::move(m_lines);
    }

private:
    void line(std::string_view indent, const std::string& text) {
        m_lines.push_back(std::string(indent) + text);
    }
    std::string moment(Ns time) const { return microseconds(time - m_graph.start); }
    std::string nameOf(NodeId n) const {
        const Node& node = m_graph.nodes[n];
        if (node.row == kNoActivity)
            return "the begin";
        const bool isCall = node.kind == NodeKind::Call || node.kind == NodeKind::Return;
        const std::string_view name = m_facts.trace().text(m_facts.trace().nameOf(node.row));
        return std::string(name.empty() ? className(node.cls) : name) + (isCall ? " (thread " : " (stream ") +
               std::to_string(node.queue) + ", " + moment(node.measured.begin) + " to " +
               moment(node.measured.end) + ")";
    }
    Ns limit(const Edge& edge) const {
        const Interval from = m_graph.nodes[edge.from].measured;
        return (edge.fromBegin ? from.begin : from.end) + edge.latency;
    }

    void addOrder() {
        line("", "Causes in their order: what mending each brings after those before it, and alone:");
        for (const analysis::LedgerEntry& entry : m_ledger.entries) {
            const std::string brought = analysis::broughtText(entry.brought);
            line("  ", std::string(analysis::causeRow(entry.cause).id) + ": " + microseconds(entry.cost) +
                           ", alone " + microseconds(entry.gain) +
                           (brought.empty() ? "" : ", mends brought " + brought));
        }
    }

    /// The edges into one step: [first, last) of the edges.
    template <class Visit>
    void eachStep(const Visit& visit) const {
        const auto& edges = m_graph.edges;
        for (std::size_t first = 0, last = 0; first < edges.size(); first = last) {
            while (last < edges.size() && edges[last].to == edges[first].to)
                ++last;
            visit(first, last);
        }
    }
    /// How much sooner the step could begin without the edge.
    Ns takenOut(std::size_t edge, std::size_t first, std::size_t last) const {
        Ns others = m_graph.start;
        for (std::size_t e = first; e < last; ++e)
            if (e != edge)
                others = std::max(others, limit(m_graph.edges[e]));
        return limit(m_graph.edges[edge]) - others;
    }
    std::vector<Constraint> constraintsOf(analysis::LossCause cause) const {
        std::vector<Constraint> found;
        eachStep([&](std::size_t first, std::size_t last) {
            for (std::size_t e = first; e < last; ++e) {
                const Edge& edge = m_graph.edges[e];
                if (edge.cause == cause)
                    found.push_back({takenOut(e, first, last), edge.to, e});
                if (edge.latencyCause == cause)
                    found.push_back({edge.latency - edge.fixedLatency, edge.to, e});
            }
        });
        for (NodeId n = 0; n < m_graph.nodes.size(); ++n) {
            const Node& node = m_graph.nodes[n];
            const Ns own = (node.extraCause == cause ? node.extra : 0) +
                           (node.fixedBy == cause ? node.work - node.fixed : 0) +
                           (node.heldBy == cause ? node.held : 0);
            if (own > 0)
                found.push_back({own, n, Constraint::kNone});
        }
        return found;
    }
    /// Steps that began sooner than the graph allows: they make the model longer than the run.
    std::vector<Constraint> contradicted() const {
        std::vector<Constraint> found;
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e) {
            const Edge& edge = m_graph.edges[e];
            const Node& to = m_graph.nodes[edge.to];
            const Ns began = to.kind == NodeKind::Return ? to.measured.end : to.measured.begin;
            found.push_back({limit(edge) - began, edge.to, e});
        }
        return found;
    }
    void addConstraints(std::vector<Constraint> all, const std::string& what) {
        std::erase_if(all, [](const Constraint& one) { return one.time <= 0; });
        std::ranges::stable_sort(all, std::greater<>{}, &Constraint::time);
        line("", std::to_string(all.size()) + what);
        for (std::size_t n = 0; n < std::min(kConstraints, all.size()); ++n)
            addConstraint(all[n]);
    }
    void addCause(analysis::LossCause cause) {
        addConstraints(constraintsOf(cause), " constraints held something up that are gone without " +
                                                 std::string(analysis::causeRow(cause).id) + ":");
    }
    void addConstraint(const Constraint& one) {
        line("  ", nameOf(one.at) + ", " + microseconds(one.time) + " of " +
                       (one.edge == Constraint::kNone ? "its own time" : "these:"));
        const auto isBefore = [](const Edge& edge, NodeId at) { return edge.to < at; };
        const std::vector<Edge>& edges = m_graph.edges;
        for (auto e = std::lower_bound(edges.begin(), edges.end(), one.at, isBefore);
             e != edges.end() && e->to == one.at; ++e)
            addEdge(*e, static_cast<std::size_t>(e - edges.begin()) == one.edge);
    }
    void addEdge(const Edge& edge, bool isIt) {
        const std::string_view name = kEdgeNames[static_cast<std::size_t>(edge.kind)];
        const std::string_view rests = kRestsOn[static_cast<std::size_t>(restsOn(edge))];
        line(isIt ? "  > " : "    ", "not before " + moment(limit(edge)) + ": " + std::string(name) + " " +
                                         nameOf(edge.from) + " + " + microseconds(edge.latency) + " (" +
                                         std::string(rests) + causesOf(edge) + ")");
    }
    static std::string causesOf(const Edge& edge) {
        std::string text;
        for (const analysis::LossCause cause : {edge.cause, edge.latencyCause})
            if (cause != analysis::LossCause::None)
                text += "; gone without " + std::string(analysis::causeRow(cause).id);
        return text;
    }
    void addTimings() {
        line("", "Latencies that were learned here:");
        for (const Timing& timing : m_graph.timings)
            if (timing.samples > 0)
                line("  ", std::string(kEdgeNames[static_cast<std::size_t>(timing.kind)]) + ", " +
                               latencyName(timing.of) + ": " + std::to_string(timing.usual) + " ns, " +
                               std::to_string(timing.samples) + " times");
    }

    const analysis::Facts& m_facts;
    const analysis::Ledger& m_ledger;
    Graph m_graph;
    std::vector<std::string> m_lines;
};

} // namespace

std::vector<std::string> whyLines(const analysis::Facts& facts, const analysis::Ledger& ledger) {
    return Why(facts, ledger).lines();
}

} // namespace olab::replay
