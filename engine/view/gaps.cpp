#include <olab/view/gaps.h>

#include <olab/trace/lanes.h>
#include <olab/view/timeline_index.h>
#include <olab/view/view_data.h>

#include <algorithm>
#include <map>

namespace olab::view {

namespace {

constexpr std::size_t kMostCalls = 20'000; // counted by name; beyond that the sum is enough

Interval deviceRun(const ViewData& shown) {
    return shown.trace().deviceSpan();
}

bool hasGaps(const ViewData& shown, LaneId lane) {
    const auto lanes = shown.index.lanes().lanes();
    return lane.value < lanes.size() && lanes[lane.value].kind == LaneKind::Engine;
}

/// Gap number `i` is before busy interval `i`; the last one after all of them.
Interval gapBefore(const ViewData& shown, const Times& busy, std::size_t i) {
    const Interval run = deviceRun(shown);
    return {i == 0 ? run.begin : busy.end(i - 1), i == busy.size() ? run.end : busy.begin(i)};
}

/// Nested calls are in deeper strips: the outermost one was made by the program.
HostDoing doingOf(const ViewData& shown, const Lane& thread, Interval gap) {
    HostDoing doing{&thread, kNoActivity, 0, thread.busy.measure(gap)};
    const Strip& calls = shown.index.strips(thread.id).front();
    const auto [first, last] = calls.candidates(gap);
    struct Sum {
        Ns time = 0, longest = -1;
        ActivityIndex call = kNoActivity;
    };
    std::map<std::uint32_t, Sum> sums; // by name
    for (std::size_t i = first; i < std::min(last, first + kMostCalls); ++i) {
        const Interval time = calls.times[i];
        const Ns inside = std::min(time.end, gap.end) - std::max(time.begin, gap.begin);
        Sum& sum = sums[shown.trace()[calls.activities[i]].name.value];
        sum.time += std::max<Ns>(inside, 0);
        if (inside > sum.longest) {
            sum.longest = inside;
            sum.call = calls.activities[i];
        }
    }
    for (const auto& [name, sum] : sums)
        if (sum.time > doing.time) {
            doing.time = sum.time;
            doing.call = sum.call;
        }
    return doing;
}

} // namespace

std::optional<Gap> gapAt(const ViewData& shown, LaneId lane, Ns t) {
    if (!hasGaps(shown, lane) || !deviceRun(shown).contains(t))
        return std::nullopt;
    const Times& busy = shown.index.lanes()[lane].busy.intervals();
    const std::size_t after = busy.firstBehind(t);
    if (after > 0 && busy.end(after - 1) > t)
        return std::nullopt;
    const Interval time = gapBefore(shown, busy, after);
    return time.length() > 0 ? std::optional(Gap{lane, time}) : std::nullopt;
}

std::optional<Gap> nextGap(const ViewData& shown, LaneId lane, Ns t, int direction) {
    if (!hasGaps(shown, lane))
        return std::nullopt;
    const Times& busy = shown.index.lanes()[lane].busy.intervals();
    const auto count = static_cast<std::ptrdiff_t>(busy.size());
    // Gap i begins where busy interval i - 1 ends, so their begins are sorted too.
    const Ns start = deviceRun(shown).begin;
    std::ptrdiff_t at = direction < 0 ? (start < t ? 0 : -1) : (start > t ? 0 : 1);
    if (at >= 0 && start <= t)
        at +=
            static_cast<std::ptrdiff_t>(direction < 0 ? busy.firstEndingFrom(t) : busy.firstEndingBehind(t));
    for (; at >= 0 && at <= count; at += direction) // the first and the last one may have no length
        if (const Interval time = gapBefore(shown, busy, static_cast<std::size_t>(at)); time.length() > 0)
            return Gap{lane, time};
    return std::nullopt;
}

std::optional<Gap> gapOfIdle(const ViewData& shown, std::uint8_t device, Interval time) {
    std::optional<Gap> best;
    for (const Lane& lane : shown.index.lanes().ofDevice(device))
        if (const auto gap = gapAt(shown, lane.id, time.begin);
            gap && (!best || gap->time.length() < best->time.length()))
            best = gap;
    return best ? std::optional(Gap{best->lane, time}) : std::nullopt;
}

ActivityIndex endedBy(const ViewData& shown, const Gap& gap) {
    const Lane& lane = shown.index.lanes()[gap.lane];
    const auto beginOf = [&shown](ActivityIndex i) { return shown.trace().time(i).begin; };
    const auto next = std::ranges::lower_bound(lane.activities, gap.time.end, {}, beginOf);
    return next == lane.activities.end() ? kNoActivity : *next;
}

std::vector<HostDoing> hostDoing(const ViewData& shown, const Gap& gap) {
    std::vector<HostDoing> all;
    for (const Lane& lane : shown.index.lanes().lanes())
        if (lane.kind == LaneKind::HostThread)
            all.push_back(doingOf(shown, lane, gap.time));
    const ActivityIndex next = endedBy(shown, gap);
    const ActivityIndex call = next == kNoActivity ? kNoActivity : shown.facts.apiOf(next);
    const auto issued = [&](const HostDoing& doing) {
        return call != kNoActivity && shown.trace().queueOf(call) == doing.thread->queue;
    };
    std::ranges::stable_sort(all, [&](const HostDoing& a, const HostDoing& b) {
        return std::pair(!issued(a), -a.inCalls) < std::pair(!issued(b), -b.inCalls);
    });
    return all;
}

} // namespace olab::view
