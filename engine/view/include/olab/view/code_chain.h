// From the device to the code and back: the call that issued an operation and the named ranges around it, and
// the operations issued within a range. Pure functions; any thread.
#pragma once

#include <olab/analysis/costly_waits.h>

#include <vector>

namespace olab::view {

using analysis::codeChain;
using analysis::rangesAround;

/// Device work that the calls of a range's thread issued while it was open.
struct WorkWithin {
    std::uint64_t count = 0;
    Ns time = 0; ///< sum of their durations
    ActivityIndex longest = kNoActivity;
    bool isAll = true; ///< false: of the first 100 000 calls only
};
WorkWithin workWithin(const analysis::Facts& facts, ActivityIndex range);

} // namespace olab::view
