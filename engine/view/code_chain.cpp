#include <olab/view/code_chain.h>

#include <olab/trace/index_search.h>

#include <algorithm>

namespace olab::view {
namespace {

constexpr std::uint64_t kMostLooked = 100'000;

/// The first activity that begins after `time`; they are sorted by begin.
ActivityIndex firstAfter(const Trace& trace, Ns time) {
    return static_cast<ActivityIndex>(firstNotBefore(0, trace.size(), [&](std::size_t row) {
        return trace.begin(static_cast<ActivityIndex>(row)) <= time;
    }));
}

} // namespace

std::vector<ActivityIndex> rangesAround(const analysis::Facts& facts, QueueId thread, Interval time) {
    std::vector<ActivityIndex> ranges;
    if (facts.count(ActivityClass::Nvtx) == 0)
        return ranges;
    const Trace& trace = facts.trace();
    for (ActivityIndex row = 0; row < firstAfter(trace, time.begin); ++row)
        if (trace.cls(row) == ActivityClass::Nvtx && trace.end(row) >= time.end && trace.duration(row) > 0 &&
            trace.queueOf(row) == thread)
            ranges.push_back(row);
    std::ranges::stable_sort(ranges, {}, [&](ActivityIndex row) { return trace.duration(row); });
    return ranges;
}

std::vector<ActivityIndex> codeChain(const analysis::Facts& facts, ActivityIndex activity) {
    const Trace& trace = facts.trace();
    const bool isOfDevice = isDeviceClass(trace.cls(activity));
    const ActivityIndex host = isOfDevice ? facts.apiOf(activity) : activity;
    std::vector<ActivityIndex> chain;
    if (host == kNoActivity)
        return chain;
    if (isOfDevice)
        chain.push_back(host);
    for (const ActivityIndex range : rangesAround(facts, trace.queueOf(host), trace.time(host)))
        if (range != activity)
            chain.push_back(range);
    return chain;
}

WorkWithin workWithin(const analysis::Facts& facts, ActivityIndex range) {
    const Trace& trace = facts.trace();
    const Interval time = trace.time(range);
    const auto calls = facts.ofThread(trace.queueOf(range));
    WorkWithin found;
    std::uint64_t looked = 0;
    auto call =
        std::ranges::lower_bound(calls, time.begin, {}, [&](ActivityIndex row) { return trace.begin(row); });
    for (; call != calls.end() && trace.begin(*call) < time.end; ++call) {
        if (++looked > kMostLooked) {
            found.isAll = false;
            break;
        }
        for (const ActivityIndex row : facts.issuedBy(*call)) {
            if (!isDeviceClass(trace.cls(row)))
                continue;
            ++found.count;
            found.time += trace.duration(row);
            if (found.longest == kNoActivity || trace.duration(row) > trace.duration(found.longest))
                found.longest = row;
        }
    }
    return found;
}

} // namespace olab::view
