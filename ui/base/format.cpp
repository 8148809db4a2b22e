#include "base/plain_text.h"

#include <olab/analysis/framework.h>
#include <olab/analysis/threads.h>
#include <olab/analysis/waits.h>
#include <olab/experiment/option_table.h>
#include <olab/trace/kernel_name.h>
#include <olab/trace/visible_text.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/view/view_data.h>

#include <QDateTime>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace olab::ui {

namespace {

constexpr qsizetype kLongestThread = 24;
constexpr std::uint32_t kFirstMadeUp = 0x7fffffff; // numbers that an importer gave: no system has such

/// Three significant digits, never in exponent form, no trailing zeros beyond what was asked.
QString shortNumber(double value) {
    const double size = std::abs(value);
    return QString::number(value, 'f', size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

} // namespace

QString exactText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString printable(const QString& text) {
    constexpr qsizetype kMost = 2000; // letters
    const QString cut = text.size() > kMost ? text.left(kMost) + QChar(0x2026) : text;
    return fromText(visibleText(cut.toStdString()));
}

QString shownText(const QString& text) {
    return fromText(fileOf(text).string());
}

QString fromText(std::string_view text) {
    if (text.size() <= kLongestText &&
        std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; }))
        return exactText(text);
    constexpr std::size_t kEnough = 4 * kLongestText + 8; // bytes; a letter has four at most
    return cutText(exactText(visibleText(text.substr(0, kEnough))));
}

QString sentence(std::string_view text) {
    static const QRegularExpression micro(QStringLiteral("(\\d) ?us\\b"));
    return fromText(text).replace(micro, QStringLiteral("\\1 µs"));
}

QString withCapital(const QString& text) {
    return text.left(1).toUpper() + text.mid(1);
}

QString limitText(std::string_view limiting) {
    if (limiting == "chain")
        return tr("the longest chain of operations that wait for each other");
    QString text = sentence(limiting);
    for (std::size_t i = 1; i < kEngineCount; ++i) { // the first is no engine
        const auto kind = static_cast<EngineKind>(i);
        text.replace(QRegularExpression(QStringLiteral("\\b%1\\b").arg(fromText(engineName(kind)))),
                     tr("%1 engine").arg(fromText(engineLabel(kind))));
    }
    return text;
}

QString limitText(const analysis::Bounds& bounds) {
    if (!bounds.ideal)
        return limitText(bounds.limiting.empty() ? "–" : bounds.limiting);
    if (bounds.gainsLittle)
        return tr("overlap would save almost nothing");
    if (!bounds.isLimited())
        return tr("no engine and no chain: none needs more than %1").arg(durationText(bounds.limit()));
    return QStringLiteral("%1 (%2)").arg(limitText(bounds.limiting), durationText(bounds.limit()));
}

QString idealName(const analysis::Bounds& bounds) {
    return bounds.idealIsEstimate ? tr("ideal (estimate)") : tr("ideal");
}

QString sourceText(SourceKind source) {
    switch (source) {
    case SourceKind::Cuda:
        return tr("measured on a GPU");
    case SourceKind::Simulated:
        return tr("simulated");
    case SourceKind::Imported:
        return tr("another tool's file");
    case SourceKind::Traced:
        return tr("a traced program");
    }
    return {};
}

QString durationText(Ns ns) {
    QString text = exactText(analysis::timeText(ns)); // one rounding, whether a sentence says it or a table
    if (text.endsWith(QLatin1String(" us")))
        text.replace(text.size() - 2, 1, QChar(0xb5)); // µ
    return text;
}

QString durationText(const std::optional<Ns>& ns) {
    return ns ? durationText(*ns) : QStringLiteral("–");
}

QString signedDuration(Ns change) {
    const QString size = durationText(change < 0 ? -change : change);
    return change == 0 ? QStringLiteral("0")
                       : (change < 0 ? QStringLiteral("−") : QStringLiteral("+")) + size;
}

QString tickText(Ns time, Ns step) {
    struct Unit {
        Ns length;
        int digits;
        const char* name;
    };
    static constexpr std::array<Unit, 4> units{
        {{1'000'000'000, 9, " s"}, {1'000'000, 6, " ms"}, {1'000, 3, " µs"}, {1, 0, " ns"}}};
    if (time == 0)
        return QStringLiteral("0");
    const auto size = time < 0 ? 0 - static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
    const Unit& unit = *std::ranges::find_if(
        units, [size](const Unit& u) { return size >= static_cast<std::uint64_t>(u.length); });
    int digits = unit.digits;
    for (Ns ten = 10; digits > 0 && step % ten == 0 && size % static_cast<std::uint64_t>(ten) == 0; ten *= 10)
        --digits;
    const auto length = static_cast<std::uint64_t>(unit.length);
    QString text = (time < 0 ? QStringLiteral("-") : QString()) + countText(size / length);
    const QString fraction =
        QStringLiteral("%1").arg(size % length, unit.digits, 10, QLatin1Char('0')).left(digits);
    for (qsizetype i = 0; i < fraction.size(); ++i)
        text += (i == 0       ? QStringLiteral(".")
                 : i % 3 == 0 ? QString(QChar(0x2009))
                              : QString()) +
                fraction[i];
    return text + QString::fromUtf8(unit.name);
}

QString exactDurationText(Ns ns) {
    const Ns size = std::abs(ns);
    return QStringLiteral("%1%2.%3 µs")
        .arg(ns < 0 ? QStringLiteral("-") : QString(), countText(static_cast<std::uint64_t>(size / 1000)))
        .arg(size % 1000, 3, 10, QLatin1Char('0'));
}

QString sizeText(std::int64_t bytes) {
    static constexpr std::array<const char*, 4> units{"B", "KiB", "MiB", "GiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; std::abs(value) >= 1024 && unit + 1 < units.size(); ++unit)
        value /= 1024;
    const bool whole = value == std::floor(value);
    return (whole ? QString::number(value, 'f', 0) : shortNumber(value)) + QLatin1Char(' ') +
           QLatin1String(units[unit]);
}

QString rateText(std::int64_t bytes, Ns duration) {
    if (bytes <= 0 || duration <= 0)
        return {};
    return shortNumber(static_cast<double>(bytes) / static_cast<double>(duration)) + QStringLiteral(" GB/s");
}

QString rateText(double bytesPerNs) {
    constexpr double kLeastInGb = 0.1; // of less the first digits would be noughts
    if (bytesPerNs > 0 && bytesPerNs < kLeastInGb)
        return shortNumber(bytesPerNs * 1000) + QStringLiteral(" MB/s");
    return (bytesPerNs > 0 ? shortNumber(bytesPerNs) : QStringLiteral("0")) + QStringLiteral(" GB/s");
}

QString percentLabel(double share) {
    return QString::number(std::lround(share * 100)) + QStringLiteral(" %");
}

QString countText(std::uint64_t count) {
    QString s = QString::number(count);
    for (qsizetype at = s.size() - 3; at > 0; at -= 3)
        s.insert(at, QChar(0x2009)); // thin space
    return s;
}

QString timeText(std::string_view iso) {
    const QString text = fromText(iso);
    const QDateTime time = QDateTime::fromString(text, Qt::ISODate);
    return time.isValid() ? time.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss 'UTC'")) : text;
}

QString numberText(const Trace& trace, ActivityIndex index) {
    const OpId op = trace[index].op;
    return QString::number(op == kNoOp ? index : op.value);
}

QString environmentOf(const Trace& trace, const char* key) {
    const auto at = trace.environment().find(key);
    return at == trace.environment().end() ? QString() : fromText(at->second);
}

QString namedThread(const Trace& trace, const Queue& thread, QString text) {
    const QString plain = QStringLiteral("thread "), number = plain + QString::number(thread.number);
    const QString name = cutText(fromText(analysis::threadName(trace, thread)), kLongestThread);
    if (!name.isEmpty() && thread.number >= kFirstMadeUp && text.startsWith(number))
        text.replace(0, number.size(), name);
    else if (thread.number >= kFirstMadeUp) // a number that tells nobody anything
        text.remove(QLatin1Char(' ') + QString::number(thread.number));
    else if (!name.isEmpty() && text.startsWith(plain))
        text.replace(0, plain.size(), name + QLatin1Char(' '));
    return text;
}

QString queueText(const Trace& trace, QueueId id) {
    if (id.value >= trace.queues().size())
        return {};
    const Queue& queue = trace.queue(id);
    if (const auto ranges = analysis::gpuRangesOf(trace, queue))
        return tr("annotations of stream %1").arg(ranges->stream);
    if (queue.kind == Queue::Kind::Stream && queue.streamKind == StreamKind::Null)
        return tr("NULL stream%1").arg(fromText(trace.processText(queue))); // as its row and in sentences
    return namedThread(trace, queue, fromText(trace.queueText(queue)));
}

QString classText(const Trace& trace, ActivityIndex index) {
    const ActivityClass cls = trace.cls(index);
    return fromText(cls == ActivityClass::Nvtx ? analysis::rangeKindName(analysis::rangeKindOf(
                                                     trace, trace.text(trace.nameOf(index))))
                                               : classLabel(cls));
}

QString activityLabel(const Trace& trace, ActivityIndex index) {
    const Activity a = trace[index];
    if (isDeviceClass(a.cls) && a.cls != ActivityClass::Kernel)
        return fromText(classLabel(a.cls)) + QLatin1Char(' ') + sizeText(a.bytes);
    const std::string_view name = trace.text(a.name);
    if (name.empty())
        return fromText(classLabel(a.cls));
    return a.cls == ActivityClass::Kernel ? fromText(withoutTemplateArguments(kernelName(name)))
                                          : fromText(name);
}

QString fullLabel(const Trace& trace, ActivityIndex index) {
    const Activity a = trace[index];
    const std::string_view name = trace.text(a.name);
    return a.cls == ActivityClass::Kernel && !name.empty() ? fromText(kernelName(name))
                                                           : activityLabel(trace, index);
}

QString titleText(const view::Run& run) {
    return cutText(fromText(run.title()), 4 * kLongestLine);
}

QString titleText(const view::ViewData& data) {
    return titleText(*data.run);
}

QString verdictWord(analysis::VerdictKind kind) {
    switch (kind) {
    case analysis::VerdictKind::Overlapped:
        return tr("overlapped");
    case analysis::VerdictKind::Stretched:
        return tr("stretched");
    case analysis::VerdictKind::Partial:
        return tr("partial");
    case analysis::VerdictKind::Serialized:
        return tr("SERIALIZED");
    case analysis::VerdictKind::Apart:
        return tr("apart");
    case analysis::VerdictKind::Inconclusive:
        return tr("inconclusive");
    case analysis::VerdictKind::NotApplicable:
        break;
    }
    return tr("not applicable");
}

analysis::VerdictKind shownKind(const analysis::Verdict& v) {
    return v.minor() ? analysis::VerdictKind::Apart : v.kind;
}

analysis::VerdictKind pricedKind(const analysis::Verdict& v, const analysis::Bounds& bounds) {
    using enum analysis::VerdictKind;
    constexpr double kDear = 0.1;
    const bool lost = v.kind == Serialized || v.kind == Partial || v.kind == Stretched;
    if (!lost || v.minor() || !bounds.believed || !bounds.ideal || bounds.measured.value_or(0) <= 0)
        return shownKind(v);
    const double ofAll =
        static_cast<double>(*bounds.measured - *bounds.ideal) / static_cast<double>(*bounds.measured);
    const double price = std::min(ofAll, v.ofRun);
    if (price < analysis::kMinorShare)
        return Apart;
    return v.kind == Stretched ? v.kind : price < kDear ? Partial : Serialized;
}

QString verdictLine(const analysis::Verdict& v) {
    return QStringLiteral("%1 | %2: %3 %4")
        .arg(fromText(classLabel(v.a)), fromText(classLabel(v.b)), verdictWord(v.kind),
             v.known ? percentLabel(v.ofAttainable) : QString())
        .trimmed();
}

} // namespace olab::ui
