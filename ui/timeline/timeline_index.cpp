#include <olab/ui/timeline_index.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>

namespace olab {

struct Strip::Own {
    Column<ActivityIndex> activities;
    Column<Ns> begins, ends;
};

namespace {

constexpr double kStripBytes = 1.7, kRibbonBytes = 0.6; // for each activity and interval
constexpr unsigned kFinestBits = 3, kFanOutBits = 4;
constexpr std::size_t kFinest = 1 << kFinestBits, kFanOut = 1 << kFanOutBits;

/// Grows with the length, in four steps each time that it doubles: enough to pass by what is shorter.
std::uint8_t codeOf(Ns length) {
    if (length <= 0)
        return 0;
    const auto value = static_cast<std::uint64_t>(length);
    const int octave = std::bit_width(value) - 1;
    const std::uint64_t quarter = octave >= 2 ? (value >> (octave - 2)) & 3 : (value << (2 - octave)) & 3;
    return static_cast<std::uint8_t>(1 + 4 * static_cast<std::uint64_t>(octave) + quarter);
}

/// The sub-lanes of a lane, each with columns of its own.
std::vector<std::shared_ptr<Strip::Own>> splitByDepth(const Trace& trace, const Lane& lane) {
    std::vector<std::size_t> counts(lane.depthCount);
    for (const std::uint16_t depth : lane.depth)
        ++counts[depth];
    std::vector<std::shared_ptr<Strip::Own>> owns;
    for (const std::size_t count : counts) {
        auto& own = *owns.emplace_back(std::make_shared<Strip::Own>());
        own.activities.reserve(count), own.begins.reserve(count), own.ends.reserve(count);
    }
    for (std::size_t i = 0; i < lane.activities.size(); ++i) {
        Strip::Own& own = *owns[lane.depth[i]];
        const Interval time = trace.time(lane.activities[i]);
        // What crosses too much shares the last sub-lane: there it begins where the other ends, and is not
        // drawn where the other hides all of it.
        const Ns free = own.ends.empty() ? time.begin : own.ends.back();
        if (time.end <= free && time.begin < free)
            continue;
        own.activities.push_back(lane.activities[i]);
        own.begins.push_back(std::max(time.begin, free));
        own.ends.push_back(std::max(time.end, own.begins.back()));
    }
    return owns;
}

/// The classes that take time in a strip; what takes none has no layer, and is counted in the first.
Layers layersOf(const Trace& trace, Strip& strip) {
    Layers layers{&trace, strip.activities, {}, 1};
    for (std::size_t c = 0; c < kClassCount; ++c)
        if (!strip.lane->coverage[c].empty()) {
            layers.ofClass[c] = static_cast<std::uint8_t>(strip.classes.size());
            strip.classes.push_back(static_cast<ActivityClass>(c));
        }
    layers.count = std::max<std::size_t>(strip.classes.size(), 1);
    return layers;
}

void complete(Strip& strip, const Trace& trace) {
    strip.table = StripTable(strip.times, layersOf(trace, strip), kStripBytes);
    strip.longest = LongestTable(strip.times);
}

void addStrips(std::vector<Strip>& strips, const Trace& trace, const Lane& lane) {
    if (lane.depthCount <= 1) { // nothing crosses, so the latest end so far is each one's own
        Strip& strip = strips.emplace_back();
        strip.lane = &lane;
        strip.activities = lane.activities;
        strip.times = Times(lane.begins, lane.latestEnd);
        return complete(strip, trace);
    }
    int depth = 0;
    for (auto& own : splitByDepth(trace, lane)) {
        Strip& strip = strips.emplace_back();
        strip.lane = &lane;
        strip.depth = depth++;
        strip.activities = own->activities;
        strip.times = Times(own->begins, own->ends);
        strip.own = std::move(own);
        complete(strip, trace);
    }
}

/// Calls `job` with each number below `count`.
void shareOut(std::size_t count, std::size_t activities, const std::function<void(std::size_t)>& job) {
    constexpr std::size_t kWorthAThread = 100'000, kMostThreads = 8;
    const std::size_t threads = std::min(
        {activities / kWorthAThread, kMostThreads, std::size_t{std::thread::hardware_concurrency()}});
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::exception_ptr failure; // only memory can run out
    const auto work = [&] {
        try {
            for (std::size_t i = next++; i < count; i = next++)
                job(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < threads; ++i)
            others.emplace_back(work);
        work();
    }
    if (failure)
        std::rethrow_exception(failure);
}

std::array<IntervalSet, 3> countAtOnce(const LaneSet& lanes, std::uint8_t device) {
    std::array<IntervalSet, 3> atLeast;
    for (const Lane& lane : lanes.lanes()) {
        if (lane.kind != LaneKind::Engine || lane.device != device)
            continue;
        for (std::size_t level = atLeast.size() - 1; level > 0; --level) // one more, where it also works
            atLeast[level] = atLeast[level].united(atLeast[level - 1].intersected(lane.busy));
        atLeast[0] = atLeast[0].united(lane.busy);
    }
    return atLeast;
}

} // namespace

LongestTable::LongestTable(const Times& times) {
    auto& finest = m_levels.emplace_back();
    finest.resize((times.size() + kFinest - 1) / kFinest);
    for (std::size_t group = 0; group < finest.size(); ++group) {
        Ns longest = 0;
        for (std::size_t i = group * kFinest; i < std::min((group + 1) * kFinest, times.size()); ++i)
            longest = std::max(longest, times[i].length());
        finest[group] = codeOf(longest);
    }
    while (m_levels.back().size() > kFanOut) {
        const auto& finer = m_levels.back();
        Column<std::uint8_t> coarser((finer.size() + kFanOut - 1) / kFanOut);
        for (std::size_t i = 0; i < coarser.size(); ++i)
            coarser[i] = *std::max_element(
                finer.begin() + static_cast<std::ptrdiff_t>(i * kFanOut),
                finer.begin() + static_cast<std::ptrdiff_t>(std::min((i + 1) * kFanOut, finer.size())));
        m_levels.push_back(std::move(coarser));
    }
}

std::size_t LongestTable::next(const Times& times, std::size_t at, std::size_t last, Ns length) const {
    const std::uint8_t wanted = codeOf(length);
    while (at < last) {
        if (at % kFinest == 0) { // the largest group that begins here and holds nothing long is passed by
            unsigned bits = kFinestBits;
            std::size_t skip = 0;
            for (const auto& level : m_levels) {
                if (at % (std::size_t{1} << bits) != 0 || level[at >> bits] >= wanted)
                    break;
                skip = std::size_t{1} << bits;
                bits += kFanOutBits;
            }
            if (skip > 0) {
                at += skip;
                continue;
            }
        }
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
    std::vector<Strip> strips;
    addStrips(strips, trace, lane);
    return strips;
}

std::pair<std::size_t, std::size_t> Strip::candidates(Interval range) const {
    std::size_t first = table.position(range.begin);
    if (first > 0 &&
        times.end(first - 1) >= range.begin) // of those that begin before only the last can reach in
        --first;
    return {first, table.position(range.end)};
}

/// Lane by lane and device by device, on as many threads as there are cores; they have ended when it returns.
TimelineIndex::TimelineIndex(const Trace& trace, const LaneSet& lanes)
    : m_trace(&trace)
    , m_lanes(&lanes) {
    const std::size_t laneCount = lanes.lanes().size(), deviceCount = trace.devices().size();
    std::vector<std::vector<Strip>> strips(laneCount);
    m_atOnce.resize(deviceCount);
    m_atOnceTables.resize(deviceCount);
    m_overlaps.resize(deviceCount);
    shareOut(laneCount + deviceCount, trace.size(), [&](std::size_t job) {
        if (job >= deviceCount)
            addStrips(strips[job - deviceCount], trace, lanes.lanes()[job - deviceCount]);
        else
            addDevice(static_cast<std::uint8_t>(job));
    });
    for (std::vector<Strip>& ofLane : strips) {
        m_firstStrip.push_back(m_strips.size());
        std::ranges::move(ofLane, std::back_inserter(m_strips));
    }
    m_firstStrip.push_back(m_strips.size());
}

void TimelineIndex::addDevice(std::uint8_t device) {
    m_atOnce[device] = countAtOnce(*m_lanes, device);
    for (std::size_t level = 0; level < m_atOnce[device].size(); ++level)
        m_atOnceTables[device][level] =
            StripTable(Times(m_atOnce[device][level].intervals()), {}, kRibbonBytes);
    m_overlaps[device] = OverlapIndex(*m_lanes, device);
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

std::span<const Strip> TimelineIndex::strips(LaneId lane) const {
    const std::size_t first = m_firstStrip[lane.value], last = m_firstStrip[lane.value + 1];
    return std::span(m_strips).subspan(first, last - first);
}

std::vector<const Strip*> TimelineIndex::stripsWith(ActivityIndex index) const {
    std::vector<const Strip*> found;
    for (const Strip& strip : m_strips) // activities are indices sorted by begin, so by number
        if (std::ranges::binary_search(strip.activities, index))
            found.push_back(&strip);
    return found;
}

} // namespace olab
