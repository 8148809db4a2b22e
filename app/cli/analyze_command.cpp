#include "command.h"

#include "console.h"
#include "proofs.h"
#include "text_report.h"
#include "time_slice.h"
#include <olab/experiment/experiment.h>

#include <utility>

namespace olab::cli {
namespace {

constexpr OptionSpec kAnalyzeOptions[] = {
    {"--from", "", "T",
     "judge only what touches the time from T on (2ms, 350us), counted from the first device work"},
    {"--to", "", "T", "... and before T; activities that reach over an end are kept whole"},
    {"--json", "", "", "print the report as JSON; an array if there are several files"},
};

RecordingPtr open(const std::string& file, const TimeSlice& slice, const RunControl& control) {
    if (slice.isEverything())
        return openRecording(file, control);
    RecordingData data = readRecording(file, control);
    data.trace = slicedTrace(data.trace, slice);
    // What was planned covers the whole window: against a slice of it every op outside would count as
    // missing.
    data.interventions.proofs.clear(); // they are of whole runs
    const auto experiment = std::exchange(data.experiment, nullptr);
    auto recording = makeRecording(std::move(data), file, false, control);
    recording->experiment = experiment;
    recording->file = file;
    return recording;
}

int runAnalyze(const Arguments& arguments) {
    const TimeSlice slice = TimeSlice::from(arguments);
    const bool isJson = arguments.has("--json");
    const auto& files = arguments.positional();
    Printed text;
    std::string json;
    {
        const Console console;
        for (const std::string& file : files) {
            const RecordingPtr recording = open(file, slice, console.control());
            if (isJson)
                json += (json.empty() ? "" : ",\n") + reportJsonOf(*recording, recording->file);
            else
                text << (text.empty() ? Literal("") : Literal("\n")) << reportText(*recording)
                     << proofsText(*recording);
        }
    }
    if (isJson)
        printJson(files.size() > 1 ? "[\n" + json + "]\n" : json);
    else
        print(text);
    return 0;
}

} // namespace

extern const Command kAnalyzeCommand{"analyze",
                                     "FILE... [--from T] [--to T] [--json]",
                                     "Judges recordings: what overlapped, what did not, and why.",
                                     "",
                                     kAnalyzeOptions,
                                     1,
                                     1000,
                                     runAnalyze};

} // namespace olab::cli
