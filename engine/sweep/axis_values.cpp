#include "axis_values.h"

#include <olab/sweep/axis.h>
#include <olab/trace/error.h>

#include <charconv>
#include <cmath>

namespace olab::sweep {
namespace {

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

/// The next value: at least one more, and a multiple of what the option takes.
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
    std::string how; ///< "+1", "*2"; empty: the usual step
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

} // namespace

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

} // namespace olab::sweep
