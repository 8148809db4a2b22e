// The times by which the account distinguishes things that no record shows: a limit for each step of CUDA and
// its host, of its order of magnitude. Seen on an H200 and an H100 (driver 580) and their Linux hosts. How
// long a step usually takes is learned from each recording (build/latencies.cpp, which also has the values
// used for too few samples); the cost of recording is estimated in host/recorder_cost.cpp.
#pragma once

#include <olab/trace/records.h>

namespace olab::replay::usual {

inline constexpr Ns kClock = 2'000;      ///< largest error of begin and end stamps
inline constexpr Ns kHandOver = 3'000;   ///< an engine begins its next work within this
inline constexpr Ns kIssue = 5'000;      ///< a call that also waits or copies issues its work within this
inline constexpr Ns kCall = 10'000;      ///< a call that only issues returns within this, recorded or not
inline constexpr Ns kPause = 20'000;     ///< a longer time between two calls is more than the making of calls
inline constexpr Ns kWakeUp = 50'000;    ///< a thread that waited, or an interpreter, continues within this
inline constexpr Ns kDispatch = 200'000; ///< an operator of a framework issues its next kernel within this
inline constexpr Ns kSetOff = 400'000;   ///< a call triggered by a host function begins within this
inline constexpr Ns kLoad = 200'000;     ///< loading a module takes longer, launching a kernel never does
inline constexpr Ns kBatch = 1'000'000;  ///< a wait for a data loader is longer than this

} // namespace olab::replay::usual
