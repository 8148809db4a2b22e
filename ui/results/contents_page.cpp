#include "results/contents_page.h"

#include "base/focus_ring.h"
#include "base/look_style.h"
#include "base/page_parts.h"
#include "base/plain_text.h"
#include "results/verdict_strip.h"

#include <olab/analysis/steady_state.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QStringList>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr std::size_t kMostRanks = 32, kMostDefectsListed = 100, kMostDevices = 16;
constexpr Ns kEpoch = 1'000'000'000'000'000'000; // times above are since 1970

QString listText(const QStringList& parts) {
    return parts.join(QStringLiteral(", "));
}

// --- the file

QString sizeOf(const recording::Recording& recording) {
    const auto bytes = recording.fileStamp.size;
    return bytes == 0 ? QString() : QStringLiteral(" (%1)").arg(sizeText(static_cast<std::int64_t>(bytes)));
}

/// Where it is, or why it is nowhere.
QString placeOf(const recording::Recording& recording) {
    if (!recording.file.empty())
        return shownText(nameOf(recording.file)) + sizeOf(recording);
    const std::size_t ranks = recording.trace.ranks().size();
    if (ranks > 0)
        return counted("in no file of its own: %n recordings are put together here",
                       "in no file of its own: %n recording is put together here", ranks);
    return tr("in no file yet: it was made here");
}

QString recorderOf(const recording::Recording& recording) {
    const ProvenanceRecord& origin = recording.trace.provenance();
    QStringList parts;
    if (!origin.tool.empty())
        parts << (fromText(origin.tool) + QLatin1Char(' ') + fromText(origin.toolVersion)).trimmed();
    parts << sourceText(origin.source);
    return listText(parts);
}

QString timesOf(const Trace& trace, const analysis::Bounds& bounds) {
    const Interval span = trace.span();
    const QString length = tr("the run took %1; device work lasts %2 from the first begin to the last end, "
                              "all records %3")
                               .arg(durationText(bounds.measured), durationText(trace.deviceSpan().length()),
                                    durationText(span.length()));
    const bool isWall = span.begin > kEpoch || trace.environment().contains("import.base_time_ns");
    const QString when = timeText(trace.provenance().recordedAt);
    if (!when.isEmpty())
        return tr("%1; recorded %2").arg(length, when);
    return isWall ? length : tr("%1; nothing says what wall time it was").arg(length);
}

QString alignmentText(const RankRecord& rank) {
    const QString within = rank.error >= 0 ? tr(", within %1").arg(durationText(rank.error)) : QString();
    switch (rank.alignment) {
    case RankAlignment::Unaligned:
        return tr("nothing aligns it: shown from its begin on");
    case RankAlignment::Reference:
        return tr("the others are aligned with it");
    case RankAlignment::Clocks:
        return tr("aligned by its clock") + within;
    case RankAlignment::Collectives:
        return tr("aligned by the ends of collectives") + within;
    }
    return {};
}

void addRanks(const Trace& trace, SaidSection& section) {
    const auto ranks = trace.ranks();
    for (const RankRecord& rank : ranks.first(std::min(ranks.size(), kMostRanks))) {
        QString text = QStringLiteral("%1: %2").arg(fromText(rank.file), alignmentText(rank));
        if (!rank.leftOut.empty())
            text += tr("; not in this view: %1").arg(fromText(rank.leftOut));
        section.rows.push_back({fromText(trace.rankText(rank.rank)), text});
    }
    if (ranks.size() > kMostRanks)
        section.rows.push_back({{}, tr("and %1 more").arg(ranks.size() - kMostRanks)});
}

SaidSection fileSection(const recording::Recording& recording) {
    SaidSection section{tr("The file"), {}};
    section.rows.push_back({tr("File"), placeOf(recording)});
    if (!recording.format.empty())
        section.rows.push_back({tr("Format"), fromText(recording.format)});
    const auto schema = recording.trace.environment().find("nsys.schema");
    if (schema != recording.trace.environment().end())
        section.rows.push_back({tr("Version of the format"), fromText(schema->second)});
    section.rows.push_back({tr("Recorded with"), recorderOf(recording)});
    addRanks(recording.trace, section);
    return section;
}

// --- what was found

QString memoryText(const view::ClassContents& found) {
    QStringList kinds;
    for (std::size_t kind = 1; kind < found.memory.size(); ++kind)
        if (found.memory[kind] > 0)
            kinds << QStringLiteral("%1 %2").arg(countText(found.memory[kind]),
                                                 fromText(memoryKindName(static_cast<MemoryKind>(kind))));
    if (kinds.isEmpty())
        return tr("no memory kinds");
    if (found.memory[0] > 0)
        kinds << tr("%1 without a memory kind").arg(countText(found.memory[0]));
    return listText(kinds);
}

QString detailOf(ActivityClass cls, const view::ClassContents& found) {
    QStringList parts;
    const bool isCopy = isDeviceClass(cls) && cls != ActivityClass::Kernel;
    if (isCopy)
        parts << sizeText(found.bytes) << memoryText(found);
    else if (found.names > 0)
        parts << counted("%n names", "%n name", found.names);
    else
        parts << tr("no names");
    if (cls == ActivityClass::Kernel)
        parts << (found.withShape == found.count ? tr("all with their grid")
                  : found.withShape == 0         ? tr("no grids")
                                                 : tr("%1 with their grid").arg(countText(found.withShape)));
    return listText(parts);
}

/// "kernels" of the class's row, with a capital.
QString nameOf(ActivityClass cls) {
    return withCapital(fromText(kClassRows[static_cast<std::size_t>(cls)].many));
}

void addClasses(const view::Contents& contents, SaidSection& section) {
    for (std::size_t c = 0; c < kClassCount; ++c) {
        const auto cls = static_cast<ActivityClass>(c);
        const view::ClassContents& found = contents.classes[c];
        if (found.count > 0)
            section.rows.push_back(
                {nameOf(cls), QStringLiteral("%1: %2").arg(countText(found.count), detailOf(cls, found))});
    }
}

QString streamCallsText(StreamCallKind kind, std::uint64_t count) {
    switch (kind) {
    case StreamCallKind::Unknown:
        break;
    case StreamCallKind::EventRecord:
        return counted("%n events recorded", "%n event recorded", count);
    case StreamCallKind::StreamWait:
        return counted("%n streams made to wait", "%n stream made to wait", count);
    case StreamCallKind::HostFunction:
        return counted("%n host functions", "%n host function", count);
    case StreamCallKind::StreamSync:
        return counted("%n waits for a stream", "%n wait for a stream", count);
    case StreamCallKind::EventSync:
        return counted("%n waits for an event", "%n wait for an event", count);
    case StreamCallKind::DeviceSync:
        return counted("%n waits for a device", "%n wait for a device", count);
    }
    return {};
}

void addStreamCalls(const view::Contents& contents, SaidSection& section) {
    QStringList parts;
    for (const auto& [kind, count] : contents.streamCalls)
        if (const QString text = streamCallsText(kind, count); !text.isEmpty())
            parts << text;
    if (!parts.isEmpty())
        section.rows.push_back({tr("Events and waits"), listText(parts)});
}

QString streamsText(const view::Contents& contents) {
    QStringList kinds;
    for (std::size_t kind = 1; kind < contents.streams.size(); ++kind)
        if (contents.streams[kind] > 0)
            kinds << QStringLiteral("%1 %2").arg(countText(contents.streams[kind]),
                                                 fromText(streamKindName(static_cast<StreamKind>(kind))));
    if (contents.streams[0] > 0)
        kinds << tr("%1 of unknown kind").arg(countText(contents.streams[0]));
    QStringList priorities;
    if (contents.priorities.size() > 1)
        for (const auto& [priority, streams] : contents.priorities)
            priorities << tr("%1 of priority %2").arg(streams).arg(priority);
    return listText(kinds + priorities);
}

QString devicesText(const Trace& trace) {
    QStringList names;
    const auto devices = trace.devices();
    for (std::size_t d = 0; d < std::min(devices.size(), kMostDevices); ++d) {
        const QString label = fromText(trace.deviceText(static_cast<std::uint8_t>(d)));
        names << (devices[d].name.empty() ? tr("%1 without a name").arg(label)
                                          : QStringLiteral("%1 %2").arg(label, fromText(devices[d].name)));
    }
    if (devices.size() > kMostDevices)
        names << tr("and %1 more").arg(devices.size() - kMostDevices);
    return listText(names);
}

SaidSection foundSection(const recording::Recording& recording, const view::Contents& contents) {
    SaidSection section{tr("What was found in it"), {}};
    const Trace& trace = recording.trace;
    const RecordCounts counts = trace.counts();
    section.rows.push_back(
        {tr("Records"), tr("%1 read = %2 kept + %3 refused")
                            .arg(countText(counts.read), countText(counts.kept), countText(counts.refused))});
    addClasses(contents, section);
    addStreamCalls(contents, section);
    if (!trace.devices().empty())
        section.rows.push_back({tr("Devices"), devicesText(trace)});
    if (const QString streams = streamsText(contents); !streams.isEmpty())
        section.rows.push_back({tr("Streams"), streams});
    if (contents.channels > 0)
        section.rows.push_back({tr("Hardware queues"), countText(contents.channels)});
    if (contents.threads > 0)
        section.rows.push_back({tr("Host threads"), countText(contents.threads)});
    if (trace.processes().size() > 1)
        section.rows.push_back({tr("Processes"), countText(trace.processes().size())});
    if (!trace.empty())
        section.rows.push_back({tr("Times"), timesOf(trace, recording.report.bounds)});
    if (recording.experiment)
        section.rows.push_back({tr("Settings"), tr("those of the experiment, so what was planned is known")});
    return section;
}

// --- what was not

SaidSection absentSection(const recording::Recording& recording, const view::Contents& contents) {
    SaidSection section{tr("What is not in it"), {}};
    QStringList absent;
    for (std::size_t c = 0; c < kClassCount; ++c)
        if (contents.classes[c].count == 0 && static_cast<ActivityClass>(c) != ActivityClass::MemcpyOther)
            absent << fromText(kClassRows[c].many);
    if (!absent.isEmpty())
        section.rows.push_back({tr("No records of"), listText(absent)});
    QStringList facts;
    if (!recording.trace.recordsStreamCalls())
        facts << tr("which events were recorded and waited for");
    if (contents.channels == 0)
        facts << tr("hardware queues");
    if (recording.trace.solos().empty())
        facts << tr("how long each operation takes alone (the shortest of its kind stands in)");
    if (!recording.experiment)
        facts << tr("the options it was run with");
    if (!facts.isEmpty())
        section.rows.push_back({tr("It does not say"), listText(facts)});
    return section;
}

QString judgedBy(const view::Lack& lack) {
    if (lack.isEveryRule)
        return tr("any rule");
    QStringList titles;
    for (const std::string& title : lack.titles)
        titles << fromText(title);
    return titles.join(QStringLiteral("; "));
}

SaidSection unjudgedSection(const analysis::Report& report, const view::Contents& contents) {
    SaidSection section{tr("What cannot be judged therefore"), {}};
    for (const view::Lack& lack : contents.lacks)
        section.rows.push_back(
            {tr("Cannot judge"), tr("%1: it lacks %2.").arg(judgedBy(lack), sentence(lack.what))});
    for (const analysis::Verdict& verdict : report.verdicts)
        if (verdict.kind == analysis::VerdictKind::Inconclusive)
            section.rows.push_back({pairName(report, verdict), sentence(verdict.text)});
    if (report.ledger && !report.ledger->missing.empty())
        section.rows.push_back({tr("Where the time went"), sentence(report.ledger->missing)});
    if (report.steadyState && !report.steadyState->missing.empty())
        section.rows.push_back({tr("Repeating iteration"), sentence(report.steadyState->missing)});
    return section;
}

SaidSection defectSection(const view::Contents& contents) {
    SaidSection section{tr("Defects and notices, the most frequent first"), {}};
    const std::size_t most = std::min(contents.defects.size(), kMostDefectsListed);
    for (std::size_t i = 0; i < most; ++i) {
        const Defect& defect = contents.defects[i];
        section.rows.push_back(
            {QStringLiteral("%1 × %2").arg(
                 countText(defect.count),
                 fromText(severityName(defect.severity())).replace(QLatin1Char('_'), QLatin1Char(' '))),
             sentence(defect.text())});
    }
    if (contents.defects.size() > most)
        section.rows.push_back(
            {{}, tr("And %1 more: olab analyze lists all of them.").arg(contents.defects.size() - most)});
    return section;
}

} // namespace

std::vector<SaidSection> whatItSays(const recording::Recording& recording, const analysis::Report& report) {
    const view::Contents contents = view::contentsOf(recording);
    std::vector<SaidSection> sections{fileSection(recording), defectSection(contents),
                                      foundSection(recording, contents), absentSection(recording, contents),
                                      unjudgedSection(report, contents)};
    std::erase_if(sections, [](const SaidSection& section) { return section.rows.empty(); });
    return sections;
}

namespace {

/// All the lines about where it was made, for who looks for one.
void addNotes(const Trace& trace, QVBoxLayout& column) {
    QStringList lines;
    for (const auto& [key, value] : trace.environment())
        lines << QStringLiteral("%1: %2").arg(fromText(key), fromText(value));
    if (!lines.isEmpty())
        addFolded(column, ContentsPage::tr("Other notes (%1)").arg(lines.size()),
                  wrappingLabel(breakableWords(lines.join(QLatin1Char('\n')))));
}

} // namespace

ContentsPage::ContentsPage(QWidget* parent)
    : QScrollArea(parent) {
    scrollPage(*this);
    setAccessibleName(tr("File details"));
    new LookWatch(*this, [this] { setShown(m_shown); });
}

void ContentsPage::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    m_isOld = true;
    if (isVisible())
        rebuild();
    else
        delete takeWidget(); // it is of another recording
}

void ContentsPage::showEvent(QShowEvent* event) {
    if (m_isOld)
        rebuild();
    QScrollArea::showEvent(event);
}

void ContentsPage::rebuild() {
    m_isOld = false;
    auto* page = new QWidget;
    auto* column = columnIn(page, {12, 8, 12, 8}, 7);
    if (!m_shown)
        column->addWidget(wrappingLabel(tr("Says what was found in a recording and what was not, and what "
                                           "can therefore not be judged. Open one (Ctrl+O), or run one.")));
    else {
        for (const SaidSection& section : whatItSays(*m_shown->recording, *m_shown->report())) {
            column->addWidget(headingLabel(section.title));
            for (const SaidRow& row : section.rows)
                addTextRow(*column, row.name, row.text);
        }
        addNotes(m_shown->trace(), *column);
    }
    column->addStretch(1);
    setWidget(page); // deletes the page before
    keepTabOrderIn(*this);
}

} // namespace olab::ui
