// What calls waited for.
#include "host/host_side.h"
#include "host/issue_order.h"

#include <olab/analysis/full_queue.h>

#include <olab/analysis/cause_table.h>

#include <algorithm>

namespace olab::replay {
namespace {

constexpr Ns kGivesBack =
    50'000; ///< a wait that returns so much later than what it waited for did more, or slept

Edge threadEdge(const Sketch& sketch, NodeId from, NodeId to) {
    Edge edge{.from = from, .to = to, .kind = EdgeKind::Thread, .ownLatency = true};
    const Node &before = sketch.graph.nodes[from], &after = sketch.graph.nodes[to];
    edge.latency = std::max<Ns>(0, after.measured.begin - before.measured.end);
    if (sketch.reasons.isOfSmallCopies(after.row)) {
        edge.latencyCause = analysis::LossCause::SmallCopies;
        return edge;
    }
    edge.latencyCause =
        sketch.reasons.ofPause(QueueId{after.queue}, {before.measured.end, after.measured.begin});
    const bool isOfGraph = sketch.reasons.makesGraph(before.row) && sketch.reasons.makesGraph(after.row);
    if (isOfGraph && analysis::causeRow(edge.latencyCause).hostsOwn)
        edge.latencyCause = analysis::LossCause::GraphRebuilt;
    return edge;
}

/// A thread that waited without a call comes behind what it waited for, with what it then did on its own.
void connectThread(Sketch& sketch, NodeId from, NodeId to) {
    Edge edge = threadEdge(sketch, from, to);
    const Interval pause{sketch[from].measured.end, sketch[to].measured.begin};
    if (const auto waited = sketch.reasons.waitedIn(QueueId{sketch[to].queue}, pause, edge.latencyCause)) {
        Edge wait{.from = sketch.nodeOf(waited->work), .to = to, .kind = EdgeKind::Wait};
        wait.cause = edge.latencyCause;
        wait.ownLatency = true;
        wait.latency = edge.latency = waited->own.length();
        wait.latencyCause = edge.latencyCause = waited->ofOwn;
        sketch.connect(wait);
    }
    sketch.connect(edge);
}

bool isOfStream(const StreamCall& call) {
    return call.kind == StreamCallKind::StreamSync || call.kind == StreamCallKind::Unknown;
}

bool issuesWork(const Sketch& sketch, const Node& call) {
    return sketch.facts.issuedBy(call.row).size() > 0;
}

/// The call is the next one of the thread that issued the work, but for calls that issue nothing.
bool isNextOf(const Sketch& sketch, NodeId work, NodeId call) {
    const ActivityIndex row = sketch.apiOf(sketch.graph.nodes[work].row);
    const NodeId issuing = row == kNoActivity ? kNoNode : sketch.callOf[row];
    if (issuing == kNoNode || sketch.graph.nodes[issuing].queue != sketch.graph.nodes[call].queue)
        return false;
    for (NodeId n = issuing + 1; n < call; ++n) // the nodes of a thread follow each other
        if (issuesWork(sketch, sketch.graph.nodes[n]))
            return false;
    return issuing < call;
}

bool emptiesDevice(analysis::LossCause cause) {
    return cause == analysis::LossCause::DeviceBarrier || cause == analysis::LossCause::Allocation;
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
        , m_byEnd(sketch.issued)
        , m_order(sketch)
        , m_barriers(barriersByName(sketch, m_order)) {
        const auto endOf = [&](NodeId n) { return sketch[n].measured.end; };
        std::ranges::stable_sort(m_byEnd, {}, endOf);
        countLaunches();
        m_givesBack = sketch.graph.endsWithWork && freesInStreams(sketch);
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
        case CallKind::EventRecord:
        case CallKind::StreamWait:
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
            awaited = m_order.newlyBefore(call, cause);
        else if (said && said->kind == StreamCallKind::StreamSync && said->queue != kNoQueue)
            awaited = m_order.lastBefore(call, said->queue.value);
        if (awaited.empty())
            if (const NodeId last = endedWithin(m_sketch, m_byEnd, m_sketch[call].measured); last != kNoNode)
                awaited.push_back(last);
        if (awaited.empty())
            return;
        const NodeId last =
            *std::ranges::max_element(awaited, {}, [&](NodeId n) { return m_sketch[n].measured.end; });
        if (cause != analysis::LossCause::None)
            cause = m_sketch.reasons.ofAwaited(m_sketch[last].row, cause, waitsForValue(said, last, call));
        wait(call, awaited, cause, static_cast<std::uint8_t>(ActivityClass::Sync));
    }

    /// An event may have been recorded long before: of a value only if nothing was issued behind it.
    bool waitsForValue(const StreamCall* said, NodeId awaited, NodeId call) const {
        if (!said || isOfStream(*said))
            return true;
        return said->kind == StreamCallKind::EventSync && isNextOf(m_sketch, awaited, call);
    }

    /// It waited for the device if all that was issued before ended before it did. One that always does so
    /// waits too where there was nothing left to wait for: without what emptied the device before, it would.
    void addBarrier(NodeId call) {
        const Interval time = m_sketch[call].measured;
        const std::optional<Ns> ended = m_order.endedBefore(call);
        if (!ended || *ended > time.end)
            return;
        const bool waited = *ended > time.begin;
        if (waited || m_barriers[m_sketch.trace.nameOf(m_sketch[call].row).value]) {
            const analysis::LossCause cause = m_sketch.reasons.ofBarrier(m_sketch[call].row);
            wait(call, m_order.newlyBefore(call, cause), cause,
                 static_cast<std::uint8_t>(ActivityClass::Overhead));
        }
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
        const bool isStaged =
            m_sketch.facts.work(work.row).isStaged(); // its call returns with the last piece
        if (!isStaged &&
            node.measured.end < work.measured.end - std::min(usual::kWakeUp, work.measured.length() / 2))
            return;
        const analysis::LossCause cause = m_sketch.reasons.ofAwaited(work.row, causeOf(work));
        const std::uint8_t kind = work.latencyKind;
        const Ns ended = work.measured.end;
        // What it returned with may be a host function that was issued before.
        const NodeId last = endedWithin(m_sketch, m_byEnd, {ended, node.measured.end});
        if (last != kNoNode && node.measured.end - ended > usual::kWakeUp)
            wait(call, {own, last}, cause, kind);
        else
            wait(call, {own}, cause, kind);
    }

    /// It may end while its launch returns, which waits for nothing.
    bool isTinyKernel(const Node& work) const {
        return m_sketch.graph.endsWithWork && !m_blocking && work.cls == ActivityClass::Kernel &&
               work.measured.length() < usual::kPause;
    }

    /// A copy of few pageable bytes is under way once its call returns: where that took long it was held up,
    /// by what ended then; in another stream, by the order of the NULL stream.
    void addHeldUp(NodeId call, const Node& copy) {
        const Node& node = m_sketch[call];
        if (node.fixedBy == analysis::LossCause::Pageable) // it put the bytes together meanwhile
            return;
        const NodeId last = endedWithin(m_sketch, m_byEnd, node.measured);
        const Ns late = copy.measured.begin - node.measured.end;
        if (!m_sketch.facts.work(copy.row).isPageable() || node.measured.length() < usual::kWakeUp ||
            late > usual::kWakeUp || last == kNoNode)
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
        const bool takesTime = emptiesDevice(cause) || givesBack || sleptOn(call, back.measured.length());
        if (takesTime) {
            back.work = back.measured.length();
            back.fixedBy = givesBack ? analysis::LossCause::Allocation : cause;
        }
        const NodeId node = m_sketch.add(back);
        m_sketch.returnOf[call] = node;
        Node& before = m_sketch[call];
        before.work = issuesWork(m_sketch, before) ? std::min(time.length(), usual::kIssue) : 0;
        before.fixed = std::min(before.work, before.fixed);
        before.measured.end = time.begin;
        m_sketch.connect({.from = call, .to = node, .kind = EdgeKind::Thread, .ownLatency = true});
        for (const NodeId n : awaited)
            connectWait(n, node, cause, takesTime);
    }

    /// A program that asks again and again, and sleeps in between, goes on when it asks next.
    bool sleptOn(NodeId call, Ns after) const {
        return m_sketch.graph.endsWithWork && after > kGivesBack &&
               m_sketch.calls[m_sketch.trace.nameOf(m_sketch[call].row)] == CallKind::Query;
    }

    /// A copy's call may return before its end: then the return counts from its begin. What takes time has it
    /// in its node.
    void connectWait(NodeId work, NodeId back, analysis::LossCause cause, bool takesTime) {
        const Interval time = m_sketch[work].measured, call = m_sketch[back].measured;
        Edge edge{.from = work, .to = back, .kind = EdgeKind::Wait, .cause = cause};
        edge.ownLatency = takesTime;
        if (!takesTime && m_sketch.graph.endsWithWork && m_sketch[work].kind == NodeKind::Work &&
            m_sketch.facts.work(m_sketch[work].row).isPageable()) {
            edge.ownLatency = true; // the host continues to copy, for as long as this copy's size requires
            edge.latency = std::max<Ns>(0, call.end - time.end);
        }
        if (call.end < time.end) {
            edge.fromBegin = edge.ownLatency = true;
            edge.latency = call.end - time.begin;
        }
        m_sketch.connect(edge);
    }

    /// CUDA_LAUNCH_BLOCKING: almost all launches return after their kernels.
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
    IssueOrder m_order;
    std::vector<std::uint8_t> m_barriers; ///< by name
    std::vector<ActivityIndex> m_full;    ///< calls that waited for room in a queue, in order
    bool m_blocking = false;
    bool m_givesBack = false; ///< a memory pool, in synchronisations after cudaFreeAsync
};

} // namespace

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
            connectThread(sketch, sketch.lastOf(last), n);
        last = n;
    }
}

} // namespace olab::replay
