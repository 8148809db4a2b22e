#include <olab/trace/lanes.h>

#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

namespace olab {
namespace {

constexpr std::size_t kMaxDepth = 4096; // sub-lanes; what crosses more than that shares the last one

// Top to bottom: data in, compute, data out, then what stays on the devices.
constexpr std::array kEngineOrder{EngineKind::CopyH2D, EngineKind::Compute, EngineKind::CopyD2H,
                                  EngineKind::CopyD2D, EngineKind::CopyP2P};

// First-fit sub-lanes: one after the other while they are few, else in O(log depth), a tournament over the
// times at which sub-lanes get free.
class SubLanes {
public:
    /// The first sub-lane free at `time.begin`, taken until `time.end`; the last one when none is. Activities
    /// come sorted by begin, then end.
    std::uint16_t take(Interval time) {
        if (!m_marked.empty())
            freeMarked(time);
        const std::size_t node = firstFree(time.begin);
        if (node == 0)
            return kMaxDepth - 1;
        // A zero-length activity leaves its sub-lane free from its own time on, never earlier. But two at one
        // time lie on the same pixel at every zoom: they do not share one.
        const bool isMark = time.length() == 0 && time.end < std::numeric_limits<Ns>::max();
        set(node, isMark ? time.end + 1 : time.end);
        if (isMark)
            m_marked.push_back(node - m_leaves);
        m_markedAt = time.end;
        return static_cast<std::uint16_t>(node - m_leaves);
    }

private:
    static constexpr std::size_t kFew = 16;
    /// 0: there is none.
    std::size_t firstFree(Ns t) {
        if (m_leaves == kFew) {
            for (std::size_t node = kFew; node < 2 * kFew; ++node)
                if (m_freeAt[node] <= t)
                    return node;
            grow();
        } else if (m_freeAt[1] > t && !grow())
            return 0;
        std::size_t node = 1;
        while (node < m_leaves)
            node = 2 * node + (m_freeAt[2 * node] > t ? 1 : 0);
        return node;
    }
    /// What has a length may begin where a zero-length activity is.
    void freeMarked(Interval time) {
        if (time.begin == m_markedAt && time.length() == 0)
            return;
        if (time.begin == m_markedAt)
            for (const std::size_t leaf : m_marked)
                set(m_leaves + leaf, m_markedAt);
        m_marked.clear();
    }
    void set(std::size_t node, Ns freeAt) {
        m_freeAt[node] = freeAt;
        if (m_leaves == kFew)
            return;
        for (node /= 2; node > 0; node /= 2)
            m_freeAt[node] = std::min(m_freeAt[2 * node], m_freeAt[2 * node + 1]);
    }
    bool grow() {
        if (m_leaves == kMaxDepth)
            return false;
        const std::vector<Ns> leaves(m_freeAt.begin() + static_cast<std::ptrdiff_t>(m_leaves),
                                     m_freeAt.end());
        m_leaves *= 2;
        m_freeAt.assign(2 * m_leaves, std::numeric_limits<Ns>::min());
        std::ranges::copy(leaves, m_freeAt.begin() + static_cast<std::ptrdiff_t>(m_leaves));
        for (std::size_t node = m_leaves - 1; node > 0; --node)
            m_freeAt[node] = std::min(m_freeAt[2 * node], m_freeAt[2 * node + 1]);
        return true;
    }

    std::size_t m_leaves = kFew;
    std::vector<Ns> m_freeAt = std::vector<Ns>(2 * kFew, std::numeric_limits<Ns>::min());
    std::vector<std::size_t> m_marked; // sub-lanes that hold something of zero length at m_markedAt
    Ns m_markedAt = 0;
};

using ClassCounts = std::array<std::size_t, kClassCount>;

ClassCounts countClasses(const Lane& lane, const Trace& trace) {
    ClassCounts counts{};
    for (const ActivityIndex i : lane.activities)
        ++counts[static_cast<std::size_t>(trace.cls(i))];
    return counts;
}

void cover(Lane& lane, const Trace& trace) {
    const ClassCounts counts = countClasses(lane, trace);
    const std::span<const Ns> ends = trace.ends();
    const std::size_t n = lane.activities.size();
    const auto only = std::ranges::find(counts, n);
    std::vector<IntervalSetMaker> coverage;
    for (const std::size_t count : counts)
        coverage.emplace_back(count);
    IntervalSetMaker busy(only == counts.end() ? n : 0);
    if (only != counts.end()) { // of one class, as most lanes are
        IntervalSetMaker& all = coverage[static_cast<std::size_t>(only - counts.begin())];
        for (std::size_t at = 0; at < n; ++at)
            all.add({lane.begins[at], ends[lane.activities[at]]});
    } else
        for (std::size_t at = 0; at < n; ++at) {
            const Interval time{lane.begins[at], ends[lane.activities[at]]};
            coverage[static_cast<std::size_t>(trace.cls(lane.activities[at]))].add(time);
            busy.add(time);
        }
    for (std::size_t c = 0; c < kClassCount; ++c)
        lane.coverage[c] = coverage[c].take();
    lane.busy =
        only == counts.end() ? busy.take() : lane.coverage[static_cast<std::size_t>(only - counts.begin())];
}

// Everything about a lane that follows from which activities are in it.
void complete(Lane& lane, const Trace& trace) {
    SubLanes subLanes;
    Ns latest = std::numeric_limits<Ns>::min();
    std::uint16_t deepest = 0;
    const std::span<const Ns> begins = trace.begins(), ends = trace.ends();
    const std::size_t n = lane.activities.size();
    lane.begins.resize(n), lane.latestEnd.resize(n), lane.depth.resize(n);
    for (std::size_t at = 0; at < n; ++at) {
        const ActivityIndex i = lane.activities[at];
        const Interval time{begins[i], ends[i]};
        latest = std::max(latest, time.end);
        lane.begins[at] = time.begin;
        lane.latestEnd[at] = latest;
        lane.depth[at] = subLanes.take(time);
        deepest = std::max(deepest, lane.depth[at]);
    }
    lane.depthCount = static_cast<std::uint16_t>(deepest + 1);
    cover(lane, trace);
}

// Which channels did the work of an engine, by their number.
std::vector<ChannelId> channelsOf(const Lane& lane, const Trace& trace) {
    const auto channels = trace.channels();
    std::vector<bool> used(channels.size() + 1); // the last one: unknown
    for (const ActivityIndex i : lane.activities)
        used[std::min<std::size_t>(trace.channelOf(i).value, channels.size())] = true;
    std::vector<ChannelId> found;
    for (std::size_t c = 0; c < channels.size(); ++c)
        if (used[c])
            found.push_back(ChannelId{static_cast<std::uint16_t>(c)});
    std::ranges::stable_sort(found, {}, [&](ChannelId id) { return channels[id.value].number; });
    if (used.back())
        found.push_back(kNoChannel);
    return found;
}

std::string channelLabel(const Trace& trace, ChannelId id) {
    if (id == kNoChannel)
        return "channel unknown";
    const Channel& channel = trace.channels()[id.value];
    const std::string number = channel.number == kNoNumber ? "?" : std::to_string(channel.number);
    constexpr std::array kTypes{"", " · compute", " · copy", " · decompress"};
    const auto type = static_cast<std::size_t>(channel.type);
    return "channel " + number + (type < kTypes.size() ? kTypes[type] : "");
}

// The lanes of one host thread.
enum HostPart : std::uint8_t { kCalls, kRanges, kWaits, kOverhead };
constexpr std::size_t kHostParts = 4;

constexpr HostPart hostPartOf(ActivityClass cls) {
    switch (cls) {
    case ActivityClass::Nvtx:
        return kRanges;
    case ActivityClass::Sync:
        return kWaits;
    case ActivityClass::Overhead:
        return kOverhead;
    default:
        return kCalls;
    }
}

struct HostLanes {
    std::array<std::size_t, kHostParts> counts{};
    std::array<Ns, kHostParts> latest{};
    bool waitsCross = false; // then they have a lane of their own
    std::array<std::size_t, kHostParts> lanes{};

    void count(HostPart part, Interval time) {
        if (part == kCalls || part == kWaits) {
            const HostPart other = part == kCalls ? kWaits : kCalls;
            waitsCross = waitsCross || (counts[other] > 0 && time.begin < latest[other]);
            latest[part] = counts[part] > 0 ? std::max(latest[part], time.end) : time.end;
        }
        ++counts[part];
    }
    std::size_t in(HostPart part) const { // activities of its lane
        if (part == kCalls)
            return counts[kCalls] + (waitsCross ? 0 : counts[kWaits]);
        return part == kWaits && !waitsCross ? 0 : counts[part];
    }
    std::size_t laneOf(HostPart part) const { return lanes[part == kWaits && !waitsCross ? kCalls : part]; }
};

std::string plainLabel(const Trace& trace, const Queue& stream) {
    return stream.streamKind == StreamKind::Null ? "NULL stream" + trace.processText(stream)
                                                 : trace.queueText(stream);
}

// Counts first, so that every lane's columns are allocated once and exactly.
class LaneMaker {
public:
    explicit LaneMaker(const Trace& trace);
    std::vector<Lane> make();

private:
    using EngineCounts = std::array<std::size_t, kEngineCount>;
    void count();
    void openDevice(std::uint8_t device);
    void openHost();
    Lane& open(LaneKind kind, std::string label, std::size_t activities);
    void openStream(std::uint16_t queue);
    void openThread(std::uint16_t queue);
    std::size_t laneOf(ActivityIndex i) const;
    std::string streamLabel(const Queue& q) const;
    void sortQueues();
    void fillQueues();
    void fillEngines();

    const Trace& m_trace;
    std::vector<Lane> m_lanes;
    std::vector<EngineCounts> m_engineCounts; // activities per device and engine
    std::vector<std::size_t> m_queueCounts;   // activities per queue, without host functions
    std::size_t m_hostFnCount = 0;
    std::map<std::pair<std::uint8_t, std::string>, std::size_t> m_labelUses; // per device and plain label
    std::vector<std::vector<std::uint16_t>> m_streams;                       // per device, by number
    std::vector<std::uint16_t> m_threads;
    std::vector<EngineCounts> m_engineLane;
    std::vector<std::size_t> m_queueLane;
    std::size_t m_hostFnLane = 0;
    std::vector<HostLanes> m_hostLanes; // by queue
};

LaneMaker::LaneMaker(const Trace& trace)
    : m_trace(trace)
    , m_engineCounts(trace.devices().size())
    , m_queueCounts(trace.queues().size())
    , m_streams(trace.devices().size())
    , m_engineLane(trace.devices().size())
    , m_queueLane(trace.queues().size())
    , m_hostLanes(trace.queues().size()) {}

std::vector<Lane> LaneMaker::make() {
    count();
    sortQueues();
    for (std::size_t d = 0; d < m_trace.devices().size(); ++d)
        openDevice(static_cast<std::uint8_t>(d));
    openHost();
    const std::size_t threads = threadsFor(m_trace.size());
    sideBySide(2, threads, [this](std::size_t part) { part == 0 ? fillQueues() : fillEngines(); });
    std::vector<std::size_t> longestFirst(m_lanes.size());
    std::iota(longestFirst.begin(), longestFirst.end(), std::size_t{0});
    std::ranges::stable_sort(longestFirst, std::ranges::greater(),
                             [this](std::size_t lane) { return m_lanes[lane].activities.size(); });
    sideBySide(longestFirst.size(), threads, [&](std::size_t part) {
        Lane& lane = m_lanes[longestFirst[part]];
        complete(lane, m_trace);
        if (lane.kind == LaneKind::Engine)
            lane.channels = channelsOf(lane, m_trace);
    });
    return std::move(m_lanes);
}

void LaneMaker::count() {
    for (const Queue& q : m_trace.queues())
        if (q.kind == Queue::Kind::Stream)
            ++m_labelUses[{q.device, plainLabel(m_trace, q)}];
    for (ActivityIndex i = 0; i < m_trace.size(); ++i) {
        if (m_trace.cls(i) == ActivityClass::HostFn)
            ++m_hostFnCount;
        else {
            const std::uint16_t queue = m_trace.queueOf(i).value;
            ++m_queueCounts[queue];
            if (!isDeviceClass(m_trace.cls(i)))
                m_hostLanes[queue].count(hostPartOf(m_trace.cls(i)), m_trace.time(i));
        }
        if (const EngineKind engine = m_trace.engine(i); engine != EngineKind::None)
            ++m_engineCounts[m_trace.device(i)][static_cast<std::size_t>(engine)];
    }
}

Lane& LaneMaker::open(LaneKind kind, std::string label, std::size_t activities) {
    Lane& lane = m_lanes.emplace_back();
    lane.id.value = static_cast<std::uint32_t>(m_lanes.size() - 1);
    lane.kind = kind;
    lane.label = std::move(label);
    lane.activities.reserve(activities);
    return lane;
}

void LaneMaker::openDevice(std::uint8_t device) {
    for (const EngineKind engine : kEngineOrder) {
        const auto e = static_cast<std::size_t>(engine);
        if (m_engineCounts[device][e] == 0)
            continue;
        m_engineLane[device][e] = m_lanes.size();
        Lane& lane = open(LaneKind::Engine, std::string(engineLabel(engine)), m_engineCounts[device][e]);
        lane.device = device;
        lane.engine = engine;
    }
    for (const std::uint16_t queue : m_streams[device])
        openStream(queue);
}

void LaneMaker::openStream(std::uint16_t queue) {
    const Queue& q = m_trace.queues()[queue];
    m_queueLane[queue] = m_lanes.size();
    Lane& lane = open(LaneKind::Stream, streamLabel(q), m_queueCounts[queue]);
    lane.device = q.device;
    lane.queue.value = queue;
}

void LaneMaker::openHost() {
    if (m_hostFnCount > 0) {
        m_hostFnLane = m_lanes.size();
        open(LaneKind::HostFn, "host callbacks", m_hostFnCount);
    }
    for (const std::uint16_t queue : m_threads)
        openThread(queue);
}

void LaneMaker::openThread(std::uint16_t queue) {
    constexpr std::array kKinds{LaneKind::HostThread, LaneKind::HostRanges, LaneKind::HostWaits,
                                LaneKind::HostOverhead};
    constexpr std::array kLabels{"", " · NVTX", " · waits", " · tool overhead"};
    const std::string thread = m_trace.queueText(m_trace.queues()[queue]);
    HostLanes& host = m_hostLanes[queue];
    for (const HostPart part : {kCalls, kRanges, kWaits, kOverhead})
        if (const std::size_t activities = host.in(part); activities > 0) {
            host.lanes[part] = m_lanes.size();
            open(kKinds[part], thread + kLabels[part], activities).queue.value = queue;
        }
}

/// Those that did something, by number.
void LaneMaker::sortQueues() {
    const auto queues = m_trace.queues();
    std::vector<std::uint16_t> used;
    for (std::size_t q = 0; q < queues.size(); ++q)
        if (m_queueCounts[q] > 0)
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

std::size_t LaneMaker::laneOf(ActivityIndex i) const {
    const ActivityClass cls = m_trace.cls(i);
    const std::uint16_t queue = m_trace.queueOf(i).value;
    if (isDeviceClass(cls))
        return m_queueLane[queue];
    return cls == ActivityClass::HostFn ? m_hostFnLane : m_hostLanes[queue].laneOf(hostPartOf(cls));
}

void LaneMaker::fillQueues() {
    for (ActivityIndex i = 0; i < m_trace.size(); ++i)
        m_lanes[laneOf(i)].activities.push_back(i);
}

void LaneMaker::fillEngines() {
    for (ActivityIndex i = 0; i < m_trace.size(); ++i)
        if (const EngineKind engine = m_trace.engine(i); engine != EngineKind::None)
            m_lanes[m_engineLane[m_trace.device(i)][static_cast<std::size_t>(engine)]].activities.push_back(
                i);
}

} // namespace

std::pair<std::size_t, std::size_t> Lane::candidates(Interval range) const {
    // Not < but <=: an activity of zero length at the range's begin has not ended before it.
    const auto first = std::lower_bound(latestEnd.begin(), latestEnd.end(), range.begin);
    const auto last = std::lower_bound(begins.begin(), begins.end(), range.end);
    const auto from = static_cast<std::size_t>(first - latestEnd.begin());
    return {from, std::max(from, static_cast<std::size_t>(last - begins.begin()))};
}

LaneSet LaneSet::of(const Trace& trace) {
    LaneSet set;
    set.m_lanes = LaneMaker(trace).make();
    set.m_engines.resize(trace.devices().size());
    for (auto& engines : set.m_engines)
        engines.fill(kNoNumber);
    set.m_ofDevice.resize(trace.devices().size());
    set.m_ofQueue.resize(trace.queues().size());
    for (const Lane& lane : set.m_lanes) {
        if (lane.kind == LaneKind::Engine)
            set.m_engines[lane.device][static_cast<std::size_t>(lane.engine)] = lane.id.value;
        else if (lane.kind != LaneKind::HostFn)
            set.m_ofQueue[lane.queue.value].add(lane.id);
        if (lane.kind == LaneKind::Engine || lane.kind == LaneKind::Stream)
            set.m_ofDevice[lane.device].add(lane.id);
    }
    return set;
}

const Lane* LaneSet::engine(std::uint8_t device, EngineKind kind) const {
    const std::uint32_t at =
        device < m_engines.size() ? m_engines[device][static_cast<std::size_t>(kind)] : kNoNumber;
    return at == kNoNumber ? nullptr : &m_lanes[at];
}

std::span<const Lane> LaneSet::ofDevice(std::uint8_t device) const {
    return device < m_ofDevice.size() ? lanesIn(m_ofDevice[device]) : std::span<const Lane>();
}

std::span<const Lane> LaneSet::ofQueue(QueueId queue) const {
    return queue.value < m_ofQueue.size() ? lanesIn(m_ofQueue[queue.value]) : std::span<const Lane>();
}

IntervalSet LaneSet::classCoverage(std::uint8_t device, ActivityClass cls) const {
    // An unspecified copy may have no engine; its streams show it all the same.
    const LaneKind kind = cls == ActivityClass::MemcpyOther ? LaneKind::Stream : LaneKind::Engine;
    std::vector<const IntervalSet*> sets;
    for (const Lane& lane : ofDevice(device))
        if (const IntervalSet& set = lane.coverage[static_cast<std::size_t>(cls)];
            lane.kind == kind && !set.empty())
            sets.push_back(&set);
    if (sets.size() <= 1)
        return sets.empty() ? IntervalSet() : *sets.front(); // shared with the lane
    std::vector<Interval> all;
    for (const IntervalSet* set : sets)
        all.insert(all.end(), set->intervals().begin(), set->intervals().end());
    return IntervalSet::unionOf(std::move(all));
}

std::size_t LaneSet::memoryBytes() const {
    const auto ofColumn = [](const auto& column) {
        return column.capacity() * sizeof(typename std::decay_t<decltype(column)>::value_type);
    };
    std::size_t bytes = ofColumn(m_lanes) + ofColumn(m_engines);
    for (const Lane& lane : m_lanes) {
        bytes += lane.busy.memoryBytes() + ofColumn(lane.activities) + ofColumn(lane.begins) +
                 ofColumn(lane.depth) + ofColumn(lane.latestEnd);
        for (const IntervalSet& covered : lane.coverage)
            bytes += covered.memoryBytes();
    }
    return bytes;
}

std::vector<Lane> channelLanes(const Trace& trace, const Lane& engine, LaneId first, std::stop_token stop) {
    std::vector<Lane> lanes(engine.channels.size());
    std::vector<std::size_t> laneOf(trace.channels().size() + 1); // the last one: unknown
    const auto slotOf = [&](ChannelId id) { return std::min<std::size_t>(id.value, laneOf.size() - 1); };
    for (std::size_t c = 0; c < lanes.size(); ++c) {
        Lane& lane = lanes[c];
        laneOf[slotOf(engine.channels[c])] = c;
        lane.id.value = first.value + static_cast<std::uint32_t>(c);
        lane.kind = LaneKind::Channel;
        lane.device = engine.device;
        lane.engine = engine.engine;
        lane.channels = {engine.channels[c]};
        lane.label = channelLabel(trace, engine.channels[c]);
    }
    constexpr std::size_t kBetweenLooks = 1 << 16;
    for (std::size_t i = 0; i < engine.activities.size(); ++i) {
        if (i % kBetweenLooks == 0 && stop.stop_requested())
            return {};
        const ActivityIndex activity = engine.activities[i];
        lanes[laneOf[slotOf(trace.channelOf(activity))]].activities.push_back(activity);
    }
    for (Lane& lane : lanes) {
        if (stop.stop_requested())
            return {};
        complete(lane, trace);
    }
    return lanes;
}

} // namespace olab
