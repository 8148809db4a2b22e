#include "causes/longest_call.h"

#include <olab/analysis/named_ranges.h>

#include <algorithm>

namespace olab::analysis {
namespace {

ThreadWaits waitsByThread(const TraceFacts& facts, const Ledger& ledger, const LedgerEntry& entry) {
    ThreadWaits windows;
    for (const ActivityIndex row : entry.activities) {
        const OwnedWait& wait = ledger.waits[facts.deviceWork().numberOf(row)];
        const ActivityIndex call = facts.apiOf(row);
        if (wait.cause == entry.cause && call != kNoActivity)
            windows[facts.trace().queueOf(call)].push_back({wait.ready, facts.trace().time(row).begin});
    }
    return windows;
}

struct Sum {
    std::uint64_t count = 0;
    Ns time = 0;
};
using Sums = std::map<StringId, Sum>;

void takeLongest(LongestCall& longest, const Trace& trace, const Sums& sums) {
    for (const auto& [name, sum] : sums) {
        longest.all += sum.time;
        if (sum.time > longest.time) {
            longest.name = trace.text(name);
            longest.count = sum.count;
            longest.time = sum.time;
        }
    }
}

/// Adds the time of each range within `waits`, without that of its inner ranges.
void addOwnTimes(Sums& sums, const Trace& trace, const std::vector<ActivityIndex>& ranges,
                 const IntervalSet& waits) {
    std::vector<ActivityIndex> open; // each inside the previous one
    for (const ActivityIndex row : ranges) {
        const Interval time = trace.time(row);
        while (!open.empty() && trace.end(open.back()) <= time.begin)
            open.pop_back();
        const Ns within = waits.measure(time);
        if (!open.empty())
            sums[trace.nameOf(open.back())].time -= within;
        open.push_back(row);
        sums[trace.nameOf(row)].time += within;
        sums[trace.nameOf(row)].count += within > 0 ? 1 : 0;
    }
}

} // namespace

LongestCall longestCall(const TraceFacts& facts, const Ledger& ledger, const LedgerEntry& entry) {
    return longestCall(facts, waitsByThread(facts, ledger, entry));
}

LongestCall longestRange(const TraceFacts& facts, const Ledger& ledger, const LedgerEntry& entry) {
    return longestRange(facts, waitsByThread(facts, ledger, entry));
}

LongestCall longestCall(const TraceFacts& facts, const ThreadWaits& byThread) {
    const Trace& trace = facts.trace();
    LongestCall longest;
    Sums sums;
    for (const auto& [thread, times] : byThread) {
        const IntervalSet waits = IntervalSet::unionOf(times);
        longest.waited += waits.total();
        for (const ActivityIndex call : facts.ofThread(thread))
            if (const Ns within = waits.measure(trace.time(call)); within > 0) {
                ++sums[trace.nameOf(call)].count;
                sums[trace.nameOf(call)].time += within;
            }
    }
    takeLongest(longest, trace, sums);
    return longest;
}

LongestCall longestRange(const TraceFacts& facts, const ThreadWaits& byThread) {
    LongestCall longest;
    if (facts.count(ActivityClass::Nvtx) == 0)
        return longest;
    const Trace& trace = facts.trace();
    Sums sums;
    const auto ranges =
        rangesByThread(trace, [&](ActivityIndex row) { return byThread.contains(trace.queueOf(row)); });
    for (const auto& [thread, times] : byThread) {
        const IntervalSet waits = IntervalSet::unionOf(times);
        longest.waited += waits.total();
        if (const auto found = ranges.find(thread); found != ranges.end())
            addOwnTimes(sums, trace, found->second, waits);
    }
    std::erase_if(sums, [&](const auto& s) { return trace.text(s.first).starts_with("ProfilerStep#"); });
    takeLongest(longest, trace, sums);
    return longest;
}

} // namespace olab::analysis
