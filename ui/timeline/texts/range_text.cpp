#include "timeline/texts/range_text.h"

#include "base/plain_text.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <cstdlib>

namespace olab::ui {

namespace {

constexpr qsizetype kNameLetters = 60; // of a name: templates may be long

QString opName(const view::ViewData& shown, ActivityIndex op) {
    return cutText(activityLabel(shown.trace(), op), kNameLetters) + QStringLiteral(" #") +
           numberText(shown.trace(), op);
}

} // namespace

QString blockerText(const view::ViewData& shown, const analysis::ExplainedWait& wait) {
    return wait.blocker < shown.trace().size() ? opName(shown, wait.blocker) : QString();
}

QString waitText(const view::ViewData& shown, const analysis::ExplainedWait& wait) {
    const QString text = tr("%1 waited %2 before it began: %3.")
                             .arg(opName(shown, wait.op), durationText(wait.time.length()),
                                  fromText(analysis::lossCauseTitle(wait.cause)));
    const QString blocker = blockerText(shown, wait);
    return blocker.isEmpty() ? text : text + QLatin1Char(' ') + tr("Held by %1.").arg(blocker);
}

std::optional<analysis::ExplainedWait> blockedWaitOf(const view::ViewData& shown, ActivityIndex op) {
    const auto wait = shown.waitOf(op);
    return wait && wait->isHeld() && wait->blocker < shown.trace().size() ? wait : std::nullopt;
}

namespace {

double shareOf(Ns part, Ns whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

QString withShare(Ns part, Ns whole) {
    return QStringLiteral("%1 (%2)").arg(durationText(part), percentLabel(shareOf(part, whole)));
}

QString deviceText(const view::ViewData& shown, std::uint8_t device) {
    const auto devices = shown.trace().devices();
    return device < devices.size() ? fromText(shown.trace().deviceText(device)) : QString();
}

/// Names the device where there are several.
QString onDevice(const view::ViewData& shown, std::uint8_t device, const QString& what) {
    return shown.trace().devices().size() > 1 ? QStringLiteral("%1 %2").arg(deviceText(shown, device), what)
                                              : what;
}

QString laneName(const view::ViewData& shown, const Lane& lane) {
    const QString label = fromText(lane.label);
    return isOfDevice(lane.kind) ? onDevice(shown, lane.device, label) : label;
}

QString shownPairName(const view::ViewData& shown, const view::PairNumbers& pair) {
    return onDevice(
        shown, pair.device,
        QStringLiteral("%1 | %2").arg(fromText(classLabel(pair.a)), fromText(classLabel(pair.b))));
}

} // namespace

QString atOnceText(const view::DeviceNumbers& numbers, Ns length) {
    return tr("none %1, one %2, two %3, three or more %4")
        .arg(percentLabel(shareOf(numbers.idle, length)), percentLabel(shareOf(numbers.atOnce[0], length)),
             percentLabel(shareOf(numbers.atOnce[1], length)),
             percentLabel(shareOf(numbers.atOnce[2], length)));
}

FieldList rangeFields(const view::ViewData& shown, const view::RangeNumbers& numbers) {
    FieldList fields;
    const Ns length = numbers.range.length();
    const auto add = [&](const QString& name, const QString& value) { fields.emplace_back(name, value); };
    add(tr("Lasts"), tickText(length, 1));
    add(tr("From"), tickText(numbers.range.begin - shown.zero(), 1));
    add(tr("To"), tickText(numbers.range.end - shown.zero(), 1));
    add(tr("Operations"), countText(numbers.operations));
    for (const view::DeviceNumbers& device : numbers.devices) {
        const auto engines = [&](const QString& count, Ns time) {
            add(onDevice(shown, device.device, count), withShare(time, length));
        };
        engines(tr("No engine"), device.idle);
        engines(tr("One engine"), device.atOnce[0]);
        engines(tr("Two engines"), device.atOnce[1]);
        engines(tr("Three or more"), device.atOnce[2]);
    }
    add(tr("Lane"), tr("busy · time · n"));
    for (const view::LaneNumbers& lane : numbers.lanes)
        if (lane.count > 0)
            add(laneName(shown, *lane.lane), QStringLiteral("%1 · %2 · %3")
                                                 .arg(percentLabel(shareOf(lane.busy, length)),
                                                      durationText(lane.busy), countText(lane.count)));
    if (!numbers.pairs.empty())
        add(tr("Pair"), tr("at once (of each)"));
    for (const view::PairNumbers& pair : numbers.pairs)
        add(shownPairName(shown, pair),
            QStringLiteral("%1 (%2 | %3)")
                .arg(durationText(pair.both), percentLabel(shareOf(pair.both, pair.busyA)),
                     percentLabel(shareOf(pair.both, pair.busyB))));
    return fields;
}

QString rangeText(const view::ViewData& shown, const view::RangeNumbers& numbers) {
    QString text = titleText(shown) + QLatin1Char('\n');
    for (const auto& [name, value] : rangeFields(shown, numbers))
        text += QStringLiteral("%1: %2\n").arg(name, value);
    return text;
}

QString rangeTable(const view::ViewData& shown, const view::RangeNumbers& numbers) {
    QString table = QStringLiteral("what\tbusy_ns\tshare\tcount\n");
    const Ns length = numbers.range.length();
    const auto row = [&](const QString& what, Ns time, const QString& count = {}) {
        table += QStringLiteral("%1\t%2\t%3\t%4\n").arg(what).arg(time).arg(shareOf(time, length)).arg(count);
    };
    row(QStringLiteral("range"), length, QString::number(numbers.operations));
    for (const view::DeviceNumbers& device : numbers.devices) {
        row(onDevice(shown, device.device, QStringLiteral("no engine")), device.idle);
        row(onDevice(shown, device.device, QStringLiteral("one engine")), device.atOnce[0]);
        row(onDevice(shown, device.device, QStringLiteral("two engines")), device.atOnce[1]);
        row(onDevice(shown, device.device, QStringLiteral("three or more engines")), device.atOnce[2]);
    }
    for (const view::PairNumbers& pair : numbers.pairs)
        row(shownPairName(shown, pair), pair.both);
    for (const view::LaneNumbers& lane : numbers.lanes)
        row(laneName(shown, *lane.lane), lane.busy, QString::number(lane.count));
    return table;
}

QString placeLink(const view::ViewData& shown, const view::Selection& selection, Interval visible) {
    const auto ms = [&](Ns t) { // exact, without zeros at its end
        const Ns size = std::abs(t - shown.zero());
        QString part = QString::number(size % 1'000'000).rightJustified(6, QLatin1Char('0'));
        while (part.endsWith(QLatin1Char('0')))
            part.chop(1);
        return (t < shown.zero() ? QStringLiteral("-") : QString()) + QString::number(size / 1'000'000) +
               (part.isEmpty() ? QString() : QLatin1Char('.') + part) + QStringLiteral("ms");
    };
    const auto times = [&](Interval time) { return ms(time.begin) + QStringLiteral("..") + ms(time.end); };
    QString link = QStringLiteral("#t=") + times(visible);
    if (const auto op = selection.activity())
        link += QStringLiteral("&op=") + numberText(shown.trace(), *op) +
                (isDeviceClass(shown.trace().cls(*op)) ? QString() : QStringLiteral("h"));
    if (const auto range = selection.range())
        link += QStringLiteral("&range=") + times(*range);
    return link;
}

QString pickedText(const view::ViewData& shown, const view::Selection& selection, bool table) {
    using Picked = view::Selection::Picked;
    if (selection.picked() == Picked::Range && selection.range()) {
        const view::RangeNumbers numbers = view::measureRange(shown, *selection.range());
        return table ? rangeTable(shown, numbers) : rangeText(shown, numbers);
    }
    FieldList fields;
    if (selection.picked() == Picked::Gap && selection.gap())
        fields = gapFields(shown, *selection.gap());
    else if (selection.activity())
        fields = activityFields(shown, *selection.activity());
    QString text;
    for (const auto& [name, value] : fields)
        text += name + (table ? QStringLiteral("\t") : QStringLiteral(": ")) + value + QLatin1Char('\n');
    return text;
}

} // namespace olab::ui
