#include <olab/survey/standing.h>

#include <olab/analysis/waits.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace olab::survey {
namespace {

using Numbers = std::vector<long double>;

long double medianOf(Numbers values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Equals the standard deviation for normal values; insensitive to outliers.
long double widthOf(const Numbers& values, long double median) {
    constexpr long double kOfNormal = 1.4826L;
    Numbers distances;
    for (const long double value : values)
        distances.push_back(std::abs(value - median));
    return kOfNormal * medianOf(std::move(distances));
}

/// The rows of a group with that number.
struct Found {
    std::vector<std::size_t> rows;
    Numbers values;
};

Found numbersOf(std::span<const Row> rows, const std::vector<std::size_t>& of, std::size_t column) {
    Found found;
    for (const std::size_t row : of)
        if (const auto number = rows[row].number(column); number && std::isfinite(*number)) {
            found.rows.push_back(row);
            found.values.push_back(*number);
        }
    return found;
}

void addOutliers(const Found& found, std::size_t column, std::vector<Outlier>& outliers) {
    if (found.values.size() < kFewestInGroup)
        return;
    const long double median = medianOf(found.values);
    const long double least = static_cast<long double>(kLeastShare) * std::abs(median);
    const long double width = std::max(widthOf(found.values, median), least / kFarAway);
    for (std::size_t i = 0; i < found.rows.size() && width > 0; ++i) {
        const auto distance = static_cast<double>(std::abs(found.values[i] - median) / width);
        if (distance > kFarAway)
            outliers.push_back(
                {found.rows[i], column, found.values[i], median, distance, found.values.size()});
    }
}

/// As integers, of which only ratios matter; nothing if one is not above 0.
std::vector<Ns> timesOf(const Numbers& values) {
    constexpr long double kMost = 9e18L, kFine = 1'000'000; // gives shares enough digits too
    const auto [least, most] = std::ranges::minmax(values);
    if (!(least > 0) || most > kMost)
        return {};
    const long double scale = most < kMost / kFine ? kFine : 1;
    std::vector<Ns> times;
    for (const long double value : values)
        times.push_back(std::max<Ns>(1, std::llround(value * scale)));
    return times;
}

std::optional<comparison::Slowdown> changeOf(const Numbers& values) {
    const std::size_t half = values.size() / 2;
    if (half < comparison::kFewestRuns)
        return std::nullopt;
    const std::vector<Ns> times = timesOf(values);
    if (times.empty())
        return std::nullopt;
    const std::span<const Ns> all(times);
    return comparison::slowdownOfRuns(all.first(half), all.subspan(half));
}

bool isKnownTime(std::span<const Row> rows, std::size_t row) {
    return !rows[row].recordedAt.empty();
}

History historyOf(std::span<const Row> rows, const Found& found, std::size_t group) {
    History history;
    history.group = group;
    history.rows = found.rows;
    history.first = rows[found.rows.front()].recordedAt;
    history.last = rows[found.rows.back()].recordedAt;
    history.median = medianOf(found.values);
    history.lowest = std::ranges::min(found.values);
    history.highest = std::ranges::max(found.values);
    history.change = changeOf(found.values);
    return history;
}

} // namespace

std::vector<Group> groupsOf(std::span<const Row> rows) {
    std::map<std::pair<std::string_view, std::string_view>, std::vector<std::size_t>> found;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].problem.empty() && rows[i].loss.empty())
            found[{rows[i].program, rows[i].machine}].push_back(i);
    std::vector<Group> groups;
    for (auto& [of, members] : found) {
        std::ranges::stable_sort(members, {}, [&](std::size_t i) {
            return std::pair(std::string_view(rows[i].recordedAt), rows[i].file.native());
        });
        groups.push_back({std::string(of.first), std::string(of.second), std::move(members)});
    }
    std::ranges::stable_sort(groups, std::greater<>(), [](const Group& group) { return group.rows.size(); });
    return groups;
}

std::vector<Outlier> outliersOf(std::span<const Row> rows, std::span<const Group> groups,
                                std::size_t columns) {
    std::vector<Outlier> outliers;
    for (const Group& group : groups)
        for (std::size_t column = 0; column < columns; ++column)
            addOutliers(numbersOf(rows, group.rows, column), column, outliers);
    std::ranges::stable_sort(outliers, std::greater<>(), &Outlier::distance);
    return outliers;
}

std::vector<History> historiesOf(std::span<const Row> rows, std::span<const Group> groups,
                                 std::size_t column) {
    std::vector<History> histories;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        std::vector<std::size_t> known;
        std::ranges::copy_if(groups[g].rows, std::back_inserter(known),
                             [&](std::size_t row) { return isKnownTime(rows, row); });
        const Found found = numbersOf(rows, known, column);
        if (found.rows.size() > 1)
            histories.push_back(historyOf(rows, found, g));
    }
    return histories;
}

namespace {

using Is = io::ReportValue::Is;

std::string signedPercent(double ratio) {
    return (ratio < 1 ? "" : "+") + fixedText((ratio - 1) * 100, 1);
}

/// For numbers above 0 the relative difference; otherwise the number itself.
std::string howMuchText(long double value, long double median) {
    if (!(value > 0 && median > 0))
        return value > median ? "more" : "less";
    const auto ratio = static_cast<double>(value / median);
    if (ratio >= 2)
        return shortText(ratio, 3) + " times as much";
    return fixedText(std::abs(ratio - 1) * 100, ratio > 0.9 && ratio < 1.1 ? 1 : 0) +
           (ratio > 1 ? " % more" : " % less");
}

} // namespace

bool isTime(const Column& column) {
    return column.pointer.ends_with("_ns");
}

bool isShare(const Column& column) {
    constexpr std::array<std::string_view, 4> kShares{"/efficiency", "/of_attainable", "_share", "/of_run"};
    return std::ranges::any_of(kShares,
                               [&](std::string_view ending) { return column.pointer.ends_with(ending); });
}

std::string numberText(const Column& column, long double number) {
    constexpr long double kMost = 9e18L;
    if (isTime(column) && std::abs(number) < kMost)
        return analysis::timeText(static_cast<Ns>(number));
    if (number < 0 && column.pointer.ends_with("/efficiency"))
        return "none"; // slower than its parts one after another: by how much of what, nobody could use
    if (isShare(column))
        return fixedText(static_cast<double>(number * 100), 1) + " %";
    return shortText(static_cast<double>(number), 4);
}

std::string valueText(const Column& column, const io::ReportValue& value) {
    switch (value.is) {
    case Is::Number:
        return numberText(column, value.number);
    case Is::Text:
        return value.text;
    case Is::Other:
        return value.shown;
    case Is::Missing:
    case Is::Null:
        break;
    }
    return "-";
}

std::string shortOutlierText(const Outlier& outlier, const Column& column) {
    return column.head + " " + howMuchText(outlier.value, outlier.median);
}

std::string outlierText(const Outlier& outlier, const Column& column) {
    return column.head + " " + numberText(column, outlier.value) + ", typical is " +
           numberText(column, outlier.median) + " (" + std::to_string(outlier.runs) +
           " runs): " + howMuchText(outlier.value, outlier.median) + ", " + shortText(outlier.distance, 2) +
           " deviations away";
}

std::string changeText(const History& history, const Column& column) {
    if (!history.change || !history.change->low)
        return {};
    const comparison::Slowdown& change = *history.change;
    if (!change.rises() && !change.falls())
        return "no change that can be told from chance";
    return column.head + " of the later half " + signedPercent(change.ratio) + " % (" +
           signedPercent(*change.low) + " to " + signedPercent(*change.high) + ")";
}

} // namespace olab::survey
