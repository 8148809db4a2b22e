#include <olab/trace/lanes.h>

#include "lane_parts.h"

#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <tuple>

namespace olab {
namespace {

// Top to bottom: data in, compute, data out, then transfers among devices.
constexpr std::array kEngineOrder{EngineKind::CopyH2D, EngineKind::Compute, EngineKind::CopyD2H,
                                  EngineKind::CopyD2D, EngineKind::CopyP2P};

// The kinds of a scope that a LaneSet has, in the order of the view.
template <typename Visit>
void eachKind(LaneScope scope, Visit visit) {
    for (const LaneKindRow& row : kLaneKindRows)
        if (row.scope == scope && !row.onDemand)
            visit(row);
}

constexpr std::size_t slotOf(LaneKind kind) {
    return static_cast<std::size_t>(kind);
}

// The kinds of a scope that contain each class: read for every activity.
struct KindsOfClass {
    std::array<LaneKind, kLaneKindCount> kinds{};
    std::size_t count = 0;
};
using KindsByClass = std::array<KindsOfClass, kClassCount>;

constexpr KindsByClass kindsOf(auto isIn) {
    KindsByClass byClass{};
    for (std::size_t c = 0; c < kClassCount; ++c)
        for (const LaneKindRow& row : kLaneKindRows)
            if (!row.onDemand && isIn(row.scope) && (row.holds & maskOf(static_cast<ActivityClass>(c))) != 0)
                byClass[c].kinds[byClass[c].count++] = row.kind;
    return byClass;
}
constexpr KindsByClass kOfEngines = kindsOf([](LaneScope scope) { return scope == LaneScope::Engine; });
constexpr KindsByClass kOfOthers = kindsOf([](LaneScope scope) { return scope != LaneScope::Engine; });

// Nearly always one: avoids a loop.
template <typename Visit>
[[gnu::always_inline]] inline void eachKindOf(const KindsByClass& byClass, ActivityClass cls, Visit visit) {
    const KindsOfClass& of = byClass[static_cast<std::size_t>(cls)];
    if (of.count == 1) [[likely]]
        return visit(of.kinds[0]);
    for (std::size_t i = 0; i < of.count; ++i)
        visit(of.kinds[i]);
}

constexpr std::array<bool, kLaneKindCount> kOfHost = [] {
    std::array<bool, kLaneKindCount> ofHost{};
    for (const LaneKindRow& row : kLaneKindRows)
        ofHost[slotOf(row.kind)] = row.scope == LaneScope::Host;
    return ofHost;
}();

// Bit i: kind i goes into the same lane as this one, if the two do not cross.
constexpr std::array<std::uint32_t, kLaneKindCount> kSharing = [] {
    std::array<std::uint32_t, kLaneKindCount> sharing{};
    for (const LaneKindRow& a : kLaneKindRows)
        for (const LaneKindRow& b : kLaneKindRows)
            if (a.kind != b.kind && a.sharedWith == b.sharedWith)
                sharing[slotOf(a.kind)] |= 1u << slotOf(b.kind);
    return sharing;
}();

// An engine, a queue or the host: its number of activities of each kind, and their lanes.
struct Place {
    std::array<std::uint32_t, kLaneKindCount> counts{}, lanes{};
};

// A stream or a host thread, whose kinds may share a lane, or the host.
struct QueuePlace : Place {
    std::array<Ns, kLaneKindCount> latest{};
    std::uint32_t crossing = 0; // bit i: kind i crosses the kind it would share a lane with

    /// Of a kind that shares.
    void lookForCrossing(LaneKind kind, Interval time) {
        const std::uint32_t sharing = kSharing[slotOf(kind)];
        for (std::uint32_t rest = sharing; rest != 0; rest &= rest - 1) {
            const auto other = static_cast<std::size_t>(std::countr_zero(rest));
            if (counts[other] > 0 && time.begin < latest[other])
                crossing |= sharing | 1u << slotOf(kind);
        }
        Ns& last = latest[slotOf(kind)];
        last = counts[slotOf(kind)] > 0 ? std::max(last, time.end) : time.end;
    }
    LaneKind laneKind(LaneKind kind) const {
        return (crossing >> slotOf(kind) & 1) != 0 ? kind : laneKindRow(kind).sharedWith;
    }
    std::size_t activitiesIn(LaneKind lane) const {
        std::size_t activities = 0;
        for (const LaneKindRow& row : kLaneKindRows)
            activities += laneKind(row.kind) == lane ? counts[slotOf(row.kind)] : 0;
        return activities;
    }
    /// A kind that goes into another's lane gets that lane, too.
    void shareLanes() {
        for (const LaneKindRow& row : kLaneKindRows)
            lanes[slotOf(row.kind)] = lanes[slotOf(laneKind(row.kind))];
    }
    bool isUsed() const {
        return std::ranges::any_of(counts, [](std::uint32_t count) { return count > 0; });
    }
};

std::string plainLabel(const Trace& trace, const Queue& stream) {
    return stream.streamKind == StreamKind::Null ? "NULL stream" + trace.processText(stream)
                                                 : trace.queueText(stream);
}

// Counts first, so that every lane's columns are allocated once with the exact size.
class LaneMaker {
public:
    LaneMaker(const Trace& trace, bool fillsAll);
    std::vector<Lane> make();

private:
    using Engines = std::array<Place, kEngineCount>;
    void count();
    void countOthers();
    void countEngines();
    void openDevice(std::uint8_t device);
    void openEngine(std::uint8_t device, EngineKind engine);
    void openHost();
    void openQueue(std::uint16_t queue, LaneScope scope, const std::string& label);
    Lane& open(LaneKind kind, std::string label, std::size_t activities);
    QueuePlace& placeOf(LaneKind kind, ActivityIndex i) {
        return m_queues[kOfHost[slotOf(kind)] ? m_hostPlace : m_trace.queueOf(i).value];
    }
    std::string streamLabel(const Queue& q) const;
    void sortQueues();
    void fill(std::size_t threads);
    void fillOthers();
    void fillEngines(std::size_t part, std::size_t parts);

    const Trace& m_trace;
    const bool m_fillsAll; // not only those of engines
    std::vector<Lane> m_lanes;
    std::map<std::pair<std::uint8_t, std::string>, std::size_t> m_labelUses; // per device and plain label
    std::vector<std::vector<std::uint16_t>> m_streams;                       // per device, by number
    std::vector<std::uint16_t> m_threads;
    std::vector<Engines> m_engines;   // per device
    const std::size_t m_hostPlace;    // after the queues
    std::vector<QueuePlace> m_queues; // by queue, then the host
};

LaneMaker::LaneMaker(const Trace& trace, bool fillsAll)
    : m_trace(trace)
    , m_fillsAll(fillsAll)
    , m_streams(trace.devices().size())
    , m_engines(trace.devices().size())
    , m_hostPlace(trace.queues().size())
    , m_queues(trace.queues().size() + 1) {}

std::vector<Lane> LaneMaker::make() {
    count();
    sortQueues();
    for (std::size_t d = 0; d < m_trace.devices().size(); ++d)
        openDevice(static_cast<std::uint8_t>(d));
    openHost();
    const std::size_t threads = threadsFor(m_trace.size());
    fill(threads);
    std::vector<std::size_t> longestFirst(m_lanes.size());
    std::iota(longestFirst.begin(), longestFirst.end(), std::size_t{0});
    std::ranges::stable_sort(longestFirst, std::ranges::greater(),
                             [this](std::size_t lane) { return m_lanes[lane].activities.size(); });
    sideBySide(longestFirst.size(), threads, [&](std::size_t part) {
        Lane& lane = m_lanes[longestFirst[part]];
        if (lane.activities.empty())
            return;
        completeLane(lane, m_trace);
        if (lane.kind == LaneKind::Engine)
            lane.channels = channelsOf(lane, m_trace);
    });
    return std::move(m_lanes);
}

void LaneMaker::count() {
    for (const Queue& q : m_trace.queues())
        if (q.kind == Queue::Kind::Stream)
            ++m_labelUses[{q.device, plainLabel(m_trace, q)}];
    sideBySide(2, threadsFor(m_trace.size()), [this](std::size_t part) {
        if (part == 0)
            countOthers();
        else
            countEngines();
    });
}

void LaneMaker::countOthers() {
    for (ActivityIndex i = 0; i < m_trace.size(); ++i)
        eachKindOf(kOfOthers, m_trace.cls(i), [&](LaneKind kind) {
            QueuePlace& place = placeOf(kind, i);
            if (kSharing[slotOf(kind)] != 0)
                place.lookForCrossing(kind, m_trace.time(i));
            ++place.counts[slotOf(kind)];
        });
}

/// Device, engine and class are the same for all of a kind.
void LaneMaker::countEngines() {
    const auto kinds = m_trace.kinds();
    std::vector<std::uint32_t> counts(kinds.size());
    for (ActivityIndex i = 0; i < m_trace.size(); ++i)
        ++counts[m_trace.kindOf(i)];
    for (std::size_t k = 0; k < kinds.size(); ++k)
        if (kinds[k].engine != EngineKind::None) {
            Place& place = m_engines[kinds[k].device][static_cast<std::size_t>(kinds[k].engine)];
            eachKindOf(kOfEngines, kinds[k].cls,
                       [&](LaneKind kind) { place.counts[slotOf(kind)] += counts[k]; });
        }
}

Lane& LaneMaker::open(LaneKind kind, std::string label, std::size_t activities) {
    Lane& lane = m_lanes.emplace_back();
    lane.id.value = static_cast<std::uint32_t>(m_lanes.size() - 1);
    lane.kind = kind;
    lane.label = std::move(label);
    lane.activities.reserve(m_fillsAll || kind == LaneKind::Engine ? activities : 0);
    return lane;
}

void LaneMaker::openDevice(std::uint8_t device) {
    for (const EngineKind engine : kEngineOrder)
        openEngine(device, engine);
    for (const std::uint16_t queue : m_streams[device])
        openQueue(queue, LaneScope::Stream, streamLabel(m_trace.queues()[queue]));
}

void LaneMaker::openEngine(std::uint8_t device, EngineKind engine) {
    Place& place = m_engines[device][static_cast<std::size_t>(engine)];
    eachKind(LaneScope::Engine, [&](const LaneKindRow& row) {
        if (place.counts[slotOf(row.kind)] == 0)
            return;
        place.lanes[slotOf(row.kind)] = static_cast<std::uint32_t>(m_lanes.size());
        Lane& lane = open(row.kind, std::string(engineLabel(engine)).append(row.label),
                          place.counts[slotOf(row.kind)]);
        lane.device = device;
        lane.engine = engine;
    });
}

void LaneMaker::openQueue(std::uint16_t queue, LaneScope scope, const std::string& label) {
    QueuePlace& place = m_queues[queue];
    eachKind(scope, [&](const LaneKindRow& row) {
        const std::size_t activities = place.activitiesIn(row.kind);
        if (activities == 0)
            return;
        place.lanes[slotOf(row.kind)] = static_cast<std::uint32_t>(m_lanes.size());
        Lane& lane = open(row.kind, label + std::string(row.label), activities);
        lane.device = isOfDevice(scope) ? m_trace.queues()[queue].device : std::uint8_t{0};
        lane.queue.value = queue;
    });
    place.shareLanes();
}

void LaneMaker::openHost() {
    QueuePlace& host = m_queues.back();
    eachKind(LaneScope::Host, [&](const LaneKindRow& row) {
        host.lanes[slotOf(row.kind)] = static_cast<std::uint32_t>(m_lanes.size());
        if (host.counts[slotOf(row.kind)] > 0)
            open(row.kind, std::string(row.label), host.counts[slotOf(row.kind)]);
    });
    for (const std::uint16_t queue : m_threads)
        openQueue(queue, LaneScope::Thread, m_trace.queueText(m_trace.queues()[queue]));
}

/// Those with activities, by number.
void LaneMaker::sortQueues() {
    const auto queues = m_trace.queues();
    std::vector<std::uint16_t> used;
    for (std::size_t q = 0; q < queues.size(); ++q)
        if (m_queues[q].isUsed())
            used.push_back(static_cast<std::uint16_t>(q));
    std::ranges::sort(used, {},
                      [&](std::uint16_t q) { return std::tuple(queues[q].number, queues[q].context, q); });
    for (const std::uint16_t q : used)
        (queues[q].kind == Queue::Kind::Stream ? m_streams[queues[q].device] : m_threads).push_back(q);
}

std::string LaneMaker::streamLabel(const Queue& q) const {
    const std::string label = plainLabel(m_trace, q);
    const bool unique = m_labelUses.at({q.device, label}) == 1 || q.context == kNoNumber;
    return unique ? label : label + " (context " + std::to_string(q.context) + ")";
}

void LaneMaker::fill(std::size_t threads) {
    constexpr std::size_t kParts = 2;
    if (m_fillsAll)
        sideBySide(2, threads, [this](std::size_t part) { part == 0 ? fillOthers() : fillEngines(0, 1); });
    else
        sideBySide(kParts, threads, [this](std::size_t part) { fillEngines(part, kParts); });
}

void LaneMaker::fillOthers() {
    for (ActivityIndex i = 0; i < m_trace.size(); ++i)
        eachKindOf(kOfOthers, m_trace.cls(i), [&](LaneKind kind) {
            m_lanes[placeOf(kind, i).lanes[slotOf(kind)]].activities.push_back(i);
        });
}

/// Of every device with number modulo `parts` equal to `part`.
void LaneMaker::fillEngines(std::size_t part, std::size_t parts) {
    const auto kinds = m_trace.kinds();
    std::vector<std::uint32_t> lanes, ends(kinds.size()); // of each kind, consecutively
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (kinds[k].engine != EngineKind::None && kinds[k].device % parts == part) {
            const Place& place = m_engines[kinds[k].device][static_cast<std::size_t>(kinds[k].engine)];
            eachKindOf(kOfEngines, kinds[k].cls,
                       [&](LaneKind kind) { lanes.push_back(place.lanes[slotOf(kind)]); });
        }
        ends[k] = static_cast<std::uint32_t>(lanes.size());
    }
    for (ActivityIndex i = 0; i < m_trace.size(); ++i) {
        const std::uint32_t kind = m_trace.kindOf(i);
        for (std::uint32_t at = kind == 0 ? 0 : ends[kind - 1]; at < ends[kind]; ++at)
            m_lanes[lanes[at]].activities.push_back(i);
    }
}

} // namespace

LaneSet LaneSet::made(const Trace& trace, bool fillsAll) {
    LaneSet set;
    set.m_lanes = LaneMaker(trace, fillsAll).make();
    set.m_engines.resize(trace.devices().size());
    for (auto& engines : set.m_engines)
        engines.fill(kNoNumber);
    set.m_ofDevice.resize(trace.devices().size());
    set.m_ofQueue.resize(trace.queues().size());
    for (const Lane& lane : set.m_lanes) {
        if (lane.kind == LaneKind::Engine)
            set.m_engines[lane.device][static_cast<std::size_t>(lane.engine)] = lane.id.value;
        if (const LaneScope scope = scopeOf(lane.kind);
            scope == LaneScope::Stream || scope == LaneScope::Thread)
            set.m_ofQueue[lane.queue.value].add(lane.id);
        if (isOfDevice(lane.kind))
            set.m_ofDevice[lane.device].add(lane.id);
    }
    return set;
}

} // namespace olab
