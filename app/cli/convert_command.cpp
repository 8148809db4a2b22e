#include "command.h"
#include "console.h"
#include "text_report.h"

#include <olab/io/formats.h>
#include <olab/io/records_only.h>
#include <olab/trace/output_file.h>

namespace olab::cli {
namespace {

constexpr OptionSpec kConvertOptions[] = {
    {"--to", "", "FORMAT", "the format to write; without it OUT's name decides"},
    {"--records-only", "", "",
     "leave out what was planned, noted and said of the machine: only what ran when"}};

/// The report, which is made of a recording and is none.
constexpr std::string_view kReport = "report", kReportName = ".report.json";

bool wantsReport(const Arguments& arguments) {
    const std::string wanted = arguments.value("--to");
    return wanted.empty() ? arguments.positional()[1].ends_with(kReportName) : wanted == kReport;
}

std::string knownFormats() {
    std::string text;
    for (const Exporter& row : exporters())
        text += std::string(row.id) + " (" + std::string(row.pattern) + "), ";
    return text + std::string(kReport) + " (*" + std::string(kReportName) + ")";
}

/// A pattern is "*" and how the name ends.
bool matches(const Exporter& row, const std::string& file) {
    return file.ends_with(row.pattern.substr(1));
}

const Exporter& exporterFor(const Arguments& arguments) {
    const std::string wanted = arguments.value("--to");
    const std::string& file = arguments.positional()[1];
    for (const Exporter& row : exporters())
        if (wanted.empty() ? matches(row, file) : row.id == wanted)
            return row;
    throw Error(ErrorKind::Usage, "unknown-format",
                wanted.empty() ? "The name " + file + " does not say in which format to write."
                               : "There is no format '" + wanted + "' to write.",
                "These can be written: " + knownFormats() + ".");
}

int runConvert(const Arguments& arguments) {
    const std::string &in = arguments.positional()[0], &out = arguments.positional()[1];
    const Exporter* const exporter = wantsReport(arguments) ? nullptr : &exporterFor(arguments);
    const Console console;
    const RunControl control = console.control();
    checkWritable(out);
    RecordingData data = readRecording(in, control);
    if (arguments.has("--records-only"))
        data = recordsOnly(data);
    if (exporter)
        exporter->write(out, data, control);
    else
        writeFile(out, reportJsonOf(*makeRecording(std::move(data), in, false, control), in));
    return 0;
}

} // namespace

extern const Command kConvertCommand{
    "convert",
    "IN OUT [--to FORMAT] [--records-only]",
    "Writes a recording again, in another format: a Chrome trace, a table, the report.",
    "",
    kConvertOptions,
    2,
    2,
    runConvert};

} // namespace olab::cli
