#include "timeline/rows/value_text.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>

#include <algorithm>
#include <iterator>

namespace olab::ui {

namespace {

struct ValueWords {
    LaneValue value;
    QString (*perNs)(double);
    QString (*amount)(std::int64_t);
    const char* unknown; ///< where no activity says it
};
constexpr ValueWords kWords[] = {{LaneValue::BytesPerSecond, rateText, sizeText, "no sizes known"}};

const ValueWords& wordsOf(const Row& row) {
    const auto found = std::ranges::find(kWords, laneKindRow(row.lane->kind).value, &ValueWords::value);
    return found == std::end(kWords) ? kWords[0] : *found;
}

QString many(const Row& row, std::uint64_t count) {
    QString thing = fromText(laneKindRow(row.lane->kind).thing);
    if (count != 1)
        thing = thing.endsWith(QLatin1Char('y')) ? thing.chopped(1) + QStringLiteral("ies")
                                                 : thing + QLatin1Char('s');
    return countText(count) + QLatin1Char(' ') + thing;
}

} // namespace

QString scaleText(const Row& row) {
    if (!row.values)
        return {};
    if (row.values->empty())
        return QLatin1String(wordsOf(row).unknown);
    return QStringLiteral("0 to ") + wordsOf(row).perNs(row.values->peak()) +
           (row.values->leftOut() > 0 ? QStringLiteral(" *") : QString());
}

QString averageText(const Row& row, Interval range) {
    if (!row.values || row.values->empty() || range.length() <= 0)
        return {};
    return wordsOf(row).perNs(static_cast<double>(row.values->in(range)) /
                              static_cast<double>(range.length()));
}

QString leftOutText(const Row& row) {
    const std::uint64_t count = row.values ? row.values->leftOut() : 0;
    if (count == 0)
        return {};
    return many(row, count) +
           (count == 1 ? QStringLiteral(" is not in it: its") : QStringLiteral(" are not in it: their")) +
           QStringLiteral(" size or time was not recorded.");
}

QString spokenValue(const Row& row, Interval over) {
    const QString average = averageText(row, over);
    return average.isEmpty() ? scaleText(row)
                             : QStringLiteral("at most %1, %2 on average")
                                   .arg(wordsOf(row).perNs(row.values->peak()), average);
}

QString valueText(const Row& row, Interval here) {
    const QString name = fromText(row.lane->label), left = leftOutText(row);
    if (!row.values)
        return QStringLiteral("%1: being worked out").arg(name);
    QString text = name + QStringLiteral(": ");
    if (const QString average = averageText(row, here); average.isEmpty())
        text += scaleText(row);
    else
        text += QStringLiteral("%1 here (%2 in %3)\nAt most %4 in this recording")
                    .arg(average, wordsOf(row).amount(row.values->in(here)), durationText(here.length()),
                         wordsOf(row).perNs(row.values->peak()));
    return left.isEmpty() ? text : text + QLatin1Char('\n') + left;
}

} // namespace olab::ui
