// Binary search by index, for sorted data that is not a range.
#pragma once

#include <cstddef>

namespace olab {

/// The first number from `first` on for which `isBefore` is false, else `last`; all numbers with true come
/// first. O(log (last - first)).
template <typename IsBefore>
std::size_t firstNotBefore(std::size_t first, std::size_t last, IsBefore isBefore) {
    while (first < last) {
        const std::size_t middle = first + (last - first) / 2;
        if (isBefore(middle))
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

} // namespace olab
