// Stable sort of many keys by a number, least significant digit first: O(n), and digits that all share are
// skipped.
#pragma once

#include <olab/trace/column.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace olab::trace_detail {

/// Numbers below 2^`bits` are sorted by. One pass counts all digits.
template <typename T, typename NumberOf>
void radixSort(Column<T>& values, unsigned bits, NumberOf numberOf) {
    constexpr unsigned kDigitBits = 11;
    constexpr std::uint64_t kMask = (std::uint64_t{1} << kDigitBits) - 1;
    const std::size_t digits = (bits + kDigitBits - 1) / kDigitBits;
    std::vector<std::array<std::size_t, kMask + 1>> counts(digits);
    for (const T& value : values)
        for (std::size_t d = 0; d < digits; ++d)
            ++counts[d][(numberOf(value) >> (d * kDigitBits)) & kMask];
    Column<T> other(digits == 0 ? 0 : values.size());
    for (std::size_t d = 0; d < digits; ++d) {
        auto& at = counts[d];
        std::size_t sum = 0;
        bool allShareIt = false;
        for (std::size_t& count : at) {
            allShareIt = allShareIt || count == values.size();
            sum += std::exchange(count, sum);
        }
        if (allShareIt)
            continue;
        for (const T& value : values)
            other[at[(numberOf(value) >> (d * kDigitBits)) & kMask]++] = value;
        values.swap(other);
    }
}

} // namespace olab::trace_detail
