// The numbers in record chunks: LEB128, signed ones zigzag.
#pragma once

#include <olab/trace/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace olab::record_detail {

inline constexpr std::size_t kMaxVarint = 10;

// Writes at `at`, where there must be room, and returns the position after it.
inline std::byte* putVarint(std::byte* at, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        *at++ = static_cast<std::byte>(value | 0x80);
    *at++ = static_cast<std::byte>(value);
    return at;
}

inline void putVarint(std::vector<std::byte>& out, std::uint64_t value) {
    std::array<std::byte, kMaxVarint> bytes;
    out.insert(out.end(), bytes.data(), putVarint(bytes.data(), value));
}

// Small magnitudes of either sign become small numbers.
constexpr std::uint64_t zigzag(std::int64_t v) {
    return (static_cast<std::uint64_t>(v) << 1) ^ (v < 0 ? ~std::uint64_t{0} : 0);
}
constexpr std::int64_t unzigzag(std::uint64_t v) {
    return static_cast<std::int64_t>((v >> 1) ^ ((v & 1) != 0 ? ~std::uint64_t{0} : 0));
}
// Differences wrap around, so that any two times have one.
constexpr std::int64_t difference(Ns a, Ns b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
constexpr Ns sum(Ns a, std::int64_t d) {
    return static_cast<Ns>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(d));
}

} // namespace olab::record_detail
