#include "device/migrations.h"

#include <olab/trace/interval_set.h>

#include <algorithm>
#include <span>

namespace olab::replay {
namespace {

/// The threads of a device touch many pages at once; a host thread touches the next page when the last has
/// arrived.
constexpr Ns kDeviceFault = 50'000, kHostFault = 200'000;
/// Bytes per ns; the fastest page moved to a device gives the rate of a copy.
constexpr double kSlowest = 1;

/// Least overhead of recording a migration for whatever waits for it: two programs took 3 and 8 us longer for
/// each on an H200.
constexpr Ns kRecorded = 2'500;
constexpr double kMostRecorded = 0.75; ///< of the wait
/// Bytes per ns at which requested pages arrive at the host and are mapped there: two programs on an
/// H200, 5.0 and 5.4.
constexpr double kToHost = 5.2;

/// A time in which missing pages arrived.
struct Stall {
    Ns waited = 0;   ///< for the pages
    Ns recorded = 0; ///< overhead of recording in it
    Ns asked = 0;    ///< time for the same pages if they had been requested
    Ns gain() const { return waited - recorded - asked; }
};

/// Pages that were missing on a device or on the host.
class Moves {
public:
    /// `fault`: longest gap between two pages of one stall. `rate`: bytes per ns, at least.
    Moves(Ns fault, double rate)
        : m_fault(fault)
        , m_rate(rate) {}
    void add(const Trace& trace, ActivityIndex row) {
        const Interval time = trace.time(row);
        m_waits.push_back({time.begin, time.end + m_fault});
        m_begins.push_back(time.begin);
        m_bytes.push_back((m_bytes.empty() ? 0 : m_bytes.back()) + trace.bytes(row));
    }
    /// A page moved at this rate.
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
    std::vector<std::int64_t> m_bytes; ///< of this one and all before it
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

    /// The time for pages is attributed to what waited for them; the pages themselves only follow the last
    /// call.
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

    /// Requested pages: one after the other behind the requesting call, and before whatever waited for the
    /// last.
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

    /// Whatever begins soon after the last of them, and the wait in which it ended.
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

    /// The host touches pages that were on the device: without that wait it would read data that is not there
    /// yet.
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
