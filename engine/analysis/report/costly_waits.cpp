#include <olab/analysis/costly_waits.h>

#include <olab/trace/index_search.h>

#include <algorithm>
#include <utility>

namespace olab::analysis {
namespace {

/// The first activity that begins after `time`; activities are sorted by begin.
ActivityIndex firstAfter(const Trace& trace, Ns time) {
    return static_cast<ActivityIndex>(firstNotBefore(0, trace.size(), [&](std::size_t row) {
        return trace.begin(static_cast<ActivityIndex>(row)) <= time;
    }));
}

bool costsNothing(const Ledger* account, LossCause cause) {
    if (!account)
        return false;
    if (cause == LossCause::Unexplained)
        return static_cast<double>(account->unexplained) <
               kSmallCost * static_cast<double>(account->measured);
    const auto entry = std::ranges::find(account->entries, cause, &LedgerEntry::cause);
    return entry == account->entries.end() || entry->cost <= 0;
}

struct Own {
    std::size_t number = 0; ///< of the device work
    Interval time;
};

/// Longer ones first, then earlier ones.
bool isBefore(const Own& a, const Own& b) {
    return a.time.length() != b.time.length() ? a.time.length() > b.time.length() : a.number < b.number;
}

/// `previous`: the activity before it in its stream; kNoActivity: none.
Interval ownPart(const Trace& trace, const ExplainedWait& wait, ActivityIndex previous) {
    const Ns begin = trace.begin(wait.op);
    Ns from = begin - wait.held;
    if (previous != kNoActivity)
        from = std::max(from, previous == wait.blocker ? trace.begin(previous) : trace.end(previous));
    return {std::min(from, begin), begin};
}

} // namespace

std::vector<ActivityIndex> rangesAround(const TraceFacts& facts, QueueId thread, Interval time) {
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

std::vector<ActivityIndex> codeChain(const TraceFacts& facts, ActivityIndex activity) {
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

std::vector<CostlyWait> costliestWaits(const TraceFacts& facts, std::shared_ptr<const Ledger> account,
                                       std::size_t most) {
    if (account && !account->missing.empty())
        account = nullptr;
    const ExplainedWaits waits(facts, account);
    const Trace& trace = facts.trace();
    std::vector<Own> longest;                                            // sorted
    std::vector<ActivityIndex> last(trace.queues().size(), kNoActivity); // per stream
    for (std::size_t number = 0; number < waits.size(); ++number) {
        const ActivityIndex row = facts.deviceWork().row(number);
        const ActivityIndex previous = std::exchange(last[trace.queueOf(row).value], row);
        if (waits.held(number) <= 0 ||
            (longest.size() == most && waits.held(number) < longest.back().time.length()))
            continue;
        const ExplainedWait wait = waits[number];
        const Own own{number, ownPart(trace, wait, previous)};
        if (own.time.length() <= 0 || !wait.isHeld() || (account && !wait.isOwned) ||
            costsNothing(account.get(), wait.cause))
            continue;
        longest.insert(std::ranges::upper_bound(longest, own, isBefore), own);
        if (longest.size() > most)
            longest.pop_back();
    }
    std::vector<CostlyWait> found;
    for (const Own& own : longest) {
        CostlyWait& costly = found.emplace_back(CostlyWait{waits[own.number], own.time, kNoActivity, {}});
        costly.ranges = codeChain(facts, costly.wait.op);
        if (!costly.ranges.empty() && facts.apiOf(costly.wait.op) != kNoActivity) {
            costly.call = costly.ranges.front();
            costly.ranges.erase(costly.ranges.begin());
        }
    }
    return found;
}

} // namespace olab::analysis
