// The clocks of a run. CUPTI stamps with CLOCK_REALTIME on Linux, so the window and host functions use it
// too.
#pragma once

#include <olab/trace/types.h>

#include <ctime>

namespace olab::cuda {

inline Ns clockNs(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return Ns{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}
inline Ns traceNow() {
    return clockNs(CLOCK_REALTIME);
}
inline Ns steadyNow() {
    return clockNs(CLOCK_MONOTONIC);
}

} // namespace olab::cuda
