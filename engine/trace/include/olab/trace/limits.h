// How long the texts of a recording may be, and how many facts it may hold. Files come from anywhere: without
// limits, a file of one megabyte that refers to one long text a million times would need the memory of a
// million copies, and seconds to compare them. What exceeds a limit is cut or left out, and reported as a
// defect. All limits are far above what any recording needs.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace olab {

inline constexpr std::size_t kMaxTextBytes =
    16 * 1024; ///< of names and values; known kernel names stay under 8 KiB
inline constexpr std::size_t kMaxFactBytes = 256; ///< of names of devices and tools, keys, details of defects
inline constexpr std::size_t kMaxEnvironment = 256; ///< entries; a recording has about 20
inline constexpr std::size_t kMaxDefectKinds =
    256; ///< with their own detail; the rest is counted without one

/// At most the first `most` bytes of a text, never half a UTF-8 character.
std::string_view cutText(std::string_view text, std::size_t most);

/// Untrusted JSON: checks of a text before it is parsed, and of a number before it is used. The JSON parsers
/// used here accept any depth (which code that reads the result recursively may not survive) and any size,
/// and silently turn 1e300 into an integer. All code that reads JSON uses these functions. They depend on no
/// JSON library: `Json` is nlohmann's, in whichever module has it.
struct JsonLimits {
    std::size_t bytes = std::size_t{1} << 20; ///< more than any experiment, model or line of our own
    int depth = 32;                           ///< ours nest 5 deep
};

/// Why this text must not be parsed ("it is nested more than 32 deep"); empty if it may be. One pass, no
/// memory; a text that is not JSON passes, and the parser refuses it.
std::string whyNotParsed(std::string_view text, JsonLimits limits = {});

/// The parsed text; nothing, with the reason, if it exceeds the limits, is not JSON, or contains a number
/// that no type can hold (1e999).
template <typename Json>
std::optional<Json> parsedJson(std::string_view text, std::string& why, JsonLimits limits = {}) {
    why = whyNotParsed(text, limits);
    if (!why.empty())
        return std::nullopt;
    try {
        return Json::parse(text);
    } catch (const typename Json::exception& e) {
        constexpr std::size_t kShown = 200; // it quotes the text
        why = std::string(e.what()).substr(0, kShown);
        return std::nullopt;
    }
}

/// The value if it is a whole number from `min` to `max`; nothing for a fraction, another type, or one that
/// does not fit.
template <typename Json>
std::optional<std::int64_t> wholeNumber(const Json& value, std::int64_t min, std::int64_t max) {
    if (!value.is_number_integer())
        return std::nullopt;
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value.is_number_unsigned() && value.template get<std::uint64_t>() > kMost)
        return std::nullopt;
    const auto number = value.template get<std::int64_t>();
    return number >= min && number <= max ? std::optional(number) : std::nullopt;
}

/// The value if it is a number from `min` to `max`, with a fraction or without.
template <typename Json>
std::optional<double> realNumber(const Json& value, double min, double max) {
    if (!value.is_number())
        return std::nullopt;
    const auto number = value.template get<double>();
    return std::isfinite(number) && number >= min && number <= max ? std::optional(number) : std::nullopt;
}

} // namespace olab
