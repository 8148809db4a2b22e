#include "pictures/picture_text.h"

#include "base/ledger_pieces.h"
#include "base/plain_text.h"
#include "pictures/picture_flow.h"
#include "results/verdict_strip.h"
#include "timeline/rows/row_layout.h"
#include "timeline/rows/row_names.h"

#include <olab/analysis/cause_table.h>
#include <olab/analysis/ideal.h>
#include <olab/analysis/race.h>
#include <olab/experiment/held_experiment.h>
#include <olab/experiment/presets.h>
#include <olab/io/report_json.h>
#include <olab/trace/visible_text.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <algorithm>
#include <array>

namespace olab::ui {

namespace {

QString titleOf(const analysis::Finding& finding) {
    return fromText(analysis::findingTitle(finding.id));
}

PictureReason fromFinding(const analysis::Finding& finding) {
    PictureReason reason{titleOf(finding), sentence(finding.text), sentence(finding.remedy)};
    if (finding.lost > 0)
        reason.headline = tr("%1: costs %2").arg(reason.headline, durationText(finding.lost));
    return reason;
}

/// No finding does not mean that nothing costs time.
QString withoutFinding(const analysis::Report& report) {
    if (report.abstained.size() >= analysis::ruleTable().size())
        return tr("No rule could judge this run: it lacks %1.").arg(sentence(report.abstained.front().lacks));
    const analysis::Bounds& bounds = report.bounds;
    if (!analysis::isFarFromIdeal(bounds))
        return tr("No rule found anything that held this pipeline back.");
    return tr("No rule explains why this took %1 and not %2 (%3).")
        .arg(durationText(bounds.measured), durationText(bounds.ideal), idealName(bounds));
}

} // namespace

PictureReason reasonOf(const recording::Recording& recording) {
    if (!recording.raceText().empty())
        return {};
    const auto& findings = recording.report.findings;
    const auto held = std::ranges::find_if(
        findings, [](const analysis::Finding& f) { return f.status != analysis::FindingStatus::Refuted; });
    PictureReason reason =
        held != findings.end() ? fromFinding(*held) : PictureReason{withoutFinding(recording.report), {}, {}};
    return {printable(reason.headline), printable(reason.text), printable(reason.remedy)};
}

QString presetTitleOf(const recording::Recording& recording) {
    if (!recording.experiment)
        return {};
    for (const experiment::Preset& preset : experiment::presets())
        if (preset.experiment == *recording.experiment)
            return fromText(preset.title);
    return {};
}

namespace {

constexpr qsizetype kLongestNote = 600, kLongestRow = 100, kLongestPart = 160; // letters
constexpr std::size_t kMostMarks = 60;
const auto kDotBetween = QStringLiteral(" · ");

QString shortened(const QString& text, qsizetype letters) {
    return text.size() > letters ? text.left(letters - 1) + QChar(0x2026) : text;
}

/// Names of equal devices once, with their number; empty: nobody knows what they are called.
QString devicesOf(const Trace& trace) {
    QStringList names;
    for (const DeviceRecord& device : trace.devices())
        names << shortened(fromText(device.name), kLongestPart);
    QStringList said;
    for (const QString& name : names)
        if (const auto count = names.count(name); said.isEmpty() || !said.back().endsWith(name))
            said << (count > 1 ? QStringLiteral("%1 × %2").arg(count).arg(name) : name);
    return said.isEmpty() ? tr("no device") : said.join(QStringLiteral(", "));
}

QString originOf(const recording::Recording& recording, bool withTitle) {
    const Trace& trace = recording.trace;
    QStringList parts{devicesOf(trace)};
    if (withTitle)
        parts.prepend(shortened(fromText(recording.title), kLongestPart));
    for (const char* key : {"driver", "cupti"})
        if (const QString value = shortened(environmentOf(trace, key), kLongestPart); !value.isEmpty())
            parts << (key[0] == 'd' ? tr("driver %1") : tr("CUPTI %1")).arg(value);
    const ProvenanceRecord& from = trace.provenance();
    QString source = io::originKnown(trace) ? sourceText(from.source) : tr("origin not known");
    if (!from.recordedAt.empty())
        source += QLatin1Char(' ') + timeText(from.recordedAt);
    parts << source;
    if (!from.tool.empty())
        parts << shortened(fromText(from.tool) + QLatin1Char(' ') + fromText(from.toolVersion), kLongestPart);
    parts.removeAll(QString());
    return printable(parts.join(kDotBetween));
}

/// Data that was lost and tracing that slowed the run down belong where the verdicts are.
QStringList cautionsOf(const recording::Recording& recording) {
    QStringList lines;
    if (const std::string trust = recording.trust(); !trust.empty())
        lines << printable(sentence(trust));
    const RecordCounts counts = recording.trace.counts();
    QString records =
        tr("%1 records read, %2 refused").arg(countText(counts.read), countText(counts.refused));
    if (const auto& effect = recording.report.toolEffect; effect && effect->ratio() > 0)
        records += kDotBetween + tr("traced/untraced %1").arg(effect->ratio(), 0, 'f', 2);
    lines << records;
    for (const Defect& defect : recording.report.defects)
        if (defect.severity() != Severity::Notice &&
            defect.code != DefectCode::DataMismatch) // race says that
            lines << printable(QStringLiteral("%1 (%2)").arg(sentence(defect.text())).arg(defect.count));
    return lines;
}

PictureText::Line efficiencyLine(const analysis::Bounds& bounds) {
    const bool inOrder = bounds.limiting == "chain" && bounds.serial == bounds.criticalPath;
    const bool slower = bounds.efficiency.value_or(0) < 0; // a number below 0 says nothing to anybody
    const QString value = bounds.efficiency    ? QString::number(*bounds.efficiency, 'f', 2)
                          : bounds.gainsLittle ? tr("overlap would save almost nothing")
                          : inOrder            ? tr("none, all is in one stream")
                                               : tr("not known");
    return {
        analysis::VerdictKind::NotApplicable,
        slower ? tr("slower than back to back: by %1").arg(durationText(*bounds.measured - *bounds.serial))
               : tr("efficiency: %1").arg(value),
        tr("Back to back %1, measured %2, %3 %4. Limit: %5.%6")
            .arg(durationText(bounds.serial), durationText(bounds.measured), idealName(bounds),
                 durationText(bounds.ideal), limitText(bounds),
                 bounds.fromSolos ? QString() : tr(" Without solo runs: from the shortest of each kind."))};
}

std::vector<PictureText::Line> linesOf(const analysis::Report& report) {
    std::vector<PictureText::Line> lines;
    for (const analysis::Verdict* verdict : comparison::allVerdicts(report))
        lines.push_back(
            {shownKind(*verdict),
             printable(pairName(report, *verdict)) + QStringLiteral(": ") + verdictOutcome(*verdict),
             verdict->minor() ? minorText(*verdict) : printable(sentence(verdict->text))});
    if (lines.empty())
        lines.push_back({analysis::VerdictKind::NotApplicable, tr("nothing to judge"),
                         tr("Fewer than two kinds of work were recorded on the device.")});
    else if (analysis::raceText(report).empty()) // no number beside wrong data
        lines.push_back(efficiencyLine(report.bounds));
    return lines;
}

QString settingsOf(const recording::Recording& recording) {
    if (!recording.experiment)
        return tr("Settings: not known, this was not an experiment of Overlap Lab");
    QStringList changed;
    for (const std::string& assignment : experiment::differsFromDefault(*recording.experiment))
        changed << fromText(assignment);
    return printable(changed.isEmpty() ? tr("Settings: the defaults")
                                       : tr("Settings: %1").arg(changed.join(QStringLiteral("  "))));
}

QString emptyText(int lanes) {
    return lanes == 0 ? QString()
                      : counted("; %n of the lanes are left out: nothing happened there",
                                "; %n of the lanes is left out: nothing happened there",
                                static_cast<std::uint64_t>(lanes));
}

QString noRoomText(int lanes) {
    return lanes == 0 ? QString()
                      : counted("; %n of the lanes are left out for space",
                                "; %n of the lanes is left out for space", static_cast<std::uint64_t>(lanes));
}

QString hiddenText(int lanes) {
    return lanes == 0 ? QString()
                      : counted("; %n of the lanes are left out", "; %n of the lanes is left out",
                                static_cast<std::uint64_t>(lanes));
}

QString markText(const view::ViewData& shown, const io::Bookmark& bookmark) {
    QString where = durationText(bookmark.time.begin - shown.zero());
    if (bookmark.time.length() > 0)
        where = tr("%1 from %2").arg(durationText(bookmark.time.length()), where);
    if (!bookmark.row.empty())
        where += QStringLiteral(", ") + shortened(fromText(bookmark.row), kLongestRow);
    const QString note = noteText(bookmark.note).simplified();
    return printable(note.isEmpty() ? where
                                    : QStringLiteral("%1 (%2)").arg(shortened(note, kLongestNote), where));
}

void addMarks(PictureText& text, const view::ViewData& shown, const PictureRequest& request) {
    const auto& list = bookmarksOf(shown, request);
    const auto places = bookmarksIn(list, request.range.value_or(shown.limits()));
    for (const std::size_t place : places)
        if (text.marks.size() < kMostMarks)
            text.marks.push_back({place + 1, markText(shown, list[place])});
    text.moreMarks = places.size() - text.marks.size();
}

} // namespace

/// Not beside wrong data.
static void addAccount(PictureText& text, const view::ViewData& shown) {
    const view::AccountPtr account = shown.account();
    if (!account || !account->ledger().missing.empty() || !text.race.isEmpty())
        return;
    text.headline = printable(sentence(account->ledger().headline));
    text.sum = sumText(account->ledger());
    text.model = modelErrorText(account->ledger());
    if (text.reason.text.isEmpty()) // no rule found anything: the account says more than that
        text.reason = {};
}

/// What the stars at the heads of lanes say.
static QString starsOf(const PictureLanes& lanes) {
    QString text;
    for (const Row& row : lanes.rows.rows)
        if (const QString left = leftOutText(row); !left.isEmpty())
            text += QStringLiteral("; * %1: %2").arg(printable(row.label), left.chopped(1));
    return text;
}

/// A part may look quite unlike the whole that the verdicts judge: it has to say that it is one.
static QString partText(const view::ViewData& shown, const PictureRequest& request,
                        const PictureLanes& lanes) {
    const QString left =
        hiddenText(lanes.rows.hidden) + emptyText(lanes.empty) + noRoomText(lanes.noRoom) + starsOf(lanes);
    const Interval whole = shown.trace().span();
    if (!request.range || (request.range->begin <= whole.begin && request.range->end >= whole.end))
        return tr("The whole run, %1; all that was recorded lasts %2")
                   .arg(durationText(shown.recording->report.bounds.measured), durationText(whole.length())) +
               left;
    if (const Interval work = shown.trace().deviceSpan();
        request.range->begin <= work.begin && request.range->end >= work.end)
        return tr("All work of the device") + left;
    const Interval seen{std::max(request.range->begin, whole.begin), std::min(request.range->end, whole.end)};
    return tr("A part of the run, from %1 to %2 after the first device work (%3 of the %4 "
              "that were recorded); the verdicts are those of the whole run")
               .arg(exactDurationText(seen.begin - shown.zero()), exactDurationText(seen.end - shown.zero()),
                    durationText(std::max<Ns>(seen.length(), 0)), durationText(whole.length())) +
           left;
}

void tellRows(PictureText& text, const view::ViewData& shown, const PictureRequest& request,
              const PictureLanes& lanes) {
    text.part = partText(shown, request, lanes);
    text.looks = lanes.looksIn(shown.index.looks(), request.range.value_or(shown.limits()));
}

const std::vector<io::Bookmark>& bookmarksOf(const view::ViewData& shown, const PictureRequest& request) {
    return request.bookmarks ? *request.bookmarks : shown.recording->bookmarks;
}

std::vector<std::size_t> bookmarksIn(const std::vector<io::Bookmark>& list, Interval visible) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i].time.begin < visible.end && list[i].time.end >= visible.begin)
            places.push_back(i);
    return places;
}

QString atOnceName(int level) {
    return level == 0 ? tr("1 engine") : level == 1 ? tr("2 engines at once") : tr("3 or more");
}

QString moreMarksText(std::size_t count) {
    return count == 0 ? QString() : counted("and %n more bookmarks", "and %n more bookmark", count);
}

QString columnNote() {
    return tr("Where bars are too short to be drawn, a column's height is the share of its time "
              "that was busy, and the line at its foot says that something ran there; where that stands "
              "alone, an arrow above the row points to it.");
}

PictureText pictureText(const view::ViewData& shown, const PictureRequest& request) {
    const recording::Recording& recording = *shown.recording;
    PictureText text;
    const QString named = fromText(shown.label().title), preset = presetTitleOf(recording);
    text.title = printable(!named.isEmpty() ? named : preset.isEmpty() ? titleText(shown) : preset);
    text.reason = reasonOf(recording);
    text.badge = fromText(recording.badge());
    text.race = printable(fromText(recording.raceText()));
    if (!text.race.isEmpty())
        text.race += tr(" Its times are those of a broken program.");
    addAccount(text, shown);
    text.origin = originOf(recording, !preset.isEmpty());
    text.cautions = cautionsOf(recording);
    text.lines = linesOf(*shown.report());
    text.settings = settingsOf(recording);
    addMarks(text, shown, request);
    return text;
}

} // namespace olab::ui
