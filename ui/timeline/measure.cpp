#include "timeline/measure.h"

#include <olab/ui/format.h>

#include <algorithm>

namespace olab {

namespace {

double shareOf(Ns part, Ns whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

QString withShare(Ns part, Ns whole) {
    return QStringLiteral("%1 (%2)").arg(durationText(part), percentText(shareOf(part, whole)));
}

QString deviceText(const Shown& shown, std::uint8_t device) {
    const auto devices = shown.trace().devices();
    return device < devices.size() ? QStringLiteral("GPU %1").arg(devices[device].device) : QString();
}

/// Names the device where there are several.
QString onDevice(const Shown& shown, std::uint8_t device, const QString& what) {
    return shown.trace().devices().size() > 1 ? QStringLiteral("%1 %2").arg(deviceText(shown, device), what)
                                              : what;
}

QString laneName(const Shown& shown, const Lane& lane) {
    const QString label = fromText(lane.label);
    return isOfDevice(lane.kind) ? onDevice(shown, lane.device, label) : label;
}

QString pairName(const Shown& shown, const PairNumbers& pair) {
    return onDevice(
        shown, pair.device,
        QStringLiteral("%1 | %2").arg(fromText(classLabel(pair.a)), fromText(classLabel(pair.b))));
}

void addPairs(RangeNumbers& numbers, const Facts& facts, std::uint8_t device) {
    const RangeOverlap sums = facts.perDevice()[device].overlaps.measure(numbers.range);
    for (std::size_t a = 0; a < kDeviceClassCount; ++a)
        for (std::size_t b = a + 1; b < kDeviceClassCount; ++b)
            if (sums.busy[a] > 0 && sums.busy[b] > 0) {
                const auto first = static_cast<ActivityClass>(a), second = static_cast<ActivityClass>(b);
                numbers.pairs.push_back(
                    {device, first, second, sums.overlap(first, second), sums.busy[a], sums.busy[b]});
            }
}

} // namespace

std::uint64_t countIn(std::span<const Strip> lane, Interval range) {
    std::uint64_t count = 0;
    for (const Strip& strip : lane) {
        const std::size_t first = strip.table.position(range.begin);
        count += strip.table.position(range.end) - first;
        if (first > 0 && strip.times.end(first - 1) > range.begin)
            ++count;
    }
    return count;
}

DeviceNumbers measureDevice(const TimelineIndex& index, std::uint8_t device, Interval range) {
    const auto& sets = index.atOnce(device); // at least one, two, three
    const std::array<Ns, 3> atLeast{sets[0].measure(range), sets[1].measure(range), sets[2].measure(range)};
    return {
        device, range.length() - atLeast[0], {atLeast[0] - atLeast[1], atLeast[1] - atLeast[2], atLeast[2]}};
}

RangeNumbers measureRange(const Shown& shown, Interval range) {
    const TimelineIndex& index = shown.index;
    RangeNumbers numbers{range, {}, {}, {}, 0};
    for (std::size_t d = 0; d < index.deviceCount(); ++d) {
        const auto device = static_cast<std::uint8_t>(d);
        numbers.devices.push_back(measureDevice(index, device, range));
        addPairs(numbers, shown.facts, device);
    }
    for (const Lane& lane : index.lanes().lanes()) {
        numbers.lanes.push_back({&lane, lane.busy.measure(range), countIn(index.strips(lane.id), range)});
        if (lane.kind == LaneKind::Stream)
            numbers.operations += numbers.lanes.back().count;
    }
    return numbers;
}

QString atOnceText(const DeviceNumbers& numbers, Ns length) {
    return QStringLiteral("none %1, one %2, two %3, three or more %4")
        .arg(percentText(shareOf(numbers.idle, length)), percentText(shareOf(numbers.atOnce[0], length)),
             percentText(shareOf(numbers.atOnce[1], length)),
             percentText(shareOf(numbers.atOnce[2], length)));
}

FieldList rangeFields(const Shown& shown, const RangeNumbers& numbers) {
    FieldList fields;
    const Ns length = numbers.range.length();
    const auto add = [&](const QString& name, const QString& value) { fields.emplace_back(name, value); };
    add(QStringLiteral("Lasts"), exactDurationText(length));
    add(QStringLiteral("From"), exactDurationText(numbers.range.begin - shown.zero()));
    add(QStringLiteral("To"), exactDurationText(numbers.range.end - shown.zero()));
    add(QStringLiteral("Operations"), countText(numbers.operations));
    for (const DeviceNumbers& device : numbers.devices) {
        const auto engines = [&](const char* count, Ns time) {
            add(onDevice(shown, device.device, QString::fromLatin1(count)), withShare(time, length));
        };
        engines("No engine", device.idle);
        engines("One engine", device.atOnce[0]);
        engines("Two engines", device.atOnce[1]);
        engines("Three or more", device.atOnce[2]);
    }
    add(QStringLiteral("Lane"), QStringLiteral("busy · time · n"));
    for (const LaneNumbers& lane : numbers.lanes)
        if (lane.count > 0)
            add(laneName(shown, *lane.lane), QStringLiteral("%1 · %2 · %3")
                                                 .arg(percentText(shareOf(lane.busy, length)),
                                                      durationText(lane.busy), countText(lane.count)));
    if (!numbers.pairs.empty())
        add(QStringLiteral("Pair"), QStringLiteral("at once (of each)"));
    for (const PairNumbers& pair : numbers.pairs)
        add(pairName(shown, pair),
            QStringLiteral("%1 (%2 | %3)")
                .arg(durationText(pair.both), percentText(shareOf(pair.both, pair.busyA)),
                     percentText(shareOf(pair.both, pair.busyB))));
    return fields;
}

QString rangeText(const Shown& shown, const RangeNumbers& numbers) {
    QString text = shown.title() + QLatin1Char('\n');
    for (const auto& [name, value] : rangeFields(shown, numbers))
        text += QStringLiteral("%1: %2\n").arg(name, value);
    return text;
}

QString rangeTable(const Shown& shown, const RangeNumbers& numbers) {
    QString table = QStringLiteral("what\tbusy_ns\tshare\tcount\n");
    const Ns length = numbers.range.length();
    const auto row = [&](const QString& what, Ns time, const QString& count = {}) {
        table += QStringLiteral("%1\t%2\t%3\t%4\n").arg(what).arg(time).arg(shareOf(time, length)).arg(count);
    };
    row(QStringLiteral("range"), length, QString::number(numbers.operations));
    for (const DeviceNumbers& device : numbers.devices) {
        row(onDevice(shown, device.device, QStringLiteral("no engine")), device.idle);
        row(onDevice(shown, device.device, QStringLiteral("one engine")), device.atOnce[0]);
        row(onDevice(shown, device.device, QStringLiteral("two engines")), device.atOnce[1]);
        row(onDevice(shown, device.device, QStringLiteral("three or more engines")), device.atOnce[2]);
    }
    for (const PairNumbers& pair : numbers.pairs)
        row(pairName(shown, pair), pair.both);
    for (const LaneNumbers& lane : numbers.lanes)
        row(laneName(shown, *lane.lane), lane.busy, QString::number(lane.count));
    return table;
}

std::optional<Ns> nearestEdge(const Strip& strip, Ns t, Ns reach) {
    const std::size_t at =
        strip.table.position(t); // things do not cross: the two around `t` have the nearest
    std::optional<Ns> best;
    const auto look = [&](Ns edge) {
        const Ns distance = edge > t ? edge - t : t - edge;
        if (distance <= reach && (!best || distance < (*best > t ? *best - t : t - *best)))
            best = edge;
    };
    for (std::size_t i = at > 0 ? at - 1 : 0; i < std::min(at + 1, strip.times.size()); ++i) {
        look(strip.times.begin(i));
        look(strip.times.end(i));
    }
    return best;
}

std::optional<Ns> nextEdge(const Strip& strip, Ns t, int direction) {
    const std::size_t at = strip.table.position(direction > 0 ? t + 1 : t);
    std::optional<Ns> best;
    const auto look = [&](Ns edge) {
        if (direction > 0 ? edge > t && (!best || edge < *best) : edge < t && (!best || edge > *best))
            best = edge;
    };
    for (std::size_t i = at > 0 ? at - 1 : 0; i < std::min(at + 1, strip.times.size()); ++i) {
        look(strip.times.begin(i));
        look(strip.times.end(i));
    }
    return best;
}

} // namespace olab
