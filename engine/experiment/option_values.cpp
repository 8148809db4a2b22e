#include "option_values.h"

#include <olab/experiment/option_row.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace olab::experiment {
namespace {

struct ByteUnit {
    std::string_view suffix;
    std::int64_t bytes;
};
/// Largest first: bytesToText takes the first that divides. "B" comes last, also because the others end with
/// it.
constexpr std::array<ByteUnit, 4> kByteUnits{{
    {"GiB", std::int64_t{1} << 30},
    {"MiB", std::int64_t{1} << 20},
    {"KiB", std::int64_t{1} << 10},
    {"B", 1},
}};

constexpr std::array<std::string_view, 2> kSwitchChoices{"on", "off"};

/// The whole text as a decimal number; nothing for anything else, including overflow.
std::optional<std::int64_t> numberOf(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// "16MiB", "512B" or a bare number of bytes; nothing if malformed, negative or above int64.
std::optional<std::int64_t> parseBytes(std::string_view text) {
    const auto unit = std::find_if(kByteUnits.begin(), kByteUnits.end(),
                                   [&](const ByteUnit& u) { return text.ends_with(u.suffix); });
    const std::int64_t scale = unit == kByteUnits.end() ? 1 : unit->bytes;
    if (unit != kByteUnits.end())
        text.remove_suffix(unit->suffix.size());
    const auto number = numberOf(text);
    if (!number || *number < 0 || *number > std::numeric_limits<std::int64_t>::max() / scale)
        return std::nullopt;
    return *number * scale;
}

} // namespace

std::string bytesToText(std::int64_t bytes) {
    const auto unit = std::find_if(kByteUnits.begin(), kByteUnits.end() - 1,
                                   [&](const ByteUnit& u) { return bytes != 0 && bytes % u.bytes == 0; });
    return std::to_string(bytes / unit->bytes).append(unit->suffix);
}

std::int64_t bytesFromText(std::string_view key, std::string_view text) {
    return detail::bytesFromText(key, text, {0, std::numeric_limits<std::int64_t>::max()});
}

namespace detail {

std::string allowedInteger(Range range) {
    const std::string multiple =
        range.step == 1 ? "" : " that is a multiple of " + std::to_string(range.step);
    return "a whole number from " + std::to_string(range.min) + " to " + std::to_string(range.max) + multiple;
}

std::string allowedBytes(Range range) {
    if (range.max == std::numeric_limits<std::int64_t>::max())
        return "a number of bytes with or without B, KiB, MiB or GiB";
    return "a size from " + bytesToText(range.min) + " to " + bytesToText(range.max) +
           ", in B, KiB, MiB or GiB";
}

std::string allowedBlocks(Range range) {
    return allowedInteger(range) + ", or fill:F with F from 1 to " + std::to_string(kMaxFill);
}

std::string allowedChoice(std::span<const std::string_view> choices) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const std::string_view separator = i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ";
        text.append(separator).append(choices[i]);
    }
    return text;
}

std::string allowedModel(std::span<const std::string_view> builtIn) {
    return allowedChoice(builtIn) + ", or file:PATH of a device model that 'olab calibrate' wrote";
}

std::string shownText(std::string_view text) {
    constexpr std::size_t kMost = 60;
    return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

void throwBadValue(std::string_view key, std::string_view value, const std::string& allowed) {
    const std::string name(key);
    throw Error(ErrorKind::Usage, "bad-value",
                name + "=" + shownText(value) + " is not possible: " + name + " is " + allowed + ".",
                "Give " + name + " " + allowed + ".");
}

std::int64_t integerFromText(std::string_view key, std::string_view text, Range range) {
    const auto value = numberOf(text);
    if (!value || !range.contains(*value))
        throwBadValue(key, text, allowedInteger(range));
    return *value;
}

std::int64_t bytesFromText(std::string_view key, std::string_view text, Range range) {
    const auto value = parseBytes(text);
    if (!value || !range.contains(*value))
        throwBadValue(key, text, allowedBytes(range));
    return *value;
}

BlockCount blocksFromText(std::string_view key, std::string_view text, Range range) {
    const bool fill = text.starts_with(kFillPrefix);
    const Range limits = fill ? Range{1, kMaxFill} : range;
    const auto value = numberOf(fill ? text.substr(kFillPrefix.size()) : text);
    if (!value || !limits.contains(*value))
        throwBadValue(key, text, allowedBlocks(range));
    const auto count = static_cast<std::uint32_t>(*value);
    // `blocks` has no meaning with a fill: keep its default, so that equal texts give equal values.
    return fill ? BlockCount{BlockCount{}.blocks, count} : BlockCount{count, 0};
}

std::string blocksToText(BlockCount count) {
    if (count.fill == 0)
        return std::to_string(count.blocks);
    return std::string(kFillPrefix) + std::to_string(count.fill);
}

bool switchFromText(std::string_view key, std::string_view text) {
    if (text == "on" || text == "true")
        return true;
    if (text == "off" || text == "false")
        return false;
    throwBadValue(key, text, allowedChoice(kSwitchChoices));
}

std::size_t choiceFromText(std::string_view key, std::string_view text,
                           std::span<const std::string_view> choices) {
    const auto found = std::find(choices.begin(), choices.end(), text);
    if (found == choices.end())
        throwBadValue(key, text, allowedChoice(choices));
    return static_cast<std::size_t>(found - choices.begin());
}

std::string modelFromText(std::string_view key, std::string_view text,
                          std::span<const std::string_view> builtIn) {
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    const bool isFile = text.starts_with(kFilePrefix) && text.size() > kFilePrefix.size() &&
                        std::none_of(text.begin(), text.end(), isControl);
    if (!isFile && std::find(builtIn.begin(), builtIn.end(), text) == builtIn.end())
        throwBadValue(key, text, allowedModel(builtIn));
    return std::string(text);
}

} // namespace detail
} // namespace olab::experiment
