// Unsigned numbers as little-endian bytes, whatever the machine's own order.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

namespace olab::trace_detail {

template <std::unsigned_integral T>
void putLittle(std::vector<std::byte>& out, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

/// `in` must hold at least sizeof(T) bytes.
template <std::unsigned_integral T>
T getLittle(std::span<const std::byte> in) {
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value = static_cast<T>(value | static_cast<T>(static_cast<T>(in[i]) << (8 * i)));
    return value;
}

} // namespace olab::trace_detail
