#include "command.h"
#include "console.h"
#include "text_report.h"
#include "time_slice.h"

#include <olab/io/formats.h>
#include <olab/io/recording_file.h>
#include <olab/recording/merged_recording.h>
#include <olab/trace/output_file.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <string>

namespace olab::cli {
namespace {

constexpr OptionSpec kConvertOptions[] = {
    {"--output", "-o", "OUT",
     "the file to write; all others are read then, and several are put together into one"},
    {"--to", "", "FORMAT",
     "the format to write: olab, kineto (a Chrome trace), csv or report; without it OUT's name decides"},
    {"--from", "", "T",
     "write only what touches the time from T on (2ms, 350us), counted from the first device work, and the "
     "calls that issued it"},
    {"--until", "", "T", "... and before T; activities that reach over an end are kept whole"},
    {"--records-only", "", "",
     "leave out what was planned, noted and said of the machine: only what ran when"}};

/// The report, which is made of a recording and is none.
constexpr std::string_view kReport = "report", kReportName = ".report.json";

/// The files to read and the one to write.
struct InAndOut {
    std::vector<std::filesystem::path> in;
    std::string out;
};

InAndOut filesOf(const Arguments& arguments) {
    const auto& named = arguments.positional();
    if (arguments.has("--output"))
        return {{named.begin(), named.end()}, arguments.value("--output")};
    if (named.size() != 2)
        throw Error(ErrorKind::Usage, "no-output",
                    named.size() < 2 ? "No file to write was named."
                                     : "Which of these files is to be written?",
                    "Name it after -o: olab convert IN... -o OUT.");
    return {{named.front()}, named.back()};
}

bool wantsReport(const Arguments& arguments, const InAndOut& files) {
    const std::string wanted = arguments.value("--to");
    return wanted.empty() ? files.out.ends_with(kReportName) : wanted == kReport;
}

std::string knownFormats() {
    std::string text;
    for (const io::Exporter& row : io::exporters())
        text += std::string(row.id) + " (" + std::string(row.pattern) + "), ";
    return text + std::string(kReport) + " (*" + std::string(kReportName) + ")";
}

/// A pattern is "*" and how the name ends.
bool matches(const io::Exporter& row, const std::string& file) {
    return file.ends_with(row.pattern.substr(1));
}

const io::Exporter& exporterFor(const Arguments& arguments, const std::string& file) {
    const std::string wanted = arguments.value("--to");
    for (const io::Exporter& row : io::exporters())
        if (wanted.empty() ? matches(row, file) : row.id == wanted)
            return row;
    throw Error(ErrorKind::Usage, "unknown-format",
                wanted.empty() ? "The name " + file + " does not say in which format to write."
                               : "There is no format '" + wanted + "' to write.",
                "These can be written: " + knownFormats() + ".");
}

void writeReport(const InAndOut& files, io::RecordingData data, const RunControl& control) {
    std::string names;
    for (const auto& file : files.in)
        names += (names.empty() ? "" : ", ") + file.string();
    const auto recording = recording::makeRecording(std::move(data), names, false, control);
    writeFile(files.out, documentOf(*recording, names).text());
}

/// Losses that the plan and the other runs of a job show, as defects of the trace: for what holds neither.
Trace withLosses(const io::RecordingData& data, const RunControl& control) {
    const auto judged = recording::makeRecording(data, "", false, control);
    TraceBuilder builder;
    data.trace.replay(builder);
    for (const Defect& defect : judged->report.defects)
        if (defect.severity() != Severity::Notice &&
            std::ranges::find(data.trace.defects(), defect) == data.trace.defects().end())
            builder.addDefect(defect.code, defect.count, defect.classes, defect.detail);
    return builder.finish();
}

/// On stderr: who reads the table must not take it for whole.
void tellDefects(const InAndOut& files, const Trace& trace) {
    Printed text;
    for (const Defect& defect : trace.defects())
        text << "\n" << defectText(defect);
    if (!text.empty())
        say(Printed(files.out) << " has no place for the defects of this recording:" << text);
}

/// On stderr: by what a format of others leaves out, an account of the copy may be another.
void tellLost(const InAndOut& files, const io::RecordingData& data) {
    std::string lost;
    const auto add = [&lost](const char* what, bool is) {
        if (is)
            lost += (lost.empty() ? "" : ", ") + std::string(what);
    };
    const auto saysKind = [](const Queue& queue) { return queue.streamKind != StreamKind::Unknown; };
    const auto isHostFunction = [](const StreamCall& call) {
        return call.kind == StreamCallKind::HostFunction;
    };
    add("the plan", data.experiment != nullptr);
    add("which streams are blocking", std::ranges::any_of(data.trace.queues(), saysKind));
    add("host functions in streams", std::ranges::any_of(data.trace.streamCalls(), isHostFunction));
    if (!lost.empty())
        say(Printed(files.out) << " has no place for " << lost << ": its account may be another.");
}

int runConvert(const Arguments& arguments) {
    const InAndOut files = filesOf(arguments);
    const TimeSlice slice = TimeSlice::from(arguments, "--until");
    const io::Exporter* const exporter =
        wantsReport(arguments, files) ? nullptr : &exporterFor(arguments, files.out);
    const Console console;
    const RunControl control = console.control();
    checkWritable(files.out);
    io::RecordingData data = files.in.size() == 1 ? io::readRecording(files.in.front(), control)
                                                  : recording::readMerged(files.in, control);
    const bool isBare = arguments.has("--records-only");
    if (data.experiment && (isBare || (exporter && exporter->keeps != io::Keeps::Everything)))
        data.trace = withLosses(data, control);
    if (!slice.isEverything())
        data.trace = slicedWithCalls(data.trace, slice);
    if (isBare)
        data = io::recordsOnly(data);
    if (!exporter) {
        writeReport(files, std::move(data), control);
        return 0;
    }
    exporter->write(files.out, data, control);
    if (exporter->keeps == io::Keeps::Defects)
        tellLost(files, data);
    if (exporter->keeps == io::Keeps::Activities)
        tellDefects(files, data.trace);
    return 0;
}

} // namespace

extern const Command kConvertCommand{
    "convert",
    "IN OUT [--to FORMAT] [--from T] [--until T] [--records-only], or IN... -o OUT",
    "Writes a recording again, in another format: a Chrome trace, a table, the report.",
    "",
    kConvertOptions,
    1,
    1000,
    runConvert};

} // namespace olab::cli
