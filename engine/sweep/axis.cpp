#include <olab/experiment/option_row.h>
#include <olab/experiment/option_table.h>
#include <olab/sweep/grid.h>
#include <olab/trace/error.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace olab::sweep {
namespace {

// One piece of the list of values of an axis: a value, or a range of numbers.

/// "4" -> {"4"}; "1..4" -> 1, 2, 3, 4 (not for sizes); "100..400+100"; "1MiB..64MiB*2": up to the end.
/// @throws Error kind Usage bad-axis
std::vector<std::string> valuesOf(const experiment::OptionRow& row, const std::string& piece);

using experiment::OptionRow;
using experiment::OptionType;

[[noreturn]] void refuse(const std::string& piece, const std::string& why) {
    throw Error(ErrorKind::Usage, "bad-axis", "'" + piece + "' is no range: " + why,
                "Ranges are FROM..TO+STEP and FROM..TO*FACTOR: streams=1..8+1, h2d.bytes=1MiB..64MiB*2.");
}

std::int64_t boundOf(const OptionRow& row, const std::string& piece, const std::string& text) {
    if (row.type == OptionType::Bytes)
        return experiment::bytesFromText(row.key, text);
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size())
        refuse(piece, "'" + text + "' is not a whole number.");
    return number;
}

std::string writtenNumber(const OptionRow& row, std::int64_t number) {
    return row.type == OptionType::Bytes ? experiment::bytesToText(number) : std::to_string(number);
}

double factorOf(const std::string& piece, const std::string& text) {
    double factor = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), factor);
    if (problem != std::errc() || end != text.data() + text.size() || !(factor > 1) || factor > 1e6)
        refuse(piece, "the factor must be above 1.");
    return factor;
}

/// The next value: at least one larger, and a multiple of the option's step.
std::int64_t timesFactor(std::int64_t number, double factor, std::int64_t step) {
    const double next = std::round(static_cast<double>(number) * factor / static_cast<double>(step));
    return std::max(number + step, static_cast<std::int64_t>(next) * step);
}

void checkCount(const std::string& piece, std::size_t count) {
    if (count > kMostValues)
        refuse(piece, "it is more than " + std::to_string(kMostValues) + " values.");
}

struct Range {
    std::int64_t from = 0, to = 0;
    std::string how; ///< "+1", "*2"; empty: the default step
};

std::vector<std::string> expanded(const OptionRow& row, const std::string& piece, const Range& range) {
    std::vector<std::string> values;
    const bool multiplies = range.how.starts_with('*');
    const double factor = multiplies ? factorOf(piece, range.how.substr(1)) : 0;
    const std::int64_t step =
        multiplies || range.how.empty() ? row.step : boundOf(row, piece, range.how.substr(1));
    if (step < 1)
        refuse(piece, "the step must be above 0.");
    if (multiplies && range.from < 1)
        refuse(piece, "it begins at 0, which no factor makes larger.");
    for (std::int64_t at = range.from; at <= range.to;
         at = multiplies ? timesFactor(at, factor, row.step) : at + step) {
        values.push_back(writtenNumber(row, at));
        checkCount(piece, values.size());
    }
    return values;
}

std::vector<std::string> valuesOf(const OptionRow& row, const std::string& piece) {
    const std::size_t dots = piece.find("..");
    const bool counts =
        row.type == OptionType::Integer || row.type == OptionType::Bytes || row.type == OptionType::Blocks;
    if (dots == std::string::npos || row.type == OptionType::Model)
        return {piece};
    if (!counts)
        refuse(piece, std::string(row.key) + " is not a number.");
    const std::size_t how = std::min(piece.find_first_of("+*", dots), piece.size());
    Range range{boundOf(row, piece, piece.substr(0, dots)),
                boundOf(row, piece, piece.substr(dots + 2, how - dots - 2)), piece.substr(how)};
    if (range.how.empty() && row.type == OptionType::Bytes)
        refuse(piece, "a size needs a step or a factor.");
    if (range.from < 0 || range.to < range.from)
        refuse(piece, "it ends before it begins.");
    constexpr std::int64_t kMostNumber = std::int64_t{1} << 50;
    if (range.to > kMostNumber)
        refuse(piece, "its end is too large.");
    return expanded(row, piece, range);
}

std::vector<std::string> pieces(std::string_view text, char separator) {
    std::vector<std::string> found;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        found.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return found;
}

/// Rejects options that the sweep sets itself.
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

/// As written by the option table, for each of the keys.
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
