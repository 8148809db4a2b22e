// Durations of device work: solo, beside others, and which part each cause is responsible for.
#include "device/device_side.h"
#include "device/leftover_room.h"
#include "graph/room.h"

#include <olab/analysis/link_rate.h>

#include <algorithm>
#include <optional>

namespace olab::replay {
namespace {

constexpr std::int64_t kLargeCopy = 1 << 20; ///< smaller ones are mostly latency

/// The share of its time during which the other direction copied too.
double sharedShare(const Sketch& sketch, const Node& node) {
    const ActivityClass other =
        node.cls == ActivityClass::MemcpyH2D ? ActivityClass::MemcpyD2H : ActivityClass::MemcpyH2D;
    const auto& coverage = sketch.facts.perDevice()[node.device].coverage[static_cast<std::size_t>(other)];
    const Ns length = node.measured.length();
    return length > 0 ? static_cast<double>(coverage.measure(node.measured)) / static_cast<double>(length)
                      : 0;
}

/// Large copies of pinned memory of a class, as the link between host and device sees them.
template <class Look>
void forLinkCopies(const Sketch& sketch, std::uint8_t device, ActivityClass cls, Look look) {
    for (const NodeId n : sketch.graph.workOf) {
        const Node& node = sketch.graph.nodes[n];
        const analysis::Work& work = sketch.facts.work(node.row);
        if (node.device == device && node.cls == cls && !work.isPageable() && work.solo > 0 &&
            node.measured.length() > 0 && sketch.trace.bytes(node.row) >= kLargeCopy)
            look(node, static_cast<double>(work.solo));
    }
}

std::optional<double> medianOf(std::vector<double> values) {
    if (values.size() < 3)
        return {};
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// Median slowdown of copies of a class while the other direction copied too, relative to the usual copy that
/// had the link to itself, if there are any: a link may be slower at the begin of a run than later.
double linkOf(const Sketch& sketch, std::uint8_t device, ActivityClass cls, double usual) {
    std::vector<double> alone;
    forLinkCopies(sketch, device, cls, [&](const Node& node, double solo) {
        if (sharedShare(sketch, node) < 0.02)
            alone.push_back(static_cast<double>(node.measured.length()) / solo);
    });
    const double base = medianOf(std::move(alone)).value_or(1);
    std::vector<double> seen;
    forLinkCopies(sketch, device, cls, [&](const Node& node, double solo) {
        const double share = sharedShare(sketch, node);
        if (share < 0.2)
            return;
        // = share * k / (1 + k)
        const double slowed = 1 - solo * base / static_cast<double>(node.measured.length());
        seen.push_back(slowed / std::max(0.01, share - slowed));
    });
    return std::clamp(medianOf(std::move(seen)).value_or(usual), 0.0, 1.0);
}

/// Bytes per ns of copies from and to pinned memory; 0: no such copies.
double pinnedRate(const Sketch& sketch, ActivityClass cls) {
    double best = 0;
    for (const analysis::Work& work : sketch.facts.works())
        if (work.cls == cls && work.solo > 0 && !work.isPageable() && work.bytes >= kLargeCopy &&
            (work.source == MemoryKind::Pinned || work.target == MemoryKind::Pinned))
            best = std::max(best, static_cast<double>(work.bytes) / static_cast<double>(work.solo));
    return best;
}

class Durations {
public:
    explicit Durations(Sketch& sketch)
        : m_sketch(sketch)
        , m_h2d(pinnedRate(sketch, ActivityClass::MemcpyH2D))
        , m_d2h(pinnedRate(sketch, ActivityClass::MemcpyD2H)) {
        countStreams();
    }

    void share(Node& node) {
        const analysis::Work& work = m_sketch.facts.work(node.row);
        const Ns measured = node.measured.length();
        if (measured != m_sketch.trace.duration(node.row)) // cut: the rest belongs to another iteration
            return;
        if (node.fixedBy == analysis::LossCause::UnifiedMemory ||
            analysis::isMigration(m_sketch.trace, node.row))
            return;
        if (node.communicates) // most of its extra time is waiting for others
            return;
        if (m_sketch.reasons.isOfSmallCopies(node.row)) {
            node.fixedBy = analysis::LossCause::SmallCopies;
            node.fixed = std::min(node.work, timeAtRate(node, usualRate(node)));
            return;
        }
        if (work.isPageable())
            return sharePageable(node);
        if (!work.soloIsTrusted() || work.solo <= 0)
            return;
        if (node.cls == ActivityClass::Kernel && node.share >= kFullShare) {
            node.work = std::min(measured, work.solo);
            return;
        }
        if (node.cls == ActivityClass::Memset &&
            m_sketch.facts.perDevice()[node.device].full.measure(node.measured) > 0) {
            node.work = std::min(measured, work.solo); // it starved in a full grid: it waits for its end
            return;
        }
        const Link& link = m_sketch.graph.links[node.device];
        const double slower = node.cls == ActivityClass::MemcpyH2D   ? link.h2d
                              : node.cls == ActivityClass::MemcpyD2H ? link.d2h
                                                                     : 0;
        const double share = slower > 0 ? sharedShare(m_sketch, node) : 0;
        const auto byLink = static_cast<Ns>(static_cast<double>(measured) * share * slower / (1 + slower));
        node.work = work.solo;
        node.extra = measured - work.solo - byLink;
        node.extraCause = node.extra <= 0       ? analysis::LossCause::None
                          : sharesChannel(node) ? analysis::LossCause::Connections
                                                : analysis::LossCause::Stretched;
    }

private:
    /// Kernels of streams that share a hardware queue include their queueing time in their records.
    bool sharesChannel(const Node& node) const {
        return node.cls == ActivityClass::Kernel && node.channel < m_streamsOf.size() &&
               m_streamsOf[node.channel] > 1;
    }
    void countStreams() {
        m_streamsOf.assign(m_sketch.trace.channels().size(), 0);
        std::vector<std::uint16_t> first(m_streamsOf.size(), 0xffff);
        for (const NodeId n : m_sketch.graph.workOf) {
            const Node& node = m_sketch[n];
            if (node.channel >= first.size() || first[node.channel] == node.queue)
                continue;
            first[node.channel] = node.queue;
            ++m_streamsOf[node.channel];
        }
    }
    void sharePageable(Node& node) {
        const double seen = node.cls == ActivityClass::MemcpyH2D ? m_h2d : m_d2h;
        node.fixedBy = analysis::LossCause::Pageable;
        node.fixed = std::min(node.work, timeAtRate(node, seen > 0 ? seen : usualRate(node)));
    }
    double usualRate(const Node& node) const {
        return analysis::usualLinkRate(m_sketch.trace.devices()[node.device]);
    }
    Ns timeAtRate(const Node& node, double rate) const {
        return static_cast<Ns>(static_cast<double>(m_sketch.trace.bytes(node.row)) / rate);
    }
    Sketch& m_sketch;
    double m_h2d, m_d2h;
    std::vector<std::uint32_t> m_streamsOf; ///< per channel; one or more than one
};

/// More blocks than any device holds at once, so that only its last blocks leave room, at its end.
bool takesTurns(const Sketch& sketch, const Node& node) {
    constexpr std::uint64_t kBlocks = 32, kThreads = 2048; // of a multiprocessor, at most
    const KernelGeometry* const geometry = sketch.trace.geometry(node.row);
    const std::uint32_t sms = sketch.trace.devices()[node.device].smCount;
    if (node.share >= kFullShare)
        return true;
    if (!geometry || sms == 0)
        return false;
    const std::uint64_t threads = std::uint64_t{geometry->block[0]} * geometry->block[1] * geometry->block[2];
    return threads > 0 &&
           geometry->blocks() > sms * std::min(kBlocks, std::max<std::uint64_t>(1, kThreads / threads));
}

/// How long each kernel overlapped the one before it.
struct Turns {
    std::vector<NodeId> kernels; ///< by begin
    std::vector<Ns> waited;
    std::vector<std::uint8_t> shared; ///< devices on which the overlap was more than the tail of a kernel
};

Turns turnsOf(const Sketch& sketch) {
    constexpr Ns kTail = 3; // of a kernel, at most
    Turns turns;
    turns.shared.resize(sketch.graph.devices, 0);
    std::vector<NodeId> before(sketch.graph.devices, kNoNode); // the one that ends last
    for (const NodeId n : sketch.graph.workOf) {
        const Node& node = sketch.graph.nodes[n];
        if (node.cls != ActivityClass::Kernel)
            continue;
        NodeId& last = before[node.device];
        const Interval one = last == kNoNode ? Interval{} : sketch.graph.nodes[last].measured;
        const Ns together =
            last == kNoNode ? 0 : std::max<Ns>(0, std::min(one.end, node.measured.end) - node.measured.begin);
        // of all of them, also of one that began before what is judged
        if (together > 0 && together > std::min(sketch.trace.duration(sketch.graph.nodes[last].row),
                                                sketch.trace.duration(node.row)) /
                                           kTail)
            turns.shared[node.device] = 1;
        turns.kernels.push_back(n);
        turns.waited.push_back(together);
        if (last == kNoNode || node.measured.end > one.end)
            last = n;
    }
    return turns;
}

/// Kernels of other programs that took turns began while the last blocks of the previous one still ran, and
/// waited for room: that part of them is not work. Kernels with a longer overlap did share the device.
void shareOutTurns(Sketch& sketch) {
    constexpr float kMost = 0.89F; // memsets and small grids still fit in
    const Turns turns = turnsOf(sketch);
    for (std::size_t i = 0; i < turns.kernels.size(); ++i) {
        Node& node = sketch[turns.kernels[i]];
        if (turns.shared[node.device] != 0 || !takesTurns(sketch, node))
            continue;
        node.share = std::max(node.share, kMost);
        node.work = std::max<Ns>(0, node.work - turns.waited[i]);
    }
}

/// Kernels of a device that overlapped for more than the tail of one, although by their records they would
/// not fit: their need for room is unknown.
class Contradictions {
public:
    explicit Contradictions(const Sketch& sketch)
        : m_sketch(sketch)
        , m_found(sketch.graph.devices, 0)
        , m_running(sketch.graph.devices) {
        for (const NodeId n : sketch.graph.workOf) // by begin
            if (sketch.graph.nodes[n].cls == ActivityClass::Kernel)
                add(sketch.graph.nodes[n]);
    }
    bool on(std::uint8_t device) const { return m_found[device] != 0; }

private:
    struct Running {
        Interval time;
        float room = 0;
    };
    void add(const Node& node) {
        constexpr Ns kTail = 3; // of a kernel, at most
        std::vector<Running>& running = m_running[node.device];
        const Running own{node.measured, roomOf(m_sketch.facts, node)};
        std::erase_if(running, [&](const Running& one) { return one.time.end <= own.time.begin; });
        float taken = own.room;
        for (const Running& one : running) {
            const Ns together = std::min(one.time.end, own.time.end) - own.time.begin;
            if (together <= std::min(one.time.length(), own.time.length()) / kTail)
                continue;
            taken += one.room;
            if (one.room <= 0 || own.room <= 0 || taken > 1)
                m_found[node.device] = 1;
        }
        if (m_found[node.device] == 0)
            running.push_back(own);
    }

    const Sketch& m_sketch;
    std::vector<std::uint8_t> m_found;
    std::vector<std::vector<Running>> m_running;
};

/// If no record says how many blocks the device holds, and no kernels ran in parallel that would not fit: a
/// kernel with a block for each SM counts as leaving no room for its own kind. A gain that was never observed
/// is not predicted.
void keepKernelsApart(Sketch& sketch, const Contradictions& contradictions) {
    for (const NodeId n : sketch.graph.workOf) {
        Node& node = sketch[n];
        if (sketch.graph.endsWithWork && node.cls == ActivityClass::Kernel && node.share <= 0 &&
            !contradictions.on(node.device))
            node.share = roomOf(sketch.facts, node);
    }
}

} // namespace

void shareOutDurations(Sketch& sketch) {
    for (std::size_t d = 0; d < sketch.graph.devices; ++d) {
        const auto device = static_cast<std::uint8_t>(d);
        sketch.graph.links.push_back({linkOf(sketch, device, ActivityClass::MemcpyH2D, 0.12),
                                      linkOf(sketch, device, ActivityClass::MemcpyD2H, 0.10)});
    }
    const Contradictions contradictions(sketch);
    keepKernelsApart(sketch, contradictions);
    Durations durations(sketch);
    for (const NodeId n : sketch.graph.workOf)
        durations.share(sketch[n]);
    if (!sketch.graph.endsWithWork)
        return;
    shareOutTurns(sketch);
    for (std::size_t d = 0; d < sketch.graph.devices; ++d)
        if (const auto device = static_cast<std::uint8_t>(d); contradictions.on(device))
            shareOutLeftovers(sketch, device);
}

} // namespace olab::replay
