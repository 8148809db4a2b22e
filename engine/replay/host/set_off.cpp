// Threads that continue after a host function whose run time no record shows: only its call is recorded.
#include "host/host_side.h"

#include <algorithm>
#include <map>

namespace olab::replay {
namespace {

/// Work followed by a host function, which ran between its end and the begin of the next work.
struct Source {
    NodeId work = kNoNode;
    Ns end = 0, next = 0;
};

/// Per stream: the calls that put host functions into it, by begin. Without a record, the stream of the work
/// issued before.
std::map<std::uint16_t, std::vector<Ns>> hostFunctionCalls(const Sketch& sketch) {
    std::map<std::uint16_t, std::vector<Ns>> calls;
    for (const Node& node : sketch.graph.nodes) {
        if (node.kind != NodeKind::Call ||
            sketch.calls[sketch.trace.nameOf(node.row)] != CallKind::HostFunction)
            continue;
        const Ns begin = node.measured.begin;
        const StreamCall* const said = sketch.trace.streamCallOf(node.row);
        const auto after =
            std::ranges::upper_bound(sketch.issued, begin, {}, [&](NodeId n) { return sketch.issuedAt(n); });
        if (said && said->queue != kNoQueue)
            calls[said->queue.value].push_back(begin);
        else if (after != sketch.issued.begin())
            calls[sketch.graph.nodes[*(after - 1)].queue].push_back(begin);
    }
    for (auto& [queue, begins] : calls)
        std::ranges::sort(begins);
    return calls;
}

/// By end.
std::vector<Source> sourcesOf(const Sketch& sketch) {
    std::vector<Source> sources;
    for (const auto& [queue, calls] : hostFunctionCalls(sketch)) {
        const std::vector<NodeId>& stream = sketch.streams[queue];
        for (std::size_t i = 0; i + 1 < stream.size(); ++i) {
            const auto call = std::ranges::upper_bound(calls, sketch.issuedAt(stream[i]));
            if (call != calls.end() && *call < sketch.issuedAt(stream[i + 1]))
                sources.push_back({stream[i], sketch.graph.nodes[stream[i]].measured.end,
                                   sketch.graph.nodes[stream[i + 1]].measured.begin});
        }
    }
    std::ranges::sort(sources, {}, &Source::end);
    return sources;
}

/// The pauses of a thread, and the possible ends of each.
struct Pauses {
    std::vector<std::pair<Edge*, const Source*>> ended;
    std::size_t all = 0;
    Ns chance = 0; ///< time in which a pause might end by chance and be mistaken for one of these
};

/// Almost all pauses ended after a host function, and not because one always ran shortly before.
bool areSetOff(const Pauses& pauses) {
    constexpr std::size_t kFewestPauses = 8;
    if (pauses.ended.size() < kFewestPauses || 10 * pauses.ended.size() < 9 * pauses.all)
        return false;
    const Ns span = pauses.ended.back().second->end - pauses.ended.front().second->end;
    return 2 * pauses.chance < span;
}

} // namespace

void addSetOff(Sketch& sketch) {
    if (!sketch.graph.endsWithWork)
        return;
    const std::vector<Source> sources = sourcesOf(sketch);
    std::map<std::uint16_t, Pauses> byThread;
    for (Edge& edge : sketch.graph.edges) {
        if (edge.kind != EdgeKind::Thread || edge.latency <= usual::kCall ||
            edge.latencyCause != analysis::LossCause::HostLate || sketch[edge.to].kind != NodeKind::Call)
            continue;
        Pauses& pauses = byThread[sketch[edge.to].queue];
        ++pauses.all;
        const Ns begin = sketch[edge.to].measured.begin;
        const auto after = std::ranges::upper_bound(sources, begin, {}, &Source::end);
        if (after == sources.begin())
            continue;
        const Source& source = *(after - 1);
        if (source.end < sketch[edge.from].measured.end || begin > source.next + usual::kWakeUp)
            continue;
        pauses.ended.emplace_back(&edge, &source);
        pauses.chance += source.next + usual::kWakeUp - source.end;
    }
    std::vector<Edge> found;
    for (const auto& [thread, pauses] : byThread) {
        if (!areSetOff(pauses))
            continue;
        for (const auto& [pause, source] : pauses.ended) {
            found.push_back({.from = source->work,
                             .to = pause->to,
                             .latency = sketch[pause->to].measured.begin - source->end,
                             .kind = EdgeKind::HostFn,
                             .cause = analysis::LossCause::Callback,
                             .ownLatency = true,
                             .isInferred = true});
            pause->latency = pause->fixedLatency = 0;
        }
    }
    sketch.graph.edges.insert(sketch.graph.edges.end(), found.begin(), found.end());
}

} // namespace olab::replay
