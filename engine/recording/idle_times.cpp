#include <olab/recording/idle_times.h>

#include <olab/analysis/race.h>
#include <olab/analysis/waits.h>
#include <olab/trace/lanes.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace olab::recording {
namespace {

constexpr Ns kMuchUnexplained = 5; // a fifth of the run: the headline then says that it is unexplained

/// A stretch of a host thread in one innermost call or range.
struct Doing {
    Interval time;
    ActivityIndex row = kNoActivity;
};

IntervalSet busyOf(const Recording& recording, std::uint8_t device) {
    std::vector<Interval> times;
    for (const Lane& lane : recording.lanes->ofDevice(device))
        if (lane.kind == LaneKind::Engine || lane.kind == LaneKind::Stream)
            for (std::size_t at = 0; at < lane.busy.size(); ++at)
                times.push_back({lane.busy.intervals().begin(at), lane.busy.intervals().end(at)});
    return IntervalSet::unionOf(std::move(times));
}

/// By device: the host thread that issued most of its work; without calls the one with most time in ranges.
std::vector<std::optional<QueueId>> issuingThreads(const Recording& recording) {
    const Trace& trace = recording.trace;
    const analysis::Facts& facts = *recording.facts;
    std::vector<std::map<std::uint16_t, Ns>> worth(trace.devices().size());
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
        const ActivityIndex row = facts.deviceWork().row(n), call = facts.apiOf(row);
        if (call != kNoActivity)
            ++worth[trace.queue(trace.queueOf(row)).device][trace.queueOf(call).value];
    }
    std::map<std::uint16_t, Ns> any;
    for (const Lane& lane : recording.lanes->lanes())
        if (lane.kind == LaneKind::HostThread || lane.kind == LaneKind::HostRanges)
            any[lane.queue.value] += lane.busy.measure(trace.deviceSpan());
    std::vector<std::optional<QueueId>> threads;
    for (const auto& own : worth) {
        const auto& known = own.empty() ? any : own;
        const auto most = std::ranges::max_element(known, {}, [](const auto& each) { return each.second; });
        threads.push_back(most == known.end() || most->second == 0 ? std::nullopt
                                                                   : std::optional(QueueId{most->first}));
    }
    return threads;
}

/// Calls and ranges of a thread, an outer one before its inner ones.
std::vector<ActivityIndex> rowsOf(const Recording& recording, QueueId thread) {
    const Trace& trace = recording.trace;
    std::vector<ActivityIndex> rows;
    for (const Lane& lane : recording.lanes->ofQueue(thread))
        if (lane.kind == LaneKind::HostThread || lane.kind == LaneKind::HostRanges)
            for (const ActivityIndex row : lane.activities)
                if (trace.time(row).length() > 0)
                    rows.push_back(row);
    std::ranges::stable_sort(rows, [&trace](ActivityIndex a, ActivityIndex b) {
        const Interval x = trace.time(a), y = trace.time(b);
        return x.begin != y.begin ? x.begin < y.begin : x.end > y.end;
    });
    return rows;
}

/// Disjoint and in order. Of nested calls the outer one counts, because the program made that one.
class InnermostWalk {
public:
    explicit InnermostWalk(const Trace& trace)
        : m_trace(trace) {}
    void add(ActivityIndex row) {
        closeUntil(m_trace.begin(row));
        const bool inCall = !m_open.empty() && m_trace.cls(m_open.back()) != ActivityClass::Nvtx;
        if (inCall && m_trace.end(m_open.back()) >= m_trace.end(row))
            return;
        tell(m_trace.begin(row));
        m_open.push_back(row);
    }
    std::vector<Doing> take() {
        closeUntil(std::numeric_limits<Ns>::max());
        return std::move(m_made);
    }

private:
    void closeUntil(Ns t) {
        while (!m_open.empty() && m_trace.end(m_open.back()) <= t) {
            tell(m_trace.end(m_open.back()));
            m_open.pop_back();
        }
    }
    void tell(Ns to) {
        if (!m_open.empty() && to > m_told)
            m_made.push_back({{std::max(m_told, m_trace.begin(m_open.back())), to}, m_open.back()});
        m_told = std::max(m_told, to);
    }
    const Trace& m_trace;
    std::vector<ActivityIndex> m_open;
    std::vector<Doing> m_made;
    Ns m_told = std::numeric_limits<Ns>::min();
};

/// What each host thread did, computed once for all devices that it issues to.
class HostDoings {
public:
    explicit HostDoings(const Recording& recording)
        : m_recording(recording)
        , m_threads(issuingThreads(recording)) {}
    const std::vector<Doing>& of(std::uint8_t device) {
        if (!m_threads[device])
            return m_none;
        const auto [at, isNew] = m_known.try_emplace(m_threads[device]->value);
        if (isNew) {
            InnermostWalk walk(m_recording.trace);
            for (const ActivityIndex row : rowsOf(m_recording, *m_threads[device]))
                walk.add(row);
            at->second = walk.take();
        }
        return at->second;
    }

private:
    const Recording& m_recording;
    std::vector<std::optional<QueueId>> m_threads;
    std::map<std::uint16_t, std::vector<Doing>> m_known;
    const std::vector<Doing> m_none;
};

using Sums = std::map<std::uint32_t, Ns>; ///< by name

/// What the host did in a gap; `at` advances with the gaps.
Sums sumsIn(const Trace& trace, const std::vector<Doing>& doings, std::size_t& at, Interval gap) {
    while (at < doings.size() && doings[at].time.end <= gap.begin)
        ++at;
    Sums sums;
    for (std::size_t i = at; i < doings.size() && doings[i].time.begin < gap.end; ++i)
        sums[trace.nameOf(doings[i].row).value] +=
            std::min(doings[i].time.end, gap.end) - std::max(doings[i].time.begin, gap.begin);
    return sums;
}

std::vector<HostShare> largestShares(const Trace& trace, const Sums& sums, std::size_t most) {
    std::vector<std::pair<std::uint32_t, Ns>> all(sums.begin(), sums.end());
    std::ranges::stable_sort(all, std::ranges::greater(), [](const auto& each) { return each.second; });
    std::vector<HostShare> shares;
    for (std::size_t i = 0; i < std::min(all.size(), most); ++i)
        shares.push_back({std::string(trace.text(StringId{all[i].first})), all[i].second});
    return shares;
}

void keepGap(std::vector<IdleGap>& largest, Interval gap, const Trace& trace, const Sums& sums) {
    const auto longer = [](const IdleGap& a, const IdleGap& b) { return a.time.length() > b.time.length(); };
    if (largest.size() == kLargestGaps && gap.length() <= largest.back().time.length())
        return;
    const auto share = largestShares(trace, sums, 1);
    largest.push_back({gap, share.empty() ? HostShare() : share.front()});
    std::ranges::stable_sort(largest, longer);
    largest.resize(std::min(largest.size(), kLargestGaps));
}

DeviceIdle idleOf(const Recording& recording, std::uint8_t device, HostDoings& host) {
    const Trace& trace = recording.trace;
    const IntervalSet busy = busyOf(recording, device);
    DeviceIdle made;
    made.device = device;
    if (busy.size() < 2)
        return made;
    const std::vector<Doing>& doings = host.of(device);
    const Times& times = busy.intervals();
    made.span = times.end(busy.size() - 1) - times.begin(0);
    made.idle = made.span - busy.total();
    made.gaps = busy.size() - 1;
    Sums all;
    std::size_t at = 0;
    for (std::size_t i = 1; i < busy.size(); ++i) {
        const Interval gap{times.end(i - 1), times.begin(i)};
        const Sums sums = sumsIn(trace, doings, at, gap);
        for (const auto& [name, time] : sums)
            all[name] += time;
        keepGap(made.largest, gap, trace, sums);
    }
    made.host = largestShares(trace, all, kHostShares);
    return made;
}

std::string labelOf(const Recording& recording, std::size_t device) {
    const auto& reported = recording.report.devices;
    return device < reported.size() && !reported[device].label.empty() ? reported[device].label : "The GPU";
}

bool hasCalls(const Recording& recording) {
    const auto isCalls = [](const Lane& lane) { return lane.kind == LaneKind::HostThread; };
    return std::ranges::any_of(recording.lanes->lanes(), isCalls);
}

std::string gapCount(std::size_t gaps) {
    return gaps == 1 ? "in one gap" : "in " + std::to_string(gaps) + " gaps";
}

} // namespace

bool wantsIdleTimes(const Recording& recording, const analysis::Ledger* ledger) {
    if (!ledger || recording.facts->deviceWork().size() < 2 || !analysis::raceText(recording.report).empty())
        return false;
    return !ledger->missing.empty() || !hasCalls(recording) ||
           ledger->unexplained > ledger->measured / kMuchUnexplained;
}

std::vector<DeviceIdle> idleTimes(const Recording& recording, const RunControl& control) {
    std::vector<DeviceIdle> all;
    HostDoings host(recording);
    for (std::size_t device = 0; device < recording.trace.devices().size(); ++device) {
        control.throwIfCancelled();
        all.push_back(idleOf(recording, static_cast<std::uint8_t>(device), host));
        all.back().label = labelOf(recording, device);
    }
    std::erase_if(all, [](const DeviceIdle& device) { return device.idle == 0; });
    std::ranges::stable_sort(all, std::ranges::greater(), &DeviceIdle::idle);
    return all;
}

std::optional<IdleTime> longestIdle(const Recording& recording) {
    IdleTime longest;
    for (std::size_t device = 0; device < recording.trace.devices().size(); ++device) {
        const IntervalSet busy = busyOf(recording, static_cast<std::uint8_t>(device));
        for (std::size_t i = 1; i < busy.size(); ++i) {
            const Interval gap{busy.intervals().end(i - 1), busy.intervals().begin(i)};
            if (gap.length() > longest.time.length())
                longest = {static_cast<std::uint8_t>(device), gap};
        }
    }
    return longest.time.length() > 0 ? std::optional(longest) : std::nullopt;
}

std::string idleText(const DeviceIdle& device) {
    using analysis::timeText;
    const double share = 100.0 * static_cast<double>(device.idle) / static_cast<double>(device.span);
    std::string text = device.label + " was idle for " + timeText(device.idle) + " of " +
                       timeText(device.span) + " (" + shortText(share, 2) + " %), " + gapCount(device.gaps) +
                       ".";
    for (const HostShare& share_ : device.host)
        text += (&share_ == &device.host.front() ? " Meanwhile the host was in " : ", in ") + share_.name +
                " for " + timeText(share_.time);
    return device.host.empty() ? text + " What the host did then is not recorded." : text + ".";
}

std::string gapText(const IdleGap& gap) {
    const std::string length = analysis::timeText(gap.time.length());
    return gap.host.name.empty() ? length : length + " in " + gap.host.name;
}

} // namespace olab::recording
