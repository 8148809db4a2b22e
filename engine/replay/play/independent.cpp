#include "play/independent.h"

#include "graph/room.h"
#include "play/replay.h"

#include <olab/analysis/report.h>
#include <olab/trace/kernel_name.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace olab::replay {
namespace {

constexpr double kWorthTelling = 0.05; ///< of the run
constexpr float kTwice = 0.5F;         ///< of the device: a larger grid leaves no room for a second one

constexpr std::size_t kLongestSequence = 8, kMostSequences = 16;

/// Members of one kind, each following only the previous one: kernels, or sequences of kernels.
struct Row {
    std::vector<NodeId> nodes;
    std::size_t sequence = 1; ///< nodes per member
    std::size_t memberOf(std::size_t place) const { return place / sequence; }
    bool beginsMember(std::size_t place) const { return place % sequence == 0; }
    bool endsMember(std::size_t place) const { return beginsMember(place + 1); }
};

/// An order of work that the program requested, even if it costs time. Not an order caused by calls that
/// issue the work or wait for room to do so.
bool isAskedFor(const Edge& edge) {
    return edge.kind != EdgeKind::Issue && edge.kind != EdgeKind::Channel && edge.kind != EdgeKind::Gate &&
           edge.cause != analysis::LossCause::QueueFull;
}

class Rows {
public:
    Rows(const Graph& graph, const analysis::Facts& facts, Causes gone)
        : m_graph(graph)
        , m_trace(facts.trace())
        , m_gone(gone)
        , m_behind(graph.nodes.size(), 0)
        , m_before(graph.nodes.size(), 0)
        , m_room(graph.nodes.size(), 0) {
        for (const Edge& edge : graph.edges)
            if (isAskedFor(edge))
                ++m_behind[edge.to], ++m_before[edge.from];
        for (const NodeId n : graph.workOf)
            if (const Node& node = graph.nodes[n]; node.cls == ActivityClass::Kernel)
                m_room[n] = std::max(node.share, roomOf(facts, node));
    }

    std::vector<Row> find() const {
        std::vector<NodeId> next(m_graph.nodes.size(), kNoNode);
        std::vector<std::uint8_t> isFirst(m_graph.nodes.size(), 1);
        for (const Edge& edge : m_graph.edges)
            if (joins(edge))
                next[edge.from] = edge.to, isFirst[edge.to] = 0;
        std::vector<Row> rows;
        std::vector<NodeId> chain;
        for (const NodeId n : m_graph.workOf)
            if (isFirst[n] && next[n] != kNoNode) {
                chain.clear();
                for (NodeId at = n; at != kNoNode; at = next[at])
                    chain.push_back(at);
                addRows(chain, rows);
            }
        leaveOutSteps(rows);
        return rows;
    }
    float room(NodeId n) const { return m_room[n]; }

private:
    /// Whether the edge continues a row; an event ends it, and so does a result that somebody waits for.
    bool joins(const Edge& edge) const {
        const Node &from = m_graph.nodes[edge.from], &to = m_graph.nodes[edge.to];
        return edge.kind == EdgeKind::Stream && !m_gone.has(edge.cause) && !edge.fromBegin &&
               from.queue == to.queue && isOfRow(edge.from) && isOfRow(edge.to) && m_before[edge.from] == 1 &&
               m_behind[edge.to] == 1;
    }
    auto kind(NodeId n) const { return m_trace.kindOf(m_graph.nodes[n].row); }

    /// Number of kernels of a chain that repeat with this sequence length from `begin` on: 0, or whole
    /// sequences, at least two.
    std::size_t repeated(const std::vector<NodeId>& chain, std::size_t begin, std::size_t sequence) const {
        std::size_t end = begin;
        while (end + sequence < chain.size() && kind(chain[end]) == kind(chain[end + sequence]))
            ++end;
        return end - begin < sequence ? 0 : ((end - begin) / sequence + 1) * sequence;
    }
    void addRows(const std::vector<NodeId>& chain, std::vector<Row>& rows) const {
        for (std::size_t at = 0; at < chain.size();) {
            std::size_t sequence = 1, length = repeated(chain, at, 1);
            for (std::size_t longer = 2; longer <= kLongestSequence && sequence == 1 && length == 0; ++longer)
                if (const std::size_t found = repeated(chain, at, longer))
                    sequence = longer, length = found;
            const auto begin = chain.begin() + static_cast<std::ptrdiff_t>(at);
            if (length > 0)
                rows.push_back({{begin, begin + static_cast<std::ptrdiff_t>(length)}, sequence});
            at += std::max<std::size_t>(1, length);
        }
    }
    /// Sequences that repeat for long, or only once in a run, are time steps or the program's own iteration:
    /// each probably needs the previous one. A loop over a few things comes again in the next iteration.
    void leaveOutSteps(std::vector<Row>& rows) const {
        const auto like = [this](const Row& row) {
            return std::tuple(row.sequence, row.nodes.size(), kind(row.nodes.front()));
        };
        std::map<decltype(like(rows.front())), int> counts;
        for (const Row& row : rows)
            ++counts[like(row)];
        std::erase_if(rows, [&](const Row& row) {
            const bool isLong = row.nodes.size() > kMostSequences * row.sequence;
            return row.sequence > 1 && (isLong || counts[like(row)] == 1);
        });
    }
    bool isOfRow(NodeId n) const {
        const Node& node = m_graph.nodes[n];
        return node.kind == NodeKind::Work && node.cls == ActivityClass::Kernel && !node.communicates &&
               m_room[n] > 0 && m_room[n] <= kTwice;
    }

    const Graph& m_graph;
    const Trace& m_trace;
    const Causes m_gone;
    std::vector<std::uint32_t> m_behind, m_before; ///< per node: count of orders that lead to it, and from it
    std::vector<float> m_room;
};

Ns workOf(const Graph& graph, const Row& row, Causes gone) {
    Ns sum = 0;
    for (const NodeId n : row.nodes)
        sum += graph.nodes[n].length(gone);
    return sum;
}

/// Makes all members of a row follow the predecessors of the first one, and precede the successors of the
/// last one.
class Cutter {
public:
    Cutter(Graph graph, const Rows& found, const std::vector<Row>& rows)
        : m_graph(std::move(graph))
        , m_rows(rows)
        , m_rowOf(m_graph.nodes.size(), kNone)
        , m_memberOf(m_graph.nodes.size(), 0) {
        for (std::size_t r = 0; r < rows.size(); ++r)
            for (std::size_t place = 0; place < rows[r].nodes.size(); ++place) {
                m_rowOf[rows[r].nodes[place]] = static_cast<std::uint32_t>(r);
                m_memberOf[rows[r].nodes[place]] = static_cast<std::uint32_t>(rows[r].memberOf(place));
            }
        for (const NodeId n : m_graph.workOf)
            m_graph.nodes[n].share = std::max(m_graph.nodes[n].share, found.room(n));
    }

    const Graph& cut() {
        std::vector<Edge> edges;
        edges.swap(m_graph.edges);
        addEnds();
        for (const Edge& edge : edges)
            add(edge);
        index(m_graph);
        return m_graph;
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffu;
    void addEnds() {
        for (const Row& row : m_rows) {
            Node end;
            end.kind = NodeKind::Start;
            end.row = m_graph.nodes[row.nodes.back()].row;
            m_ends.push_back(static_cast<NodeId>(m_graph.nodes.size()));
            m_graph.nodes.push_back(end);
            for (std::size_t place = 0; place < row.nodes.size(); ++place)
                if (row.endsMember(place))
                    m_graph.edges.push_back(
                        {.from = row.nodes[place], .to = m_ends.back(), .ownLatency = true});
        }
    }
    void add(Edge edge) {
        const std::uint32_t from = m_rowOf[edge.from],
                            to = edge.to < m_rowOf.size() ? m_rowOf[edge.to] : kNone;
        const bool isIssue = edge.kind == EdgeKind::Issue || edge.kind == EdgeKind::Channel;
        if (from != kNone && from == to) {
            if (m_memberOf[edge.from] == m_memberOf[edge.to])
                m_graph.edges.push_back(edge);
            return;
        }
        if (from != kNone && !edge.fromBegin && isAskedFor(edge))
            edge.from = m_ends[from];
        if (to == kNone || isIssue || edge.to != m_rows[to].nodes.front())
            return m_graph.edges.push_back(edge);
        for (std::size_t place = 0; place < m_rows[to].nodes.size(); place += m_rows[to].sequence) {
            edge.to = m_rows[to].nodes[place];
            m_graph.edges.push_back(edge);
        }
    }

    Graph m_graph;
    const std::vector<Row>& m_rows;
    std::vector<std::uint32_t> m_rowOf, m_memberOf; ///< per node
    std::vector<NodeId> m_ends;                     ///< per row: its common end
};

/// "elementwise_kernel" of "elementwise_kernel<128, 4>".
std::string withoutArguments(std::string name) {
    const std::size_t at = name.find('<');
    return at == 0 || at == std::string::npos ? name : name.substr(0, at);
}

/// Describes the rows found.
analysis::IfIndependent describe(const Graph& graph, const Trace& trace, const Rows& found,
                                 const std::vector<Row>& rows, Causes gone) {
    analysis::IfIndependent told;
    std::vector<std::pair<Ns, ActivityIndex>> longest;
    std::map<StringId, Ns> byName;
    std::map<std::size_t, Ns> bySequence;
    double room = 0, all = 0;
    for (const Row& row : rows)
        for (const NodeId n : row.nodes) {
            const Ns length = graph.nodes[n].length(gone);
            longest.emplace_back(length, graph.nodes[n].row);
            room += static_cast<double>(length) * static_cast<double>(found.room(n));
            all += static_cast<double>(length);
            byName[trace.nameOf(graph.nodes[n].row)] += length;
            bySequence[row.sequence] += length;
        }
    const auto longestOf = [](const auto& sums) {
        return std::ranges::max_element(sums, {}, [](const auto& one) { return one.second; })->first;
    };
    told.sequence = longestOf(bySequence);
    told.kernel = withoutArguments(kernelName(trace.text(longestOf(byName))));
    told.kernels = longest.size();
    told.share = all > 0 ? room / all / kMostRoom : 0;
    const auto most =
        longest.begin() + static_cast<std::ptrdiff_t>(std::min(longest.size(), analysis::kMaxEvidence));
    std::ranges::partial_sort(longest, most, std::greater<>{});
    for (auto at = longest.begin(); at != most; ++at)
        told.activities.push_back(at->second);
    return told;
}

} // namespace

analysis::IfIndependent ifIndependent(const Graph& graph, const analysis::Facts& facts, Causes gone, Ns left,
                                      const RunControl& control) {
    if (!graph.endsWithWork) // in a run of the lab the plan says what its data needs
        return {};
    const auto least = static_cast<Ns>(kWorthTelling * static_cast<double>(graph.measured()));
    const Rows found(graph, facts, gone);
    const std::vector<Row> rows = found.find();
    Ns work = 0;
    for (const Row& row : rows)
        work += workOf(graph, row, gone);
    if (work < least)
        return {};
    const Ns length = play(Cutter(graph, found, rows).cut(), gone, Keep::Length, control).length;
    if (left - length < least)
        return {};
    analysis::IfIndependent told = describe(graph, facts.trace(), found, rows, gone);
    told.gain = left - length;
    return told;
}

} // namespace olab::replay
