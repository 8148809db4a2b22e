// FNV-1a: a hash of bytes that is the same on every machine and in every version. Not secure against
// deliberate collisions.
#pragma once

#include <cstdint>
#include <string_view>

namespace olab {

inline constexpr std::uint64_t kFnvOfNothing = 0xcbf29ce484222325u;

/// `before`: the hash of the preceding bytes.
constexpr std::uint64_t fnv(std::string_view bytes, std::uint64_t before = kFnvOfNothing) {
    for (const char c : bytes)
        before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return before;
}

} // namespace olab
