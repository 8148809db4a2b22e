// FNV-1a: a number of bytes that is the same on every machine and in every version. It tells apart what
// nobody made alike on purpose.
#pragma once

#include <cstdint>
#include <string_view>

namespace olab {

inline constexpr std::uint64_t kFnvOfNothing = 0xcbf29ce484222325u;

/// `before`: of the bytes that come before these.
constexpr std::uint64_t fnv(std::string_view bytes, std::uint64_t before = kFnvOfNothing) {
    for (const char c : bytes)
        before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return before;
}

} // namespace olab
