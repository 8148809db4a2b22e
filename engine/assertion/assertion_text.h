// A parsed assertion.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace olab::assertion {

enum class Sign : std::uint8_t { GreaterEqual, LessEqual, Equal, NotEqual, Greater, Less };

/// The right side is a word, or a number: `number`, or `factor` times the same value of `other` plus
/// `number`.
struct Wanted {
    std::string_view left;
    Sign sign{};
    std::string word;  ///< not empty: the value must equal this text
    std::string other; ///< not empty: relative to that recording
    long double factor = 1;
    long double number = 0; ///< 64 bits of mantissa: every int64 ns compares exactly
    bool isTime = false;
    bool isPercent = false; ///< `number` was given in per cent; it is now a share
};

/// @throws Error kind Usage
Wanted parseAssertion(std::string_view expression);
[[noreturn]] void refuseAssertion(std::string_view expression, const std::string& why);
std::string_view trimmed(std::string_view text);
/// A part of a whole, or a growth, which may exceed 1.
enum class ShareKind : std::uint8_t { None, Part, Growth };
/// Refuses shares above 1 without %, because 5 would mean 500 %, which is never intended.
void refuseBareShare(long double share, ShareKind kind, std::string_view expression);
bool holds(Sign sign, long double found, long double wanted);

} // namespace olab::assertion
