#include "text_report.h"

#include "text_parts.h"

#include <olab/analysis/costly_waits.h>
#include <olab/analysis/race.h>
#include <olab/recording/idle_times.h>
#include <olab/recording/no_device_work.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <cstdio>

namespace olab::cli {
namespace {

template <typename... Values>
std::string format(const char* pattern, Values... values) {
    const int size = std::snprintf(nullptr, 0, pattern, values...);
    std::string text(static_cast<std::size_t>(std::max(0, size)) + 1, '\0');
    std::snprintf(text.data(), text.size(), pattern, values...);
    text.pop_back();
    return text;
}

std::string percent(double share) {
    return fixedText(share * 100, 1) + " %";
}

/// Before any number: what raced proves nothing.
Printed race(const analysis::Report& report) {
    const std::string text = analysis::raceText(report);
    return text.empty() ? Printed() : Printed() << "\nRACED. " << text << " " << analysis::kRaceHint << "\n";
}

/// Names the device where there are several, and whose it is where recordings were merged.
std::string pairText(const analysis::Verdict& v, const analysis::Report& report) {
    std::string text = std::string(classLabel(v.a)) + " | " + std::string(classLabel(v.b));
    const auto device = std::ranges::find(report.devices, v.device, &analysis::DeviceReport::id);
    if (report.devices.size() < 2 || device == report.devices.end())
        return text;
    const bool isPlain = device->label == "GPU " + v.device;
    return text + " (" + (isPlain ? "device " + v.device : device->label) + ")";
}

/// One line for a pair on which little of the run hangs.
Printed minorLine(const analysis::Verdict& v, const analysis::Report& report) {
    return Printed() << "  minor: " << pairText(v, report) << " " << analysis::verdictName(v.kind) << ", "
                     << percent(v.ofAttainable) << " of attainable, and " << shortText(v.ofRun * 100, 2)
                     << " %"
                     << " of the run\n";
}

constexpr double kSmallWait = 0.02; ///< a small cause has a line if operations waited longer for it

Printed verdictLine(const analysis::Verdict& v, const analysis::Report& report) {
    const std::string pair = pairText(v, report);
    const std::string kind(analysis::verdictName(v.kind));
    Printed text;
    text << format("  %-18s %-15s", pair.c_str(), kind.c_str());
    if (v.known)
        text << format(" %9s of attainable, %9s of %s hidden, blocked %s", percent(v.ofAttainable).c_str(),
                       percent(v.ofA).c_str(), std::string(classLabel(v.a)).c_str(),
                       v.blockedKnown ? analysis::timeText(v.blocked).c_str() : "unknown");
    text << "\n";
    if (!v.text.empty())
        text << "      " << v.text << "\n";
    return text;
}

bool isUsable(const analysis::Verdict& verdict) {
    return verdict.kind != analysis::VerdictKind::NotApplicable;
}

/// Pairs of which nothing ran are one line together.
Printed notApplicableLine(const analysis::Report& report) {
    std::string pairs;
    for (const analysis::Verdict& verdict : report.verdicts)
        if (!isUsable(verdict))
            pairs += (pairs.empty() ? "" : ", ") + pairText(verdict, report);
    return pairs.empty() ? Printed() : Printed() << "  not applicable: " << pairs << "\n";
}

Printed verdicts(const recording::Recording& recording) {
    const analysis::Report& report = recording.report;
    Printed text;
    if (const std::string none = recording::noDeviceWorkText(recording); !none.empty())
        return text << "\nnothing to judge\n  " << none << "\n";
    text << (report.verdicts.empty() ? Literal("\nno device work to judge\n") : Literal("\nverdicts\n"));
    for (const analysis::Verdict& verdict : report.verdicts)
        if (!verdict.minor() && isUsable(verdict))
            text << verdictLine(verdict, report);
    for (const analysis::Verdict& verdict : report.verdicts)
        if (verdict.minor() && isUsable(verdict))
            text << minorLine(verdict, report);
    return text << notApplicableLine(report);
}

/// The ideal with what needs most of it.
Printed idealText(const analysis::Bounds& b) {
    Printed text;
    text << "ideal " << timeText(b.ideal)
         << (b.idealIsEstimate ? Literal(" (an estimate: no account; ") : Literal(" ("));
    if (b.gainsLittle)
        return text << "overlap would save almost nothing)";
    if (!b.isLimited())
        return text << "no engine and no chain needs more than " << timeText(b.limit()) << ")";
    return text << "limited by " << b.limiting << ", " << timeText(b.limit()) << ")";
}

Printed bounds(const analysis::Report& report) {
    const analysis::Bounds& b = report.bounds;
    Printed text;
    text << "\nmeasured " << timeText(b.measured);
    if (b.serial && *b.serial > 0)
        text << ", back to back " << timeText(b.serial) << ", " << idealText(b);
    if (b.efficiency && *b.efficiency >= 0) // below, the run took longer than back to back: that says more
        text << ", efficiency " << fixedText(*b.efficiency, 2);
    text << "\n";
    return text << toolEffectText(report);
}

std::string unusualText(const analysis::JudgedPart& part) {
    return part.unusual == 0
               ? std::string()
               : ": " + std::to_string(part.unusual) + " iterations, of which the longest took " +
                     analysis::timeText(part.longestUnusual) + " for the same work";
}

/// The account: what each cause cost, those first whose mending pays most.
Printed ledger(const analysis::Report& report) {
    Printed text;
    if (!report.ledger)
        return text;
    const analysis::Ledger& ledger = *report.ledger;
    if (!ledger.missing.empty())
        return text << "\nno account: " << ledger.missing << "\n";
    text << "\n" << ledger.headline << "\nwhere the time went";
    if (ledger.part)
        text << " (in " << ledger.part->iterations
             << " iterations; what is before and after them is not judged" << unusualText(*ledger.part)
             << ")";
    text << "\n";
    const auto line = [&](std::string_view name, Ns time) {
        text << format("  %-28s %12s", std::string(name).c_str(), analysis::timeText(time).c_str());
    };
    line("ideal run", ledger.ideal);
    text << "\n";
    const double run = static_cast<double>(ledger.measured);
    Ns small = 0;
    for (const analysis::LedgerEntry& entry : ledger.entries) {
        if (static_cast<double>(entry.cost) < analysis::kSmallCost * run &&
            static_cast<double>(entry.waited) < kSmallWait * run) {
            small += entry.cost;
            continue;
        }
        line(analysis::lossCauseTitle(entry.cause), entry.cost);
        text << "   " << entry.text << "\n";
    }
    if (small > 0) {
        line("smaller causes", small);
        text << "\n";
    }
    line("unexplained", ledger.unexplained);
    text << "\n";
    if (ledger.cut > 0)
        text << "  (the model's ideal run is " << analysis::timeText(ledger.cut)
             << " longer: that is taken off, no run is faster than its ideal)\n";
    line("measured", ledger.measured);
    text << "\n";
    if (ledger.ifIndependent.gain > 0)
        text << "if kernels in a row do not need each other\n      " << ledger.ifIndependent.text << "\n";
    return text;
}

/// What is certain where there is no account.
Printed idleTimesText(const recording::Recording& recording) {
    Printed text;
    if (!recording::wantsIdleTimes(recording, recording.report.ledger.get()))
        return text;
    for (const recording::DeviceIdle& device : recording::idleTimes(recording)) {
        text << (text.empty() ? Literal("\nidle time\n  ") : Literal("  ")) << recording::idleText(device)
             << "\n      largest gaps: ";
        for (const recording::IdleGap& gap : device.largest)
            text << (&gap == &device.largest.front() ? Literal("") : Literal(", ")) << recording::gapText(gap)
                 << " at " << analysis::timeText(gap.time.begin - recording.trace.deviceSpan().begin);
        text << "\n";
    }
    return text;
}

/// "one stream, for kernel gemm #17 (stream 7)"
Printed causeOf(const recording::Recording& recording, const analysis::CostlyWait& costly) {
    Printed text;
    const analysis::ExplainedWait& wait = costly.wait;
    text << analysis::lossCauseTitle(wait.cause);
    if (wait.blocker != kNoActivity && wait.blocker != costly.call)
        text << ", for " << analysis::activityName(*recording.facts, wait.blocker);
    return text;
}

/// Where to look first in a program of somebody's: the longest waits, and the code that they belong to.
Printed longestWaits(const recording::Recording& recording) {
    Printed text;
    if (recording.experiment)
        return text;
    const Trace& trace = recording.trace;
    for (const analysis::CostlyWait& costly :
         analysis::costliestWaits(*recording.facts, recording.report.ledger)) {
        text << (text.empty() ? Literal("\nlongest waits, each since the operation before it in its stream\n")
                              : Literal(""));
        text << format("  %12s at %-12s ", analysis::timeText(costly.own.length()).c_str(),
                       analysis::timeText(costly.own.begin - trace.deviceSpan().begin).c_str());
        text << analysis::activityName(*recording.facts, costly.wait.op) << ": "
             << causeOf(recording, costly);
        if (costly.call != kNoActivity)
            text << "\n      issued by " << trace.text(trace.nameOf(costly.call));
        for (const ActivityIndex range : costly.ranges)
            text << (range == costly.ranges.front() ? Literal(" in ") : Literal(", in "))
                 << trace.text(trace.nameOf(range));
        text << "\n";
    }
    return text;
}

/// Another program has no options of ours: there it is tried on an experiment with its operations.
Printed tryLine(const recording::Recording& recording, std::string_view key, std::string_view value) {
    Printed text;
    if (recording.experiment)
        return text << "      try: --set " << key << "=" << value << "\n";
    if (recording.file.empty())
        return text;
    const std::string file = recording.file.string();
    const std::string named =
        file.find('\'') == file.npos ? "'" + file + "'" : "TRACE"; // fit to be copied to a shell
    return text << "      try it on the same operations: olab run --like " << named << " --set " << key << "="
                << value << "\n";
}

Printed findings(const recording::Recording& recording) {
    const analysis::Report& report = recording.report;
    if (report.findings.empty())
        return {};
    const bool simulated = recording.trace.provenance().source == SourceKind::Simulated;
    Printed text;
    text << "\nfindings\n";
    for (const analysis::Finding& f : report.findings) {
        text << "  " << f.id << " (" << analysis::findingStatusText(f.status, simulated);
        if (f.lost > 0)
            text << ", costs " << analysis::timeText(f.lost);
        text << ")\n";
        text << "      " << f.text << "\n";
        if (!f.remedy.empty())
            text << "      " << f.remedy << "\n";
        for (const auto& [key, value] : f.tryChanges)
            text << tryLine(recording, key, value);
    }
    return text;
}

/// No finding of a rule that could not judge says nothing.
Printed abstentions(const analysis::Report& report) {
    Printed text;
    if (!report.abstained.empty())
        text << "\nrules that could not judge\n";
    for (const analysis::Abstention& a : report.abstained)
        text << "  " << a.rule << " lacks " << a.lacks << "\n";
    return text;
}

Printed defects(const analysis::Report& report) {
    Printed text;
    if (!report.defects.empty())
        text << "\ndefects\n";
    for (const Defect& d : report.defects)
        text << defectText(d) << "\n";
    return text << "\n"
                << report.counts.read << " records read, " << report.counts.kept << " kept, "
                << report.counts.refused << " refused\n";
}

/// What was run before anything was believed.
Printed controls(const recording::Recording& recording) {
    return recording.controls ? Printed() << recording.controls->text << "\n" : Printed();
}

Printed spread(const recording::Recording& recording) {
    Printed text;
    for (const bool traced : {true, false})
        if (const auto found =
                comparison::spreadOf(traced ? recording.times.traced : recording.times.untraced);
            found && found->runs > 1)
            text << (traced ? Literal("traced runs: ") : Literal("untraced runs: "))
                 << analysis::timeText(found->median) << ", " << comparison::spreadText(*found) << "\n";
    return text;
}

Printed otherRuns(const recording::Recording& recording) {
    if (recording.otherRuns.empty())
        return {};
    Printed text;
    text << "\nthe median run of " << recording.otherRuns.size() + 1 << "; the others took";
    for (const recording::RecordingPtr& other : recording.otherRuns)
        text << (&other == &recording.otherRuns.front() ? Literal(" ") : Literal(", "))
             << timeText(other->report.bounds.measured)
             << (analysis::racedRuns(other->report.runs).shown ? Literal(" (raced)") : Literal(""));
    return text << "\n";
}

} // namespace

std::string timeText(const std::optional<Ns>& time) {
    return time ? analysis::timeText(*time) : "unknown";
}

Printed defectText(const Defect& d) {
    return Printed("  ") << severityName(d.severity()) << ", " << d.count << " x " << d.text();
}

Printed toolEffectText(const analysis::Report& report) {
    Printed text;
    if (const auto& effect = report.toolEffect; effect && effect->ratio() > 0) {
        text << "traced " << analysis::timeText(effect->traced) << ", untraced "
             << analysis::timeText(effect->untraced) << ": tool effect " << fixedText(effect->ratio(), 3)
             << " (" << effect->runs << " runs each, by neighbouring pairs";
        if (!effect->measuredWith.empty())
            text << "; measured with " << effect->measuredWith;
        text << ")\n";
    }
    return text;
}

Printed reportText(const recording::Recording& recording) {
    const analysis::Report& report = recording.report;
    return headingText(recording) << controls(recording) << race(report) << ledger(report)
                                  << longestWaits(recording) << idleTimesText(recording)
                                  << verdicts(recording) << bounds(report) << steadyText(recording)
                                  << ranksText(recording) << findings(recording) << abstentions(report)
                                  << defects(report) << otherRuns(recording) << spread(recording);
}

} // namespace olab::cli
