// Sixteen bytes of text processed together: SSE2 on x86-64, compiler vectors elsewhere (NEON on aarch64).
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace olab::io::json_import {

#if defined(__x86_64__)

using Bytes16 = __m128i;
inline Bytes16 load16(const void* at) {
    return _mm_loadu_si128(static_cast<const __m128i*>(at));
}
inline Bytes16 fill16(char byte) {
    return _mm_set1_epi8(byte);
}
inline Bytes16 equal16(Bytes16 a, Bytes16 b) {
    return _mm_cmpeq_epi8(a, b);
}
/// As signed numbers.
inline Bytes16 less16(Bytes16 a, Bytes16 b) {
    return _mm_cmplt_epi8(a, b);
}
inline Bytes16 add16(Bytes16 a, Bytes16 b) {
    return _mm_add_epi8(a, b);
}
/// As unsigned numbers: each at least `low`, at most `high`.
inline Bytes16 clamp16(Bytes16 a, Bytes16 low, Bytes16 high) {
    return _mm_min_epu8(_mm_max_epu8(a, low), high);
}
inline Bytes16 or16(Bytes16 a, Bytes16 b) {
    return _mm_or_si128(a, b);
}
inline Bytes16 xor16(Bytes16 a, Bytes16 b) {
    return _mm_xor_si128(a, b);
}
/// The highest bit of each byte, the first in the lowest.
inline unsigned mask16(Bytes16 a) {
    return static_cast<unsigned>(_mm_movemask_epi8(a));
}

#else

using Bytes16 [[gnu::vector_size(16)]] = std::uint8_t;
using SignedBytes16 [[gnu::vector_size(16)]] = std::int8_t;
inline Bytes16 load16(const void* at) {
    Bytes16 bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    return bytes;
}
inline Bytes16 fill16(char byte) {
    return Bytes16{} + static_cast<std::uint8_t>(byte);
}
inline Bytes16 equal16(Bytes16 a, Bytes16 b) {
    return Bytes16(a == b);
}
inline Bytes16 less16(Bytes16 a, Bytes16 b) {
    return Bytes16(SignedBytes16(a) < SignedBytes16(b));
}
inline Bytes16 add16(Bytes16 a, Bytes16 b) {
    return a + b;
}
inline Bytes16 clamp16(Bytes16 a, Bytes16 low, Bytes16 high) {
    const Bytes16 least = a < low ? low : a;
    return least > high ? high : least;
}
inline Bytes16 or16(Bytes16 a, Bytes16 b) {
    return a | b;
}
inline Bytes16 xor16(Bytes16 a, Bytes16 b) {
    return a ^ b;
}
inline unsigned mask16(Bytes16 a) {
    std::uint64_t halves[2];
    std::memcpy(halves, &a, sizeof a);
    // Moves bit 8 i + 7 to bit 56 + i; none of the sums carries.
    const auto eight = [](std::uint64_t half) {
        return static_cast<unsigned>((half >> 7 & 0x0101010101010101u) * 0x0102040810204080u >> 56);
    };
    return eight(halves[0]) | eight(halves[1]) << 8;
}

#endif

/// Whether this processor supports 32 bytes at once (AVX2).
inline bool hasWideVectors() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return false;
#endif
}

/// In a loop that waits for another thread.
inline void relaxProcessor() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

} // namespace olab::io::json_import
