// TraceBuilder's second pass, first part: times of all clocks become wall time, and per-process numbers
// (correlations, devices) become numbers of the trace. With one process and one clock, the usual case,
// nothing is done.
#include "radix_sort.h"
#include "trace_builder_state.h"

#include <algorithm>
#include <limits>

namespace olab {
namespace {

/// Converts a clock's time to wall time: linear interpolation between two readings; before and after all,
/// along the nearest line.
class WallClock {
public:
    explicit WallClock(std::vector<ClockRecord> readings)
        : m_readings(std::move(readings)) {
        std::ranges::stable_sort(m_readings, {}, &ClockRecord::at);
        std::size_t kept = 0;
        for (const ClockRecord& reading : m_readings)
            if (kept == 0 || goesRight(m_readings[kept - 1], reading))
                m_readings[kept++] = reading;
        m_refused = m_readings.size() - kept;
        m_readings.resize(kept);
    }
    /// Implausible readings: a nanosecond of the clock would be less than half of one, or more than two.
    std::uint64_t refused() const { return m_refused; }
    /// Empty if out of range.
    std::optional<Ns> operator()(Ns at) const {
        const auto after = std::ranges::upper_bound(m_readings, at, {}, &ClockRecord::at);
        const auto count = static_cast<std::ptrdiff_t>(m_readings.size());
        const auto from = std::clamp<std::ptrdiff_t>(after - m_readings.begin() - 1, 0,
                                                     std::max<std::ptrdiff_t>(0, count - 2));
        const ClockRecord& a = m_readings[static_cast<std::size_t>(from)];
        Wide wall = Wide{at} - a.at;
        if (count > 1) {
            const ClockRecord& b = m_readings[static_cast<std::size_t>(from) + 1];
            wall = scaled(wall, Wide{b.wall} - a.wall, Wide{b.at} - a.at);
        }
        wall += a.wall;
        if (wall < std::numeric_limits<Ns>::min() || wall > std::numeric_limits<Ns>::max())
            return std::nullopt;
        return static_cast<Ns>(wall);
    }

private:
    __extension__ using Wide = __int128;
    /// length * up / down in two steps, so that nothing overflows: up is at most twice down.
    static Wide scaled(Wide length, Wide up, Wide down) {
        return length / down * up + length % down * up / down;
    }
    static bool goesRight(const ClockRecord& a, const ClockRecord& b) {
        const Wide clock = Wide{b.at} - a.at, wall = Wide{b.wall} - a.wall;
        return clock > 0 && 2 * wall >= clock && wall <= 2 * clock;
    }
    std::vector<ClockRecord> m_readings;
    std::uint64_t m_refused = 0;
};

} // namespace

void TraceBuilder::State::resolveClocks() {
    std::set<std::uint32_t> used;
    for (const RawQueue& queue : queues.keys())
        used.insert(queue.clock);
    for (const std::uint32_t clock : used) // a single clock needs no conversion
        if (clock != 0 && used.size() > 1 && !clocks.contains(clock))
            note(DefectCode::UnknownClock, 1, kAllClasses, "clock " + std::to_string(clock));
    if (clocks.empty())
        return;
    std::map<std::uint32_t, WallClock> walls;
    for (auto& [clock, readings] : clocks) {
        const auto at = walls.emplace(clock, WallClock(std::move(readings))).first;
        note(DefectCode::BadRecord, at->second.refused(), kAllClasses,
             "readings of a clock that contradict others");
    }
    first = last = 0;
    rows.each([&](Row& row) {
        if (const auto wall = walls.find(queues[row.queue].clock); wall != walls.end()) {
            const std::optional<Ns> begin = wall->second(row.begin), end = wall->second(row.end);
            if (!begin || !end || *end < *begin)
                return refuseRow(row, "a time that its clock cannot have shown");
            row.begin = *begin, row.end = *end;
            falling = true;
        }
        first = std::min(first, row.begin), last = std::max(last, row.end);
    });
    std::erase_if(windows, [&](WindowRecord& window) {
        const auto wall = walls.find(window.clock);
        if (wall == walls.end())
            return false;
        const std::optional<Ns> begin = wall->second(window.begin), end = wall->second(window.end);
        const bool bad = !begin || !end || longerThanTime(*begin, *end);
        note(DefectCode::BadRecord, bad ? 1 : 0, kAllClasses, "a measured window");
        if (!bad)
            window.begin = *begin, window.end = *end, window.clock = 0;
        return bad;
    });
}

/// Of processes that use the same correlation id one keeps it, the others get unused ids: readers of the
/// trace can follow a correlation regardless of processes.
void TraceBuilder::State::separateCorrelations() {
    const auto processOf = [this](const Row& row) { return queues[row.queue].process; };
    const bool several = std::ranges::any_of(
        queues.keys(), [&](const RawQueue& queue) { return queue.process != queues.keys().front().process; });
    if (!several)
        return;
    SeparateNumbers<std::uint32_t> numbers;
    rows.each([&](const Row& row) {
        if (!row.gone() && row.correlation != 0)
            numbers.add(processOf(row), row.correlation);
    });
    numbers.settle();
    rows.each([&](Row& row) {
        if (!row.gone() && row.correlation != 0)
            row.correlation = numbers(processOf(row), row.correlation);
    });
    // Data about unrecorded work must not match another process's.
    std::erase_if(correlations, [&numbers](const CorrelatedOp& tagged) {
        return !numbers.knows(tagged.correlation.process, tagged.correlation.number);
    });
    for (CorrelatedOp& tagged : correlations)
        tagged.correlation.number = numbers(tagged.correlation.process, tagged.correlation.number);
    for (StreamCallRecord& call : streamCalls)
        call.correlation =
            numbers.knows(call.process, call.correlation) ? numbers(call.process, call.correlation) : 0;
}

/// The same for events and their recordings.
void TraceBuilder::State::separateEvents() {
    SeparateNumbers<std::uint32_t> events;
    SeparateNumbers<std::uint64_t> recordings;
    const bool several = std::ranges::any_of(streamCalls, [this](const StreamCallRecord& call) {
        return call.process != streamCalls.front().process;
    });
    if (!several)
        return;
    for (const StreamCallRecord& call : streamCalls) {
        if (call.event != kNoNumber)
            events.add(call.process, call.event);
        if (call.recording != 0)
            recordings.add(call.process, call.recording);
    }
    events.settle(), recordings.settle();
    for (StreamCallRecord& call : streamCalls) {
        call.event = events(call.process, call.event); // for unused numbers it has no entry
        call.recording = recordings(call.process, call.recording);
    }
}

/// One device may have a number in each process (CUDA_VISIBLE_DEVICES), and one number be a device in each.
/// Their uuids decide; without uuids, equal numbers are the same device. Devices of different ranks are
/// distinct: each rank has its own recording.
void TraceBuilder::State::resolveDevices() {
    using InRank = std::pair<std::uint32_t, std::string>;
    std::map<InRank, std::uint32_t> numberOfUuid;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numberInRank; // by its own number
    for (const auto& [local, device] : devices) {
        std::uint32_t number = local.number;
        const auto known = numberOfUuid.find({device.rank, device.uuid});
        const auto same = numberInRank.find({device.rank, local.number});
        if (!device.uuid.empty() && known != numberOfUuid.end())
            number = known->second;
        else if (same != numberInRank.end() &&
                 (device.uuid.empty() || described.at(same->second).uuid.empty()))
            number = same->second;
        else
            while (described.contains(number))
                ++number;
        if (!device.uuid.empty())
            numberOfUuid.emplace(InRank{device.rank, device.uuid}, number);
        numberInRank.emplace(std::pair{device.rank, local.number}, number);
        described.try_emplace(number, device).first->second.process = 0;
        numberOfDevice.emplace(local, number);
    }
}

} // namespace olab
