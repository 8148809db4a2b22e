// Stable sort of many keys by a number, least significant digit first: O(n), and digits that all share are
// skipped.
#pragma once

#include <olab/trace/column.h>

#include <array>
#include <cstdint>

namespace olab::trace_detail {

template <typename T, typename NumberOf>
void radixSort(Column<T>& values, NumberOf numberOf) {
    constexpr unsigned kDigitBits = 11;
    constexpr std::uint64_t kMask = (std::uint64_t{1} << kDigitBits) - 1;
    std::uint64_t all = 0;
    for (const T& value : values)
        all |= numberOf(value);
    Column<T> other;
    for (unsigned shift = 0; shift < 64 && (all >> shift) != 0; shift += kDigitBits) {
        std::array<std::size_t, kMask + 1> at{};
        for (const T& value : values)
            ++at[(numberOf(value) >> shift) & kMask];
        std::size_t sum = 0;
        for (std::size_t& count : at)
            sum += std::exchange(count, sum);
        other.resize(values.size());
        for (const T& value : values)
            other[at[(numberOf(value) >> shift) & kMask]++] = value;
        values.swap(other);
    }
}

} // namespace olab::trace_detail
