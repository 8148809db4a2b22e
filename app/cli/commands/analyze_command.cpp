#include "command.h"

#include "console.h"
#include "paged_json.h"
#include "proofs.h"
#include "survey_files.h"
#include "text_report.h"
#include "time_slice.h"
#include <olab/analysis/analyze.h>
#include <olab/assertion/assertion.h>
#include <olab/experiment/held_experiment.h>
#include <olab/io/recording_file.h>
#include <olab/io/report_json.h>
#include <olab/recording/merged_recording.h>
#include <olab/trace/lanes_of.h>

#include <nlohmann/json.hpp>
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
     "order the table by time, ideal, efficiency, cause, cost, lost, verdict, pair, overlap, hidden or "
     "defects, or by the JSON pointer of any number of the report (/bounds/serial_ns); the largest first; "
     "time if not given"},
    {"--ascending", "", "", "the smallest first"},
    {"--column", "", "COLUMN",
     "one more column: one of these names, or the JSON pointer of a value of the report; may be given often"},
    {"--top", "", "N",
     "only the first N rows of the table; with --json of a file, the first N elements of every array"},
    {"--select", "", "POINTER",
     "with --json: only the part of the report that this JSON pointer names (/ledger/causes)"},
    {"--skip", "", "N", "with --select: without the first N elements of that array"},
    {"--waits", "", "",
     "print what waited, how long and for what, as JSON, the longest first; of a part with --from and --to"},
    {"--why", "", "",
     "print, for who maintains the rules, what the account rests on: for the first causes the constraints "
     "that they take out and what else kept the same operation, the constraints that the recording breaks, "
     "and the latencies that were learned"},
    {"--assert", "", "EXPR", "fail with exit code 1 unless it holds of every file; may be given often"},
    {"--csv", "", "", "the table as CSV"},
    {"--json-lines", "", "", "the table as JSON, a line for each file"},
    {"--json", "", "",
     "print the report as JSON; an array if there are several files; the table as one value"},
};

/// So many waits are asked for by somebody who reads them.
constexpr std::size_t kSentencesUpTo = 1000;

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

bool isJsonWanted(const Arguments& arguments) {
    return arguments.has("--json") || arguments.has("--numbers") || arguments.has("--waits");
}

[[noreturn]] void refuseAnalysis(const std::string& message, const std::string& hint) {
    throw Error(ErrorKind::Usage, "bad-option", message, hint);
}

/// Before any file is read.
void checkAnalyzeOptions(const Arguments& arguments) {
    const bool isPaged = arguments.has("--select") || arguments.has("--skip");
    if (isPaged && !isJsonWanted(arguments))
        refuseAnalysis("--select and --skip are for a report as JSON.", "Add --json.");
    if (arguments.has("--waits") && (arguments.has("--numbers") || arguments.has("--select")))
        refuseAnalysis("--waits is a document of its own, without --numbers and --select.",
                       "Leave one of them out.");
    if (arguments.has("--why") && isJsonWanted(arguments))
        refuseAnalysis("--why is text for people.", "Leave out --json, --numbers and --waits.");
    if (arguments.has("--waits") && arguments.has("--merge"))
        refuseAnalysis("--waits is of single recordings.", "Leave out --merge.");
    if (arguments.has("--assert") && (arguments.has("--numbers") || arguments.has("--waits")))
        refuseAnalysis("--assert needs the whole report.", "Leave out --numbers and --waits.");
    for (const std::string& expression : arguments.values("--assert"))
        assertion::checkAssertion({analysis::Report{}, io::ReportDocument{}}, expression);
    PageWish::from(arguments);
}

/// As it was asked for: whole, or a page of it.
std::string paged(const Arguments& arguments, std::string document) {
    return PageWish::isIn(arguments) ? reportPage(document, PageWish::from(arguments)) : document;
}

std::string waitsDocument(const Arguments& arguments, const Files& files, const RunControl& control) {
    Kept& kept = emptied();
    kept.recording = open(files, {TimeSlice{}, arguments.has("--steady")}, control);
    const PageWish page = PageWish::from(arguments);
    const WaitsWish wish{TimeSlice::from(arguments), page.skip, page.top, {}, page.top <= kSentencesUpTo};
    return writtenJson(waitsOf(*kept.recording, wish), 2) + "\n";
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
    "first cause with what it costs. Files that cannot be judged are rows with a reason. Recordings "
    "of one\n"
    "program on one machine are held against each other: those far from the others are named, and how the "
    "number\n"
    "of --sort went on with time. All processors work, and memory holds a few files at once.";

/// What is printed of all files, and whether what was asserted holds.
class Answer {
public:
    explicit Answer(const Arguments& arguments)
        : m_arguments(arguments)
        , m_wanted{TimeSlice::from(arguments), arguments.has("--steady")} {}

    void add(const Files& files, const RunControl& control) {
        if (m_arguments.has("--numbers"))
            return addJson(paged(m_arguments, numbersOf(files, m_wanted.slice, control)));
        if (m_arguments.has("--waits"))
            return addJson(waitsDocument(m_arguments, files, control));
        Kept& kept = emptied();
        kept.recording = open(files, m_wanted, control);
        const recording::RecordingPtr& recording = kept.recording;
        if (m_arguments.has("--assert"))
            judge(*recording, namesOf(files));
        if (m_arguments.has("--json"))
            addJson(paged(m_arguments, documentOf(*recording, namesOf(files)).text()));
        else if (m_arguments.has("--why"))
            addWhy(*recording, control);
        else
            m_text << (m_text.empty() ? Literal("") : Literal("\n")) << reportText(*recording)
                   << proofsText(*recording);
    }
    void deliver(bool isSeveral) const {
        for (const std::string& said : m_said)
            say(said);
        if (isJsonWanted(m_arguments))
            printJson(isSeveral ? "[\n" + m_json + "]\n" : m_json);
        else
            print(m_text);
    }
    bool allHold() const { return m_allHold; }

private:
    void judge(const recording::Recording& recording, const std::string& names) {
        const io::ReportDocument document = documentOf(recording, names);
        for (const std::string& expression : m_arguments.values("--assert")) {
            const assertion::AssertionResult result =
                assertion::checkAssertion({recording.report, document, recording.facts.get()}, expression);
            m_said.push_back(m_arguments.positional().size() > 1 ? names + ": " + result.text : result.text);
            m_allHold = m_allHold && result.passed;
        }
    }
    void addWhy(const recording::Recording& recording, const RunControl& control) {
        for (const std::string& line : recording::whyLines(recording, control))
            m_text << line << Literal("\n");
    }
    void addJson(const std::string& document) { m_json += (m_json.empty() ? "" : ",\n") + document; }
    const Arguments& m_arguments;
    AnalyzeOptions m_wanted;
    Printed m_text;
    std::string m_json;
    std::vector<std::string> m_said; ///< of each assertion
    bool m_allHold = true;
};

int runAnalyze(const Arguments& arguments) {
    if (wantsSurvey(arguments))
        return runSurvey(arguments);
    checkAnalyzeOptions(arguments);
    const std::vector<Files> judged = judgedFiles(arguments);
    Answer answer(arguments);
    {
        const Console console;
        for (const Files& files : judged)
            answer.add(files, console.control());
    }
    answer.deliver(judged.size() > 1);
    return answer.allHold() ? 0 : 1;
}

} // namespace

extern const Command kAnalyzeCommand{
    "analyze",
    "FILE... [--merge] [--steady] [--from T] [--to T] [--numbers|--waits|--why] [--json [--select POINTER] "
    "[--skip N] [--top N]] [--assert EXPR]..., or DIR... [--sort COLUMN] [--column POINTER]... [--top N] "
    "[--csv|--json-lines|--json]",
    "Judges recordings: what overlapped, what did not, and why.",
    kAnalyzeText,
    kAnalyzeOptions,
    1,
    1'000'000,
    runAnalyze};

} // namespace olab::cli
