// Products of times, rates and counts of a device model. A model comes from a file, so any of its numbers may
// be as large as its field allows: results are clamped to kForever, longer than any allowed run.
#pragma once

#include <olab/trace/types.h>

#include <algorithm>
#include <cstdint>

namespace olab::sim {

inline constexpr Ns kForever = Ns{1} << 60; ///< 36 years

/// (value * times + more) / per, none of them below 0, `per` above.
inline Ns scaled(Ns value, std::int64_t times, std::int64_t per, std::int64_t more = 0) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(value, times, &product) && !__builtin_add_overflow(product, more, &product))
        return std::min(product / per, kForever);
    const long double exact =
        static_cast<long double>(value) * static_cast<long double>(times) / static_cast<long double>(per);
    return exact < static_cast<long double>(kForever) ? static_cast<Ns>(exact) : kForever;
}

/// Rounded up.
inline Ns scaledUp(Ns value, std::int64_t times, std::int64_t per) {
    return scaled(value, times, per, per - 1);
}

} // namespace olab::sim
