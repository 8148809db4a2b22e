// Sums of times and bytes that may come from a damaged file: they stop at the largest number instead of
// wrapping.
#pragma once

#include <olab/trace/types.h>

#include <limits>

namespace olab::analysis {

/// The longest time that can be summed over the 256 devices of a trace without overflow.
inline constexpr Ns kMostOfDevices = Ns{1} << 54;

inline void addCapped(std::int64_t& sum, std::int64_t part) {
    if (__builtin_add_overflow(sum, part, &sum))
        sum = part < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

} // namespace olab::analysis
