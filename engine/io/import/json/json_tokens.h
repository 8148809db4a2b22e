// Skips over JSON as found in files, not as in the standard: control bytes in strings, bare words (NaN, N/A)
// as values and extra commas are accepted. Nothing is built and nothing recurses: depth costs nothing. All
// functions use [at, end) only; after `end` there are kPadding readable bytes. Private to io.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace olab::io::json_import {

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
