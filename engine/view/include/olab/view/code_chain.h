// From the device to the code and back: the call that issued an operation and the named ranges around it, and
// the operations that were issued within a range. Pure functions; any thread.
#pragma once

#include <olab/analysis/facts.h>

#include <vector>

namespace olab::view {

/// For device work the call that issued it, then the ranges that are open around that call on its thread, the
/// innermost first; for what a host thread did the ranges around it. O(n) where ranges were recorded.
std::vector<ActivityIndex> codeChain(const analysis::Facts& facts, ActivityIndex activity);
/// The ranges of a thread that are open all the time, the innermost first. O(n).
std::vector<ActivityIndex> rangesAround(const analysis::Facts& facts, QueueId thread, Interval time);

/// Device work that the calls of a range's thread issued while it was open.
struct WorkWithin {
    std::uint64_t count = 0;
    Ns time = 0; ///< their lengths added up
    ActivityIndex longest = kNoActivity;
    bool isAll = true; ///< false: of the first 100 000 calls only
};
WorkWithin workWithin(const analysis::Facts& facts, ActivityIndex range);

} // namespace olab::view
