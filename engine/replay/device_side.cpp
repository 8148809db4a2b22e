#include "device_side.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <utility>

namespace olab::replay {
namespace {

constexpr Ns kGateSlack = 100'000; ///< the gate is stamped by the host, work by the device

std::uint8_t engineOf(const Trace& trace, ActivityIndex row) {
    const bool one = trace.devices()[trace.device(row)].copyEngines == 1;
    return static_cast<std::uint8_t>(one ? EngineKind::CopyH2D : trace.engine(row));
}

Node workNode(const Sketch& sketch, ActivityIndex row) {
    const Trace& trace = sketch.trace;
    const analysis::Work& work = sketch.facts.work(row);
    Node node;
    node.kind = NodeKind::Work;
    node.row = row;
    node.measured = sketch.graph.cut(trace.time(row));
    node.cls = trace.cls(row);
    node.latencyKind = static_cast<std::uint8_t>(
        work.isPageable() ? kClassCount + (node.cls == ActivityClass::MemcpyD2H ? 1 : 0)
                          : static_cast<std::size_t>(node.cls));
    node.device = trace.device(row);
    node.queue = trace.queueOf(row).value;
    node.priority = trace.queue(trace.queueOf(row)).priority;
    node.channel = trace.channelOf(row).value;
    node.engine = engineOf(trace, row);
    const bool sms = trace.engine(row) == EngineKind::Compute;
    const bool isCopy = trace.engine(row) != EngineKind::None && !analysis::isMigration(trace, row);
    node.unit = sms ? Unit::Sms : isCopy ? Unit::CopyEngine : Unit::None;
    if (node.cls == ActivityClass::Kernel)
        node.share = static_cast<float>(work.shareOfDevice().value_or(0));
    node.work = node.measured.length();
    return node;
}

/// Where no record says it: the stream whose work ended last before it, and began none until it was done.
class LikelyStreams {
public:
    explicit LikelyStreams(const Sketch& sketch)
        : m_sketch(sketch)
        , m_byEnd(sketch.graph.workOf) {
        std::ranges::stable_sort(m_byEnd, {}, [&](NodeId n) { return sketch.graph.nodes[n].measured.end; });
    }
    std::optional<std::uint16_t> of(Interval hostFn) const {
        const auto& nodes = m_sketch.graph.nodes;
        auto at = std::ranges::upper_bound(m_byEnd, hostFn.begin, {},
                                           [&](NodeId n) { return nodes[n].measured.end; });
        for (int looks = 0; looks < kLooks && at != m_byEnd.begin(); ++looks)
            if (const std::uint16_t queue = nodes[*--at].queue; restsDuring(queue, hostFn))
                return queue;
        return std::nullopt;
    }

private:
    static constexpr int kLooks = 256; ///< streams that work meanwhile are passed over, not without end

    bool restsDuring(std::uint16_t queue, Interval hostFn) const {
        const auto rows = m_sketch.facts.ofStream(QueueId{queue});
        const auto time = [&](ActivityIndex row) { return m_sketch.trace.time(row); };
        const auto next = std::ranges::lower_bound(rows, hostFn.begin, {},
                                                   [&](ActivityIndex row) { return time(row).begin; });
        return (next == rows.end() || time(*next).begin >= hostFn.end) &&
               (next == rows.begin() || time(*(next - 1)).end <= hostFn.begin);
    }
    const Sketch& m_sketch;
    std::vector<NodeId> m_byEnd;
};

/// The stream a host function is in: as its call says, or, in old recordings, that of the work planned for
/// the same pipeline.
std::optional<std::uint16_t> streamOf(const Sketch& sketch, ActivityIndex hostFn,
                                      const std::map<int, std::uint16_t>& streams,
                                      const LikelyStreams& likely) {
    if (const ActivityIndex call = sketch.facts.apiOf(hostFn); call != kNoActivity)
        if (const StreamCall* said = sketch.trace.streamCallOf(call); said && said->queue != kNoQueue)
            return said->queue.value;
    const experiment::Op* op = sketch.facts.opOf(hostFn);
    if (!op)
        return likely.of(sketch.trace.time(hostFn));
    const auto at = streams.find(op->stream);
    return at == streams.end() ? std::nullopt : std::optional(at->second);
}

std::map<int, std::uint16_t> plannedStreams(const Sketch& sketch) {
    std::map<int, std::uint16_t> streams;
    for (std::size_t n = 0; n < sketch.facts.deviceWork().size(); ++n) {
        const ActivityIndex row = sketch.facts.deviceWork().row(n);
        if (const experiment::Op* op = sketch.facts.opOf(row))
            streams.try_emplace(op->stream, sketch.trace.queueOf(row).value);
    }
    return streams;
}

/// Work behind a host function waits for it; who polls an event instead leaves the stream free.
bool isInStream(const Sketch& sketch, NodeId hostFn) {
    const ActivityIndex call = sketch.apiOf(sketch.graph.nodes[hostFn].row);
    return call != kNoActivity &&
           (sketch.calls[sketch.trace.nameOf(call)] == CallKind::HostFunction || sketch.launchesGraphs);
}

} // namespace

void addWork(Sketch& sketch) {
    const analysis::DeviceWork& work = sketch.facts.deviceWork();
    for (std::size_t n = 0; n < work.size(); ++n)
        sketch.graph.workOf.push_back(sketch.add(workNode(sketch, work.row(n))));
}

void addHostFunctions(Sketch& sketch) {
    if (sketch.facts.count(ActivityClass::HostFn) == 0)
        return;
    const auto streams = plannedStreams(sketch);
    const LikelyStreams likely(sketch);
    for (ActivityIndex row = 0; row < sketch.trace.size(); ++row) {
        if (sketch.trace.cls(row) != ActivityClass::HostFn)
            continue;
        Node node;
        node.kind = NodeKind::HostFn;
        node.row = row;
        node.cls = ActivityClass::HostFn;
        node.latencyKind = static_cast<std::uint8_t>(node.cls);
        node.measured = sketch.graph.cut(sketch.trace.time(row));
        node.work = node.measured.length();
        node.mendedBy = analysis::LossCause::Callback;
        const auto stream = streamOf(sketch, row, streams, likely);
        if (!stream) // nothing is known to wait for it
            continue;
        node.queue = *stream;
        sketch.hostFns.push_back(sketch.add(node));
    }
}

namespace {

/// Where a device has one stream for everything: the edges between one round (in, kernels, out) and the next,
/// which other streams with buffers of their own would not have. Kernels stay in their order: what one of
/// them leaves in device memory the next may need.
class Rounds {
public:
    explicit Rounds(const Sketch& sketch)
        : m_streams(sketch.graph.devices) {
        for (const NodeId n : sketch.graph.workOf) {
            if (analysis::isMigration(sketch.trace, sketch.graph.nodes[n].row))
                continue;
            std::optional<std::uint16_t>& only = m_streams[sketch.graph.nodes[n].device].only;
            const std::uint16_t queue = sketch.graph.nodes[n].queue;
            only = !only || *only == queue ? queue : kMany;
        }
    }
    /// Whether `edge`, of the stream, leads to the begin of a round. In the order of the stream.
    bool begins(Sketch& sketch, const Edge& edge) {
        const Node& node = sketch[edge.to];
        Device& device = m_streams[node.device];
        if (node.kind != NodeKind::Work || device.only != node.queue)
            return false;
        // a copy to the device behind a kernel brings what the next round needs, where none copies back
        const bool nextInput = node.cls == ActivityClass::MemcpyH2D && device.computed;
        const bool first = (device.wentOut && node.cls != ActivityClass::MemcpyD2H) || nextInput;
        device.wentOut = node.cls == ActivityClass::MemcpyD2H;
        device.computed = node.cls == ActivityClass::Kernel || (device.computed && !first);
        if (first)
            device.kernelBefore = device.kernel;
        if (sketch[edge.from].cls == ActivityClass::MemcpyH2D)
            device.copyIn = edge.from;
        if (first && node.cls == ActivityClass::MemcpyH2D && device.copyIn != kNoNode)
            sketch.connect({.from = device.copyIn, .to = edge.to}); // it overtakes none of the round before
        if (node.cls == ActivityClass::Kernel) {
            if (device.kernelBefore != kNoNode)
                sketch.connect({.from = device.kernelBefore, .to = edge.to});
            device.kernelBefore = kNoNode;
            device.kernel = edge.to;
        }
        return first;
    }

private:
    static constexpr std::uint16_t kMany = 0xffff;
    struct Device {
        std::optional<std::uint16_t> only; ///< the stream of all its work, or kMany
        bool wentOut = false;              ///< the last work was a copy to the host
        bool computed = false;             ///< the round has had a kernel
        NodeId kernel = kNoNode, kernelBefore = kNoNode;
        NodeId copyIn = kNoNode; ///< the last copy to the device
    };
    std::vector<Device> m_streams;
};

/// A thread calls one host function after the other; where two were called at once it was none.
void addWorkers(Sketch& sketch) {
    std::map<std::uint32_t, std::vector<NodeId>> byThread;
    for (const NodeId n : sketch.hostFns)
        byThread[sketch.trace.queueOf(sketch[n].row).value].push_back(n);
    for (const auto& [thread, calls] : byThread) {
        const auto together = std::ranges::adjacent_find(
            calls, [&](NodeId a, NodeId b) { return sketch[b].measured.begin < sketch[a].measured.end; });
        if (together != calls.end() || sketch.graph.workers > std::numeric_limits<std::uint8_t>::max())
            continue;
        for (const NodeId n : calls) {
            sketch[n].unit = Unit::Worker;
            sketch[n].engine = static_cast<std::uint8_t>(sketch.graph.workers);
        }
        ++sketch.graph.workers;
    }
}

} // namespace

/// Work of which no call was recorded was issued before what comes behind it in its stream: as a recording
/// begins and the device still works on what was issued before, that is long before it ran.
void findUnseenIssues(Sketch& sketch) {
    const auto& work = sketch.graph.workOf; // by begin
    if (std::ranges::none_of(work, [&](NodeId n) { return sketch.apiOf(sketch[n].row) == kNoActivity; }))
        return;
    std::vector<Ns> next(sketch.trace.queues().size(), std::numeric_limits<Ns>::max());
    std::vector<Ns> issued;
    for (const Node& node : sketch.graph.nodes) // of what is no work nothing better is known
        issued.push_back(node.measured.begin);
    for (const NodeId n : std::views::reverse(work))
        if (const std::uint16_t queue = sketch[n].queue; queue < next.size())
            issued[n] = next[queue] = std::min(sketch.issuedAt(n), next[queue]);
    sketch.issuedUnseen = std::move(issued);
}

void addStreams(Sketch& sketch) {
    findUnseenIssues(sketch);
    sketch.issued = sketch.graph.workOf;
    std::erase_if(sketch.issued,
                  [&](NodeId n) { return analysis::isMigration(sketch.trace, sketch[n].row); });
    for (const NodeId n : sketch.issued)
        if (const ActivityIndex call = sketch.apiOf(sketch[n].row);
            call != kNoActivity && sketch.facts.issuedBy(call).size() > 2)
            sketch.launchesGraphs = true;
    sketch.issued.insert(sketch.issued.end(), sketch.hostFns.begin(), sketch.hostFns.end());
    std::vector<std::pair<Ns, NodeId>> order;
    for (const NodeId n : sketch.issued)
        order.emplace_back(sketch.issuedAt(n), n);
    std::ranges::sort(order, [&](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : sketch.isBefore(a.second, b.second);
    });
    sketch.streams.resize(sketch.trace.queues().size());
    Rounds rounds(sketch);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const NodeId n = sketch.issued[i] = order[i].second;
        const std::uint16_t queue = sketch[n].queue;
        if (queue >= sketch.streams.size())
            continue;
        auto& stream = sketch.streams[queue];
        if (!stream.empty()) {
            const bool intoHost = sketch[n].kind == NodeKind::HostFn;
            const bool outOfHost = sketch[stream.back()].kind == NodeKind::HostFn;
            Edge edge{.from = stream.back(), .to = n};
            edge.kind = intoHost ? EdgeKind::Dispatch : outOfHost ? EdgeKind::HostFn : EdgeKind::Stream;
            edge.latencyCause =
                intoHost || outOfHost ? analysis::LossCause::Callback : analysis::LossCause::None;
            if (sketch.ranBeside(edge.from,
                                 n)) { // it may begin before the end (programmatic dependent launch)
                edge.fromBegin = edge.ownLatency = true;
                edge.latency = std::max<Ns>(0, sketch[n].measured.begin - sketch[edge.from].measured.begin);
            }
            if (sketch.reasons.isOfSmallCopies(sketch[n].row))
                edge.latencyCause = analysis::LossCause::SmallCopies;
            if (rounds.begins(sketch, edge)) {
                edge.cause = analysis::LossCause::SameStream;
                if (sketch[n].kind == NodeKind::Work &&
                    sketch.facts.work(sketch[n].row).isPageable()) // no other stream makes that copy overlap
                    sketch.connect({.from = edge.from, .to = n, .cause = analysis::LossCause::Pageable});
            }
            sketch.connect(edge);
        }
        if (sketch[n].kind == NodeKind::Work || isInStream(sketch, n))
            stream.push_back(n);
    }
    std::erase_if(sketch.hostFns, [&](NodeId n) { return !isInStream(sketch, n); });
    addWorkers(sketch);
}

namespace {

/// Work begins a while after the begin of its call; a call that does much else first (it loads a kernel, it
/// pins memory) issues at its end.
Edge issueEdge(const Sketch& sketch, NodeId call, NodeId work) {
    constexpr Ns kAtOnce = 5'000, kLongCall = 50'000;
    const Node &from = sketch.graph.nodes[call], &to = sketch.graph.nodes[work];
    Edge edge{.from = call, .to = work, .kind = EdgeKind::Issue, .fromBegin = true};
    const Ns behind = to.measured.begin - from.measured.end;
    if (sketch.graph.endsWithWork && from.work > kLongCall && behind >= 0) {
        edge.fromBegin = false;
        edge.ownLatency = true;
        edge.latency = std::min(behind, kAtOnce);
    }
    return edge;
}

} // namespace

void addIssue(Sketch& sketch) {
    for (const NodeId n : sketch.issued) {
        const ActivityIndex call = sketch.apiOf(sketch[n].row);
        if (call != kNoActivity && sketch.callOf[call] != kNoNode)
            sketch.connect(issueEdge(sketch, sketch.callOf[call], n));
    }
    if (sketch.gate == kNoNode)
        return;
    for (const auto& stream : sketch.streams)
        if (!stream.empty() && sketch[stream.front()].measured.begin >= sketch.graph.start - kGateSlack) {
            Edge edge{.from = sketch.gate, .to = stream.front(), .kind = EdgeKind::Gate};
            sketch.graph.edges.push_back(edge);
        }
}

void addEvents(Sketch& sketch) {
    std::map<ActivityIndex, NodeId> hostFns;
    for (const NodeId n : sketch.hostFns)
        hostFns.emplace(sketch[n].row, n);
    const auto nodeOf = [&](ActivityIndex row) {
        if (isDeviceClass(sketch.trace.cls(row)))
            return sketch.nodeOf(row);
        const auto at = hostFns.find(row);
        return at == hostFns.end() ? kNoNode : at->second;
    };
    for (const NodeId n : sketch.issued)
        for (const ActivityIndex awaited : sketch.facts.awaitedEvents(sketch[n].row))
            if (const NodeId from = nodeOf(awaited); from != kNoNode)
                sketch.connect({.from = from,
                                .to = n,
                                .kind = EdgeKind::Event,
                                .cause = analysis::LossCause::EventOrder});
}

namespace {

/// The NULL stream of a context and the blocking streams it holds.
class NullStreamOrder {
public:
    explicit NullStreamOrder(Sketch& sketch)
        : m_sketch(sketch)
        , m_since(sketch.streams.size(), kNoNode) {}

    void add(NodeId n, const Queue& queue) {
        Context& context = m_contexts[{queue.process, queue.context}];
        if (queue.streamKind == StreamKind::Null) {
            for (const std::uint16_t q : context.used)
                connect(std::exchange(m_since[q], kNoNode), n);
            context.used.clear();
            context.last = n;
        } else if (queue.streamKind == StreamKind::Blocking) {
            if (context.last != kNoNode)
                connect(context.last, n);
            if (std::exchange(m_since[m_sketch[n].queue], n) == kNoNode)
                context.used.push_back(m_sketch[n].queue);
        }
    }

private:
    struct Context {
        NodeId last = kNoNode;           ///< of the NULL stream
        std::vector<std::uint16_t> used; ///< blocking streams with work since
    };
    void connect(NodeId from, NodeId to) {
        m_sketch.connect(
            {.from = from, .to = to, .kind = EdgeKind::NullStream, .cause = analysis::LossCause::NullStream});
    }
    Sketch& m_sketch;
    std::vector<NodeId> m_since; ///< per blocking stream: its last work since that of the NULL stream
    std::map<std::pair<std::uint32_t, std::uint32_t>, Context> m_contexts; ///< by process and context
};

} // namespace

void addNullStream(Sketch& sketch) {
    NullStreamOrder order(sketch);
    for (const NodeId n : sketch.issued)
        if (sketch[n].queue < sketch.streams.size())
            order.add(n, sketch.trace.queues()[sketch[n].queue]);
}

void addChannels(Sketch& sketch) {
    std::vector<NodeId> last(sketch.trace.channels().size(), kNoNode);
    std::vector<std::uint16_t> channelOf(sketch.streams.size(), 0xffff); // of the last work of each stream
    for (const NodeId n : sketch.issued) {
        if (sketch[n].queue >= channelOf.size())
            continue;
        if (sketch[n].kind == NodeKind::HostFn) { // it stands in the channel of what it is behind
            const std::uint16_t channel = channelOf[sketch[n].queue];
            if (channel < last.size() && sketch[last[channel]].queue != sketch[n].queue)
                sketch.connect({.from = last[channel],
                                .to = n,
                                .kind = EdgeKind::Dispatch,
                                .cause = analysis::LossCause::Connections,
                                .latencyCause = analysis::LossCause::Callback});
            continue;
        }
        if (sketch[n].channel >= last.size())
            continue;
        channelOf[sketch[n].queue] = sketch[n].channel;
        NodeId& before = last[sketch[n].channel];
        if (before != kNoNode && sketch[before].queue != sketch[n].queue &&
            sketch[before].measured.begin <= sketch[n].measured.begin)
            sketch.connect({.from = before,
                            .to = n,
                            .kind = EdgeKind::Channel,
                            .cause = analysis::LossCause::Connections,
                            .fromBegin = true});
        before = n;
    }
}

namespace {

/// Calls that loaded a function when it was launched first.
std::vector<std::uint8_t> lazyCalls(const Sketch& sketch) {
    std::vector<std::uint8_t> lazy(sketch.trace.size(), 0);
    std::map<std::uint32_t, ActivityIndex> byCorrelation;
    for (ActivityIndex i = 0; i < sketch.trace.size(); ++i)
        if (sketch.trace.cls(i) == ActivityClass::Overhead && sketch.trace.correlation(i) != 0 &&
            sketch.trace.text(sketch.trace.nameOf(i)).find("loading") != std::string_view::npos)
            byCorrelation.emplace(sketch.trace.correlation(i), i);
    if (!byCorrelation.empty())
        for (ActivityIndex i = 0; i < sketch.trace.size(); ++i)
            lazy[i] = sketch.trace.cls(i) == ActivityClass::Api &&
                      byCorrelation.contains(sketch.trace.correlation(i));
    return lazy;
}

/// The moment in which the device was empty for a launch: work of other streams may begin a little before it.
NodeId addEmpty(Sketch& sketch, NodeId launch, Ns ended) {
    Node node;
    node.kind = NodeKind::Start;
    node.row = sketch[launch].row;
    node.measured = {ended, ended};
    return sketch.add(node);
}

} // namespace

// All that was issued before ends before it begins, all that is issued later begins after that, and mostly
// after the launch itself: the device is empty around it. What is before one such launch is before the next.
void addLoading(Sketch& sketch) {
    const std::vector<std::uint8_t> lazy = lazyCalls(sketch);
    std::vector<NodeId> last(sketch.streams.size(), kNoNode); // per stream, since the last such launch
    std::vector<std::uint16_t> used;
    NodeId launch = kNoNode, empty = kNoNode;
    Ns ended = std::numeric_limits<Ns>::min(); // all that was issued
    const auto connect = [&](NodeId from, NodeId to) {
        sketch.connect({.from = from,
                        .to = to,
                        .kind = EdgeKind::NullStream,
                        .cause = analysis::LossCause::FirstLaunch});
    };
    for (const NodeId n : sketch.issued) {
        const std::uint16_t queue = sketch[n].queue;
        if (queue >= last.size())
            continue;
        const ActivityIndex call = sketch.apiOf(sketch[n].row);
        const bool isFirst = last[queue] == kNoNode; // of its stream, behind such a launch
        if (launch != kNoNode && isFirst)
            connect(empty == kNoNode || sketch.isBefore(launch, n) ? launch : empty, n);
        if (call != kNoActivity && lazy[call] && sketch[n].kind == NodeKind::Work &&
            ended <= sketch[n].measured.begin) {
            launch = n;
            empty = used.empty() ? kNoNode : addEmpty(sketch, n, ended);
            for (const std::uint16_t q : used)
                if (const NodeId before = std::exchange(last[q], kNoNode); before != kNoNode) {
                    sketch.connect({.from = before,
                                    .to = empty,
                                    .kind = EdgeKind::NullStream,
                                    .cause = analysis::LossCause::FirstLaunch,
                                    .ownLatency = true});
                    if (q != queue)
                        connect(before, n);
                }
            used.clear();
        }
        if (std::exchange(last[queue], n) == kNoNode)
            used.push_back(queue);
        ended = std::max(ended, sketch[n].measured.end);
    }
}

} // namespace olab::replay
