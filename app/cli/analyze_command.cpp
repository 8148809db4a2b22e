#include "command.h"

#include "console.h"
#include "proofs.h"
#include "text_report.h"
#include "time_slice.h"
#include <olab/analysis/analyze.h>
#include <olab/experiment/experiment.h>
#include <olab/io/report_json.h>
#include <olab/trace/lanes.h>

#include <utility>

namespace olab::cli {
namespace {

constexpr OptionSpec kAnalyzeOptions[] = {
    {"--from", "", "T",
     "judge only what touches the time from T on (2ms, 350us), counted from the first device work"},
    {"--to", "", "T", "... and before T; activities that reach over an end are kept whole"},
    {"--numbers", "", "",
     "print the measured numbers alone, as JSON: no verdicts, no findings, but in a fraction of the time"},
    {"--json", "", "", "print the report as JSON; an array if there are several files"},
};

/// Of the file, or of the slice of it.
RecordingData read(const std::string& file, const TimeSlice& slice, const RunControl& control) {
    RecordingData data = readRecording(file, control);
    if (!slice.isEverything())
        data.trace = slicedTrace(data.trace, slice);
    return data;
}

std::string numbersOf(const std::string& file, const TimeSlice& slice, const RunControl& control) {
    const RecordingData data = read(file, slice, control);
    const LaneSet lanes = LaneSet::of(data.trace);
    return numbersToJson(measuredNumbers({data.trace, lanes}, control), data.trace, file);
}

RecordingPtr open(const std::string& file, const TimeSlice& slice, const RunControl& control) {
    if (slice.isEverything())
        return openRecording(file, control);
    RecordingData data = read(file, slice, control);
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
    const bool isNumbers = arguments.has("--numbers"), isJson = isNumbers || arguments.has("--json");
    const auto& files = arguments.positional();
    Printed text;
    std::string json;
    {
        const Console console;
        for (const std::string& file : files) {
            if (isNumbers) {
                json += (json.empty() ? "" : ",\n") + numbersOf(file, slice, console.control());
                continue;
            }
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
                                     "FILE... [--from T] [--to T] [--numbers] [--json]",
                                     "Judges recordings: what overlapped, what did not, and why.",
                                     "",
                                     kAnalyzeOptions,
                                     1,
                                     1000,
                                     runAnalyze};

} // namespace olab::cli
