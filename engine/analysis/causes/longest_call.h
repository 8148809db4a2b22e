// What a thread did longest while device work that it issued next could have begun: the call it was in, or
// the innermost range named by the program or its framework.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/ledger.h>

#include <map>

namespace olab::analysis {

struct LongestCall {
    std::string name; ///< empty: no call of these threads was recorded in that time
    std::uint64_t count = 0;
    Ns time = 0;   ///< within the waits, of all calls with this name
    Ns waited = 0; ///< length of the waits examined, counted once per thread
    Ns all = 0;    ///< the same, over all names
    bool isMost() const { return waited > 0 && time * 2 >= waited; }
};
/// The waits examined, by thread.
using ThreadWaits = std::map<QueueId, std::vector<Interval>>;
LongestCall longestCall(const TraceFacts& facts, const ThreadWaits& waits);
/// For the waits that the entry owns among its worst activities.
LongestCall longestCall(const TraceFacts& facts, const Ledger& ledger, const LedgerEntry& entry);
/// The same for ranges: each counts the time in which no inner range was open. Steps of a profiler are
/// ignored.
LongestCall longestRange(const TraceFacts& facts, const ThreadWaits& waits);
LongestCall longestRange(const TraceFacts& facts, const Ledger& ledger, const LedgerEntry& entry);

} // namespace olab::analysis
