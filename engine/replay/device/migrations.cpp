#include "device/migrations.h"

#include <olab/trace/interval_set.h>

#include <algorithm>
#include <span>

namespace olab::replay {
namespace {

/// Threads of a device touch many pages at once, one of the host touches the next when the last has come.
constexpr Ns kDeviceFault = 50'000, kHostFault = 200'000;
/// Bytes per ns; the fastest page that came to a device tells the rate of a copy.
constexpr double kSlowest = 1;

/// What recording a migration adds to what waits for it, at least: two programs took 3 and 8 us longer for
/// each on an H200.
constexpr Ns kRecorded = 2'500;
constexpr double kMostRecorded = 0.75; ///< of the wait
/// Bytes per ns at which pages that are asked for come to the host and are mapped there: two programs on an
/// H200, 5.0 and 5.4.
constexpr double kToHost = 5.2;

/// A time in which pages that were missing came.
struct Stall {
    Ns waited = 0;   ///< for them
    Ns recorded = 0; ///< of that
    Ns asked = 0;    ///< what the same pages would take, had they been asked for
    Ns gain() const { return waited - recorded - asked; }
};

/// Pages that were missing on a device, or on the host.
class Moves {
public:
    /// `fault`: from the end of one to the next that the same work waits for. `rate`: bytes per ns, at least.
    Moves(Ns fault, double rate)
        : m_fault(fault)
        , m_rate(rate) {}
    void add(const Trace& trace, ActivityIndex row) {
        const Interval time = trace.time(row);
        m_waits.push_back({time.begin, time.end + m_fault});
        m_begins.push_back(time.begin);
        m_bytes.push_back((m_bytes.empty() ? 0 : m_bytes.back()) + trace.bytes(row));
    }
    /// One had this rate.
    void learn(double rate) { m_rate = std::max(m_rate, rate); }
    void finish() { m_waited = IntervalSet::unionOfSorted(m_waits); }
    bool empty() const { return m_begins.empty(); }

    Stall in(Interval time) const {
        const std::size_t first = countBefore(time.begin), end = countBefore(time.end);
        Stall stall{.waited = m_waited.measure(time)};
        stall.recorded = std::min(kRecorded * static_cast<Ns>(end - first),
                                  static_cast<Ns>(kMostRecorded * static_cast<double>(stall.waited)));
        stall.asked = static_cast<Ns>(static_cast<double>(bytesOf(end) - bytesOf(first)) / m_rate);
        return stall;
    }

private:
    std::size_t countBefore(Ns time) const {
        return static_cast<std::size_t>(std::ranges::lower_bound(m_begins, time) - m_begins.begin());
    }
    std::int64_t bytesOf(std::size_t first) const { return first == 0 ? 0 : m_bytes[first - 1]; }
    Ns m_fault;
    double m_rate;
    std::vector<Interval> m_waits;
    std::vector<Ns> m_begins;
    std::vector<std::int64_t> m_bytes; ///< of this one and all before
    IntervalSet m_waited;
};

class Migrations {
public:
    explicit Migrations(Sketch& sketch)
        : m_sketch(sketch)
        , m_toDevice(sketch.graph.devices, Moves(kDeviceFault, kSlowest)) {
        for (const NodeId n : sketch.graph.workOf)
            if (analysis::isMigration(sketch.trace, sketch[n].row))
                note(n);
        for (Moves& moves : m_toDevice)
            moves.finish();
        m_toHost.finish();
        for (NodeId n = 0; n < sketch.graph.nodes.size(); ++n)
            if (sketch[n].kind == NodeKind::Call)
                m_calls.push_back(n);
            else if (sketch[n].kind == NodeKind::Return)
                m_returns.push_back(n);
        std::ranges::stable_sort(m_calls, {}, [&](NodeId n) { return sketch[n].measured.begin; });
        std::ranges::stable_sort(m_returns, {}, [&](NodeId n) { return sketch[n].measured.end; });
        m_needed.assign(sketch.graph.nodes.size(), 0);
    }

    void add() {
        mendKernels();
        if (!m_toHost.empty())
            mendPauses();
        hang();
        followAskedFor();
        keepNeededWaits();
    }

private:
    void note(NodeId n) {
        const Node& node = m_sketch[n];
        if (m_sketch.trace.flags(node.row) & kFlagAsync)
            return m_askedFor.push_back(n);
        m_missing.push_back(n);
        if (node.cls != ActivityClass::MemcpyH2D)
            return m_toHost.add(m_sketch.trace, node.row);
        m_toDevice[node.device].add(m_sketch.trace, node.row);
        if (const Ns length = node.measured.length(); length > 0)
            m_toDevice[node.device].learn(static_cast<double>(m_sketch.trace.bytes(node.row)) /
                                          static_cast<double>(length));
    }

    void mendKernels() {
        for (const NodeId n : m_sketch.graph.workOf) {
            Node& node = m_sketch[n];
            const Moves& moves = m_toDevice[node.device];
            if (node.cls != ActivityClass::Kernel || moves.empty())
                continue;
            const Stall stall = moves.in(node.measured);
            if (stall.gain() <= 0)
                continue;
            node.work -= stall.recorded;
            node.extra = stall.recorded;
            node.extraCause = analysis::LossCause::Tool;
            node.fixedBy = analysis::LossCause::UnifiedMemory;
            node.fixed = node.work - stall.gain();
        }
    }

    void mendPauses() {
        for (Edge& edge : m_sketch.graph.edges) {
            if (edge.kind != EdgeKind::Thread)
                continue;
            const Ns next = m_sketch[edge.to].measured.begin;
            const Stall stall = m_toHost.in({next - edge.latency, next});
            if (stall.gain() <= 0 || stall.waited * 2 < edge.latency)
                continue;
            m_needed[edge.from] = 1;
            Node& before = m_sketch[edge.from];
            before.extra += stall.recorded;
            before.extraCause = analysis::LossCause::Tool;
            edge.latency -= stall.recorded;
            edge.latencyCause = analysis::LossCause::UnifiedMemory;
            edge.fixedLatency = edge.latency - stall.gain();
        }
    }

    /// What pages take is told of what waited for them: they themselves only stand behind the last call.
    void hang() {
        for (const NodeId n : m_missing) {
            m_sketch[n].work = m_sketch[n].fixed = 0;
            if (const NodeId call = callBefore(m_sketch[n].measured.begin); call != kNoNode)
                connect(call, n, EdgeKind::Issue, true);
        }
    }

    NodeId callBefore(Ns time) const {
        const auto after =
            std::ranges::lower_bound(m_calls, time, {}, [&](NodeId n) { return m_sketch[n].measured.begin; });
        return after == m_calls.begin() ? kNoNode : *(after - 1);
    }

    void connect(NodeId from, NodeId to, EdgeKind kind, bool fromBegin) {
        const Interval before = m_sketch[from].measured, after = m_sketch[to].measured;
        const Ns until = m_sketch[to].kind == NodeKind::Return ? after.end : after.begin;
        Edge edge{.from = from, .to = to, .kind = kind, .fromBegin = fromBegin, .ownLatency = true};
        edge.latency = std::max<Ns>(0, until - (fromBegin ? before.begin : before.end));
        if (kind == EdgeKind::Issue && m_sketch[to].work == 0)
            edge.latencyCause = analysis::LossCause::UnifiedMemory;
        m_sketch.connect(edge);
    }

    /// One after the other behind the call that asked for them, and before what waited for the last.
    void followAskedFor() {
        NodeId last = kNoNode;
        for (const NodeId n : m_askedFor) {
            const NodeId call = callBefore(m_sketch[n].measured.begin);
            const bool isNext =
                last != kNoNode && m_sketch[n].measured.begin - m_sketch[last].measured.end < usual::kWakeUp;
            if (isNext)
                connect(last, n, EdgeKind::Stream, false);
            else if (call != kNoNode)
                connect(call, n, EdgeKind::Issue, true);
            last = n;
        }
        for (std::size_t i = 0; i < m_askedFor.size(); ++i)
            if (i + 1 == m_askedFor.size() ||
                m_sketch[m_askedFor[i + 1]].measured.begin - m_sketch[m_askedFor[i]].measured.end >=
                    usual::kWakeUp)
                holdUp(m_askedFor[i]);
    }

    /// What begins soon after the last of them, and the wait in which it ended.
    void holdUp(NodeId last) {
        const Ns end = m_sketch[last].measured.end;
        const auto& work = m_sketch.graph.workOf;
        const auto beginOf = [&](NodeId n) { return m_sketch[n].measured.begin; };
        const auto endOf = [&](NodeId n) { return m_sketch[n].measured.end; };
        for (auto at = std::ranges::lower_bound(work, end, {}, beginOf);
             at != work.end() && beginOf(*at) - end < usual::kWakeUp; ++at)
            if (!analysis::isMigration(m_sketch.trace, m_sketch[*at].row))
                connect(last, *at, EdgeKind::Event, false);
        const auto back = std::ranges::lower_bound(m_returns, end, {}, endOf);
        if (back == m_returns.end() || m_sketch.trace.begin(m_sketch[*back].row) > end)
            return;
        connect(last, *back, EdgeKind::Event, false);
        m_needed[*back] |= m_sketch[last].cls == ActivityClass::MemcpyD2H ? 1 : 0;
    }

    /// The host touches what the device had: without that wait it would read what is not there yet.
    void keepNeededWaits() {
        for (Edge& edge : m_sketch.graph.edges)
            if (edge.kind == EdgeKind::Wait && m_needed[edge.to])
                edge.cause = analysis::LossCause::None;
    }

    Sketch& m_sketch;
    std::vector<Moves> m_toDevice; ///< per device
    Moves m_toHost{kHostFault, kToHost};
    std::vector<NodeId> m_missing, m_askedFor; ///< by begin
    std::vector<NodeId> m_calls;               ///< by begin
    std::vector<NodeId> m_returns;             ///< by end
    std::vector<std::uint8_t> m_needed;        ///< per node: the host touches what it waited for
};

} // namespace

void addMigrations(Sketch& sketch) {
    const auto& kinds = sketch.trace.kinds();
    if (std::ranges::any_of(kinds, [](const auto& kind) { return (kind.flags & kFlagUnified) != 0; }))
        Migrations(sketch).add();
}

} // namespace olab::replay
