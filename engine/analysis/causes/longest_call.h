// What a thread was doing longest while device work that it issued next could have begun: the call it was in,
// or the innermost range that the program or its framework named.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>

#include <map>

namespace olab::analysis {

struct LongestCall {
    std::string name; ///< empty: no call of these threads was recorded then
    std::uint64_t count = 0;
    Ns time = 0;   ///< within the waits, of all calls with this name
    Ns waited = 0; ///< length of the waits that were looked at, of each thread once
    Ns all = 0;    ///< the same of all names
    bool isMost() const { return waited > 0 && time * 2 >= waited; }
};
/// What was waited, by the thread that is looked at.
using ThreadWaits = std::map<QueueId, std::vector<Interval>>;
LongestCall longestCall(const TraceFacts& facts, const ThreadWaits& waits);
/// Of the waits that the entry owns among its worst activities.
LongestCall longestCall(const TraceFacts& facts, const Ledger& ledger, const LedgerEntry& entry);
/// The same of ranges: each has the time in which no range within it was open. Steps of a profiler name
/// nothing.
LongestCall longestRange(const TraceFacts& facts, const ThreadWaits& waits);
LongestCall longestRange(const TraceFacts& facts, const Ledger& ledger, const LedgerEntry& entry);

} // namespace olab::analysis
