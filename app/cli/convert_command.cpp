#include "command.h"
#include "console.h"

#include <olab/io/formats.h>
#include <olab/io/records_only.h>
#include <olab/trace/output_file.h>

namespace olab::cli {
namespace {

constexpr OptionSpec kConvertOptions[] = {
    {"--to", "", "FORMAT", "the format to write; without it OUT's name decides"},
    {"--records-only", "", "",
     "leave out what was planned, noted and said of the machine: only what ran when"}};

std::string knownFormats() {
    std::string text;
    for (const Exporter& row : exporters())
        text += (text.empty() ? "" : ", ") + std::string(row.id) + " (" + std::string(row.pattern) + ")";
    return text;
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
    const Exporter& exporter = exporterFor(arguments);
    const Console console;
    const RunControl control = console.control();
    checkWritable(arguments.positional()[1]);
    RecordingData recording = readRecording(arguments.positional()[0], control);
    if (arguments.has("--records-only"))
        recording = recordsOnly(recording);
    exporter.write(arguments.positional()[1], recording, control);
    return 0;
}

} // namespace

extern const Command kConvertCommand{"convert",
                                     "IN OUT [--to FORMAT] [--records-only]",
                                     "Writes a recording again, in another format.",
                                     "",
                                     kConvertOptions,
                                     2,
                                     2,
                                     runConvert};

} // namespace olab::cli
