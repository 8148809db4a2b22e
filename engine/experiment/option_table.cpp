#include "option_groups.h"
#include "option_values.h"

#include <olab/experiment/experiment.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace olab::experiment {
namespace {

using detail::Range;

/// In the order of the form; rows of one group are adjacent.
std::vector<OptionRow> allRows() {
    std::vector<OptionRow> rows;
    for (const auto section : detail::kOptionGroups) {
        std::vector<OptionRow> part = section();
        std::move(part.begin(), part.end(), std::back_inserter(rows));
    }
    return rows;
}

} // namespace

std::string_view optionTypeName(OptionType type) {
    constexpr std::array<std::string_view, 6> kNames{"switch", "integer", "bytes",
                                                     "choice", "blocks",  "model"};
    return kNames[static_cast<std::size_t>(type)];
}

std::span<const OptionRow> optionTable() {
    static const std::vector<OptionRow> table = allRows();
    return table;
}

const OptionRow* findOption(std::string_view key) {
    const auto table = optionTable();
    const auto row =
        std::find_if(table.begin(), table.end(), [&](const OptionRow& r) { return r.key == key; });
    return row == table.end() ? nullptr : &*row;
}

std::string optionDefault(const OptionRow& row) {
    return row.get(Experiment{});
}

std::string optionAllowed(const OptionRow& row) {
    const Range range{row.min, row.max, row.step};
    switch (row.type) {
    case OptionType::Integer:
        return detail::allowedInteger(range);
    case OptionType::Bytes:
        return detail::allowedBytes(range);
    case OptionType::Blocks:
        return detail::allowedBlocks(range);
    case OptionType::Model:
        return detail::allowedModel(row.choices);
    case OptionType::Switch:
    case OptionType::Choice:
        break;
    }
    return detail::allowedChoice(row.choices);
}

} // namespace olab::experiment
