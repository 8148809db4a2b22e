#include "full_grid.h"

#include "solo_times.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <set>

namespace olab {
namespace {

// A device's room in whole numbers, so that sums of thirds are exact enough and adding then taking away
// leaves zero.
constexpr std::int64_t kWholeDevice = 1 << 20;
// A grid takes no more than this, so that the sum of all that a trace can hold does not overflow.
constexpr double kMostRoom = 1 << 30;
// How far back from its end a wait is searched for the kernel that held it longest: bounds the work per wait.
constexpr std::size_t kMaxLookBack = 64;

// The share of the device a grid takes while it is resident, rounded up; 0 when it is not known.
std::int64_t roomOf(const Facts& facts, ActivityIndex kernel) {
    const std::uint64_t atOnce = facts.residentBlocks[kernel], blocks = blocksOf(facts, kernel);
    if (atOnce == 0 || blocks == 0)
        return 0;
    const double devices = static_cast<double>(blocks) / static_cast<double>(atOnce);
    return static_cast<std::int64_t>(std::ceil(std::min(devices * kWholeDevice, kMostRoom)));
}

// Sweeps one device's kernels in begin order and notes when they fill it.
class Sweep {
public:
    void add(ActivityIndex kernel, Interval time, std::int64_t room) {
        finishUntil(time.begin);
        noteUntil(time.begin);
        m_resident.insert({room, kernel});
        m_taken += room;
        m_ends.push({time.end, {room, kernel}});
    }
    std::vector<FullGrid> finish() {
        finishUntil(std::numeric_limits<Ns>::max());
        return std::move(m_full);
    }

private:
    using Resident = std::pair<std::int64_t, ActivityIndex>; // room, kernel
    using End = std::pair<Ns, Resident>;

    void finishUntil(Ns t) {
        for (; !m_ends.empty() && m_ends.top().first <= t; m_ends.pop()) {
            noteUntil(m_ends.top().first);
            m_resident.erase(m_ends.top().second);
            m_taken -= m_ends.top().second.first;
        }
    }
    void noteUntil(Ns t) {
        if (m_taken >= kWholeDevice && t > m_since) {
            const ActivityIndex largest = m_resident.rbegin()->second;
            if (!m_full.empty() && m_full.back().kernel == largest && m_full.back().time.end == m_since)
                m_full.back().time.end = t;
            else
                m_full.push_back({{m_since, t}, largest});
        }
        m_since = t;
    }

    std::priority_queue<End, std::vector<End>, std::greater<>> m_ends;
    std::set<Resident> m_resident;
    std::int64_t m_taken = 0;
    Ns m_since = std::numeric_limits<Ns>::min();
    std::vector<FullGrid> m_full;
};

void findFullGrids(Facts& facts) {
    std::vector<Sweep> sweeps(facts.perDevice.size());
    for (DeviceFacts& d : facts.perDevice)
        d.knowsResidency = true;
    for (ActivityIndex i = 0; i < facts.trace.size(); ++i) {
        if (facts.trace.cls(i) != ActivityClass::Kernel)
            continue;
        const std::uint8_t device = facts.trace[i].device;
        if (const std::int64_t room = roomOf(facts, i); room > 0)
            sweeps[device].add(i, facts.trace.time(i), room);
        else
            facts.perDevice[device].knowsResidency = false;
    }
    for (std::size_t d = 0; d < sweeps.size(); ++d) {
        facts.perDevice[d].fullGrids = sweeps[d].finish();
        std::vector<Interval> times;
        for (const FullGrid& f : facts.perDevice[d].fullGrids)
            times.push_back(f.time);
        facts.perDevice[d].full = IntervalSet::unionOfSorted(times);
    }
}

// Time with two or more at once: what each shares with those that began before it.
struct Crowd {
    Ns reach = std::numeric_limits<Ns>::min();
    std::vector<Interval> shared;
    void add(Interval time) {
        if (reach > time.begin && time.end > time.begin)
            shared.push_back({time.begin, std::min(time.end, reach)});
        reach = std::max(reach, time.end);
    }
};

void findCrowds(Facts& facts) {
    std::vector<Crowd> compute(facts.perDevice.size()), copies(facts.perDevice.size());
    for (ActivityIndex i = 0; i < facts.trace.size(); ++i)
        if (isDeviceClass(facts.trace.cls(i))) {
            const Activity a = facts.trace[i];
            (a.engine == EngineKind::Compute ? compute : copies)[a.device].add(a.time());
        }
    for (std::size_t d = 0; d < facts.perDevice.size(); ++d) {
        facts.perDevice[d].crowdedCompute = IntervalSet::unionOfSorted(compute[d].shared);
        facts.perDevice[d].crowdedCopies = IntervalSet::unionOfSorted(copies[d].shared);
    }
}

} // namespace

void findResidency(Facts& facts) {
    findFullGrids(facts);
    findCrowds(facts);
}

FullGridHold heldByFullGrid(const DeviceFacts& device, Interval range) {
    FullGridHold hold{device.full.measure(range), kNoActivity};
    if (hold.time == 0)
        return hold;
    const auto& grids = device.fullGrids;
    auto at = std::lower_bound(grids.begin(), grids.end(), range.end,
                               [](const FullGrid& g, Ns t) { return g.time.begin < t; });
    std::map<ActivityIndex, Ns> held;
    Ns longest = 0;
    for (std::size_t n = 0; n < kMaxLookBack && at != grids.begin() && (--at)->time.end > range.begin; ++n) {
        Ns& time = held[at->kernel];
        time += std::min(at->time.end, range.end) - std::max(at->time.begin, range.begin);
        if (time > longest) {
            longest = time;
            hold.kernel = at->kernel;
        }
    }
    return hold;
}

} // namespace olab
