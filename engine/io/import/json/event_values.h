// What the values of an event of a Chrome trace say: its times, its category, the name of a copy. Private to
// io.
#pragma once

#include "json_tokens.h"

#include <olab/trace/records.h>
#include <olab/trace/types.h>

#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace olab::io::json_import {

// Times of Chrome traces: decimal text of microseconds to whole nanoseconds, without a double.

/// A time to 1e-18 of a nanosecond: whole nanoseconds, rounded down, and the remainder.
struct ExactTime {
    Ns whole = 0;
    std::uint64_t rest = 0; ///< in 1e-18 ns
    bool more = false;      ///< and a little more than that
    /// To the nearest nanosecond, rounding half to even (the counting contract). Empty: out of range.
    std::optional<Ns> rounded() const;
    /// Empty: out of range.
    std::optional<ExactTime> plus(const ExactTime& other) const;
};

/// Any decimal number of microseconds, with or without sign, fraction and exponent. Empty: not a number, or
/// out of range (292 years).
std::optional<ExactTime> timeFromMicros(std::string_view text);
/// A whole number in any notation (12, 12.0, 1.2e1). Empty: not a whole number, or too large.
std::optional<std::int64_t> wholeFromText(std::string_view text);

/// Up to eight digits at `at`, with eight readable bytes after them; false: not all are digits.
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
/// wholeFromText() of a text with eight readable bytes after it: up to eight digits, the usual case, are
/// converted at once.
inline std::optional<std::int64_t> wholeNumberIn(std::string_view text) {
    std::uint64_t number = 0;
    if (text.size() - 1 < 8 && fewDigits(text.data(), text.size(), number)) [[likely]]
        return static_cast<std::int64_t>(number);
    return wholeFromText(text);
}
/// The nanoseconds of a number with up to 16 digits and exactly three decimals, as PyTorch writes it; false:
/// another format.
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

/// What a category says about an event.
enum class Category : std::uint8_t { Other, Kernel, Memcpy, Memset, Api, Sync, Overhead };
Category categoryOf(std::string_view text);
constexpr bool isGpu(Category c) {
    return c == Category::Kernel || c == Category::Memcpy || c == Category::Memset;
}
ClassMask classesOf(Category category);
/// The category of a broken event, to estimate what it may have been.
ClassMask touchedBy(std::string_view broken);
/// The class of a copy by its name, as in the counting contract.
ActivityClass copyClass(std::string_view name);
/// "(Pinned -> Device)" at the end of a name, or "(Device)".
std::pair<MemoryKind, MemoryKind> memoryIn(std::string_view name);

/// Missing, or a word that writers use for that: null, N/A.
bool saysNone(const Value& value);

inline constexpr std::string_view kOddNumber = "events with an impossible number in their arguments";

/// The fault of a time or a length.
enum class TimeFault : std::uint8_t {
    None,
    Missing,  ///< or null
    NoNumber, ///< NaN, Infinity, N/A: not JSON
    TooFar    ///< beyond 64 bits of nanoseconds
};
/// The refusal of an event; `what` is its begin or its length.
std::string_view faultOfTime(TimeFault fault);
std::string_view faultOfLength(TimeFault fault);
/// The fault of a value that is not a number: a bare word is not JSON, except null, which means missing.
TimeFault faultOf(const Value& value, bool isTime);

} // namespace olab::io::json_import
