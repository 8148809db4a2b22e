#include <olab/sweep/axis.h>

#include "axis_values.h"

#include <olab/experiment/option_table.h>
#include <olab/trace/error.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <optional>

namespace olab::sweep {
namespace {

using experiment::OptionRow;
using experiment::OptionType;

std::vector<std::string> pieces(std::string_view text, char separator) {
    std::vector<std::string> found;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        found.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return found;
}

/// What the sweep itself decides.
void refuseOwn(const std::string& key) {
    if (key == "repeat")
        throw Error(ErrorKind::Usage, "bad-axis", "repeat cannot be varied: each cell is one experiment.",
                    "--repeat N runs every cell N times.");
    if (key == "trace")
        throw Error(ErrorKind::Usage, "bad-axis",
                    "trace cannot be varied: it says how all cells are measured.",
                    "Add --set trace=on or trace=off.");
}

const OptionRow& rowOf(const std::string& key) {
    refuseOwn(key);
    (void)experiment::optionText(experiment::HeldExperiment(), key); // @throws for a key that does not exist
    return *experiment::findOption(key);
}

AxisKind kindOf(const std::vector<std::string>& keys) {
    constexpr std::array kWorkKeys{"h2d",         "memset",    "kernel",  "d2h",        "callback",
                                   "kernel.kind", "kernel.us", "null_op", "callback.us"};
    const auto isWork = [&](const std::string& key) {
        return std::ranges::find(kWorkKeys, key) != kWorkKeys.end();
    };
    if (std::ranges::any_of(keys, isWork))
        return AxisKind::Work;
    const bool isSize = std::ranges::any_of(
        keys, [](const std::string& key) { return experiment::findOption(key)->group == "Sizes"; });
    return isSize ? AxisKind::Size : AxisKind::Way;
}

/// As the table writes it, for each of the keys.
std::string writtenValue(const std::vector<std::string>& keys, const std::string& value) {
    experiment::HeldExperiment experiment;
    for (const std::string& key : keys)
        experiment::setOption(experiment, key, value);
    return experiment::optionText(experiment, keys.front());
}

std::optional<std::int64_t> numberOf(const OptionRow& row, const std::string& value) {
    if (row.type == OptionType::Bytes)
        return experiment::bytesFromText(row.key, value);
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool whole = problem == std::errc() && end == value.data() + value.size();
    return whole ? std::optional(number) : std::nullopt;
}

std::vector<std::int64_t> numbersOf(const OptionRow& row, const std::vector<std::string>& values) {
    std::vector<std::int64_t> numbers;
    for (const std::string& value : values)
        if (const auto number = numberOf(row, value))
            numbers.push_back(*number);
    return numbers.size() == values.size() ? numbers : std::vector<std::int64_t>();
}

void sortAscending(Axis& axis) {
    std::vector<std::size_t> order(axis.numbers.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](std::size_t i) { return axis.numbers[i]; });
    const Axis before = axis;
    for (std::size_t i = 0; i < order.size(); ++i) {
        axis.values[i] = before.values[order[i]];
        axis.numbers[i] = before.numbers[order[i]];
    }
}

Axis axisOf(std::vector<std::string> keys, std::string_view list) {
    Axis axis;
    const OptionRow& row = rowOf(keys.front());
    for (const std::string& key : keys)
        if (rowOf(key).type != row.type)
            throw Error(ErrorKind::Usage, "bad-axis",
                        keys.front() + " and " + key + " are of different kinds.",
                        "Options that change together take the same values.");
    for (const std::string& piece : pieces(list, ','))
        for (const std::string& value : valuesOf(row, piece)) {
            std::string written = writtenValue(keys, value);
            if (std::ranges::find(axis.values, written) == axis.values.end())
                axis.values.push_back(std::move(written));
        }
    if (axis.values.size() > kMostValues)
        throw Error(ErrorKind::Usage, "bad-axis",
                    std::string(list) + " is " + std::to_string(axis.values.size()) + " values.",
                    "An axis has at most " + std::to_string(kMostValues) + ".");
    axis.numbers = numbersOf(row, axis.values);
    axis.kind = kindOf(keys);
    axis.keys = std::move(keys);
    sortAscending(axis);
    return axis;
}

std::string joined(const std::vector<std::string>& parts, char separator) {
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : std::string(1, separator)) + part;
    return text;
}

} // namespace

std::string Axis::name() const {
    return joined(keys, '+');
}

std::string Axis::text() const {
    return name() + "=" + joined(values, ',');
}

bool Axis::varies(std::string_view key) const {
    return std::ranges::find(keys, key) != keys.end();
}

Axis axisFrom(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals + 1 == text.size())
        throw Error(ErrorKind::Usage, "bad-axis", "'" + std::string(text) + "' names no values.",
                    "An axis is KEY=VALUE,VALUE,... or KEY=FROM..TO+STEP or KEY=FROM..TO*FACTOR.");
    return axisOf(pieces(text.substr(0, equals), '+'), text.substr(equals + 1));
}

} // namespace olab::sweep
