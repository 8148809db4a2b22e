// How often a pass over many rows checks for cancellation.
#pragma once

#include <olab/trace/run_control.h>

#include <cstddef>

namespace olab::analysis {

/// Often enough to stop within 200 ms, seldom enough to cost nothing. @throws Error when cancelled
inline void lookAtCancel(std::size_t i, const RunControl& control) {
    constexpr std::size_t kEvery = std::size_t{1} << 16;
    if (i % kEvery == 0)
        control.throwIfCancelled();
}

} // namespace olab::analysis
