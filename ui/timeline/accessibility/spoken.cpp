#include "timeline/accessibility/spoken.h"

#include "timeline/rows/value_text.h"
#include "timeline/texts/hover_card.h"
#include "timeline/texts/range_text.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/verdict_text.h>

#include <QStringList>

#include <algorithm>

namespace olab::ui {

namespace {

QString placeOf(const view::ViewData& shown, const Lane& lane) {
    const auto devices = shown.trace().devices();
    const bool isOfOne = scopeOf(lane.kind) == LaneScope::Engine || showsValue(lane.kind);
    if (!isOfOne || lane.device >= devices.size())
        return {};
    return tr(", GPU %1").arg(devices[lane.device].device);
}

QString things(const Lane& lane, std::uint64_t count) {
    const QString word = fromText(laneKindRow(lane.kind).thing);
    return QStringLiteral("%1 %2%3").arg(count).arg(word, count == 1 ? QString() : QStringLiteral("s"));
}

QString busyText(const Lane& lane, Interval range) {
    const auto share =
        static_cast<double>(lane.busy.measure(range)) / static_cast<double>(std::max<Ns>(range.length(), 1));
    return tr("busy %1").arg(percentLabel(share));
}

Interval workOf(const view::ViewData& shown) {
    const Interval device = shown.trace().deviceSpan();
    return device.length() > 0 ? device : shown.trace().span();
}

QString startText(const view::ViewData& shown, Ns time) {
    return tr("starts at %1").arg(durationText(time - shown.zero()));
}

} // namespace

QString spokenRow(const view::ViewData& shown, const Row& row) {
    const QString pinned = row.pinned ? tr(", pinned") : QString();
    if (row.kind == Row::Kind::Ribbon && row.device < shown.index.deviceCount()) {
        const Interval work = workOf(shown);
        return QStringLiteral("%1: %2").arg(
            row.label, atOnceText(view::numbersOf(shown.index, row.device, work), work.length()));
    }
    if (!row.lane)
        return row.label + pinned;
    if (showsValue(row.lane->kind))
        return fromText(row.lane->label) + placeOf(shown, *row.lane) + QStringLiteral(", ") +
               spokenValue(row, workOf(shown)) + pinned +
               (leftOutText(row).isEmpty() ? QString() : QStringLiteral(". ") + leftOutText(row));
    return fromText(row.lane->label) + placeOf(shown, *row.lane) + QStringLiteral(", ") +
           things(*row.lane, row.lane->activities.size()) + QStringLiteral(", ") +
           busyText(*row.lane, workOf(shown)) + pinned;
}

QString spokenView(std::span<const view::Strip> strips, const Row& row, Interval seen) {
    if (!row.lane)
        return {};
    if (showsValue(row.lane->kind)) {
        const QString average = averageText(row, seen);
        return average.isEmpty() ? average : tr("in view %1 on average").arg(average);
    }
    return tr("in view %1, %2")
        .arg(things(*row.lane, view::countIn(strips, seen)), busyText(*row.lane, seen));
}

QString spokenActivity(const view::ViewData& shown, ActivityIndex index) {
    const Trace& trace = shown.trace();
    const Activity a = trace[index];
    const QString label = activityLabel(trace, index), kind = fromText(classLabel(a.cls));
    QStringList parts{QStringLiteral("%1 #%2").arg(
        label.startsWith(kind) ? label : kind + QLatin1Char(' ') + label, numberText(trace, index))};
    parts << durationText(a.duration()) << queueText(trace, a.queue)
          << startText(shown, trace.time(index).begin);
    if (const auto wait = shown.waitOf(index); wait && wait->length() > 0)
        parts << tr("waited %1").arg(durationText(wait->length()));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString spokenPlace(const Lane& lane, ActivityIndex index) {
    const auto at = std::ranges::lower_bound(lane.activities, index);
    if (at == lane.activities.end() || *at != index)
        return {};
    return tr("%1 of %2 in %3")
        .arg(at - lane.activities.begin() + 1)
        .arg(lane.activities.size())
        .arg(fromText(lane.label));
}

QString spokenGap(const view::ViewData& shown, const view::Gap& gap) {
    return tr("Idle for %1, %2. %3")
        .arg(durationText(gap.time.length()), startText(shown, gap.time.begin), gapSentence(shown, gap));
}

QString spokenRange(const view::ViewData& shown, Interval range) {
    return tr("Measured range of %1, %2").arg(durationText(range.length()), startText(shown, range.begin));
}

QString spokenRecording(const view::ViewData& shown) {
    QStringList sentences{titleText(shown)};
    if (const auto badge = shown.recording->badge(); !badge.empty())
        sentences << fromText(badge).toLower();
    sentences << counted("%n activities, run time %1", "%n activity, run time %1", shown.trace().size())
                     .arg(durationText(shown.recording->report.bounds.measured));
    return sentences.join(QStringLiteral(", ")) + QLatin1Char('.');
}

} // namespace olab::ui
