#include "causes/longest_call.h"

#include <map>

namespace olab::analysis {
namespace {

using Windows = std::map<QueueId, std::vector<Interval>>; ///< by thread

Windows waitsByThread(const TraceFacts& facts, const Ledger& ledger, const LedgerEntry& entry) {
    Windows windows;
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

} // namespace

LongestCall longestCall(const TraceFacts& facts, const Ledger& ledger, const LedgerEntry& entry) {
    const Trace& trace = facts.trace();
    LongestCall longest;
    std::map<StringId, Sum> sums;
    for (auto& [thread, times] : waitsByThread(facts, ledger, entry)) {
        const IntervalSet waits = IntervalSet::unionOf(std::move(times));
        longest.waited += waits.total();
        for (const ActivityIndex call : facts.ofThread(thread))
            if (const Ns within = waits.measure(trace.time(call)); within > 0) {
                ++sums[trace.nameOf(call)].count;
                sums[trace.nameOf(call)].time += within;
            }
    }
    for (const auto& [name, sum] : sums)
        if (sum.time > longest.time) {
            longest.name = trace.text(name);
            longest.count = sum.count;
            longest.time = sum.time;
        }
    return longest;
}

} // namespace olab::analysis
