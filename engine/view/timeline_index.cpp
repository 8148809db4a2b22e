#include <olab/view/timeline_index.h>

#include <olab/trace/lanes.h>
#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>

namespace olab::view {

struct Strip::Own {
    NearColumn activities;
    TimesColumn times;
};

/// Fills columns of sufficient length. Activities beyond the last sub-lane share it: there they begin where
/// the other ends, and are not drawn if completely hidden.
class Strip::Appender {
public:
    Appender(Own& own, std::size_t most)
        : m_own(&own) {
        own.activities.reserve(most);
        own.times = TimesColumn(most);
    }
    void add(ActivityIndex activity, Interval time) {
        if (time.end <= m_free && time.begin < m_free)
            return;
        m_own->activities.push_back(activity);
        const Ns begin = std::max(time.begin, m_free);
        m_free = std::max(time.end, m_free);
        m_own->times.add({begin, m_free});
    }

private:
    Own* m_own;
    Ns m_free = std::numeric_limits<Ns>::min();
};

namespace {

constexpr double kStripBytes = 1.68, kRibbonBytes = 0.6; // for each activity and interval
// With a table of this many bytes a strip is drawn from its bits alone in a screen-wide view of the whole
// run. Large strips have it anyway. With some thousands of activities each may take more memory than with
// millions, and need not be visited for each frame; fewer are hardly more than the columns.
constexpr double kWholeRunBytes = 48 << 10, kMostStripBytes = 8;
constexpr std::size_t kWorthATable = 4096;
constexpr unsigned kFinestBits = 3, kFanOutBits = 4;
constexpr std::size_t kFinest = 1 << kFinestBits, kFanOut = 1 << kFanOutBits;

/// Grows with the length, in four steps per doubling: enough to skip what is shorter.
std::uint8_t codeOf(Ns length) {
    if (length <= 0)
        return 0;
    const auto value = static_cast<std::uint64_t>(length);
    const int octave = std::bit_width(value) - 1;
    const std::uint64_t quarter = octave >= 2 ? (value >> (octave - 2)) & 3 : (value << (2 - octave)) & 3;
    return static_cast<std::uint8_t>(1 + 4 * static_cast<std::uint64_t>(octave) + quarter);
}

/// The first byte of a block, from `at` on, that is at least `wanted`; else the end of the block.
std::size_t firstInBlock(const std::uint8_t* bytes, std::size_t at, std::uint8_t wanted) {
    using Bytes [[gnu::vector_size(kFanOut)]] = std::uint8_t;
    const std::size_t begin = at / kFanOut * kFanOut;
    Bytes block;
    std::memcpy(&block, bytes + begin, sizeof block);
    const auto found = block >= wanted;
    std::array<std::uint64_t, 2> halves;
    static_assert(sizeof found == sizeof halves);
    std::memcpy(&halves, &found, sizeof halves);
    const std::size_t passed = 8 * (at - begin); // bits
    halves[0] = passed < 64 ? halves[0] >> passed << passed : 0;
    halves[1] = passed > 64 ? halves[1] >> (passed - 64) << (passed - 64) : halves[1];
    const int zeros = halves[0] != 0 ? std::countr_zero(halves[0]) : 64 + std::countr_zero(halves[1]);
    return begin + static_cast<std::size_t>(zeros) / 8;
}

/// The sub-lanes of a lane, each with its own columns.
std::vector<std::shared_ptr<Strip::Own>> splitByDepth(const Trace& trace, const Lane& lane) {
    std::vector<std::size_t> counts(lane.depthCount);
    for (std::size_t i = 0; i < lane.depth.size(); ++i)
        ++counts[lane.depth[i]];
    std::vector<std::shared_ptr<Strip::Own>> owns;
    std::vector<Strip::Appender> parts;
    for (const std::size_t count : counts)
        parts.emplace_back(*owns.emplace_back(std::make_shared<Strip::Own>()), count);
    for (std::size_t i = 0; i < lane.activities.size(); ++i)
        parts[lane.depth[i]].add(lane.activities[i], trace.time(lane.activities[i]));
    return owns;
}

/// For a lane without crossings. If activities do not touch either and all have a length, the coverage of the
/// lane equals its activities.
void keepTimes(Strip& strip, const Trace& trace, const Lane& lane) {
    strip.activities = lane.activities.numbers();
    if (lane.busy.size() == lane.activities.size()) {
        strip.times = lane.busy.intervals();
        return;
    }
    const auto own = std::make_shared<Strip::Own>();
    own->times = TimesColumn(lane.activities.size());
    for (const ActivityIndex activity : lane.activities)
        own->times.add(trace.time(activity));
    own->times.finish();
    strip.times = own->times.times();
    strip.own = own;
}

/// The looks that take time in a strip; one without length has no layer, and is counted in the first.
Layers layersOf(const Looks& looks, const LookCoverage& coverage, Strip& strip) {
    Layers layers{&looks, strip.activities, {}, 1};
    for (std::size_t i = 0; i < kLooks; ++i)
        if (const auto look = static_cast<ActivityClass>(i); !coverage[look].empty()) {
            layers.ofLook[i] = static_cast<std::uint8_t>(strip.looks.size());
            strip.looks.push_back(look);
        }
    layers.count = std::max<std::size_t>(strip.looks.size(), 1);
    return layers;
}

double tableBytes(std::size_t activities) {
    if (activities < kWorthATable)
        return kStripBytes;
    return std::clamp(kWholeRunBytes / static_cast<double>(activities), kStripBytes, kMostStripBytes);
}

/// What the strips of a lane are made of.
struct StripSource {
    const Trace& trace;
    const Looks& looks;
    const LookCoverage& coverage;
};

void complete(Strip& strip, const StripSource& of, const RunControl& control) {
    strip.table =
        StripTable(strip.times, layersOf(of.looks, of.coverage, strip), tableBytes(strip.times.size()));
    control.throwIfCancelled();
    strip.longest = LongestTable(strip.times);
}

void addStrips(std::vector<Strip>& strips, const StripSource& of, const Lane& lane,
               const RunControl& control = {}) {
    control.throwIfCancelled();
    if (lane.depthCount <= 1) {
        Strip& strip = strips.emplace_back();
        strip.lane = &lane;
        keepTimes(strip, of.trace, lane);
        return complete(strip, of, control);
    }
    int depth = 0;
    for (auto& own : splitByDepth(of.trace, lane)) {
        Strip& strip = strips.emplace_back();
        strip.lane = &lane;
        strip.depth = depth++;
        own->activities.fit(), own->times.finish();
        strip.activities = own->activities.numbers();
        strip.times = own->times.times();
        strip.own = std::move(own);
        complete(strip, of, control);
    }
}

std::vector<Strip> inOneRow(std::vector<std::vector<Strip>>&& ofLanes) {
    std::vector<Strip> all;
    for (std::vector<Strip>& strips : ofLanes)
        std::ranges::move(strips, std::back_inserter(all));
    return all;
}

std::array<IntervalSet, 3> countAtOnce(const LaneSet& lanes, std::uint8_t device) {
    std::array<IntervalSet, 3> atLeast;
    for (const Lane& lane : lanes.ofDevice(device)) {
        if (lane.kind != LaneKind::Engine)
            continue;
        for (std::size_t level = atLeast.size() - 1; level > 0; --level) // one more, where it also works
            atLeast[level] = atLeast[level].united(atLeast[level - 1].intersected(lane.busy));
        atLeast[0] = atLeast[0].united(lane.busy);
    }
    return atLeast;
}

} // namespace

LookCoverage::LookCoverage(const Trace& trace, const Looks& looks, const Lane& lane)
    : m_lane(&lane) {
    if (!looks.hasCommunication() || lane.coverage[static_cast<std::size_t>(ActivityClass::Kernel)].empty())
        return;
    IntervalSetMaker computing(lane.activities.size()), communicating(lane.activities.size());
    for (const ActivityIndex i : lane.activities)
        if (const ActivityClass look = looks.of(i); look == kCommunication)
            communicating.add(trace.time(i));
        else if (look == ActivityClass::Kernel)
            computing.add(trace.time(i));
    if (IntervalSet found = communicating.take(); !found.empty())
        m_kernels = std::make_shared<const Kernels>(Kernels{computing.take(), std::move(found)});
}

const IntervalSet& LookCoverage::operator[](ActivityClass look) const {
    static const IntervalSet none;
    if (look == kCommunication)
        return m_kernels ? m_kernels->communicating : none;
    return look == ActivityClass::Kernel && m_kernels ? m_kernels->computing
                                                      : m_lane->coverage[static_cast<std::size_t>(look)];
}

LongestTable::LongestTable(const Times& times) {
    const auto padded = [](std::size_t size) { return (size + kFanOut - 1) / kFanOut * kFanOut; };
    const std::size_t groups = (times.size() + kFinest - 1) / kFinest;
    auto& finest = m_levels.emplace_back();
    finest.resize(padded(groups));
    for (std::size_t group = 0; group < groups; ++group) {
        Ns longest = 0;
        for (std::size_t i = group * kFinest; i < std::min((group + 1) * kFinest, times.size()); ++i)
            longest = std::max(longest, times[i].length());
        finest[group] = codeOf(longest);
    }
    std::fill(finest.begin() + static_cast<std::ptrdiff_t>(groups), finest.end(), std::uint8_t{0});
    while (m_levels.back().size() > kFanOut) {
        const auto& finer = m_levels.back();
        Column<std::uint8_t> coarser(padded(finer.size() / kFanOut), 0);
        for (std::size_t i = 0; i < finer.size() / kFanOut; ++i) {
            const auto first = finer.begin() + static_cast<std::ptrdiff_t>(i * kFanOut);
            coarser[i] = *std::max_element(first, first + kFanOut);
        }
        m_levels.push_back(std::move(coarser));
    }
}

/// Up through the levels until a block holds something, then down to the first one that does.
std::size_t LongestTable::nextGroup(std::size_t group, std::uint8_t wanted) const {
    std::size_t level = 0, at = group;
    for (;; ++level) {
        if (level == m_levels.size() || at >= m_levels[level].size())
            return m_levels.front().size();
        const std::size_t end = at / kFanOut * kFanOut + kFanOut;
        at = firstInBlock(m_levels[level].data(), at, wanted);
        if (at < end)
            break;
        at /= kFanOut;
    }
    while (level-- > 0)
        at = firstInBlock(m_levels[level].data(), at * kFanOut, wanted);
    return at;
}

std::size_t LongestTable::next(const Times& times, std::size_t at, std::size_t last, Ns length) const {
    const std::uint8_t wanted = codeOf(length);
    while (at < last) {
        if (at % kFinest == 0 && (at = nextGroup(at / kFinest, wanted) * kFinest) >= last)
            break;
        if (times[at].length() >= length)
            return at;
        ++at;
    }
    return last;
}

std::size_t LongestTable::memoryBytes() const {
    std::size_t bytes = 0;
    for (const auto& level : m_levels)
        bytes += level.capacity();
    return bytes;
}

std::vector<Strip> stripsOf(const Trace& trace, const Lane& lane) {
    const Looks looks(trace);
    std::vector<Strip> strips;
    addStrips(strips, {trace, looks, LookCoverage(trace, looks, lane)}, lane);
    return strips;
}

std::pair<std::size_t, std::size_t> Strip::candidates(Interval range) const {
    std::size_t first = table.position(range.begin);
    if (first > 0 &&
        times.end(first - 1) >= range.begin) // of those that begin before only the last can extend into it
        --first;
    return {first, table.position(range.end)};
}

/// By lane and by device, on as many threads as there are cores, all of which have ended on return.
TimelineIndex::TimelineIndex(const Trace& trace, const LaneSet& lanes, const RunControl& control)
    : m_trace(&trace)
    , m_lanes(&lanes)
    , m_looks(trace) {
    for (const Lane& lane : lanes.lanes())
        m_coverage.emplace_back(trace, m_looks, lane);
    const std::size_t laneCount = lanes.lanes().size(), deviceCount = trace.devices().size();
    std::vector<std::vector<Strip>> strips(laneCount);
    m_atOnce.resize(deviceCount);
    m_atOnceTables.resize(deviceCount);
    sideBySide(laneCount + deviceCount, threadsFor(trace.size()), [&](std::size_t job) {
        if (job >= deviceCount)
            addStrips(strips[job - deviceCount], {trace, m_looks, m_coverage[job - deviceCount]},
                      lanes.lanes()[job - deviceCount], control);
        else
            addDevice(static_cast<std::uint8_t>(job), control);
    });
    m_strips = inOneRow(std::move(strips));
    m_firstStrip.assign(laneCount + 1, 0);
    for (const Strip& strip : m_strips)
        ++m_firstStrip[strip.lane->id.value + 1];
    std::partial_sum(m_firstStrip.begin(), m_firstStrip.end(), m_firstStrip.begin());
    findQueues();
    findValueLanes();
}

namespace {

bool hasWorkOf(const LaneSet& lanes, std::uint8_t device, ActivityClass cls) {
    return std::ranges::any_of(lanes.ofDevice(device), [cls](const Lane& lane) {
        return !lane.coverage[static_cast<std::size_t>(cls)].empty();
    });
}

} // namespace

void TimelineIndex::findValueLanes() {
    constexpr std::uint32_t kFirst = 0x40000000u; // below those of channels, above all others
    auto lanes = std::make_shared<std::vector<Lane>>();
    for (std::size_t d = 0; d < m_trace->devices().size(); ++d)
        for (const LaneKindRow& row : kLaneKindRows)
            for (const ClassRow& of : kClassRows) {
                const auto device = static_cast<std::uint8_t>(d);
                if (!showsValue(row.kind) || (row.holds & maskOf(of.cls)) == 0 ||
                    !hasWorkOf(*m_lanes, device, of.cls))
                    continue;
                Lane& lane = lanes->emplace_back();
                lane.id.value = kFirst + static_cast<std::uint32_t>(lanes->size() - 1);
                lane.kind = row.kind;
                lane.device = device;
                lane.cls = of.cls;
                lane.label = std::string(of.label).append(row.label);
            }
    m_valueLanes = std::move(lanes);
}

std::span<const Lane> TimelineIndex::valueLanes() const {
    return {m_valueLanes->data(), m_valueLanes->size()};
}

void TimelineIndex::findQueues() {
    for (const Lane& lane : m_lanes->lanes())
        if (const LaneScope scope = scopeOf(lane.kind);
            scope == LaneScope::Engine || scope == LaneScope::Host)
            m_ofAll.push_back(lane.id);
        else
            m_byQueue.emplace_back(lane.queue, lane.id);
    std::ranges::sort(m_byQueue);
}

std::vector<Strip> stripsOf(const Trace& trace, const LaneSet& lanes) {
    std::vector<std::vector<Strip>> strips(lanes.lanes().size());
    sideBySide(strips.size(), threadsFor(trace.size()),
               [&](std::size_t job) { strips[job] = stripsOf(trace, lanes.lanes()[job]); });
    return inOneRow(std::move(strips));
}

void TimelineIndex::addDevice(std::uint8_t device, const RunControl& control) {
    control.throwIfCancelled();
    m_atOnce[device] = countAtOnce(*m_lanes, device);
    control.throwIfCancelled();
    for (std::size_t level = 0; level < m_atOnce[device].size(); ++level)
        m_atOnceTables[device][level] = StripTable(m_atOnce[device][level].intervals(), {}, kRibbonBytes);
}

std::size_t TimelineIndex::memoryBytes() const {
    std::size_t bytes = 0;
    for (const Strip& strip : m_strips)
        bytes += strip.table.memoryBytes() + strip.longest.memoryBytes();
    for (const auto& tables : m_atOnceTables)
        for (const StripTable& table : tables)
            bytes += table.memoryBytes();
    return bytes;
}

std::size_t TimelineIndex::allBytes() const {
    std::size_t bytes = memoryBytes() + m_strips.capacity() * sizeof(Strip);
    for (const Strip& strip : m_strips)
        if (strip.own)
            bytes += strip.own->activities.memoryBytes() + strip.own->times.memoryBytes();
    for (const auto& sets : m_atOnce)
        for (const IntervalSet& set : sets)
            bytes += set.memoryBytes();
    return bytes;
}

std::span<const Strip> TimelineIndex::strips(LaneId lane) const {
    if (lane.value >= m_lanes->lanes().size()) // a channel of an opened engine: not of this index
        return {};
    const std::size_t first = m_firstStrip[lane.value], last = m_firstStrip[lane.value + 1];
    return std::span(m_strips).subspan(first, last - first);
}

std::vector<const Strip*> TimelineIndex::stripsWith(ActivityIndex index) const {
    if (index >= m_trace->size())
        return {};
    std::vector<LaneId> lanes = m_ofAll;
    // No equal_range: clang 14 cannot compile its subrange.
    const QueueId queue = m_trace->queueOf(index);
    const auto first = std::ranges::lower_bound(m_byQueue, queue, {}, &std::pair<QueueId, LaneId>::first);
    for (auto at = first; at != m_byQueue.end() && at->first == queue; ++at)
        lanes.push_back(at->second);
    std::ranges::sort(lanes);
    std::vector<const Strip*> found;
    for (const LaneId lane : lanes)
        for (const Strip& strip : strips(lane)) // activities are indices sorted by begin, so by number
            if (std::ranges::binary_search(strip.activities, index))
                found.push_back(&strip);
    return found;
}

} // namespace olab::view
