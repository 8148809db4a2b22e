// The times by which the account distinguishes things that no record shows: a limit for each step of CUDA and
// its host, of its order of magnitude. Seen on an H200 and an H100 (driver 580) and their Linux hosts. How
// long a step usually takes is learned from each recording (build/latencies.cpp, which also has the values
// used for too few samples); the cost of recording is estimated in host/recorder_cost.cpp.
#pragma once

#include <olab/trace/records.h>

namespace olab::replay::usual {

inline constexpr Ns kClock = 2'000;    ///< begin and end are stamped with no more error
inline constexpr Ns kHandOver = 3'000; ///< an engine begins what is next within this
inline constexpr Ns kIssue = 5'000;    ///< a call that also waits or copies has issued its work within this
inline constexpr Ns kCall = 10'000;    ///< a call that only issues has returned within this, recorded or not
inline constexpr Ns kPause = 20'000;   ///< a longer time between two calls is no part of making them
inline constexpr Ns kWakeUp = 50'000;  ///< a thread that waited, or an interpreter, goes on within this
inline constexpr Ns kDispatch = 200'000; ///< an operator of a framework issues its next kernel within this
inline constexpr Ns kSetOff = 400'000;   ///< a call that a host function set off begins within this
inline constexpr Ns kLoad = 200'000;     ///< loading a module takes longer, launching a kernel never does
inline constexpr Ns kBatch = 1'000'000;  ///< who waits for a loader of data waits for longer

} // namespace olab::replay::usual
