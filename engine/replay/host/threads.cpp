// Calls in the order of each thread.
#include "host/host_side.h"

#include "host/first_launches.h"

#include <map>

namespace olab::replay {
namespace {

/// What a node of a graph takes: 18 planted pipelines of 600 to 3200 small nodes on an H200 and an H100
/// took 1.9 to 3.9 us a node as one graph. The remedy of many small calls.
constexpr Ns kGraphNode = 3'000;
/// The same, where the device does not wait for what the host does: programs of others whose loops became one
/// graph took 0.8 to 1.2 us a node.
constexpr Ns kForeignGraphNode = 1'200;

/// For a copy to the device from pageable memory of up to about 1 MiB the host assembles the bytes itself and
/// returns when the device begins: the call takes the time of that, not of concurrent work.
bool putsTogether(const Sketch& sketch, ActivityIndex call, const NearNumbers& issued) {
    constexpr double kSlowest = 2; // bytes per ns
    if (issued.size() != 1)
        return false;
    const ActivityIndex copy = *issued.begin();
    const Interval time = sketch.trace.time(call);
    const auto bytes = sketch.trace.bytes(copy);
    return sketch.trace.cls(copy) == ActivityClass::MemcpyH2D && sketch.facts.work(copy).isStaged() &&
           sketch.trace.begin(copy) >= time.end - usual::kIssue &&
           static_cast<double>(time.length()) <= static_cast<double>(bytes) / kSlowest;
}

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
        node.fixedBy = analysis::LossCause::SmallCopies;
        return node;
    }
    const NearNumbers issued = sketch.facts.issuedBy(row);
    if (putsTogether(sketch, row, issued)) {
        node.fixedBy = analysis::LossCause::Pageable;
        node.fixed = std::min(node.work, usual::kIssue);
        return node;
    }
    const auto nodes = static_cast<Ns>(issued.size()); // of a graph, if it launches one
    node.fixedBy = nodes > 0 ? analysis::LossCause::LaunchBound : sketch.reasons.ofCall(row);
    node.fixed = std::min(node.work, nodes * (sketch.graph.endsWithWork ? kForeignGraphNode : kGraphNode));
    return node;
}

/// A thread that polls repeatedly waits: its queries count as one call that waited.
bool isPolling(const Sketch& sketch, ActivityIndex row) {
    return sketch.calls[sketch.trace.nameOf(row)] == CallKind::Query;
}

/// A launch that loaded its kernel: without the loading it takes the usual time of a launch.
void loads(Node& call, Ns usual) {
    call.fixedBy = analysis::LossCause::FirstLaunch;
    call.fixed = std::min(call.work, usual);
}

/// What a program did before the judged run (loading code, allocating) delayed nothing in it.
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
        if (before && time.begin < before->measured.end) { // made inside that call
            sketch.callOf[row] = last;
            continue;
        }
        if (before && isPolling(sketch, row) && isPolling(sketch, before->row) &&
            !sketch.reasons.isLoader(thread)) {
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

} // namespace olab::replay
