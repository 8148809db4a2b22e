#include "host_side.h"

#include "first_launches.h"

#include <olab/analysis/full_queue.h>

#include <algorithm>
#include <map>
#include <utility>

namespace olab::replay {
namespace {

constexpr Ns kPause = 10'000;     ///< a thread that was woken made no call for longer
constexpr Ns kWakeUp = 400'000;   ///< a call this long after a host function may have been set off by it
constexpr Ns kIssuing = 5'000;    ///< of a call that waits, what issuing takes
constexpr Ns kGivesBack = 50'000; ///< a wait that returns so much later than what it waited for did more
constexpr Ns kSlack = 50'000;     ///< the last bytes of a copy may be on their way when its call returns
/// What a node of a graph takes: 18 planted pipelines of 600 to 3200 small nodes on an H200 and an H100
/// took 1.9 to 3.9 us a node as one graph. The remedy of many small calls.
constexpr Ns kGraphNode = 3'000;
/// The same, where the device does not wait for what the host does: programs of others whose loops became one
/// graph took 0.8 to 1.2 us a node.
constexpr Ns kForeignGraphNode = 1'200;

Node callNode(const Sketch& sketch, ActivityIndex row, QueueId thread) {
    Node node;
    node.row = row;
    node.cls = ActivityClass::Api;
    node.queue = thread.value;
    node.measured = sketch.graph.cut(sketch.trace.time(row));
    if (sketch.graph.endsWithWork)
        node.measured.begin = std::max(node.measured.begin, sketch.graph.start);
    node.work = node.measured.length();
    if (sketch.reasons.isOfSmallCopies(row)) {
        node.mendedBy = analysis::LossCause::SmallCopies;
        return node;
    }
    const auto nodes = static_cast<Ns>(sketch.facts.issuedBy(row).size()); // a graph's, if it launches one
    node.mendedBy = nodes > 0 ? analysis::LossCause::LaunchBound : sketch.reasons.ofCall(row);
    node.mended = std::min(node.work, nodes * (sketch.graph.endsWithWork ? kForeignGraphNode : kGraphNode));
    return node;
}

Edge threadEdge(const Sketch& sketch, NodeId from, NodeId to) {
    Edge edge{.from = from, .to = to, .kind = EdgeKind::Thread, .ownLatency = true};
    edge.latency =
        std::max<Ns>(0, sketch.graph.nodes[to].measured.begin - sketch.graph.nodes[from].measured.end);
    const Node &before = sketch.graph.nodes[from], &after = sketch.graph.nodes[to];
    edge.latencyCause =
        sketch.reasons.isOfSmallCopies(after.row)
            ? analysis::LossCause::SmallCopies
            : sketch.reasons.ofPause(QueueId{after.queue}, {before.measured.end, after.measured.begin});
    return edge;
}

bool isOfStream(const StreamCall& call) {
    return call.kind == StreamCallKind::StreamSync || call.kind == StreamCallKind::Unknown;
}

/// A thread that asks again and again waits: its questions are one call that waited.
bool isPolling(const Sketch& sketch, ActivityIndex row) {
    return sketch.calls[sketch.trace.nameOf(row)] == CallKind::Query;
}

bool issuesWork(const Sketch& sketch, const Node& call) {
    return sketch.facts.issuedBy(call.row).size() > 0;
}

bool emptiesDevice(analysis::LossCause cause) {
    return cause == analysis::LossCause::DeviceBarrier || cause == analysis::LossCause::Allocation;
}

/// A launch that loaded its kernel: only what a launch usually takes is left without that.
void loads(Node& call, Ns usual) {
    call.mendedBy = analysis::LossCause::FirstLaunch;
    call.mended = std::min(call.work, usual);
}

/// What a program did before the run that is judged (it loaded its code, it allocated) held up nothing of it.
bool isBeforeRun(const Graph& graph, Interval call) {
    return graph.endsWithWork && call.end <= graph.start;
}

void addThread(Sketch& sketch, QueueId thread, const NearNumbers& rows,
               const std::map<ActivityIndex, Ns>& loading) {
    NodeId last = kNoNode;
    for (const ActivityIndex row : rows) {
        const Interval time = sketch.trace.time(row);
        if (time.begin > sketch.graph.end)
            break;
        if (isBeforeRun(sketch.graph, time))
            continue;
        Node* before = last == kNoNode ? nullptr : &sketch[last];
        if (before && time.begin < before->measured.end) { // made within it
            sketch.callOf[row] = last;
            continue;
        }
        if (before && isPolling(sketch, row) && isPolling(sketch, before->row)) {
            before->measured.end = time.end;
            before->work = before->measured.length();
            sketch.callOf[row] = last;
            continue;
        }
        const NodeId node = sketch.add(callNode(sketch, row, thread));
        if (const auto slow = loading.find(row); slow != loading.end())
            loads(sketch[node], slow->second);
        sketch.callOf[row] = node;
        if (last == kNoNode)
            sketch[node].earliest = sketch[node].measured.begin;
        last = node;
    }
}

/// The latest end of device work in a call; kNoNode: none ended then.
NodeId endedWithin(const Sketch& sketch, const std::vector<NodeId>& byEnd, Interval call) {
    const auto after = std::ranges::upper_bound(byEnd, call.end, {},
                                                [&](NodeId n) { return sketch.graph.nodes[n].measured.end; });
    if (after == byEnd.begin() || sketch.graph.nodes[*(after - 1)].measured.end <= call.begin)
        return kNoNode;
    return *(after - 1);
}

bool freesInStreams(const Sketch& sketch) {
    return std::ranges::any_of(sketch.graph.nodes, [&](const Node& node) {
        return node.kind == NodeKind::Call &&
               sketch.trace.text(sketch.trace.nameOf(node.row)).find("FreeAsync") != std::string_view::npos;
    });
}

class Waits {
public:
    explicit Waits(Sketch& sketch)
        : m_sketch(sketch)
        , m_byEnd(sketch.issued) {
        const auto endOf = [&](NodeId n) { return sketch[n].measured.end; };
        std::ranges::stable_sort(m_byEnd, {}, endOf);
        orderByIssue();
        countLaunches();
        m_givesBack = sketch.graph.endsWithWork && freesInStreams(sketch);
        findBarriers();
        for (const analysis::FullQueue& full : analysis::fullQueueCalls(sketch.facts))
            m_full.push_back(full.call);
    }

    void add(NodeId call, bool isLastOfThread) {
        const Node node = m_sketch[call];
        if (std::ranges::binary_search(m_full, node.row))
            return addFull(call);
        switch (m_sketch.calls[m_sketch.trace.nameOf(node.row)]) {
        case CallKind::Sync:
        case CallKind::Query:
            return addSync(call, isLastOfThread ? analysis::LossCause::None : analysis::LossCause::HostSync);
        case CallKind::MayBeBarrier:
            return addBarrier(call);
        case CallKind::Launch:
        case CallKind::HostFunction:
        case CallKind::Other:
            return addOwn(call);
        }
    }

private:
    /// What the records say that it waited for; else the last work that ended within it.
    void addSync(NodeId call, analysis::LossCause cause) {
        const StreamCall* said = m_sketch.trace.streamCallOf(m_sketch[call].row);
        std::vector<NodeId> awaited;
        if (said && said->kind == StreamCallKind::DeviceSync)
            awaited = newlyIssuedBefore(call, cause);
        else if (said && said->kind == StreamCallKind::StreamSync && said->queue != kNoQueue)
            awaited = issuedBefore(call, said->queue.value);
        if (awaited.empty())
            if (const NodeId last = endedWithin(m_sketch, m_byEnd, m_sketch[call].measured); last != kNoNode)
                awaited.push_back(last);
        if (awaited.empty())
            return;
        const NodeId last =
            *std::ranges::max_element(awaited, {}, [&](NodeId n) { return m_sketch[n].measured.end; });
        if (cause != analysis::LossCause::None)
            cause = m_sketch.reasons.ofAwaited(m_sketch[last].row, cause, !said || isOfStream(*said));
        wait(call, awaited, cause, static_cast<std::uint8_t>(ActivityClass::Sync));
    }

    /// It waited for the device if all that was issued before ended before it did. One that always does so
    /// waits too where there was nothing left to wait for: without what emptied the device before, it would.
    void addBarrier(NodeId call) {
        const Interval time = m_sketch[call].measured;
        const std::size_t issued = countIssuedBefore(call);
        if (issued == 0 || m_ended[issued - 1] > time.end)
            return;
        const bool waited = m_ended[issued - 1] > time.begin;
        if (waited || m_barriers[m_sketch.trace.nameOf(m_sketch[call].row).value]) {
            const analysis::LossCause cause = m_sketch.reasons.ofBarrier(m_sketch[call].row);
            wait(call, newlyIssuedBefore(call, cause), cause,
                 static_cast<std::uint8_t>(ActivityClass::Overhead));
        }
    }

    /// All that is in streams in the order of issue, and when all up to each had ended.
    void orderByIssue() {
        for (const auto& stream : m_sketch.streams)
            for (const NodeId n : stream)
                m_order.emplace_back(m_sketch.issuedAt(n), n);
        std::ranges::stable_sort(m_order, {}, &std::pair<Ns, NodeId>::first);
        Ns ended = std::numeric_limits<Ns>::min();
        for (const auto& [at, n] : m_order)
            m_ended.push_back(ended = std::max(ended, m_sketch[n].measured.end));
        m_seen.assign(m_sketch.streams.size(), kNoNode);
    }
    std::size_t countIssuedBefore(NodeId call) const {
        const Ns begin = m_sketch.trace.time(m_sketch.graph.nodes[call].row).begin;
        const auto after = std::ranges::upper_bound(m_order, begin, {}, &std::pair<Ns, NodeId>::first);
        return static_cast<std::size_t>(after - m_order.begin());
    }
    /// Of each stream the last that was issued before a call, but for those that its thread has waited for
    /// already for the same cause: with many streams and many waits those would fill the memory. One at
    /// least.
    std::vector<NodeId> newlyIssuedBefore(NodeId call, analysis::LossCause cause) {
        const std::size_t end = countIssuedBefore(call);
        std::size_t& begin = m_awaited[{m_sketch[call].queue, cause}];
        std::vector<NodeId> last;
        for (std::size_t i = end; i > std::min(begin, end); --i)
            if (const NodeId n = m_order[i - 1].second;
                std::exchange(m_seen[m_sketch[n].queue], call) != call)
                last.push_back(n);
        if (last.empty() && end > 0)
            last.push_back(m_order[end - 1].second);
        begin = std::max(begin, end);
        return last;
    }

    /// Of a stream the last that was issued before a call.
    std::vector<NodeId> issuedBefore(NodeId call, std::uint16_t queue) const {
        const Ns begin = m_sketch.trace.time(m_sketch[call].row).begin;
        if (queue >= m_sketch.streams.size())
            return {};
        const auto& stream = m_sketch.streams[queue];
        const auto after =
            std::ranges::upper_bound(stream, begin, {}, [&](NodeId n) { return m_sketch.issuedAt(n); });
        return after == stream.begin() ? std::vector<NodeId>() : std::vector{*(after - 1)};
    }

    /// Names of calls of which none returned while work issued before it ran: cudaFree is one, cudaMalloc
    /// not.
    void findBarriers() {
        m_barriers.assign(m_sketch.trace.texts(), 1);
        std::vector<std::uint8_t> waited(m_sketch.trace.texts(), 0);
        for (NodeId n = 0; n < m_sketch.graph.nodes.size(); ++n) {
            if (m_sketch[n].kind != NodeKind::Call ||
                m_sketch.calls[m_sketch.trace.nameOf(m_sketch[n].row)] != CallKind::MayBeBarrier)
                continue;
            const std::uint32_t name = m_sketch.trace.nameOf(m_sketch[n].row).value;
            const std::string_view text = m_sketch.trace.text(StringId{name});
            waited[name] |= text.find("Free") != text.npos || text.find("Unregister") != text.npos;
            const std::size_t issued = countIssuedBefore(n);
            if (issued == 0)
                continue;
            const Ns ended = m_ended[issued - 1];
            if (ended > m_sketch[n].measured.end)
                m_barriers[name] = 0;
            waited[name] |= ended > m_sketch[n].measured.begin;
        }
        for (std::size_t name = 0; name < m_barriers.size(); ++name)
            m_barriers[name] &= waited[name];
    }

    /// It returned once the work that ended last within it had made room.
    void addFull(NodeId call) {
        if (const NodeId last = endedWithin(m_sketch, m_byEnd, m_sketch[call].measured); last != kNoNode)
            wait(call, {last}, analysis::LossCause::QueueFull,
                 static_cast<std::uint8_t>(ActivityClass::Sync));
    }

    /// A call that returned with the end of what it issued.
    void addOwn(NodeId call) {
        const Node node = m_sketch[call];
        NodeId own = kNoNode;
        for (const ActivityIndex row : m_sketch.facts.issuedBy(node.row))
            if (isDeviceClass(m_sketch.trace.cls(row)))
                own = m_sketch.nodeOf(row);
        if (own == kNoNode)
            return;
        const Node& work = m_sketch[own];
        if (isTinyKernel(work))
            return;
        if (node.measured.end < work.measured.begin)
            return addHeldUp(call, work);
        if (node.measured.end < work.measured.end - std::min(kSlack, work.measured.length() / 2))
            return;
        const analysis::LossCause cause = m_sketch.reasons.ofAwaited(work.row, causeOf(work));
        const std::uint8_t kind = work.latencyKind;
        const Ns ended = work.measured.end;
        // What it returned with may be a host function that was issued before.
        const NodeId last = endedWithin(m_sketch, m_byEnd, {ended, node.measured.end});
        if (last != kNoNode && node.measured.end - ended > kSlack)
            wait(call, {own, last}, cause, kind);
        else
            wait(call, {own}, cause, kind);
    }

    /// It may end while its launch returns, which waits for nothing.
    bool isTinyKernel(const Node& work) const {
        constexpr Ns kTiny = 20'000;
        return m_sketch.graph.endsWithWork && !m_blocking && work.cls == ActivityClass::Kernel &&
               work.measured.length() < kTiny;
    }

    /// A copy of few pageable bytes is under way once its call returns: where that took long it was held up,
    /// by what ended then; in another stream, by the order of the NULL stream.
    void addHeldUp(NodeId call, const Node& copy) {
        const Node& node = m_sketch[call];
        const NodeId last = endedWithin(m_sketch, m_byEnd, node.measured);
        const Ns late = copy.measured.begin - node.measured.end;
        if (!m_sketch.facts.work(copy.row).isPageable() || node.measured.length() < kSlack || late > kSlack ||
            last == kNoNode)
            return;
        const bool isOfOther = m_sketch[last].queue != copy.queue;
        wait(call, {last}, isOfOther ? analysis::LossCause::NullStream : analysis::LossCause::Pageable,
             copy.latencyKind);
    }

    analysis::LossCause causeOf(const Node& work) const {
        if (m_sketch.facts.work(work.row).isPageable())
            return analysis::LossCause::Pageable;
        if (m_blocking)
            return analysis::LossCause::LaunchBlocking;
        return analysis::LossCause::HostSync;
    }

    void wait(NodeId call, const std::vector<NodeId>& awaited, analysis::LossCause cause,
              std::uint8_t latencyKind) {
        Node back;
        back.kind = NodeKind::Return;
        back.row = m_sketch[call].row;
        back.latencyKind = latencyKind;
        back.queue = m_sketch[call].queue;
        const Interval time = m_sketch[call].measured;
        Ns ended = time.begin;
        for (const NodeId n : awaited)
            ended = std::max(ended, std::min(m_sketch[n].measured.end, time.end));
        back.measured = {ended, time.end};
        // once the device is empty it unmaps memory: time of its own
        const bool givesBack =
            m_givesBack && cause != analysis::LossCause::Pageable && back.measured.length() > kGivesBack;
        const bool takesTime = emptiesDevice(cause) || givesBack;
        if (takesTime) {
            back.work = back.measured.length();
            back.mendedBy = givesBack ? analysis::LossCause::Allocation : cause;
        }
        const NodeId node = m_sketch.add(back);
        m_sketch.returnOf[call] = node;
        Node& before = m_sketch[call];
        before.work = issuesWork(m_sketch, before) ? std::min(time.length(), kIssuing) : 0;
        before.mended = std::min(before.work, before.mended);
        before.measured.end = time.begin;
        m_sketch.connect({.from = call, .to = node, .kind = EdgeKind::Thread, .ownLatency = true});
        for (const NodeId n : awaited)
            connectWait(n, node, cause, takesTime);
    }

    /// A copy's call may return before its end: then the return counts from its begin.
    void connectWait(NodeId work, NodeId back, analysis::LossCause cause, bool takesTime) {
        const Interval time = m_sketch[work].measured, call = m_sketch[back].measured;
        Edge edge{.from = work, .to = back, .kind = EdgeKind::Wait, .cause = cause};
        edge.ownLatency = takesTime;
        if (m_sketch.graph.endsWithWork && m_sketch[work].kind == NodeKind::Work &&
            m_sketch.facts.work(m_sketch[work].row).isPageable()) {
            edge.ownLatency = true; // the host copies on, as long as this copy is large
            edge.latency = std::max<Ns>(0, call.end - time.end);
        }
        if (call.end < time.end) {
            edge.fromBegin = edge.ownLatency = true;
            edge.latency = call.end - time.begin;
        }
        m_sketch.connect(edge);
    }

    /// CUDA_LAUNCH_BLOCKING: nearly all launches return after their kernels.
    void countLaunches() {
        std::uint64_t all = 0, late = 0;
        for (const NodeId n : m_sketch.issued) {
            const Node& work = m_sketch[n];
            const ActivityIndex call =
                work.cls == ActivityClass::Kernel ? m_sketch.facts.apiOf(work.row) : kNoActivity;
            if (call == kNoActivity)
                continue;
            ++all;
            late += m_sketch.trace.time(call).end >= work.measured.end ? 1 : 0;
        }
        m_blocking = all > 0 && late * 10 >= all * 9;
    }

    Sketch& m_sketch;
    std::vector<NodeId> m_byEnd;
    std::vector<ActivityIndex> m_full; ///< calls that waited for room in a queue, in order
    bool m_blocking = false;
    bool m_givesBack = false;             ///< a pool of memory, in synchronisations behind cudaFreeAsync
    std::vector<std::uint8_t> m_barriers; ///< by name
    std::vector<std::pair<Ns, NodeId>> m_order;
    std::vector<Ns> m_ended;    ///< per place in m_order
    std::vector<NodeId> m_seen; ///< per stream: the call for which it was looked at last
    /// How much of m_order each thread has waited for, for each cause.
    std::map<std::pair<std::uint16_t, analysis::LossCause>, std::size_t> m_awaited;
};

/// The last host function, or return of another thread from a wait, that ended while this thread made no
/// call.
NodeId wokenBy(const Sketch& sketch, const std::vector<NodeId>& sources, const Edge& gap) {
    const auto& nodes = sketch.graph.nodes;
    const Ns begin = nodes[gap.to].measured.begin;
    auto after =
        std::ranges::upper_bound(sources, begin, {}, [&](NodeId n) { return nodes[n].measured.end; });
    while (after != sources.begin() && nodes[*(after - 1)].kind == NodeKind::Return &&
           nodes[*(after - 1)].queue == nodes[gap.to].queue)
        --after;
    if (after == sources.begin())
        return kNoNode;
    const Ns end = nodes[*(after - 1)].measured.end;
    return end < nodes[gap.from].measured.end || begin - end > kWakeUp ? kNoNode : *(after - 1);
}

} // namespace

void addThreads(Sketch& sketch) {
    std::map<ActivityIndex, Ns> loading; // a run of the lab has made each launch once before it is measured
    if (sketch.graph.endsWithWork)
        loading = slowFirstLaunches(sketch);
    sketch.callOf.assign(sketch.trace.size(), kNoNode);
    for (std::size_t q = 0; q < sketch.trace.queues().size(); ++q)
        if (sketch.trace.queues()[q].kind == Queue::Kind::HostThread) {
            const QueueId thread{static_cast<std::uint16_t>(q)};
            addThread(sketch, thread, sketch.facts.ofThread(thread), loading);
        }
}

void addWaits(Sketch& sketch) {
    Waits waits(sketch);
    const auto callCount = static_cast<NodeId>(sketch.graph.nodes.size());
    // the calls of a thread that issue nothing after this one wait for the end of the run
    std::vector<NodeId> lastIssuing(sketch.trace.queues().size(), 0);
    for (NodeId n = 0; n < callCount; ++n)
        if (sketch[n].kind == NodeKind::Call && issuesWork(sketch, sketch[n]))
            lastIssuing[sketch[n].queue] = n;
    std::vector<NodeId> before(sketch.trace.queues().size(), kNoNode);
    for (NodeId n = 0; n < callCount; ++n) {
        if (sketch[n].kind != NodeKind::Call)
            continue;
        waits.add(n, n > lastIssuing[sketch[n].queue]);
        NodeId& last = before[sketch[n].queue];
        if (last != kNoNode)
            sketch.connect(threadEdge(sketch, sketch.lastOf(last), n));
        last = n;
    }
}

void addWakeUps(Sketch& sketch) {
    std::vector<NodeId> sources = sketch.hostFns;
    for (const NodeId back : sketch.returnOf)
        if (back != kNoNode)
            sources.push_back(back);
    if (sketch.hostFns.empty() && sketch.graph.endsWithWork)
        return; // threads that hand work to each other are hand-overs
    const auto endOf = [&](NodeId n) { return sketch[n].measured.end; };
    std::ranges::sort(sources, {}, endOf);
    std::vector<Edge> found;
    for (Edge& edge : sketch.graph.edges)
        if (edge.kind == EdgeKind::Thread && edge.latency > kPause && sketch[edge.to].kind == NodeKind::Call)
            if (const NodeId by = wokenBy(sketch, sources, edge);
                by != kNoNode && sketch.isBefore(by, edge.to)) {
                const Ns latency = sketch[edge.to].measured.begin - sketch[by].measured.end;
                edge.latency = 0;
                found.push_back({.from = by,
                                 .to = edge.to,
                                 .latency = latency,
                                 .kind = EdgeKind::HostFn,
                                 .cause = analysis::LossCause::Callback,
                                 .ownLatency = true});
            }
    sketch.graph.edges.insert(sketch.graph.edges.end(), found.begin(), found.end());
}

} // namespace olab::replay
