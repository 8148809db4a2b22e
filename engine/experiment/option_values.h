// Text <-> value for each type of option, with the one wording of "what is allowed". Private to the module.
#pragma once

#include <olab/experiment/option_choices.h>
#include <olab/experiment/option_row.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace olab::experiment::detail {

/// Inclusive; values must also be multiples of `step` (all ranges here start at a multiple of it, or the step
/// is 1).
struct Range {
    std::int64_t min = 0, max = 0, step = 1;
    bool contains(std::int64_t value) const { return value >= min && value <= max && value % step == 0; }
};

inline constexpr std::string_view kFillPrefix = "fill:";
inline constexpr std::string_view kFilePrefix = "file:";

std::string allowedInteger(Range range);
std::string allowedBytes(Range range);
std::string allowedBlocks(Range range);
std::string allowedChoice(std::span<const std::string_view> choices);
std::string allowedModel(std::span<const std::string_view> builtIn);

/// The input of a user or a file, shortened for a message.
std::string shownText(std::string_view text);
/// @throws Error bad-value that names key, value and `allowed`
[[noreturn]] void throwBadValue(std::string_view key, std::string_view value, const std::string& allowed);

// All of these throw Error bad-value for text that is malformed or out of range.
std::int64_t integerFromText(std::string_view key, std::string_view text, Range range);
std::int64_t bytesFromText(std::string_view key, std::string_view text, Range range);
BlockCount blocksFromText(std::string_view key, std::string_view text, Range range);
bool switchFromText(std::string_view key, std::string_view text);
/// Index of `text` in `choices`.
std::size_t choiceFromText(std::string_view key, std::string_view text,
                           std::span<const std::string_view> choices);

/// A built-in name, or "file:" and a path; the file is validated when it is read.
std::string modelFromText(std::string_view key, std::string_view text,
                          std::span<const std::string_view> builtIn);

std::string blocksToText(BlockCount count);

// The rows of the option table, group by group, in the order of the form. Private to the module.

inline constexpr std::string_view kSimulatorGroup = "Simulator"; ///< what only the simulator supports

extern const std::array<std::vector<OptionRow> (*)(), 10> kOptionGroups;

} // namespace olab::experiment::detail
