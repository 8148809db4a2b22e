#include <olab/experiment/option_table.h>

#include "option_values.h"

#include <olab/experiment/experiment.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

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

namespace {

[[noreturn]] void throwBadKey(std::string_view key, std::string_view value) {
    const std::string_view nearest = nearestKey(key);
    std::string message = "There is no option '" + detail::shownText(key) + "'";
    message += value.empty() ? "" : " (value '" + detail::shownText(value) + "')";
    message += nearest.empty() ? "." : "; did you mean '" + std::string(nearest) + "'?";
    std::string keys;
    for (const OptionRow& row : optionTable())
        keys.append(keys.empty() ? "" : ", ").append(row.key);
    throw Error(ErrorKind::Usage, "bad-key", message, "The options are " + keys + ".");
}

const OptionRow& requireOption(std::string_view key, std::string_view value = {}) {
    const OptionRow* row = findOption(key);
    if (!row)
        throwBadKey(key, value);
    return *row;
}

} // namespace

std::string optionText(const Experiment& experiment, std::string_view key) {
    return requireOption(key).get(experiment);
}

void setOption(Experiment& experiment, std::string_view key, std::string_view value) {
    requireOption(key, value).set(experiment, value);
}

void setOption(Experiment& experiment, std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    const bool hasValue = equals != std::string_view::npos;
    const std::string_view value = hasValue ? assignment.substr(equals + 1) : std::string_view{};
    const OptionRow& row = requireOption(assignment.substr(0, equals), value);
    const std::string key(row.key);
    if (!hasValue)
        throw Error(ErrorKind::Usage, "bad-value",
                    key + " was given without a value: " + key + " is " + optionAllowed(row) + ".",
                    "Write " + key + "=VALUE, such as " + key + "=" + optionDefault(row) + ".");
    row.set(experiment, value);
}

std::int64_t optionNumber(const Experiment& experiment, std::string_view key) {
    const OptionRow& row = requireOption(key);
    if (row.type != OptionType::Integer && row.type != OptionType::Bytes)
        throw Error(ErrorKind::Internal, "no-number", std::string(key) + " is no number.");
    const std::string text = row.get(experiment);
    return row.type == OptionType::Bytes ? bytesFromText(key, text)
                                         : detail::integerFromText(key, text, {row.min, row.max, row.step});
}

void setNumber(Experiment& experiment, std::string_view key, std::int64_t value) {
    const OptionRow& row = requireOption(key);
    row.set(experiment, std::to_string(value) + (row.type == OptionType::Bytes ? "B" : ""));
}

std::vector<std::string> differsFromDefault(const Experiment& experiment) {
    std::vector<std::string> out;
    for (const OptionRow& row : optionTable())
        if (const std::string value = row.get(experiment); value != optionDefault(row))
            out.push_back(std::string(row.key) + "=" + value);
    return out;
}

std::vector<std::string> environmentOf(const Experiment& e) {
    std::vector<std::string> out;
    for (const OptionRow& row : optionTable())
        if (const std::string value = environmentValue(row, e); !value.empty())
            out.push_back(std::string(row.environment.name) + "=" + value);
    return out;
}

std::string environmentValue(const OptionRow& row, const Experiment& e) {
    const std::string text = row.get(e);
    if (row.environment.name.empty() || text == optionDefault(row))
        return {};
    return row.environment.value ? row.environment.value(text) : text;
}

std::vector<std::string> simulatorOnly(const Experiment& e) {
    std::vector<std::string> out;
    for (const OptionRow& row : optionTable())
        if (row.group == detail::kSimulatorGroup && row.get(e) != optionDefault(row))
            out.push_back(std::string(row.key) + "=" + row.get(e));
    return out;
}

bool needsFreshProcess(const Experiment& e) {
    return e.interfere == Interfere::FirstLaunch;
}

namespace {

/// Longer input is not a typing error of any key, and the distance costs length squared.
constexpr std::size_t kLongestTypo = 40;

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before, previous(b.size() + 1), current(b.size() + 1);
    std::iota(previous.begin(), previous.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = previous[j - 1] + (a[i - 1] != b[j - 1]);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                current[j] = std::min(current[j], before[j - 2] + 1);
        }
        before = std::exchange(previous, current);
    }
    return previous[b.size()];
}

std::string_view wholeKey(std::string_view key) {
    return key;
}
/// "kernel.blocks" -> "blocks": users omit the first part.
std::string_view lastPart(std::string_view key) {
    return key.substr(key.rfind('.') + 1);
}

/// The first name whose `part` is nearest to `wrong`; empty if more than a third of it would have to change.
std::string_view nearestBy(std::span<const std::string_view> names,
                           std::string_view (*part)(std::string_view), std::string_view wrong) {
    std::string_view best;
    std::size_t bestDistance = std::max<std::size_t>(1, wrong.size() / 3) + 1;
    for (const std::string_view name : names) {
        const std::size_t distance = editDistance(wrong, part(name));
        if (distance < std::min(bestDistance, part(name).size())) {
            best = name;
            bestDistance = distance;
        }
    }
    return best;
}

} // namespace

std::string_view nearestOf(std::span<const std::string_view> names, std::string_view wrong) {
    if (wrong.empty() || wrong.size() > kLongestTypo)
        return {};
    const std::string text = lowerText(wrong);
    const std::string_view whole = nearestBy(names, wholeKey, text);
    return whole.empty() ? nearestBy(names, lastPart, text) : whole;
}

std::string_view nearestKey(std::string_view wrong) {
    std::vector<std::string_view> keys;
    for (const OptionRow& row : optionTable())
        keys.push_back(row.key);
    return nearestOf(keys, wrong);
}

// Which options have no effect, or cannot be changed, with the current values of the others: the form
// disables them.

namespace {

/// If each other value would conflict, the sentence of the first: the control cannot be changed.
std::string lockedBecause(const Experiment& experiment, const OptionRow& row) {
    const bool step =
        row.group == "Steps"; // can be turned off first: the conflict then says what else to change
    if (step || (row.type != OptionType::Choice && row.type != OptionType::Switch))
        return {};
    const std::string current = row.get(experiment);
    std::string first;
    for (const std::string_view choice : row.choices) {
        if (choice == current)
            continue;
        std::string sentence = conflictOf(experiment, row.key, choice);
        if (sentence.empty())
            return {};
        if (first.empty())
            first = std::move(sentence);
    }
    return first;
}

} // namespace

std::string disabledBecause(const Experiment& experiment, std::string_view key) {
    const OptionRow* row = findOption(key);
    if (!row)
        static_cast<void>(optionText(experiment, key)); // throws bad-key
    if (experiment.work)
        if (const std::string_view because = idleForRecordedWork(key); !because.empty())
            return std::string(because);
    const auto rule = std::ranges::find_if(row->idle, [&](const IdleRule& r) { return r.holds(experiment); });
    if (rule != row->idle.end())
        return std::string(rule->because);
    return lockedBecause(experiment, *row);
}

} // namespace olab::experiment
