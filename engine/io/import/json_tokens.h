// Steps over JSON as files have it, not as the standard would: control bytes in strings, bare words (NaN,
// N/A) as values, commas too many are all right. Nothing is built and nothing recurses: depth costs nothing.
// All functions look at [at, end) only; behind `end` lie kPadding bytes that may be read. Private to io.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace olab::json_import {

inline constexpr std::size_t kPadding = 64;

constexpr bool isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}
inline const char* skipSpace(const char* at, const char* end) {
    while (at != end && isSpace(*at))
        ++at;
    return at;
}
/// Spaces and commas, of which some files have too many.
inline const char* skipCommas(const char* at, const char* end) {
    while (at != end && (isSpace(*at) || *at == ','))
        ++at;
    return at;
}

enum class ValueKind : unsigned char { Missing, Number, String, EscapedString, Word, Array, Object };

struct Value {
    const char* at = nullptr; ///< of a string: behind its quote
    std::size_t size = 0;
    ValueKind kind = ValueKind::Missing;
    std::string_view text() const { return {at, size}; }
    bool isString() const { return kind == ValueKind::String || kind == ValueKind::EscapedString; }
};

/// How a step ended: `at` is behind the value, or null where the text ended before it (`isOpen`) or it is no
/// JSON.
struct Step {
    const char* at = nullptr;
    bool isOpen = false;
};

/// The string whose opening quote is at `at`; its text without the quotes.
Step takeString(const char* at, const char* end, Value& value);
/// Any value; arrays and objects are stepped over as a whole.
Step takeValue(const char* at, const char* end, Value& value);

/// What the string says: escapes resolved, what is not UTF-8 and controls replaced (U+FFFD).
std::string textOf(const Value& value);
/// Bytes that are not UTF-8, and where the first one stands.
struct WrongText {
    std::uint64_t count = 0;
    std::size_t first = 0;
};
WrongText wrongTextIn(std::string_view text);
/// A string or a number as a number; leading and trailing spaces of a string do not count.
std::string_view numberTextOf(const Value& value);

} // namespace olab::json_import
