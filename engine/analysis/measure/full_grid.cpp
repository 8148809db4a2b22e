#include "measure/full_grid.h"

#include "facts/looks.h"

#include <cmath>
#include <queue>
#include <set>

namespace olab::analysis {
namespace {

// Room of a device as an integer, so that sums of thirds are exact enough and adding, then subtracting, gives
// zero.
constexpr std::int64_t kWholeDevice = 1 << 20;
// Upper limit for a grid, so that the sum over a whole trace cannot overflow.
constexpr double kMostRoom = 1 << 30;
// How far back from its end a wait is searched for the kernel that held it longest: bounds the work per wait.
constexpr std::size_t kMaxLookBack = 64;

// The share of the device that a grid takes while resident, rounded up; 0: unknown.
std::int64_t roomOf(const Work& kernel) {
    if (kernel.residentBlocks == 0 || kernel.blocks == 0)
        return 0;
    const double devices = static_cast<double>(kernel.blocks) / static_cast<double>(kernel.residentBlocks);
    return static_cast<std::int64_t>(std::ceil(std::min(devices * kWholeDevice, kMostRoom)));
}

// Sweeps the kernels of one device in begin order and records when they fill it.
class ResidencySweep {
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

} // namespace

void findFullGrids(const Facts& facts, std::uint8_t device, DeviceFacts& known, const RunControl& control) {
    std::vector<std::int64_t> rooms; // by kind of work
    for (const Work& work : facts.works())
        rooms.push_back(work.cls == ActivityClass::Kernel ? roomOf(work) : 0);
    known.knowsResidency = true;
    const Trace& trace = facts.trace();
    const bool anyRoom = std::ranges::any_of(rooms, [](std::int64_t room) { return room > 0; });
    ResidencySweep sweep;
    std::size_t looked = 0;
    for (const ActivityIndex i : facts.ofEngine(device, EngineKind::Compute)) {
        lookAtCancel(looked++, control);
        if (trace.cls(i) != ActivityClass::Kernel)
            continue;
        const std::int64_t room = rooms[facts.workAt(facts.deviceWork().numberOf(i)).value];
        if (room > 0) {
            sweep.add(i, trace.time(i), room);
            continue;
        }
        known.knowsResidency = false;
        if (!anyRoom) // no kernel can fill it
            break;
    }
    known.fullGrids = sweep.finish();
    IntervalSetMaker full(known.fullGrids.size());
    for (const FullGrid& grid : known.fullGrids)
        full.add(grid.time);
    known.full = full.take();
}

ActivityIndex fullestKernel(const DeviceFacts& device, Interval range, std::size_t behind) {
    const auto& grids = device.fullGrids;
    struct Held {
        Ns time = 0;
        ActivityIndex kernel = kNoActivity;
    };
    std::array<Held, kMaxLookBack> held;
    std::size_t count = 0;
    Held longest;
    for (std::size_t n = 0; n < kMaxLookBack && behind > 0 && grids[--behind].time.end > range.begin; ++n) {
        const FullGrid& grid = grids[behind];
        std::size_t at = 0;
        while (at < count && held[at].kernel != grid.kernel)
            ++at;
        if (at == count)
            held[count++] = {0, grid.kernel};
        held[at].time += std::min(grid.time.end, range.end) - std::max(grid.time.begin, range.begin);
        if (held[at].time > longest.time)
            longest = held[at];
    }
    return longest.kernel;
}

} // namespace olab::analysis
