#include "timeline/texts/hover_card.h"

#include <olab/trace/kernel_name.h>
#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/view/links.h>
#include <olab/view/view_data.h>

#include <QStringList>

#include <array>

namespace olab::ui {

namespace {

QString memoryText(const Activity& a) {
    const auto name = [](MemoryKind kind) {
        return kind == MemoryKind::Unknown
                   ? QString()
                   : fromText(memoryKindName(kind)).replace(QLatin1Char('_'), QLatin1Char(' '));
    };
    const QString from = name(a.source), to = name(a.target);
    if (!from.isEmpty() && !to.isEmpty())
        return from + QStringLiteral(" → ") + to;
    return from.isEmpty() ? to : from;
}

QString dims(const std::array<std::uint32_t, 3>& d) {
    if (d[1] == 1 && d[2] == 1)
        return countText(d[0]);
    return QStringLiteral("%1 × %2 × %3").arg(d[0]).arg(d[1]).arg(d[2]);
}

QString streamText(const Trace& trace, const Activity& a) {
    QString text = queueText(trace, a.queue);
    if (a.queue.value < trace.queues().size()) {
        const Queue& queue = trace.queue(a.queue);
        if (queue.kind == Queue::Kind::Stream && queue.streamKind != StreamKind::Unknown)
            text += QStringLiteral(" (%1)").arg(fromText(streamKindName(queue.streamKind)));
    }
    return text;
}

/// What a record says beyond times and names.
QString flagsText(const Activity& a) {
    QStringList words;
    if ((a.flags & kFlagAsync) != 0 && a.cls != ActivityClass::Kernel)
        words << QStringLiteral("issued by an asynchronous call");
    if ((a.flags & kFlagUnified) != 0)
        words << QStringLiteral("migration of managed memory");
    if ((a.flags & kFlagFailed) != 0)
        words << QStringLiteral("the call returned an error");
    return words.join(QStringLiteral(", "));
}

QString channelText(const Trace& trace, ChannelId id) {
    if (id == kNoChannel || id.value >= trace.channels().size())
        return {};
    static constexpr std::array kTypes{"", " (compute)", " (asynchronous copy)", " (decompression)"};
    const Channel& channel = trace.channels()[id.value];
    const auto type = static_cast<std::size_t>(channel.type);
    return QString::number(channel.number) + QLatin1String(type < kTypes.size() ? kTypes[type] : "");
}

/// Device, context and priority: of streams.
void addQueue(FieldList& fields, const Trace& trace, const Activity& a) {
    const bool known = a.queue.value < trace.queues().size();
    if (!isDeviceClass(a.cls) || !known)
        return;
    const Queue& queue = trace.queue(a.queue);
    if (a.device < trace.devices().size())
        fields.emplace_back(QStringLiteral("Device"), QStringLiteral("%1 %2")
                                                          .arg(trace.devices()[a.device].device)
                                                          .arg(fromText(trace.devices()[a.device].name)));
    if (queue.context != kNoNumber)
        fields.emplace_back(QStringLiteral("Context"), QString::number(queue.context));
    if (queue.priority != 0)
        fields.emplace_back(QStringLiteral("Priority"), QString::number(queue.priority));
}

void addGeometry(FieldList& fields, const Trace& trace, ActivityIndex index) {
    const KernelGeometry* g = trace.geometry(index);
    if (!g)
        return;
    fields.emplace_back(QStringLiteral("Grid"), dims(g->grid) + QStringLiteral(" blocks"));
    fields.emplace_back(QStringLiteral("Block"), dims(g->block) + QStringLiteral(" threads"));
    if (g->registersPerThread > 0)
        fields.emplace_back(QStringLiteral("Registers"),
                            QStringLiteral("%1 per thread").arg(g->registersPerThread));
    if (g->staticShared + g->dynamicShared > 0)
        fields.emplace_back(QStringLiteral("Shared memory"), sizeText(g->staticShared + g->dynamicShared));
}

void addWait(FieldList& fields, const view::ViewData& shown, ActivityIndex index) {
    const auto wait = shown.waitOf(index);
    if (!wait)
        return;
    fields.emplace_back(QStringLiteral("Waited"), durationText(wait->length()));
    if (wait->stretched > 0)
        fields.emplace_back(QStringLiteral("Stretched by"), durationText(wait->stretched));
    if (const Ns solo = shown.facts.solo(index); solo > 0)
        fields.emplace_back(QStringLiteral("Solo duration"), durationText(solo));
}

constexpr std::size_t kLinksListed = 6;

void addLinks(FieldList& fields, const view::ViewData& shown, const QString& name,
              const std::vector<view::Link>& links, bool back) {
    for (std::size_t i = 0; i < std::min(links.size(), kLinksListed); ++i) {
        const ActivityIndex other = back ? links[i].from : links[i].to;
        fields.emplace_back(name,
                            QStringLiteral("%1 #%2 (%3)")
                                .arg(activityLabel(shown.trace(), other), numberText(shown.trace(), other),
                                     fromText(view::linkName(links[i].kind))));
    }
    if (links.size() > kLinksListed)
        fields.emplace_back(name,
                            QStringLiteral("and %1%2 more")
                                .arg(links.size() - kLinksListed)
                                .arg(links.size() >= view::Links::kMost ? QStringLiteral("+") : QString()));
}

QString doingText(const view::ViewData& shown, const view::HostDoing& doing, Ns length) {
    const QString who = QStringLiteral("the host (%1)").arg(fromText(doing.thread->label));
    if (doing.call == kNoActivity)
        return QStringLiteral("%1 was in no CUDA call").arg(who);
    const QString name = activityLabel(shown.trace(), doing.call);
    if (doing.time >= length)
        return QStringLiteral("%1 was inside %2").arg(who, name);
    return QStringLiteral("%1 was inside %2 for %3 of it").arg(who, name, durationText(doing.time));
}

} // namespace

RichText hoverText(const view::ViewData& shown, ActivityIndex index) {
    const Trace& trace = shown.trace();
    const Activity a = trace[index];
    QString second =
        durationText(a.duration()) + QStringLiteral(" at ") + durationText(a.begin - shown.zero());
    if (const QString rate = rateText(a.bytes, a.duration()); !rate.isEmpty())
        second += QStringLiteral(" · ") + rate;
    const QString where =
        isDeviceClass(a.cls) ? fromText(engineLabel(a.engine)) + QStringLiteral(" · ") : QString();
    return RichText("<b>%1</b> #%2<br>%3<br>%4%5<br>%6",
                    {cutText(activityLabel(trace, index), kLongestLine), numberText(trace, index), second,
                     where, queueText(trace, a.queue), cutText(whyThen(shown, index), 4 * kLongestLine)});
}

FieldList activityFields(const view::ViewData& shown, ActivityIndex index) {
    const Trace& trace = shown.trace();
    const Activity a = trace[index];
    FieldList fields;
    const auto add = [&](const char* name, const QString& value) {
        if (!value.isEmpty())
            fields.emplace_back(QString::fromLatin1(name), value);
    };
    add("Class", fromText(classLabel(a.cls)));
    add("Name", fromText(demangled(trace.text(a.name))));
    add("Begins", exactDurationText(a.begin - shown.zero()));
    add("Ends", exactDurationText(a.end - shown.zero()));
    add("Lasts", exactDurationText(a.duration()));
    if (a.bytes > 0)
        add("Bytes", a.bytes < 1024 ? sizeText(a.bytes)
                                    : QStringLiteral("%1 (%2)").arg(
                                          sizeText(a.bytes), countText(static_cast<std::uint64_t>(a.bytes))));
    add("Rate", rateText(a.bytes, a.duration()));
    addWait(fields, shown, index);
    if (isDeviceClass(a.cls))
        add("Engine", fromText(engineLabel(a.engine)));
    add("Channel", channelText(trace, a.channel));
    add(isDeviceClass(a.cls) ? "Stream" : "Queue", streamText(trace, a));
    addQueue(fields, trace, a);
    add("Memory", memoryText(a));
    add("Flags", flagsText(a));
    addGeometry(fields, trace, index);
    addLinks(fields, shown, QStringLiteral("After"), shown.links.before(index, shown.waitOf(index)), true);
    addLinks(fields, shown, QStringLiteral("Before"), shown.links.after(index), false);
    if (a.op != kNoOp)
        add("Planned op", QString::number(a.op.value));
    add("Record", QString::number(index));
    if (a.correlation != 0)
        add("Correlation", QString::number(a.correlation));
    return fields;
}

FieldList gapFields(const view::ViewData& shown, const view::Gap& gap) {
    const Trace& trace = shown.trace();
    FieldList fields;
    fields.emplace_back(QStringLiteral("Lane"), fromText(shown.index.lanes()[gap.lane].label));
    fields.emplace_back(QStringLiteral("Idle from"), exactDurationText(gap.time.begin - shown.zero()));
    fields.emplace_back(QStringLiteral("Idle to"), exactDurationText(gap.time.end - shown.zero()));
    fields.emplace_back(QStringLiteral("Lasts"), exactDurationText(gap.time.length()));
    for (const view::HostDoing& doing : view::hostDoing(shown, gap)) {
        QString text = QStringLiteral("in calls for %1").arg(durationText(doing.inCalls));
        if (doing.call != kNoActivity)
            text += QStringLiteral(", most of it %1 (%2)")
                        .arg(activityLabel(trace, doing.call), durationText(doing.time));
        fields.emplace_back(fromText(doing.thread->label), text);
    }
    if (const ActivityIndex next = view::endedBy(shown, gap); next != kNoActivity) {
        fields.emplace_back(
            QStringLiteral("Ended by"),
            QStringLiteral("%1 #%2").arg(activityLabel(trace, next), numberText(trace, next)));
        fields.emplace_back(QStringLiteral("Why then"), whyThen(shown, next));
    }
    return fields;
}

QString gapSentence(const view::ViewData& shown, const view::Gap& gap) {
    const auto doing = view::hostDoing(shown, gap);
    const QString what =
        QStringLiteral("Nothing on %1 for %2")
            .arg(fromText(shown.index.lanes()[gap.lane].label), durationText(gap.time.length()));
    if (doing.empty())
        return what + QStringLiteral(". What the host did was not recorded.");
    return QStringLiteral("%1: %2.").arg(what, doingText(shown, doing.front(), gap.time.length()));
}

QString whyThen(const view::ViewData& shown, ActivityIndex index) {
    if (const auto wait = shown.waitOf(index))
        return sentence(analysis::waitSentence(shown.facts, *wait));
    return fromText(kClassRows[static_cast<std::size_t>(shown.trace().cls(index))].meaning);
}

} // namespace olab::ui
