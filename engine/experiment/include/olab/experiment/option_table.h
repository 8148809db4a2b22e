// The option table: one row per option. To add an option, add a member to Experiment and a row
// (option_groups.cpp); what creates ops or buffers is in plan(). Keys and values are the contract of cli.md.
#pragma once

#include <olab/experiment/option_row.h>

#include <span>
#include <string>
#include <string_view>

namespace olab::experiment {

std::span<const OptionRow> optionTable();
/// Null for an unknown key.
const OptionRow* findOption(std::string_view key);
std::string optionDefault(const OptionRow& row);
/// "a whole number from 1 to 128", "pinned or pageable": completes "<key> is ...".
std::string optionAllowed(const OptionRow& row);
/// The value of the environment variable that the option sets; empty: none.
std::string environmentValue(const OptionRow& row, const Experiment& experiment);
/// The key most similar to `wrong` (edit distance), or empty if none is close.
std::string_view nearestKey(std::string_view wrong);
/// The same for any list of names.
std::string_view nearestOf(std::span<const std::string_view> names, std::string_view wrong);
/// The table as the JSON of `olab options --json`.
std::string optionTableJson();
} // namespace olab::experiment
