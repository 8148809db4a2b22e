#include "timeline/rows/value_text.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

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
constexpr ValueWords kWords[] = {
    {LaneValue::BytesPerSecond, rateText, sizeText, QT_TR_NOOP("no sizes known")}};

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
        return tr(wordsOf(row).unknown);
    return tr("0 to %1").arg(wordsOf(row).perNs(row.values->peak())) +
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
    return counted("%1 are not in it: their size or time was not recorded.",
                   "%1 is not in it: its size or time was not recorded.", count)
        .arg(many(row, count));
}

QString spokenValue(const Row& row, Interval over) {
    const QString average = averageText(row, over);
    return average.isEmpty()
               ? scaleText(row)
               : tr("at most %1, %2 on average").arg(wordsOf(row).perNs(row.values->peak()), average);
}

QString valueText(const Row& row, Interval here) {
    const QString name = fromText(row.lane->label), left = leftOutText(row);
    if (!row.values)
        return tr("%1: being worked out").arg(name);
    QString text = name + QStringLiteral(": ");
    if (const QString average = averageText(row, here); average.isEmpty())
        text += scaleText(row);
    else
        text += tr("%1 here (%2 in %3)\nAt most %4 in this recording")
                    .arg(average, wordsOf(row).amount(row.values->in(here)), durationText(here.length()),
                         wordsOf(row).perNs(row.values->peak()));
    return left.isEmpty() ? text : text + QLatin1Char('\n') + left;
}

} // namespace olab::ui
