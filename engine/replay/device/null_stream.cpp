// The order of the legacy NULL stream: its work, and events recorded in it, follow everything issued before
// in blocking streams, and everything issued later in those follows them.
#include "device/device_side.h"
#include "device/event_calls.h"
#include "device/stream_kinds.h"

#include <olab/analysis/null_order.h>

#include <algorithm>
#include <map>
#include <utility>

namespace olab::replay {
namespace {

/// An event that was recorded in a NULL stream.
struct NullEvent {
    Ns at = 0; ///< begin of its call
    QueueId stream{};
};

std::vector<NullEvent> nullEventsOf(const Trace& trace) {
    std::vector<NullEvent> marks;
    for (const StreamCall& call : trace.streamCalls()) {
        if (call.kind != StreamCallKind::EventRecord || call.queue == kNoQueue || call.api == kNoActivity)
            continue;
        if (trace.queue(call.queue).streamKind == StreamKind::Null)
            marks.push_back({trace.begin(call.api), call.queue});
    }
    std::ranges::stable_sort(marks, {}, &NullEvent::at);
    return marks;
}

/// NULL streams and the blocking streams they hold.
class NullStreamOrder {
public:
    explicit NullStreamOrder(Sketch& sketch)
        : m_sketch(sketch)
        , m_kinds(streamKinds(sketch))
        , m_order(sketch.trace.queues(), m_kinds.kinds)
        , m_calls(m_kinds.areInferred ? unseenEventCalls(sketch) : std::map<std::uint32_t, EventCalls>()) {
        for (const Edge& edge : sketch.graph.edges)
            if (edge.kind == EdgeKind::Wait && isFixedWithItsOrder(edge.cause))
                m_waitFor.emplace(edge.from, edge.cause);
    }

    void add(NodeId n) {
        const QueueId queue{m_sketch[n].queue};
        const NodeId newest = m_order.newest(queue);
        m_order.issue(n, queue, [&](NodeId before) {
            if (m_order.isNull(queue))
                connect(before, n, newest);
            else
                connectBehind(before, n);
        });
    }
    /// Adds an order if other streams had work since the last work or event of the NULL stream.
    void add(const NullEvent& mark) {
        m_order.record(mark.stream, [&](const std::vector<NodeId>& before) {
            const NodeId reached = addReached(before);
            for (const NodeId n : before)
                m_sketch.connect({.from = n,
                                  .to = reached,
                                  .kind = EdgeKind::NullStream,
                                  .cause = analysis::LossCause::NullStream,
                                  .ownLatency = true});
            return reached;
        });
    }

private:
    /// The moment when everything the event waits for has ended.
    NodeId addReached(const std::vector<NodeId>& before) {
        const NodeId last =
            *std::ranges::max_element(before, {}, [&](NodeId n) { return m_sketch[n].measured.end; });
        Node node;
        node.kind = NodeKind::Start;
        node.row = m_sketch[last].row;
        node.measured = {m_sketch[last].measured.end, m_sketch[last].measured.end};
        return m_sketch.add(node);
    }
    /// The host reads a value, or waits in its call for the copy: it fetches the result of the last issued
    /// work. That order is needed in any stream.
    bool isFetched(NodeId copy) const {
        const ActivityIndex row = m_sketch[copy].row, call = m_sketch.apiOf(row);
        const Trace& trace = m_sketch.trace;
        return m_sketch.reasons.isValue(row) || (trace.cls(row) == ActivityClass::MemcpyD2H &&
                                                 call != kNoActivity && trace.end(call) >= trace.end(row));
    }
    static bool isFixedWithItsOrder(analysis::LossCause cause) {
        using enum analysis::LossCause;
        return cause == HostSync || cause == Readback || cause == Pageable;
    }
    /// After the fix, a copy that the host waits for in its call is in a stream of its own: the NULL stream's
    /// order behind it is removed with the wait.
    void connectBehind(NodeId last, NodeId to) {
        const auto wait = m_waitFor.find(last);
        if (m_sketch[last].kind != NodeKind::Work || wait == m_waitFor.end() || !isFetched(last))
            return connect(last, to);
        m_sketch.connect({.from = last,
                          .to = to,
                          .kind = EdgeKind::NullStream,
                          .cause = wait->second,
                          .isInferred = m_kinds.areInferred});
    }
    /// Streams that are known to be blocking may have been made to wait too.
    bool mayHaveEvent(NodeId from, NodeId to) const {
        const auto calls = m_calls.find(m_sketch.trace.queues()[m_sketch[to].queue].process);
        return calls != m_calls.end() &&
               calls->second.waitsBetween(m_sketch.issuedAt(from), m_sketch.issuedAt(to));
    }
    void connect(NodeId from, NodeId to, NodeId newest = kNoNode) {
        const bool isNeeded = (from == newest && isFetched(to)) || mayHaveEvent(from, to);
        m_sketch.connect({.from = from,
                          .to = to,
                          .kind = EdgeKind::NullStream,
                          .cause = isNeeded ? analysis::LossCause::None : analysis::LossCause::NullStream,
                          .isInferred = m_kinds.areInferred});
    }
    Sketch& m_sketch;
    const StreamKinds m_kinds;
    analysis::NullOrder m_order;
    std::map<std::uint32_t, EventCalls> m_calls;     ///< per process
    std::map<NodeId, analysis::LossCause> m_waitFor; ///< reason why a thread waited for work
};

} // namespace

void addNullStream(Sketch& sketch) {
    NullStreamOrder order(sketch);
    const std::vector<NullEvent> marks = nullEventsOf(sketch.trace);
    auto mark = marks.begin();
    for (const NodeId n : sketch.issued) {
        if (sketch[n].queue >= sketch.streams.size())
            continue;
        if (mark != marks.end())
            for (const Ns issued = sketch.issuedAt(n); mark != marks.end() && mark->at < issued; ++mark)
                order.add(*mark);
        order.add(n);
    }
}

} // namespace olab::replay
