// Times of Chrome traces: decimal text of microseconds to whole nanoseconds, without a double. Private to io.
#pragma once

#include <olab/trace/types.h>

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
/// The same for digits alone, which nearly all numbers are; anything else goes to wholeFromText().
std::optional<std::int64_t> wholeNumberIn(std::string_view text);

} // namespace olab::json_import
