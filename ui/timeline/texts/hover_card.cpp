#include "timeline/texts/hover_card.h"

#include <olab/analysis/framework.h>
#include <olab/analysis/threads.h>
#include <olab/trace/kernel_name.h>
#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
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
        if (queue.kind == Queue::Kind::Stream && queue.streamKind != StreamKind::Unknown &&
            queue.streamKind != StreamKind::Null)
            text += QStringLiteral(" (%1)").arg(fromText(streamKindName(queue.streamKind)));
    }
    return text;
}

/// What a record says beyond times and names.
QString flagsText(const Activity& a) {
    QStringList words;
    if ((a.flags & kFlagAsync) != 0 && a.cls != ActivityClass::Kernel)
        words << tr("issued by an asynchronous call");
    if ((a.flags & kFlagUnified) != 0)
        words << tr("migration of managed memory");
    if ((a.flags & kFlagFailed) != 0)
        words << tr("the call returned an error");
    return words.join(QStringLiteral(", "));
}

QString channelText(const Trace& trace, ChannelId id) {
    if (id == kNoChannel || id.value >= trace.channels().size())
        return {};
    static constexpr std::array kTypes{"%1", QT_TR_NOOP("%1 (compute)"), QT_TR_NOOP("%1 (asynchronous copy)"),
                                       QT_TR_NOOP("%1 (decompression)")};
    const Channel& channel = trace.channels()[id.value];
    const auto type = static_cast<std::size_t>(channel.type);
    return tr(kTypes[type < kTypes.size() ? type : 0]).arg(channel.number);
}

/// Device, context and priority: of streams.
void addQueue(FieldList& fields, const Trace& trace, const Activity& a) {
    const bool known = a.queue.value < trace.queues().size();
    if (!isDeviceClass(a.cls) || !known)
        return;
    const Queue& queue = trace.queue(a.queue);
    if (a.device < trace.devices().size())
        fields.emplace_back(tr("Device"), QStringLiteral("%1 %2")
                                              .arg(trace.devices()[a.device].device)
                                              .arg(fromText(trace.devices()[a.device].name)));
    if (queue.context != kNoNumber)
        fields.emplace_back(tr("Context"), QString::number(queue.context));
    if (queue.priority != 0)
        fields.emplace_back(tr("Priority"), QString::number(queue.priority));
}

void addGeometry(FieldList& fields, const Trace& trace, ActivityIndex index) {
    const KernelGeometry* g = trace.geometry(index);
    if (!g)
        return;
    fields.emplace_back(tr("Grid"), tr("%1 blocks").arg(dims(g->grid)));
    fields.emplace_back(tr("Block"), tr("%1 threads").arg(dims(g->block)));
    if (g->registersPerThread > 0)
        fields.emplace_back(tr("Registers"), tr("%1 per thread").arg(g->registersPerThread));
    if (g->staticShared + g->dynamicShared > 0)
        fields.emplace_back(tr("Shared memory"), sizeText(g->staticShared + g->dynamicShared));
}

void addWait(FieldList& fields, const view::ViewData& shown, ActivityIndex index) {
    const auto wait = shown.waitOf(index);
    if (!wait)
        return;
    fields.emplace_back(tr("Waited"), durationText(wait->length()));
    if (wait->stretched > 0)
        fields.emplace_back(tr("Stretched by"), durationText(wait->stretched));
    if (const Ns solo = shown.facts.solo(index); solo > 0)
        fields.emplace_back(tr("Solo duration"), durationText(solo));
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
                            tr("and %1%2 more")
                                .arg(links.size() - kLinksListed)
                                .arg(links.size() >= view::Links::kMost ? QStringLiteral("+") : QString()));
}

/// What a range says, by who put it there.
QString rangeMeaning(const Trace& trace, ActivityIndex index) {
    if (analysis::gpuRangesOf(trace, trace.queue(trace.queueOf(index))))
        return tr("An annotation as its stream saw it: from the first to the last work that was "
                  "issued within.");
    switch (analysis::rangeKindOf(trace, trace.text(trace.nameOf(index)))) {
    case analysis::RangeKind::Operator:
        return tr("An operator of the framework: the time the host spent in it.");
    case analysis::RangeKind::PythonFunction:
        return tr("A Python function: the time the host spent in it.");
    case analysis::RangeKind::ProfilerStep:
        return tr("A step of the profiler: one iteration, as the program told it.");
    case analysis::RangeKind::Annotation:
        return tr("A range that the program annotated: the time it spent there.");
    case analysis::RangeKind::Nvtx:
        break;
    }
    return fromText(kClassRows[static_cast<std::size_t>(ActivityClass::Nvtx)].meaning);
}

QString doingText(const view::ViewData& shown, const view::HostDoing& doing, Ns length) {
    const QString who = tr("the host (%1)").arg(fromText(doing.thread->label));
    if (doing.call == kNoActivity)
        return tr("%1 was in no CUDA call").arg(who);
    const QString name = activityLabel(shown.trace(), doing.call);
    if (doing.time >= length)
        return tr("%1 was inside %2").arg(who, name);
    return tr("%1 was inside %2 for %3 of it").arg(who, name, durationText(doing.time));
}

} // namespace

RichText hoverText(const view::ViewData& shown, ActivityIndex index) {
    const Trace& trace = shown.trace();
    const Activity a = trace[index];
    QString second = tr("%1 at %2").arg(durationText(a.duration()), durationText(a.begin - shown.zero()));
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
            fields.emplace_back(tr(name), value);
    };
    add(QT_TR_NOOP("Class"), classText(trace, index));
    add(QT_TR_NOOP("Name"), fromText(demangled(trace.text(a.name))));
    add(QT_TR_NOOP("Begins"), tickText(a.begin - shown.zero(), 1));
    add(QT_TR_NOOP("Ends"), tickText(a.end - shown.zero(), 1));
    add(QT_TR_NOOP("Lasts"), tickText(a.duration(), 1));
    if (a.bytes > 0)
        add(QT_TR_NOOP("Bytes"),
            a.bytes < 1024 ? sizeText(a.bytes)
                           : QStringLiteral("%1 (%2)").arg(sizeText(a.bytes),
                                                           countText(static_cast<std::uint64_t>(a.bytes))));
    add(QT_TR_NOOP("Rate"), rateText(a.bytes, a.duration()));
    addWait(fields, shown, index);
    if (isDeviceClass(a.cls))
        add(QT_TR_NOOP("Engine"), fromText(engineLabel(a.engine)));
    add(QT_TR_NOOP("Channel"), channelText(trace, a.channel));
    add(isDeviceClass(a.cls) ? QT_TR_NOOP("Stream") : QT_TR_NOOP("Queue"), streamText(trace, a));
    addQueue(fields, trace, a);
    add(QT_TR_NOOP("Memory"), memoryText(a));
    add(QT_TR_NOOP("Flags"), flagsText(a));
    addGeometry(fields, trace, index);
    addLinks(fields, shown, tr("After"), shown.links.before(index, shown.waitOf(index)), true);
    addLinks(fields, shown, tr("Before"), shown.links.after(index), false);
    if (a.op != kNoOp)
        add(QT_TR_NOOP("Planned op"), QString::number(a.op.value));
    add(QT_TR_NOOP("Record"), QString::number(index));
    if (a.correlation != 0)
        add(QT_TR_NOOP("Correlation"), QString::number(a.correlation));
    return fields;
}

FieldList gapFields(const view::ViewData& shown, const view::Gap& gap) {
    const Trace& trace = shown.trace();
    FieldList fields;
    fields.emplace_back(tr("Lane"), fromText(shown.index.lanes()[gap.lane].label));
    fields.emplace_back(tr("Idle from"), tickText(gap.time.begin - shown.zero(), 1));
    fields.emplace_back(tr("Idle to"), tickText(gap.time.end - shown.zero(), 1));
    fields.emplace_back(tr("Lasts"), tickText(gap.time.length(), 1));
    for (const view::HostDoing& doing : view::hostDoing(shown, gap)) {
        const QString inCalls = durationText(doing.inCalls);
        const QString text = doing.call == kNoActivity ? tr("in calls for %1").arg(inCalls)
                                                       : tr("in calls for %1, most of it %2 (%3)")
                                                             .arg(inCalls, activityLabel(trace, doing.call),
                                                                  durationText(doing.time));
        fields.emplace_back(fromText(doing.thread->label), text);
    }
    if (const ActivityIndex next = view::endedBy(shown, gap); next != kNoActivity) {
        fields.emplace_back(tr("Ended by"), QStringLiteral("%1 #%2").arg(activityLabel(trace, next),
                                                                         numberText(trace, next)));
        fields.emplace_back(tr("Why then"), whyThen(shown, next));
    }
    return fields;
}

QString gapSentence(const view::ViewData& shown, const view::Gap& gap) {
    const auto doing = view::hostDoing(shown, gap);
    const QString what =
        tr("Nothing on %1 for %2")
            .arg(fromText(shown.index.lanes()[gap.lane].label), durationText(gap.time.length()));
    if (doing.empty())
        return tr("%1. What the host did was not recorded.").arg(what);
    return QStringLiteral("%1: %2.").arg(what, doingText(shown, doing.front(), gap.time.length()));
}

QString whyThen(const view::ViewData& shown, ActivityIndex index) {
    if (const auto wait = shown.waitOf(index))
        return sentence(analysis::waitSentence(shown.facts, *wait));
    const Trace& trace = shown.trace();
    if (trace.cls(index) == ActivityClass::Nvtx)
        return rangeMeaning(trace, index);
    return fromText(kClassRows[static_cast<std::size_t>(trace.cls(index))].meaning);
}

} // namespace olab::ui
