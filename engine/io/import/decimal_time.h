// Times of Chrome traces: decimal text of microseconds to whole nanoseconds, without a double. Private to io.
#pragma once

#include <olab/trace/types.h>

#include <cstring>
#include <optional>
#include <string_view>

namespace olab::json_import {

/// A time to 1e-18 of a nanosecond: whole nanoseconds, rounded down, and what is left of one.
struct ExactTime {
    Ns whole = 0;
    std::uint64_t rest = 0; ///< in 1e-18 ns
    bool more = false;      ///< and a little more than that
    /// To the nearest nanosecond, halves to the even one (the counting contract). Empty: beyond all times.
    std::optional<Ns> rounded() const;
    /// Empty: beyond all times.
    std::optional<ExactTime> plus(const ExactTime& other) const;
};

/// Any decimal number, with or without sign, fraction and exponent, of microseconds. Empty: it is no number,
/// or one beyond all times (292 years).
std::optional<ExactTime> timeFromMicros(std::string_view text);
/// The whole part of a number, as a file may write one (12, 12.0, 1.2e1). Empty: no number, or too large.
std::optional<std::int64_t> wholeFromText(std::string_view text);

/// Up to eight digits at `at`, behind which eight bytes may be read; false: they are not all digits.
inline bool fewDigits(const char* at, std::size_t size, std::uint64_t& number) {
    std::uint64_t text = 0;
    std::memcpy(&text, at, sizeof text);
    const unsigned shift = 8 * (8 - static_cast<unsigned>(size)); // zeros in front of them
    text = size == 8 ? text : text << shift | 0x3030303030303030u >> (64 - shift);
    if (((text & 0xf0f0f0f0f0f0f0f0u) | (((text + 0x0606060606060606u) & 0xf0f0f0f0f0f0f0f0u) >> 4)) !=
        0x3333333333333333u)
        return false;
    text = (text & 0x0f0f0f0f0f0f0f0fu) * 2561 >> 8; // pairs, then fours, then all
    text = (text & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
    number = (text & 0x0000ffff0000ffffu) * 42949672960001u >> 32;
    return true;
}
/// wholeFromText() of a text behind which eight bytes may be read: of up to eight digits, as nearly all are,
/// at once.
inline std::optional<std::int64_t> wholeNumberIn(std::string_view text) {
    std::uint64_t number = 0;
    if (text.size() - 1 < 8 && fewDigits(text.data(), text.size(), number)) [[likely]]
        return static_cast<std::int64_t>(number);
    return wholeFromText(text);
}
/// Of up to 16 digits and exactly three decimals, which PyTorch writes, the nanoseconds; false: it is not
/// like that.
inline bool plainMicros(std::string_view text, Ns& ns) {
    if (text.size() < 5 || text.size() > 20 || text[text.size() - 4] != '.')
        return false;
    const std::size_t whole = text.size() - 4, high = whole > 8 ? whole - 8 : 0;
    std::uint64_t first = 0, second = 0, decimals = 0;
    if ((high > 0 && !fewDigits(text.data(), high, first)) ||
        !fewDigits(text.data() + high, whole - high, second) ||
        !fewDigits(text.data() + text.size() - 3, 3, decimals))
        return false;
    ns = static_cast<Ns>((first * 100'000'000 + second) * 1000 + decimals);
    return first < 90'000'000; // more does not fit
}

} // namespace olab::json_import
