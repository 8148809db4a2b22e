// The text of JSON, in steps and in sixteen bytes at once. Private to io.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace olab::io::json_import {

// Sixteen bytes of text processed together: SSE2 on x86-64, compiler vectors elsewhere (NEON on aarch64).

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

// Skips over JSON as found in files, not as in the standard: control bytes in strings, bare words (NaN, N/A)
// as values and extra commas are accepted. Nothing is built and nothing recurses: depth costs nothing. All
// functions use [at, end) only; after `end` there are kPadding readable bytes.

inline constexpr std::size_t kPadding = 64;

constexpr bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}
inline const char* skipSpace(const char* at, const char* end) {
    while (at != end && isSpace(*at))
        ++at;
    return at;
}
/// Spaces and commas; some files have too many of them.
inline const char* skipCommas(const char* at, const char* end) {
    while (at != end && (isSpace(*at) || *at == ','))
        ++at;
    return at;
}

enum class ValueKind : unsigned char { Missing, Number, String, EscapedString, Word, Array, Object };

struct Value {
    const char* at = nullptr; ///< of a string: after its quote
    std::size_t size = 0;
    ValueKind kind = ValueKind::Missing;
    std::string_view text() const { return {at, size}; }
    bool isString() const { return kind == ValueKind::String || kind == ValueKind::EscapedString; }
};

/// How a step ended: `at` is after the value, or null if the text ended before it (`isOpen`) or it is not
/// JSON.
struct Step {
    const char* at = nullptr;
    bool isOpen = false;
};

/// The string whose opening quote is at `at`; its text without the quotes.
Step takeString(const char* at, const char* end, Value& value);
/// Any value; arrays and objects are skipped as a whole.
Step takeValue(const char* at, const char* end, Value& value);

/// The text of the string: escapes resolved, invalid UTF-8 and controls replaced (U+FFFD).
std::string textOf(const Value& value);
/// The text of a key or of another known word, where it is, or in `room` if it has escapes.
inline std::string_view wordIn(const Value& value, std::string& room) {
    return value.kind == ValueKind::EscapedString ? room = textOf(value) : value.text();
}
/// Bytes that are not UTF-8, and the position of the first one.
struct WrongText {
    std::uint64_t count = 0;
    std::size_t first = 0;
};
WrongText wrongTextIn(std::string_view text);
/// A string or a number as a number; leading and trailing spaces of a string are ignored.
std::string_view numberTextOf(const Value& value);

} // namespace olab::io::json_import
