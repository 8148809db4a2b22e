#include "play/replay.h"

#include "graph/usual_times.h"

#include <olab/analysis/work.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <queue>
#include <set>
#include <utility>

namespace olab::replay {
namespace {

constexpr double kWhole = 1 + 1e-6;   ///< sums of shares are not exact
constexpr std::uint64_t kLook = 4096; ///< steps between two checks of the stop token
constexpr int kCopiesLookedAt = 64;   ///< number examined among copies that are ready or will be

/// One direction of copies of a device: one at a time.
struct Engine {
    NodeId running = kNoNode;
    std::multimap<std::uint16_t, NodeId> ready; ///< by channel, in the order of becoming ready
    std::uint16_t channel = 0xffff;
    std::set<std::pair<Ns, NodeId>> coming; ///< copies that become ready at these times
    Ns freeSince = kNever;
    // of the running copy: the rest at `since`, at the full rate
    double left = 0, rate = 1;
    Ns since = 0;
    std::uint32_t version = 0; ///< identifies the valid end in the queue
};

/// The multiprocessors of a device.
struct Sms {
    double taken = 0;
    unsigned full = 0;           ///< grids that leave no room
    std::vector<NodeId> waiting; ///< in the order of becoming ready
    std::size_t head = 0;
    std::size_t memsets = 0; ///< among the waiting ones
};

/// A thread that calls host functions.
struct Worker {
    bool busy = false;
    std::deque<NodeId> waiting; ///< in the order of becoming ready
};

struct Event {
    Ns at = 0;
    NodeId node = 0;
    std::uint32_t version = 0; ///< for the end of a copy
    enum class Kind : std::uint8_t { End, Ready } kind{};
    friend bool operator>(const Event& a, const Event& b) {
        if (a.at != b.at)
            return a.at > b.at;
        return a.kind != b.kind ? a.kind > b.kind : a.node > b.node;
    }
};

class Player {
public:
    Player(const Graph& graph, Causes without)
        : m_graph(graph)
        , m_without(without)
        , m_shortFirst(without.has(analysis::LossCause::HeadOfLine) &&
                       graph.present.has(analysis::LossCause::HeadOfLine))
        , m_inTurn(without.has(analysis::LossCause::Priority) &&
                   graph.present.has(analysis::LossCause::Priority))
        , m_behind(graph.nodes.size(), 0)
        , m_readyAt(graph.nodes.size(), kNever)
        , m_begin(graph.nodes.size(), 0)
        , m_end(graph.nodes.size(), 0)
        , m_engines(graph.devices * graph.enginesPerDevice)
        , m_sms(graph.devices)
        , m_workers(graph.workers) {
        for (const Edge& edge : graph.edges)
            if (!m_without.has(edge.cause))
                ++m_behind[edge.to];
        for (NodeId n = 0; n < graph.nodes.size(); ++n) {
            m_readyAt[n] = graph.nodes[n].earliest;
            if (m_behind[n] == 0)
                m_events.push({(m_readyAt[n] == kNever ? graph.start : m_readyAt[n]) + heldOf(n), n, 0,
                               Event::Kind::Ready});
        }
    }

    void run(const RunControl& control) {
        for (std::uint64_t steps = 0; !m_events.empty(); ++steps) {
            if (steps % kLook == 0)
                control.throwIfCancelled();
            const Event event = m_events.top();
            m_events.pop();
            if (event.kind == Event::Kind::Ready)
                enter(event.node, event.at);
            else if (m_graph.nodes[event.node].unit != Unit::CopyEngine ||
                     engineOf(event.node).version == event.version)
                finish(event.node, event.at);
        }
    }

    Ns lastEnd() const {
        Ns last = m_graph.start;
        for (NodeId n = 0; n < m_end.size(); ++n)
            if (!m_graph.endsWithWork || node(n).kind == NodeKind::Work)
                last = std::max(last, m_end[n]);
        return last;
    }
    Interval time(NodeId n) const { return {m_begin[n], m_end[n]}; }

private:
    const Node& node(NodeId n) const { return m_graph.nodes[n]; }
    Engine& engineOf(NodeId n) {
        return m_engines[node(n).device * m_graph.enginesPerDevice + node(n).engine];
    }
    /// Without a record, one channel per stream.
    std::uint16_t channelOf(NodeId n) const {
        return node(n).channel == kNoChannel.value ? node(n).queue : node(n).channel;
    }
    Ns heldOf(NodeId n) const { return m_without.has(node(n).heldBy) ? 0 : node(n).held; }
    Ns lengthOf(NodeId n) const { return node(n).length(m_without); }

    void enter(NodeId n, Ns at) {
        switch (node(n).unit) {
        case Unit::None:
            return begin(n, at + leadOf(n));
        case Unit::Worker:
            if (m_without.has(analysis::LossCause::Callback))
                return begin(n, at);
            m_workers[node(n).engine].waiting.push_back(n);
            return call(m_workers[node(n).engine], at);
        case Unit::CopyEngine: {
            Engine& engine = engineOf(n);
            engine.ready.emplace(channelOf(n), n);
            engine.coming.erase({at, n});
            if (m_shortFirst && engine.running != kNoNode)
                interrupt(engine, n, at);
            if (engine.running == kNoNode)
                next(engine, at);
            return;
        }
        case Unit::Sms: {
            if (runsBeside(n))
                return begin(n, at);
            Sms& sms = m_sms[node(n).device];
            if (node(n).cls == ActivityClass::Memset && fits(sms, n)) // overtakes all waiting grids
                return begin(n, at);
            const auto after = std::upper_bound(
                sms.waiting.begin() + static_cast<std::ptrdiff_t>(sms.head), sms.waiting.end(), n,
                [this](NodeId a, NodeId b) { return a != kNoNode && b != kNoNode && rankOf(a) < rankOf(b); });
            sms.waiting.insert(after, n);
            sms.memsets += node(n).cls == ActivityClass::Memset;
            return admit(sms, at);
        }
        }
    }

    void begin(NodeId n, Ns at) {
        m_begin[n] = at;
        release(n, at, true);
        m_events.push({at + lengthOf(n), n, 0, Event::Kind::End});
    }

    void finish(NodeId n, Ns at) {
        m_end[n] = at;
        release(n, at, false);
        if (node(n).unit == Unit::CopyEngine) {
            Engine& engine = engineOf(n);
            engine.running = kNoNode;
            engine.freeSince = at;
            setRates(node(n).device, at);
            next(engine, at);
        } else if (node(n).unit == Unit::Sms && !runsBeside(n)) {
            Sms& sms = m_sms[node(n).device];
            sms.taken -= node(n).share;
            if (node(n).share >= kFullShare)
                --sms.full;
            admit(sms, at);
        } else if (node(n).unit == Unit::Worker && !m_without.has(analysis::LossCause::Callback)) {
            m_workers[node(n).engine].busy = false;
            call(m_workers[node(n).engine], at);
        }
    }

    Ns leadOf(NodeId n) const { return m_without.has(analysis::LossCause::Callback) ? 0 : node(n).lead; }
    void call(Worker& worker, Ns at) {
        if (worker.busy || worker.waiting.empty())
            return;
        const NodeId n = worker.waiting.front();
        worker.waiting.pop_front();
        worker.busy = true;
        begin(n, at + leadOf(n));
    }

    void release(NodeId n, Ns at, bool begun) {
        for (std::uint32_t e = m_graph.first[n]; e < m_graph.first[n + 1]; ++e) {
            const Edge& edge = m_graph.edges[e];
            if (edge.fromBegin != begun || m_without.has(edge.cause))
                continue;
            const Ns latency = m_without.has(edge.latencyCause) ? edge.fixedLatency : edge.latency;
            m_readyAt[edge.to] = std::max(m_readyAt[edge.to], at + latency);
            if (--m_behind[edge.to] > 0)
                continue;
            const Ns ready = std::max(at, m_readyAt[edge.to]) + heldOf(edge.to);
            m_events.push({ready, edge.to, 0, Event::Kind::Ready});
            if (node(edge.to).unit == Unit::CopyEngine)
                engineOf(edge.to).coming.emplace(ready, edge.to);
        }
    }

    /// Without priorities all take turns.
    std::int32_t rankOf(NodeId n) const { return m_inTurn ? 0 : node(n).priority; }

    // --- copy engines
    /// The rest of an interrupted copy.
    double leftOf(NodeId n) const {
        const auto paused = m_paused.find(n);
        return paused == m_paused.end() ? static_cast<double>(lengthOf(n)) : paused->second;
    }

    /// A long copy is done in pieces: much shorter ones go between them.
    void interrupt(Engine& engine, NodeId by, Ns at) {
        const double done = at > engine.since ? static_cast<double>(at - engine.since) * engine.rate : 0;
        const double left = std::max(0.0, engine.left - done);
        if (left < static_cast<double>(analysis::kLongerCopy) * leftOf(by))
            return;
        m_paused[engine.running] = left;
        engine.ready.emplace(channelOf(engine.running), engine.running);
        ++engine.version; // invalidates the end in the queue
        engine.running = kNoNode;
    }

    using Ready = std::multimap<std::uint16_t, NodeId>::iterator;
    /// The first much shorter copy to run instead of a long one, of the few that are examined.
    Ready shorterThan(Ready chosen, Engine& engine) const {
        int looks = 0;
        for (auto at = engine.ready.begin(); at != engine.ready.end() && looks < kCopiesLookedAt;
             ++at, ++looks)
            if (static_cast<double>(analysis::kLongerCopy) * leftOf(at->second) <= leftOf(chosen->second))
                return at;
        return chosen;
    }

    /// Another copy is ready at the same time: of the engine's current channel, or one that went first in the
    /// recording.
    bool waitsForAnother(const Engine& engine, NodeId chosen, Ns at) const {
        if (channelOf(chosen) == engine.channel)
            return false;
        int looks = 0;
        for (const auto& [ready, n] : engine.coming) {
            if (ready > at + usual::kHandOver || ++looks > kCopiesLookedAt)
                return false;
            if (channelOf(n) == engine.channel || node(n).measured.begin < node(chosen).measured.begin)
                return true;
        }
        return false;
    }

    void next(Engine& engine, Ns at) {
        if (engine.ready.empty())
            return;
        // stays with its channel while that has work, then moves to the next one
        auto chosen = engine.ready.lower_bound(engine.channel);
        if (chosen == engine.ready.end())
            chosen = engine.ready.begin();
        if (m_shortFirst)
            chosen = shorterThan(chosen, engine);
        const NodeId n = chosen->second;
        if (!m_shortFirst && waitsForAnother(engine, n, at))
            return;
        engine.ready.erase(chosen);
        const bool isMerged = node(n).fixedBy == analysis::LossCause::SmallCopies &&
                              m_without.has(analysis::LossCause::SmallCopies);
        const Ns handover = isMerged ? 0 : m_graph.engineLatency[node(n).latencyKind];
        const Ns from = engine.freeSince == kNever ? at : std::max(at, engine.freeSince + handover);
        engine.running = n;
        engine.channel = channelOf(n);
        engine.left = leftOf(n);
        engine.since = from;
        if (m_paused.erase(n) == 0) { // otherwise it has begun before
            m_begin[n] = from;
            release(n, from, true);
        }
        setRates(node(n).device, at);
    }

    /// Copies in both directions slow each other.
    void setRates(std::uint8_t device, Ns at) {
        const std::size_t first = device * m_graph.enginesPerDevice;
        for (std::size_t e = 0; e < m_graph.enginesPerDevice; ++e) {
            Engine& engine = m_engines[first + e];
            if (engine.running == kNoNode)
                continue;
            if (at > engine.since) {
                engine.left -= static_cast<double>(at - engine.since) * engine.rate;
                engine.since = at;
            }
            engine.rate = rateOf(engine, device);
            ++engine.version;
            const Ns end = engine.since + static_cast<Ns>(std::max(0.0, engine.left) / engine.rate + 0.5);
            m_events.push({end, engine.running, engine.version, Event::Kind::End});
        }
    }

    double rateOf(const Engine& engine, std::uint8_t device) const {
        const ActivityClass cls = node(engine.running).cls;
        const ActivityClass other =
            cls == ActivityClass::MemcpyH2D ? ActivityClass::MemcpyD2H : ActivityClass::MemcpyH2D;
        const double slower =
            cls == ActivityClass::MemcpyH2D ? m_graph.links[device].h2d : m_graph.links[device].d2h;
        if (slower == 0 || (cls != ActivityClass::MemcpyH2D && cls != ActivityClass::MemcpyD2H))
            return 1;
        for (std::size_t e = 0; e < m_graph.enginesPerDevice; ++e) {
            const Engine& beside = m_engines[device * m_graph.enginesPerDevice + e];
            if (beside.running != kNoNode && node(beside.running).cls == other)
                return 1 / (1 + slower);
        }
        return 1;
    }

    // --- the SMs
    /// Communication takes few SMs. Without the cause, other work does not wait for it, nor it for room. The
    /// same holds for small grids delayed by a wrong priority.
    bool runsBeside(NodeId n) const {
        return (node(n).communicates && m_without.has(analysis::LossCause::ExposedCommunication)) ||
               (node(n).goesBetween && m_inTurn);
    }
    bool fits(const Sms& sms, NodeId n) const {
        if (node(n).cls == ActivityClass::Memset)
            return sms.full == 0 || m_without.has(analysis::LossCause::MemsetFullGrid);
        return sms.taken <= 1e-6 || sms.taken + node(n).share <= kWhole;
    }

    /// Grids enter in the order of becoming ready; one that does not fit blocks the later ones.
    void admit(Sms& sms, Ns at) {
        bool held = false;
        for (std::size_t i = sms.head; i < sms.waiting.size(); ++i) {
            if (held && sms.memsets == 0) // only memsets may pass a blocked grid
                break;
            const NodeId n = sms.waiting[i];
            if (n == kNoNode)
                continue;
            if ((held && node(n).cls != ActivityClass::Memset) || !fits(sms, n)) {
                held = true;
                continue;
            }
            sms.waiting[i] = kNoNode;
            sms.memsets -= node(n).cls == ActivityClass::Memset;
            sms.taken += node(n).share;
            if (node(n).share >= kFullShare)
                ++sms.full;
            begin(n, at);
        }
        while (sms.head < sms.waiting.size() && sms.waiting[sms.head] == kNoNode)
            ++sms.head;
        if (sms.head == sms.waiting.size()) {
            sms.waiting.clear();
            sms.head = 0;
        }
    }

    const Graph& m_graph;
    const Causes m_without;
    const bool m_shortFirst, m_inTurn;
    std::vector<std::uint32_t> m_behind; ///< predecessors left per node
    std::vector<Ns> m_readyAt, m_begin, m_end;
    std::vector<Engine> m_engines;
    std::vector<Sms> m_sms;
    std::vector<Worker> m_workers;
    std::map<NodeId, double> m_paused; ///< interrupted copies, and the rest of each
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
};

} // namespace

Played play(const Graph& graph, Causes without, Keep keep, const RunControl& control) {
    Player player(graph, without);
    player.run(control);
    Played played;
    played.length = player.lastEnd() + graph.tail - graph.start;
    if (keep == Keep::Times)
        for (NodeId n = 0; n < graph.nodes.size(); ++n)
            played.times.push_back(player.time(n));
    return played;
}

} // namespace olab::replay
