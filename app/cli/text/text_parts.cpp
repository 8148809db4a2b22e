#include "text_parts.h"

#include <olab/analysis/collectives.h>
#include <olab/analysis/communication.h>
#include <olab/analysis/steady_state.h>
#include <olab/analysis/waits.h>
#include <olab/experiment/held_experiment.h>
#include <olab/experiment/recorded_work.h>
#include <olab/trace/value_text.h>

#include <algorithm>

namespace olab::cli {
namespace {

Printed nameLine(const recording::Recording& recording) {
    Printed text = recording.title;
    if (!recording.label.title.empty() && !recording.file.empty()) // several files may be asked about
        text << " (" << recording.file.filename().string() << ")";
    if (!recording.trace.devices().empty() && !recording.trace.devices().front().name.empty()) {
        if (!text.empty())
            text << ": ";
        text << recording.trace.devices().front().name;
    }
    const auto& environment = recording.trace.environment();
    if (const auto driver = environment.find("driver");
        driver != environment.end() && !driver->second.empty())
        text << ", driver " << driver->second;
    if (const auto host = environment.find("host"); host != environment.end() && !host->second.empty())
        text << ", on " << host->second;
    if (const std::string badge = recording.badge(); !badge.empty())
        text << "   [" << badge << "]";
    const ProvenanceRecord& origin = recording.trace.provenance();
    if (origin.source == SourceKind::Imported && !origin.tool.empty()) {
        text << " from " << origin.tool;
        if (!origin.toolVersion.empty())
            text << " " << origin.toolVersion;
    }
    return text << "\n";
}

/// Of a trace that another tool recorded: which, and when.
Printed origin(const recording::Recording& recording) {
    const ProvenanceRecord& p = recording.trace.provenance();
    if (p.source != SourceKind::Imported || p.tool.empty())
        return {};
    Printed text("imported: recorded with ");
    text << p.tool;
    if (!p.toolVersion.empty())
        text << ", " << p.toolVersion;
    if (!p.recordedAt.empty())
        text << ", " << p.recordedAt;
    return text << "\n";
}

Printed settings(const recording::Recording& recording) {
    if (!recording.experiment)
        return {};
    Printed text;
    for (const std::string& assignment : experiment::differsFromDefault(*recording.experiment)) {
        if (!text.empty())
            text << " ";
        text << assignment;
    }
    if (const experiment::RecordedWork* work = experiment::recordedWorkOf(*recording.experiment))
        return Printed() << "work: " << experiment::recordedWorkText(*work) << "\n"
                         << "settings: " << text << "\n";
    if (text.empty())
        text << "the defaults";
    return Printed() << "settings: " << text << "\n";
}

/// What a person noted about it, each line set in.
Printed note(const recording::Recording& recording) {
    std::string_view rest = recording.label.note;
    Printed text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        text << (text.empty() ? Literal("note: ") : Literal("      ")) << rest.substr(0, end) << "\n";
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return text;
}

/// How far to trust a simulated run.
Printed trust(const recording::Recording& recording) {
    const std::string text = recording.trust();
    return text.empty() ? Printed() : Printed() << text << "\n";
}

} // namespace

Printed headingText(const recording::Recording& recording) {
    return nameLine(recording) << origin(recording) << note(recording) << settings(recording)
                               << trust(recording);
}

namespace {

Printed placeText(const RankRecord& rank) {
    Printed text;
    switch (rank.alignment) {
    case RankAlignment::Unaligned:
        return text << "not aligned, shown from its begin on";
    case RankAlignment::Reference:
        return text << "the others are aligned with it";
    case RankAlignment::Clocks:
        text << "aligned by its clock";
        break;
    case RankAlignment::Collectives:
        text << "aligned by the ends of collectives";
        if (rank.correction != 0)
            text << ", its clock was wrong by " << analysis::timeText(rank.correction);
        break;
    }
    if (rank.error >= 0)
        return text << ", within " << analysis::timeText(rank.error) << " as " << rank.shared
                    << " collectives show";
    return text << ", how exactly is not known";
}

Printed rankLines(const Trace& trace) {
    Printed text;
    for (const RankRecord& rank : trace.ranks()) {
        text << "  " << trace.rankText(rank.rank) << " (" << rank.file << ")";
        for (std::size_t d = 0; d < trace.devices().size(); ++d)
            if (trace.devices()[d].rank == rank.rank)
                text << ", device " << std::to_string(trace.devices()[d].device);
        text << ": " << placeText(rank) << "\n";
        if (!rank.leftOut.empty())
            text << "      not in this view: " << rank.leftOut << "\n";
    }
    return text;
}

Printed deviceLines(const analysis::Collectives& all) {
    Printed text;
    for (std::size_t at = 0; at < all.devices.size(); ++at) {
        const analysis::CollectiveDevice& device = all.devices[at];
        text << "  " << device.name << ": last at " << device.last << " of " << device.count << ", waited "
             << analysis::timeText(device.waited) << ", was waited for "
             << analysis::timeText(device.waitedFor);
        if (device.alone > 0)
            text << "; " << device.alone << " more that no other device was seen in";
        text << "\n";
    }
    return text;
}

Printed timesLine(std::string_view name, const analysis::CommunicationTimes& times) {
    return Printed() << "  " << name << ": " << analysis::timeText(times.total) << " in " << times.count
                     << ", " << fixedText(times.hiddenShare() * 100, 1) << " % hidden, "
                     << analysis::timeText(times.exposed()) << " exposed\n";
}

Printed communicationLines(const analysis::Communication& found) {
    Printed text;
    text << "\n" << found.text << "\n";
    for (std::size_t kind = 0; kind < found.kinds.size(); ++kind)
        if (found.kinds[kind].count > 0)
            text << timesLine(communicationKindName(static_cast<analysis::CommunicationKind>(kind)),
                              found.kinds[kind]);
    for (const analysis::CommunicationDevice& device : found.devices)
        if (found.devices.size() > 1)
            text << timesLine(device.name, device.all);
    return text;
}

} // namespace

Printed ranksText(const recording::Recording& recording) {
    Printed text;
    if (!recording.trace.ranks().empty())
        text << "\nrecordings in this view\n" << rankLines(recording.trace);
    if (const auto& found = recording.report.communication)
        text << communicationLines(*found);
    if (const auto& all = recording.report.collectives)
        text << "\ncollectives\n  " << all->text << "\n" << deviceLines(*all);
    return text;
}

namespace {

std::string ofPair(const analysis::Verdict& v, bool manyDevices) {
    return std::string(classLabel(v.a)) + " | " + std::string(classLabel(v.b)) +
           (manyDevices ? " (device " + v.device + ")" : "");
}

std::string outcomeOf(const analysis::Verdict& v) {
    const bool isNumber = v.known && v.kind != analysis::VerdictKind::NotApplicable;
    return std::string(analysis::verdictName(v.kind)) +
           (isNumber ? " " + fixedText(v.ofAttainable * 100, 1) + " %" : std::string());
}

const analysis::Verdict* sameIn(const std::vector<analysis::Verdict>& verdicts,
                                const analysis::Verdict& wanted) {
    const auto found = std::ranges::find_if(verdicts, [&](const analysis::Verdict& v) {
        return v.device == wanted.device && v.a == wanted.a && v.b == wanted.b;
    });
    return found == verdicts.end() ? nullptr : &*found;
}

/// From its begin, as --from and --to count.
std::string placeOf(const analysis::JudgedIteration& iteration, Ns origin) {
    return "--from " + std::to_string(iteration.time.begin - origin) + "ns --to " +
           std::to_string(iteration.time.end - origin) + "ns";
}

bool saysSomething(const analysis::Verdict* v) {
    return v && v->kind != analysis::VerdictKind::Inconclusive &&
           v->kind != analysis::VerdictKind::NotApplicable;
}

/// Those that one iteration alone is long enough to judge.
Printed pairLines(const analysis::SteadyState& found, const analysis::Report& whole) {
    constexpr int kMost = 8;
    Printed text;
    const bool many = whole.devices.size() > 1;
    int lines = 0, more = 0;
    for (const analysis::Verdict& v : whole.verdicts) {
        const analysis::Verdict *typical = sameIn(found.judged[0].verdicts, v),
                                *worst = sameIn(found.judged[1].verdicts, v);
        if (v.minor() || !typical || !worst || (!saysSomething(typical) && !saysSomething(worst)))
            continue;
        if (lines++ < kMost)
            text << "  " << ofPair(v, many) << ": whole " << outcomeOf(v) << ", typical "
                 << outcomeOf(*typical) << ", worst " << outcomeOf(*worst) << "\n";
        else
            ++more;
    }
    if (more > 0)
        text << "  and " << more << " pairs more (--json has all)\n";
    if (lines == 0)
        text << "  one iteration alone is too short to judge its pairs\n";
    return text;
}

} // namespace

Printed steadyText(const recording::Recording& recording) {
    const auto& found = recording.report.steadyState;
    if (!found || !found->missing.empty())
        return {};
    Printed text;
    text << "\nsteady state\n  " << found->text << "\n";
    if (found->judged.size() < 2)
        return text;
    const Ns origin = recording.trace.deviceSpan().begin;
    text << pairLines(*found, recording.report);
    text << "  typical: number " << found->judged[0].number + 1 << ", "
         << analysis::timeText(found->judged[0].time.length()) << " (" << placeOf(found->judged[0], origin)
         << ")\n";
    return text << "  worst: number " << found->judged[1].number + 1 << ", "
                << analysis::timeText(found->judged[1].time.length()) << " ("
                << placeOf(found->judged[1], origin) << ")\n";
}

} // namespace olab::cli
