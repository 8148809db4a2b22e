// Binary search among numbers, of what is sorted but lies in no range of its own.
#pragma once

#include <cstddef>

namespace olab {

/// The first number below `count` that is not before what is looked for, else `count`; all that are stand
/// first. O(log count).
template <typename IsBefore>
std::size_t firstNotBefore(std::size_t count, IsBefore isBefore) {
    std::size_t first = 0;
    while (count > 0) {
        const std::size_t half = count / 2;
        if (isBefore(first + half)) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

} // namespace olab
