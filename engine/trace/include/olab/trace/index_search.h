// Binary search among numbers, of what is sorted but lies in no range of its own.
#pragma once

#include <cstddef>

namespace olab {

/// The first number from `first` on that is not before what is looked for, else `last`; all that are stand
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
