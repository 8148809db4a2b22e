#include "pictures/picture_text.h"

#include "results/verdict_strip.h"
#include "timeline/row_layout.h"

#include <olab/analysis/race.h>
#include <olab/ui/format.h>

#include <array>

namespace olab {

namespace {

constexpr qsizetype kLongest = 2000, kLongestNote = 600, kLongestRow = 100; // letters
constexpr std::size_t kMostMarks = 60;
const auto kDot = QStringLiteral(" · ");

QString environmentOf(const Trace& trace, const char* key) {
    const auto at = trace.environment().find(key);
    return at == trace.environment().end() ? QString() : fromText(at->second);
}

QString devicesOf(const Trace& trace) {
    QStringList names;
    for (const DeviceRecord& device : trace.devices())
        names << fromText(device.name);
    return names.isEmpty() ? QStringLiteral("no device") : names.join(QStringLiteral(", "));
}

QString originOf(const Trace& trace) {
    QStringList parts{devicesOf(trace)};
    for (const char* key : {"driver", "cupti"})
        if (const QString value = environmentOf(trace, key); !value.isEmpty())
            parts << (key[0] == 'd' ? QStringLiteral("driver ") : QStringLiteral("CUPTI ")) + value;
    const ProvenanceRecord& from = trace.provenance();
    QString source = sourceText(from.source);
    if (!from.recordedAt.empty())
        source += QLatin1Char(' ') + timeText(from.recordedAt);
    parts << source;
    if (!from.tool.empty())
        parts << fromText(from.tool) + QLatin1Char(' ') + fromText(from.toolVersion);
    return printable(parts.join(kDot));
}

/// Data that was lost and tracing that slowed the run down belong where the verdicts are.
QStringList cautionsOf(const Recording& recording) {
    QStringList lines;
    if (const std::string trust = recording.trust(); !trust.empty())
        lines << sentence(trust);
    const RecordCounts counts = recording.trace.counts();
    QString records =
        QStringLiteral("%1 records read, %2 refused").arg(countText(counts.read), countText(counts.refused));
    if (const auto& effect = recording.report.toolEffect; effect && effect->ratio() > 0)
        records += kDot + QStringLiteral("traced/untraced %1").arg(effect->ratio(), 0, 'f', 2);
    lines << records;
    for (const Defect& defect : recording.report.defects)
        if (defect.severity() != Severity::Notice &&
            defect.code != DefectCode::DataMismatch) // race says that
            lines << printable(QStringLiteral("%1 (%2)").arg(sentence(defect.text())).arg(defect.count));
    return lines;
}

PictureText::Line efficiencyLine(const Bounds& bounds) {
    const bool known = bounds.efficiency.has_value();
    const QString limit = limitText(bounds.limiting.empty() ? "unknown" : bounds.limiting);
    return {VerdictKind::NotApplicable,
            QStringLiteral("efficiency: ") +
                (known ? QString::number(*bounds.efficiency, 'f', 2) : QStringLiteral("–")),
            QStringLiteral("One after the other %1, measured %2, at best %3. "
                           "Limit: %4.%5")
                .arg(durationText(bounds.serial), durationText(bounds.measured), durationText(bounds.best()),
                     limit,
                     bounds.fromSolos
                         ? QString()
                         : QStringLiteral(" Without solo runs: from the shortest of each kind."))};
}

std::vector<PictureText::Line> linesOf(const Report& report) {
    std::vector<PictureText::Line> lines;
    for (const Verdict& verdict : report.verdicts)
        if (verdict.kind != VerdictKind::NotApplicable)
            lines.push_back({verdict.kind,
                             pairName(report, verdict) + QStringLiteral(": ") + verdictOutcome(verdict),
                             printable(sentence(verdict.text))});
    if (lines.empty())
        lines.push_back({VerdictKind::NotApplicable, QStringLiteral("nothing to judge"),
                         QStringLiteral("Fewer than two kinds of work were recorded on the device.")});
    else if (raceText(report).empty()) // no number beside wrong data
        lines.push_back(efficiencyLine(report.bounds));
    return lines;
}

QString settingsOf(const Recording& recording) {
    if (!recording.experiment)
        return QStringLiteral("Settings: not known, this was not an experiment of Overlap Lab");
    QStringList changed;
    for (const std::string& assignment : differsFromDefault(*recording.experiment))
        changed << fromText(assignment);
    return printable(QStringLiteral("Settings: ") + (changed.isEmpty() ? QStringLiteral("the defaults")
                                                                       : changed.join(QStringLiteral("  "))));
}

/// A part may look quite unlike the whole that the verdicts judge: it has to say that it is one.
QString partOf(const Shown& shown, const PictureRequest& request) {
    const int hidden = RowLayout::chosen({shown.index, request.opened}, request.rows, 0).hidden;
    const QString left =
        hidden == 0
            ? QString()
            : QStringLiteral("; %1 of the lanes %2 left out").arg(hidden).arg(hidden == 1 ? "is" : "are");
    const Interval whole = shown.trace().span();
    if (!request.range || (request.range->begin <= whole.begin && request.range->end >= whole.end))
        return QStringLiteral("The whole run, %1").arg(durationText(whole.length())) + left;
    return QStringLiteral("A part of the run, from %1 to %2 after the first device work (%3 of %4); the "
                          "verdicts are those of the whole run")
               .arg(exactDurationText(request.range->begin - shown.zero()),
                    exactDurationText(request.range->end - shown.zero()),
                    durationText(request.range->length()), durationText(whole.length())) +
           left;
}

std::vector<ActivityClass> classesOf(const Shown& shown) {
    std::array<bool, kClassCount> seen{};
    for (ActivityIndex i = 0; i < shown.trace().size(); ++i)
        seen[static_cast<std::size_t>(shown.trace().cls(i))] = true;
    std::vector<ActivityClass> classes;
    for (std::size_t c = 0; c < kClassCount; ++c)
        if (seen[c])
            classes.push_back(static_cast<ActivityClass>(c));
    return classes;
}

QString markText(const Shown& shown, const Bookmark& bookmark) {
    QString where = durationText(bookmark.time.begin - shown.zero());
    if (bookmark.time.length() > 0)
        where = QStringLiteral("%1 from %2").arg(durationText(bookmark.time.length()), where);
    if (!bookmark.row.empty())
        where += QStringLiteral(", ") + fromText(bookmark.row).left(kLongestRow);
    const QString note = fromText(bookmark.note).simplified();
    return printable(note.isEmpty() ? where : QStringLiteral("%1 (%2)").arg(note.left(kLongestNote), where));
}

void addMarks(PictureText& text, const Shown& shown, const PictureRequest& request) {
    const auto& list = bookmarksOf(shown, request);
    const auto places = bookmarksIn(list, request.range.value_or(shown.limits()));
    for (const std::size_t place : places)
        if (text.marks.size() < kMostMarks)
            text.marks.push_back({place + 1, markText(shown, list[place])});
    text.moreMarks = places.size() - text.marks.size();
}

} // namespace

QString printable(QString text) {
    if (text.size() > kLongest)
        text = text.left(kLongest) + QChar(0x2026);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c.isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate())
            ++i;
        else if (c.unicode() < 0x20 || (c.unicode() >= 0x7f && c.unicode() < 0xa0) || c.isSurrogate() ||
                 c.isNonCharacter())
            text[i] = QChar(QChar::ReplacementCharacter);
    }
    return text;
}

const std::vector<Bookmark>& bookmarksOf(const Shown& shown, const PictureRequest& request) {
    return request.bookmarks ? *request.bookmarks : shown.recording->bookmarks;
}

std::vector<std::size_t> bookmarksIn(const std::vector<Bookmark>& list, Interval visible) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i].time.begin < visible.end && list[i].time.end >= visible.begin)
            places.push_back(i);
    return places;
}

QString columnNote() {
    return QStringLiteral("Where bars are too short to be drawn, a column's height is the share of its time "
                          "that was busy, and the line at its foot says that something ran there.");
}

PictureText pictureText(const Shown& shown, const PictureRequest& request) {
    const Recording& recording = *shown.recording;
    PictureText text;
    text.title = printable(QString::fromStdString(recording.title));
    text.badge = QString::fromStdString(recording.badge());
    text.race = printable(QString::fromStdString(recording.raceText()));
    if (!text.race.isEmpty())
        text.race += QStringLiteral(" Its times are those of a broken program.");
    text.origin = originOf(shown.trace());
    text.cautions = cautionsOf(recording);
    text.lines = linesOf(recording.report);
    text.settings = settingsOf(recording);
    text.part = partOf(shown, request);
    text.classes = classesOf(shown);
    addMarks(text, shown, request);
    return text;
}

} // namespace olab
