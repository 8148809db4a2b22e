#include "heading_text.h"

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/recorded_work.h>

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

} // namespace olab::cli
