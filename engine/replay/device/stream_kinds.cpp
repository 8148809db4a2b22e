#include "device/stream_kinds.h"

#include "device/event_calls.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace olab::replay {
namespace {

using Context = std::tuple<std::uint8_t, std::uint32_t, std::uint32_t>; ///< device, process, context

Context contextOf(const Queue& queue) {
    return {queue.device, queue.process, queue.context};
}

/// Two streams, one of which may be the NULL stream.
class Pair {
public:
    Pair(const Sketch& sketch, const EventCalls& calls)
        : m_sketch(sketch)
        , m_calls(calls) {}
    /// Call in the order of issue.
    void add(NodeId n, bool second) {
        const NodeId other = m_last[second ? 0 : 1], own = m_last[second ? 1 : 0];
        if (other != kNoNode && (own == kNoNode || issued(other) > issued(own)))
            cross(n, own, other);
        m_last[second ? 1 : 0] = n;
    }
    bool waitForEachOther() const {
        constexpr std::size_t kAgain = 3, kMostDoubt = 20;
        return m_unasked >= kAgain && 4 * m_unasked >= m_crossings && kMostDoubt * m_beside <= m_crossings;
    }

private:
    Ns issued(NodeId n) const { return m_sketch.issuedAt(n); }
    /// `n` is the first work of its stream since `other`, the last one of the other stream.
    void cross(NodeId n, NodeId own, NodeId other) {
        const Node& node = m_sketch.graph.nodes[n];
        const Node& before = m_sketch.graph.nodes[other];
        ++m_crossings;
        if (m_sketch.ranBeside(other, n)) {
            ++m_beside;
            return;
        }
        const Ns ready = std::max(own == kNoNode ? 0 : m_sketch.graph.nodes[own].measured.end, issued(n));
        const bool held = ready + usual::kIssue < before.measured.end &&
                          node.measured.begin < before.measured.end + usual::kPause;
        // an engine or a full device would delay it too
        if (held && (node.unit != before.unit || node.engine != before.engine) &&
            !m_calls.waitsBetween(issued(other), issued(n)))
            ++m_unasked;
    }
    const Sketch& m_sketch;
    const EventCalls& m_calls;
    NodeId m_last[2] = {kNoNode, kNoNode};
    std::size_t m_crossings = 0;
    std::size_t m_beside = 0;  ///< those that did not wait for the other stream
    std::size_t m_unasked = 0; ///< those that waited, although nothing made them
};

/// Per context: its NULL stream; without a record, the stream with the lowest number that has work.
std::map<Context, std::uint16_t> nullStreams(const Sketch& sketch) {
    std::map<Context, std::uint16_t> found;
    const auto rank = [&](std::uint16_t q) {
        const Queue& queue = sketch.trace.queues()[q];
        return std::pair(queue.streamKind != StreamKind::Null, queue.number);
    };
    for (std::uint16_t q = 0; q < sketch.streams.size(); ++q) {
        if (sketch.streams[q].empty())
            continue;
        const auto [at, isNew] = found.try_emplace(contextOf(sketch.trace.queues()[q]), q);
        if (!isNew && rank(q) < rank(at->second))
            at->second = q;
    }
    return found;
}

/// The streams of unknown kind besides the NULL stream of their context, by number. Skips processes without
/// any call that makes a stream wait: the recording may omit such calls.
class Pairs {
public:
    explicit Pairs(const Sketch& sketch)
        : m_sketch(sketch)
        , m_nulls(nullStreams(sketch))
        , m_calls(unseenEventCalls(sketch)) {
        for (const NodeId n : sketch.issued)
            if (sketch.graph.nodes[n].kind == NodeKind::Work &&
                sketch.graph.nodes[n].queue < sketch.streams.size())
                add(n);
    }
    std::uint16_t nullOf(std::uint16_t queue) const {
        return m_nulls.at(contextOf(m_sketch.trace.queues()[queue]));
    }
    const std::map<std::uint16_t, Pair>& all() const { return m_pairs; }

private:
    void add(NodeId n) {
        const std::uint16_t queue = m_sketch.graph.nodes[n].queue;
        const Queue& described = m_sketch.trace.queues()[queue];
        if (nullOf(queue) == queue) {
            for (auto& [other, pair] : m_pairs)
                if (nullOf(other) == queue)
                    pair.add(n, false);
        } else if (const auto calls = m_calls.find(described.process);
                   described.streamKind == StreamKind::Unknown && calls != m_calls.end()) {
            m_pairs.try_emplace(queue, m_sketch, calls->second).first->second.add(n, true);
        }
    }
    const Sketch& m_sketch;
    const std::map<Context, std::uint16_t> m_nulls;
    const std::map<std::uint32_t, EventCalls> m_calls;
    std::map<std::uint16_t, Pair> m_pairs;
};

} // namespace

StreamKinds streamKinds(const Sketch& sketch) {
    StreamKinds found;
    for (const Queue& queue : sketch.trace.queues())
        found.kinds.push_back(queue.streamKind);
    if (!sketch.graph.endsWithWork || !sketch.facts.hasApi() || sketch.trace.recordsStreamCalls())
        return found;
    const Pairs pairs(sketch);
    for (const auto& [other, pair] : pairs.all())
        if (pair.waitForEachOther()) {
            found.areInferred = true;
            found.kinds[other] = StreamKind::Blocking;
            found.kinds[pairs.nullOf(other)] = StreamKind::Null;
        }
    return found;
}

} // namespace olab::replay
