#include "command.h"

#include "console.h"
#include "proofs.h"
#include "survey_files.h"
#include "text_report.h"
#include "time_slice.h"
#include <olab/analysis/analyze.h>
#include <olab/experiment/held_experiment.h>
#include <olab/io/recording_file.h>
#include <olab/io/report_json.h>
#include <olab/recording/merged_recording.h>
#include <olab/trace/lanes_of.h>

#include <utility>

namespace olab::cli {
namespace {

constexpr OptionSpec kAnalyzeOptions[] = {
    {"--from", "", "T",
     "judge only what touches the time from T on (2ms, 350us), counted from the first device work"},
    {"--to", "", "T", "... and before T; activities that reach over an end are kept whole"},
    {"--merge", "", "",
     "put the files together into one view: the ranks of one run, or several processes, aligned by their "
     "clocks or by their collectives"},
    {"--steady", "", "",
     "find the repeating iteration of large recordings too: its period, and its typical and worst one "
     "judged"},
    {"--numbers", "", "",
     "print the measured numbers alone, as JSON: no verdicts, no findings, but in a fraction of the time"},
    {"--table", "", "", "a row for each file, as for folders"},
    {"--sort", "", "COLUMN",
     "order the table by time, ideal, efficiency, cause or cost, or by the JSON pointer of any number of the "
     "report (/bounds/serial_ns); the largest first; time if not given"},
    {"--ascending", "", "", "the smallest first"},
    {"--column", "", "POINTER",
     "one more column: the JSON pointer of a value of the report; may be given often"},
    {"--top", "", "N", "only the first N rows of the table"},
    {"--csv", "", "", "the table as CSV"},
    {"--json-lines", "", "", "the table as JSON, a line for each file"},
    {"--json", "", "",
     "print the report as JSON; an array if there are several files; the table as one value"},
};

/// What is judged as one: a file, or all of them.
using Files = std::vector<std::filesystem::path>;

std::string namesOf(const Files& files) {
    std::string names;
    for (const auto& file : files)
        names += (names.empty() ? "" : ", ") + file.string();
    return names;
}

/// Of the file, or of the slice of it.
io::RecordingData read(const Files& files, const TimeSlice& slice, const RunControl& control) {
    io::RecordingData data =
        files.size() == 1 ? io::readRecording(files.front(), control) : recording::readMerged(files, control);
    if (!slice.isEverything())
        data.trace = slicedTrace(data.trace, slice);
    return data;
}

/// What was judged last. It is not taken apart: the program ends, and the system has its memory back at once.
struct Kept {
    io::RecordingData data;
    std::shared_ptr<const LaneSet> lanes;
    recording::RecordingPtr recording;
};
Kept& emptied() {
    static Kept* const kept = new Kept;
    *kept = {};
    return *kept;
}

std::string numbersOf(const Files& files, const TimeSlice& slice, const RunControl& control) {
    const bool isWhole = files.size() == 1 && slice.isEverything();
    Kept& kept = emptied();
    kept.data = isWhole ? io::readForNumbers(files.front(), control) : read(files, slice, control);
    kept.lanes = lanesForNumbers(kept.data.trace);
    return io::numbersToJson(analysis::measuredNumbers({kept.data.trace, *kept.lanes}, control),
                             kept.data.trace, namesOf(files));
}

/// How each is judged.
struct AnalyzeOptions {
    TimeSlice slice;
    bool steadyState = false; ///< with the account, of large recordings too
};

recording::RecordingPtr open(const Files& files, const AnalyzeOptions& wanted, const RunControl& control) {
    io::RecordingData data = read(files, wanted.slice, control);
    const bool isWhole = wanted.slice.isEverything(), isOne = files.size() == 1;
    const std::string title = !isOne    ? recording::mergedTitle(data.trace)
                              : isWhole ? files.front().filename().string()
                                        : files.front().string();
    std::shared_ptr<const experiment::Experiment> planned;
    if (!isWhole) { // against a slice of what was planned every op outside would count as missing
        data.interventions.proofs.clear(); // they are of whole runs
        planned = std::exchange(data.experiment, nullptr);
    }
    auto recording = recording::makeRecording(std::move(data), title, false, control);
    if (!isWhole)
        recording->experiment = planned;
    if (isOne)
        recording->file = files.front();
    if (wanted.steadyState || recording->facts->deviceWork().size() <= kAccountUpTo)
        recording::addAccount(*recording, control);
    return recording;
}

/// Each file by itself, or all as one.
std::vector<Files> judgedFiles(const Arguments& arguments) {
    const auto& names = arguments.positional();
    std::vector<Files> judged;
    if (!arguments.has("--merge"))
        for (const std::string& name : names)
            judged.push_back({name});
    else if (names.size() > 1)
        judged.emplace_back(names.begin(), names.end());
    else
        throw Error(ErrorKind::Usage, "cannot-merge", "One recording alone cannot be merged.",
                    "Name two or more: those of the ranks of one run.");
    return judged;
}

constexpr std::string_view kAnalyzeText =
    "Of a folder, or with --table, it prints a row for each recording and trace: run time, ideal, "
    "efficiency, and "
    "the\n"
    "first cause of lost time with its cost. Files that cannot be judged are rows with a reason. Recordings "
    "of one\n"
    "program on one machine are held against each other: those far from the others are named, and how the "
    "number\n"
    "of --sort went on with time. All processors work, and memory holds a few files at once.";

int runAnalyze(const Arguments& arguments) {
    if (wantsSurvey(arguments))
        return runSurvey(arguments);
    const AnalyzeOptions wanted{TimeSlice::from(arguments), arguments.has("--steady")};
    const bool isNumbers = arguments.has("--numbers"), isJson = isNumbers || arguments.has("--json");
    const std::vector<Files> judged = judgedFiles(arguments);
    Printed text;
    std::string json;
    {
        const Console console;
        for (const Files& files : judged) {
            if (isNumbers) {
                json += (json.empty() ? "" : ",\n") + numbersOf(files, wanted.slice, console.control());
                continue;
            }
            Kept& kept = emptied();
            kept.recording = open(files, wanted, console.control());
            const recording::RecordingPtr& recording = kept.recording;
            if (isJson)
                json += (json.empty() ? "" : ",\n") + documentOf(*recording, namesOf(files)).text();
            else
                text << (text.empty() ? Literal("") : Literal("\n")) << reportText(*recording)
                     << proofsText(*recording);
        }
    }
    if (isJson)
        printJson(judged.size() > 1 ? "[\n" + json + "]\n" : json);
    else
        print(text);
    return 0;
}

} // namespace

extern const Command kAnalyzeCommand{
    "analyze",
    "FILE... [--merge] [--steady] [--from T] [--to T] [--numbers] [--json], or DIR... [--sort COLUMN] "
    "[--column POINTER]... [--top N] [--csv|--json-lines|--json]",
    "Judges recordings: what overlapped, what did not, and why.",
    kAnalyzeText,
    kAnalyzeOptions,
    1,
    1'000'000,
    runAnalyze};

} // namespace olab::cli
