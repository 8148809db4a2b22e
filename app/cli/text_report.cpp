#include "text_report.h"

#include <olab/analysis/race.h>
#include <olab/io/report_json.h>
#include <olab/trace/number_text.h>

#include <algorithm>
#include <cmath>
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

std::string headline(const Recording& recording) {
    std::string text = recording.title;
    if (!recording.trace.devices().empty())
        text += (text.empty() ? "" : ": ") + recording.trace.devices().front().name;
    const auto& environment = recording.trace.environment();
    if (const auto driver = environment.find("driver");
        driver != environment.end() && !driver->second.empty())
        text += ", driver " + driver->second;
    if (const std::string badge = recording.badge(); !badge.empty())
        text += "   [" + badge + "]";
    return text + "\n";
}

std::string settings(const Recording& recording) {
    if (!recording.experiment)
        return {};
    std::string text;
    for (const std::string& assignment : differsFromDefault(*recording.experiment))
        text += (text.empty() ? "" : " ") + assignment;
    return "settings: " + (text.empty() ? std::string("the defaults") : text) + "\n";
}

/// How far to trust a simulated run.
std::string trust(const Recording& recording) {
    const std::string text = recording.trust();
    return text.empty() ? text : text + "\n";
}

/// Before any number: what raced proves nothing.
std::string race(const Report& report) {
    const std::string text = raceText(report);
    return text.empty() ? text : "\nRACED. " + text + " " + std::string(kRaceHint) + "\n";
}

std::string verdictLine(const Verdict& v, bool manyDevices) {
    const std::string pair = std::string(classLabel(v.a)) + " | " + std::string(classLabel(v.b)) +
                             (manyDevices ? " (device " + v.device + ")" : "");
    const std::string kind(verdictName(v.kind));
    std::string text = format("  %-18s %-15s", pair.c_str(), kind.c_str());
    if (v.known)
        text += format(" %9s of attainable, %9s of %s hidden, blocked %s", percent(v.ofAttainable).c_str(),
                       percent(v.ofA).c_str(), std::string(classLabel(v.a)).c_str(),
                       v.blockedKnown ? timeText(v.blocked).c_str() : "unknown");
    return text + "\n" + (v.text.empty() ? "" : "      " + v.text + "\n");
}

std::string verdicts(const Report& report) {
    std::string text = "\nverdicts\n";
    for (const Verdict& verdict : report.verdicts)
        text += verdictLine(verdict, report.devices.size() > 1);
    return report.verdicts.empty() ? "\nno device work to judge\n" : text;
}

std::string bounds(const Report& report) {
    const Bounds& b = report.bounds;
    std::string text = "\nmeasured " + timeText(b.measured);
    if (b.serial && *b.serial > 0)
        text += ", one after the other " + timeText(b.serial) + ", at best " + timeText(b.best()) +
                " (limited by " + b.limiting + ")";
    text += b.efficiency ? ", efficiency " + fixedText(*b.efficiency, 2) : "";
    text += "\n";
    if (report.toolEffect && report.toolEffect->ratio() > 0)
        text += "traced " + timeText(report.toolEffect->traced) + ", untraced " +
                timeText(report.toolEffect->untraced) + ": tool effect " +
                fixedText(report.toolEffect->ratio(), 3) + " (" + std::to_string(report.toolEffect->runs) +
                " runs each, by neighbouring pairs)\n";
    return text;
}

std::string findings(const Report& report) {
    if (report.findings.empty())
        return {};
    std::string text = "\nfindings\n";
    for (const Finding& f : report.findings) {
        text += "  " + f.id + " (" + std::string(findingStatusName(f.status)) + ", lost " + timeText(f.lost) +
                ")\n";
        text += "      " + f.text + "\n";
        if (!f.remedy.empty())
            text += "      " + f.remedy + "\n";
        for (const auto& [key, value] : f.tryChanges)
            text += "      try: --set " + key + "=" + value + "\n";
    }
    return text;
}

/// No finding of a rule that could not judge says nothing.
std::string abstentions(const Report& report) {
    std::string text;
    for (const Abstention& a : report.abstained)
        text += "  " + a.rule + " lacks " + a.lacks + "\n";
    return text.empty() ? text : "\nrules that could not judge\n" + text;
}

std::string defects(const Report& report) {
    std::string text;
    for (const Defect& d : report.defects)
        text += "  " + std::string(severityName(d.severity())) + ", " + std::to_string(d.count) + " x " +
                d.text() + "\n";
    return (text.empty() ? "" : "\ndefects\n" + text) + "\n" + std::to_string(report.counts.read) +
           " records read, " + std::to_string(report.counts.kept) + " kept, " +
           std::to_string(report.counts.refused) + " refused\n";
}

std::string otherRuns(const Recording& recording) {
    if (recording.otherRuns.empty())
        return {};
    std::string text =
        "\nthe median run of " + std::to_string(recording.otherRuns.size() + 1) + "; the others took";
    for (const RecordingPtr& other : recording.otherRuns)
        text +=
            (&other == &recording.otherRuns.front() ? " " : ", ") + timeText(other->report.bounds.measured);
    return text + "\n";
}

} // namespace

std::string timeText(Ns time) {
    const auto value = static_cast<double>(time);
    const double size = std::abs(value);
    if (size < 1e3)
        return std::to_string(time) + " ns";
    if (size < 1e6)
        return shortText(value / 1e3, 4) + " us";
    return size < 1e9 ? shortText(value / 1e6, 4) + " ms" : shortText(value / 1e9, 4) + " s";
}

std::string timeText(const std::optional<Ns>& time) {
    return time ? timeText(*time) : "unknown";
}

std::string reportText(const Recording& recording) {
    const Report& report = recording.report;
    return headline(recording) + settings(recording) + trust(recording) + race(report) + verdicts(report) +
           bounds(report) + findings(report) + abstentions(report) + defects(report) + otherRuns(recording);
}

std::string reportJsonOf(const Recording& recording) {
    const Experiment* experiment = recording.experiment ? &*recording.experiment : nullptr;
    return reportToJson(recording.report, {recording.trace, experiment, recording.live,
                                           recording.file.string(), recording.bookmarks});
}

} // namespace olab::cli
