// JSON from outside: what is asked of a text before it is parsed, and of a number before it is believed. The
// parsers of JSON here accept any depth (what reads the result may not: it calls itself), any size, and turn
// 1e300 into an integer without a word. Everything that reads JSON goes through these. They know no JSON
// library: `Json` is nlohmann's, in whichever module has it.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace olab {

struct JsonLimits {
    std::size_t bytes = std::size_t{1} << 20; ///< longer than any experiment, model or line of ours
    int depth = 32;                           ///< ours nest 5 deep
};

/// Why this text is not to be parsed ("it is nested more than 32 deep"), empty when it may be. One pass, no
/// memory; a text that is no JSON passes, for the parser to refuse.
std::string whyNotParsed(std::string_view text, JsonLimits limits = {});

/// The parsed text; nothing, and why, when it is over the limits, no JSON, or holds a number that no type has
/// (1e999).
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
