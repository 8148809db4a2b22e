// A half-open interval of time: [begin, end), int64 ns.
#pragma once

#include <olab/trace/types.h>

namespace olab {

struct Interval {
    Ns begin = 0;
    Ns end = 0;
    constexpr Ns length() const { return end - begin; }
    constexpr bool contains(Ns t) const { return begin <= t && t < end; }
    friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

} // namespace olab
