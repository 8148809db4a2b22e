#include "timeline/rows/row_names.h"

#include "base/plain_text.h"

#include <olab/analysis/framework.h>
#include <olab/analysis/threads.h>
#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <algorithm>
#include <iterator>

namespace olab::ui {

namespace {

constexpr int kLongestRank = 40;

QString deviceName(const Trace& trace, const Lane& lane) {
    const auto devices = trace.devices();
    const bool known = lane.device < devices.size() && devices[lane.device].device != kNoNumber;
    return QStringLiteral("gpu%1").arg(known ? QString::number(devices[lane.device].device)
                                             : QStringLiteral("?%1").arg(lane.device));
}

/// Of which of the recordings that were put together; empty where it is one.
QString rankOf(const Trace& trace, const Lane& lane) {
    const auto devices = trace.devices();
    const bool isOfOne =
        isOfDevice(lane.kind) && lane.device < devices.size() && devices[lane.device].rank != kNoNumber;
    return isOfOne ? cutText(fromText(trace.rankText(devices[lane.device].rank)), kLongestRank) : QString();
}

QString groupName(const Trace& trace, const Lane& lane) {
    if (!isOfDevice(lane.kind))
        return QStringLiteral("host");
    const bool isStream = scopeOf(lane.kind) == LaneScope::Stream;
    return deviceName(trace, lane) + (isStream ? QStringLiteral("/streams") : QString());
}

} // namespace

StreamRanges::StreamRanges(const Trace& trace, const LaneSet& lanes) {
    for (const auto& [queue, of] : analysis::gpuRanges(trace))
        for (const Lane& lane : lanes.lanes())
            if (lane.kind == LaneKind::Stream && trace.queue(lane.queue).number == of.stream &&
                lane.device < trace.devices().size() && trace.devices()[lane.device].device == of.device)
                m_streams.try_emplace(queue, &lane);
}

const Lane* StreamRanges::streamOf(const Lane& lane) const {
    const auto at = lane.kind == LaneKind::HostRanges ? m_streams.find(lane.queue) : m_streams.end();
    return at == m_streams.end() ? nullptr : at->second;
}

RowNames::RowNames(const Trace& trace, const LaneSet& lanes) {
    const StreamRanges ranges(trace, lanes);
    QString thread; // by number: their ids are others in each process
    int threads = 0;
    std::uint16_t queue = 0;
    for (const Lane& lane : lanes.lanes()) {
        const QString place = isOfDevice(lane.kind) ? deviceName(trace, lane) : QStringLiteral("host");
        QString name = fromText(lane.label);
        if (const Lane* stream = ranges.streamOf(lane)) {
            m_rows.push_back(deviceName(trace, *stream) + QLatin1Char('/') + fromText(stream->label) +
                             QStringLiteral("/ranges"));
            m_groups.push_back(groupName(trace, *stream));
            continue;
        }
        if (scopeOf(lane.kind) == LaneScope::Thread) {
            if (threads == 0 || lane.queue.value != queue)
                thread = QStringLiteral("thread %1").arg(++threads);
            queue = lane.queue.value;
            const QString part = name.section(QStringLiteral(" · "), -1);
            name = isBeneath(lane.kind) ? thread + QLatin1Char('/') + part : thread;
        }
        m_rows.push_back(place + QLatin1Char('/') + name);
        m_groups.push_back(groupName(trace, lane));
    }
}

QString RowNames::ofValue(const Trace& trace, const Lane& lane) {
    return deviceName(trace, lane) + QLatin1Char('/') + fromText(lane.label);
}

QString RowNames::groupOfValue(const Trace& trace, const Lane& lane) {
    return deviceName(trace, lane) + QLatin1Char('/') + fromText(laneKindRow(lane.kind).group).toLower();
}

QString groupLabel(const Trace& trace, const Lane& lane) {
    const QString rank = rankOf(trace, lane);
    if (showsValue(lane.kind)) {
        const QString group = fromText(laneKindRow(lane.kind).group);
        return rank.isEmpty() ? group : rank + QStringLiteral(" · ") + group.toLower();
    }
    if (scopeOf(lane.kind) == LaneScope::Stream)
        return rank.isEmpty() ? tr("Streams") : tr("%1 · streams").arg(rank);
    if (!isOfDevice(lane.kind))
        return tr("Host");
    const auto devices = trace.devices();
    const bool known = lane.device < devices.size();
    const QString name = known ? fromText(devices[lane.device].name) : QString();
    const QString number = known ? QString::number(devices[lane.device].device) : QStringLiteral("?");
    return (rank.isEmpty() ? rank : rank + QStringLiteral(" · ")) +
           tr("GPU %1%2 · engines").arg(number, name.isEmpty() ? name : QStringLiteral("  ") + name);
}

namespace {

/// "python 4711", "thread 4711 · ranges": with its name, if it has one, and NVTX only where it is that.
QString threadLabel(const Trace& trace, const Lane& lane, QString label) {
    label = namedThread(trace, trace.queue(lane.queue), label);
    const QString nvtx = fromText(laneKindRow(LaneKind::HostRanges).label);
    if (lane.kind == LaneKind::HostRanges && label.endsWith(nvtx) &&
        analysis::rangeKindOf(trace, {}) != analysis::RangeKind::Nvtx)
        label.replace(label.size() - nvtx.size(), nvtx.size(), QStringLiteral(" · ranges"));
    return label;
}

} // namespace

QString streamRangesLabel() {
    return QStringLiteral("annotations");
}

QString rowLabel(const Trace& trace, const Lane& lane) {
    QString label = fromText(lane.label);
    if (scopeOf(lane.kind) == LaneScope::Thread)
        return threadLabel(trace, lane, label);
    const QString rank = scopeOf(lane.kind) == LaneScope::Stream ? rankOf(trace, lane) : QString();
    const QString tail = QStringLiteral(" of ") + rank;
    if (!rank.isEmpty() && label.endsWith(tail))
        label.chop(tail.size());
    return label;
}

QString rowHelp(const Lane& lane) {
    return fromText(laneKindRow(lane.kind).help);
}

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
