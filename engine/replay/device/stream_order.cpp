// The order of issue, and the order within each stream.
#include "device/device_side.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace olab::replay {
namespace {

/// Whether work behind a host function waits for it; one whose thread polls an event leaves the stream free.
bool isInStream(const Sketch& sketch, NodeId hostFn) {
    const ActivityIndex call = sketch.apiOf(sketch.graph.nodes[hostFn].row);
    return call != kNoActivity &&
           (sketch.calls[sketch.trace.nameOf(call)] == CallKind::HostFunction || sketch.launchesGraphs);
}

/// Classes that read and write only device memory.
bool isOnDevice(ActivityClass cls) {
    return cls == ActivityClass::Kernel || cls == ActivityClass::MemcpyD2D || cls == ActivityClass::MemcpyP2P;
}

/// A stream whose rounds (in, kernels, out) do not depend on each other's data: the edges between consecutive
/// rounds, which would not exist in other streams with their own buffers. Kernels and copies within the
/// device keep their order: each may need what an earlier one left in device memory.
class Rounds {
public:
    explicit Rounds(const Sketch& sketch)
        : m_causes(sketch.trace.queues().size(), analysis::LossCause::None)
        , m_streams(sketch.trace.queues().size()) {
        for (const std::vector<std::uint16_t>& streams : streamsOfDevices(sketch))
            if (const auto computing = onlyOneComputing(sketch, streams))
                m_causes[*computing] = analysis::LossCause::SameStream;
            else if (sketch.graph.endsWithWork && takeTurns(sketch, streams))
                for (const std::uint16_t stream : streams)
                    m_causes[stream] = analysis::LossCause::TooFewStreams;
    }
    /// The cause of `edge`, an edge of the stream, if it leads to the begin of a round; else None. Call in
    /// the order of the stream.
    analysis::LossCause causeOf(Sketch& sketch, const Edge& edge) {
        const Node& node = sketch[edge.to];
        const analysis::LossCause cause = m_causes[node.queue];
        if (node.kind != NodeKind::Work || cause == analysis::LossCause::None)
            return analysis::LossCause::None;
        Stream& stream = m_streams[node.queue];
        if (stream.chain == kNoNode && isOnDevice(sketch[edge.from].cls)) // the first work of the stream
            stream.chain = edge.from, stream.computed = true;
        // without copies back, a copy to the device behind a kernel brings the input of the next round
        const bool nextInput = node.cls == ActivityClass::MemcpyH2D && stream.computed;
        const bool first = (stream.wentOut && node.cls != ActivityClass::MemcpyD2H) || nextInput;
        stream.wentOut = node.cls == ActivityClass::MemcpyD2H;
        stream.computed = isOnDevice(node.cls) || (stream.computed && !first);
        if (first)
            stream.chainBefore = stream.chain;
        if (sketch[edge.from].cls == ActivityClass::MemcpyH2D)
            stream.copyIn = edge.from;
        if (first && node.cls == ActivityClass::MemcpyH2D && stream.copyIn != kNoNode)
            sketch.connect(
                {.from = stream.copyIn, .to = edge.to}); // it does not overtake that of the previous round
        if (isOnDevice(node.cls)) {
            if (stream.chainBefore != kNoNode)
                sketch.connect({.from = stream.chainBefore, .to = edge.to});
            stream.chainBefore = kNoNode;
            stream.chain = edge.to;
        }
        return first ? cause : analysis::LossCause::None;
    }

private:
    struct Stream {
        bool wentOut = false;  ///< the last work was a copy to the host
        bool computed = false; ///< the round has had a kernel
        NodeId chain = kNoNode,
               chainBefore = kNoNode; ///< the last work on the device, overall and before this round
        NodeId copyIn = kNoNode;      ///< the last copy to the device
    };
    /// Per device: its streams with work.
    static std::vector<std::vector<std::uint16_t>> streamsOfDevices(const Sketch& sketch) {
        std::vector<std::set<std::uint16_t>> streams(sketch.graph.devices);
        for (const NodeId n : sketch.graph.workOf)
            if (const Node& node = sketch.graph.nodes[n]; !analysis::isMigration(sketch.trace, node.row))
                streams[node.device].insert(node.queue);
        std::vector<std::vector<std::uint16_t>> all;
        for (const auto& some : streams)
            if (!some.empty())
                all.emplace_back(some.begin(), some.end());
        return all;
    }
    /// The stream with all kernels, if the others only copy.
    static std::optional<std::uint16_t> onlyOneComputing(const Sketch& sketch,
                                                         const std::vector<std::uint16_t>& streams) {
        if (streams.size() == 1)
            return streams.front();
        std::set<std::uint16_t> computing;
        for (const NodeId n : sketch.graph.workOf)
            if (const Node& node = sketch.graph.nodes[n];
                !isCopyClass(node.cls) && std::ranges::binary_search(streams, node.queue))
                computing.insert(node.queue);
        return computing.size() == 1 ? std::optional(*computing.begin()) : std::nullopt;
    }
    /// Fewer streams than engines, so that one engine is always idle. Each stream repeats copy in, kernels,
    /// copy out, and waits for no other: rounds in different streams do not depend on each other.
    static bool takeTurns(const Sketch& sketch, const std::vector<std::uint16_t>& streams) {
        constexpr std::size_t kEngines = 3; // copies in, kernels, copies out
        using Does = std::set<std::pair<ActivityClass, std::uint32_t>>;
        std::map<std::uint16_t, Does> does;
        for (const NodeId n : sketch.graph.workOf) {
            const Node& node = sketch.graph.nodes[n];
            if (!std::ranges::binary_search(streams, node.queue))
                continue;
            if (!sketch.facts.awaitedEvents(node.row).empty())
                return false;
            does[node.queue].emplace(node.cls, sketch.trace.nameOf(node.row).value);
        }
        const Does& first = does.begin()->second;
        const auto has = [&](ActivityClass cls) {
            return std::ranges::any_of(first, [&](const auto& one) { return one.first == cls; });
        };
        return streams.size() < kEngines && has(ActivityClass::MemcpyH2D) && has(ActivityClass::Kernel) &&
               has(ActivityClass::MemcpyD2H) &&
               std::ranges::all_of(does, [&](const auto& one) { return one.second == first; });
    }
    std::vector<analysis::LossCause> m_causes; ///< per stream: of its edges between rounds
    std::vector<Stream> m_streams;
};

/// A thread calls host functions one after the other; concurrent ones had different threads.
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

/// Work without a recorded call was issued before its successors in the stream: when a recording begins and
/// the device still processes earlier work, that is long before it ran.
void findUnseenIssues(Sketch& sketch) {
    const auto& work = sketch.graph.workOf; // by begin
    if (std::ranges::none_of(work, [&](NodeId n) { return sketch.apiOf(sketch[n].row) == kNoActivity; }))
        return;
    std::vector<Ns> next(sketch.trace.queues().size(), std::numeric_limits<Ns>::max());
    std::vector<Ns> issued;
    for (const Node& node : sketch.graph.nodes) // for other nodes nothing better is known
        issued.push_back(node.measured.begin);
    for (auto n = work.rbegin(); n != work.rend(); ++n)
        if (const std::uint16_t queue = sketch[*n].queue; queue < next.size())
            issued[*n] = next[queue] = std::min(sketch.issuedAt(*n), next[queue]);
    sketch.issuedUnseen = std::move(issued);
}

} // namespace

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
            if (const auto cause = rounds.causeOf(sketch, edge); cause != analysis::LossCause::None) {
                edge.cause = cause;
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

} // namespace olab::replay
