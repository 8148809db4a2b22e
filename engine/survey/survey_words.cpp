#include <olab/survey/survey_words.h>

#include <olab/analysis/waits.h>
#include <olab/trace/number_text.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace olab::survey {
namespace {

using Is = io::ReportValue::Is;

std::string signedPercent(double ratio) {
    return (ratio < 1 ? "" : "+") + fixedText((ratio - 1) * 100, 1);
}

/// Of numbers above 0 by how much; else the number says it.
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
