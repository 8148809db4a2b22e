#include "trace_outcome.h"

#include "command.h"
#include "console.h"
#include "text_report.h"

#include <olab/io/recording_file.h>
#include <olab/recording/merged_recording.h>
#include <olab/run/runner.h>
#include <olab/trace/container.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <ranges>
#include <set>
#include <vector>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

/// One process that was recorded.
struct RecordedProcess {
    std::int64_t pid = 0;
    std::filesystem::path file;
    bool closed = false;             ///< by the program itself
    std::string ended;               ///< why recording ended before; empty: it did not
    std::set<std::string> yieldedTo; ///< tools that recorded instead for a while
};

std::string sizeText(std::uint64_t bytes) {
    constexpr std::pair<double, const char*> kUnits[] = {{1e9, " GB"}, {1e6, " MB"}, {1e3, " KB"}};
    const auto number = static_cast<double>(bytes);
    for (const auto& [unit, name] : kUnits)
        if (number >= unit)
            return fixedText(number / unit, 1) + name;
    return std::to_string(bytes) + " bytes";
}

std::string nameOf(const ProgramEnd& end) {
    const char* const name = end.signal > 0 ? ::sigabbrev_np(end.signal) : nullptr;
    return name ? "SIG" + std::string(name) : "signal " + std::to_string(end.signal);
}

/// Why a file has no end.
std::string whyOpen(const RecordedProcess& process, const ProgramEnd& end) {
    if (!process.ended.empty())
        return process.ended;
    if (process.pid == end.pid && end.signal > 0)
        return "the program was ended by " + nameOf(end);
    return "the program ended at once, without its orderly exit";
}

bool isThere(const std::vector<TraceStatus>& told, TraceEvent event) {
    return std::ranges::find(told, event, &TraceStatus::event) != told.end();
}

std::string textsOf(const std::vector<TraceStatus>& told, TraceEvent event) {
    std::set<std::string> texts;
    for (const TraceStatus& status : told)
        if (status.event == event)
            texts.insert(status.text);
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : ", ") + text;
    return all;
}

Printed whyNothing(const std::vector<TraceStatus>& told) {
    Printed text;
    if (isThere(told, TraceEvent::Failed))
        text << "Nothing was recorded. " << textsOf(told, TraceEvent::Failed);
    else if (isThere(told, TraceEvent::Ready))
        text << "Nothing was recorded: nobody switched it on.\n      While the program runs: olab trace --on "
                "PID; "
                "olab trace --list shows the numbers.";
    else if (isThere(told, TraceEvent::Other))
        text << "The program itself did not use CUDA; what it started did: "
             << textsOf(told, TraceEvent::Other) << ".\n      Add --children to record that.";
    else
        text << "Nothing was recorded: the program did not use CUDA.\n      If it does in a sandbox or a "
                "container of its own, start olab trace inside of it.";
    return text;
}

/// Of the judgement: what costs most, else that nothing is there to judge.
Printed firstLines(const recording::Recording& recording) {
    Printed text;
    const auto& report = recording.report;
    if (report.ledger && report.ledger->missing.empty())
        return text << report.ledger->headline;
    if (report.ledger)
        return text << "No account: " << report.ledger->missing;
    for (const analysis::Verdict& verdict : report.verdicts)
        if (verdict.known && !verdict.minor())
            text << (text.empty() ? Literal("") : Literal("\n      ")) << classLabel(verdict.a) << " | "
                 << classLabel(verdict.b) << ": " << analysis::verdictName(verdict.kind);
    if (text.empty())
        text << "No two kinds of device work could overlap in it.";
    return text;
}

void tellFile(const RecordedProcess& process, bool alone) {
    std::error_code failed;
    const auto bytes = fs::file_size(process.file, failed);
    Printed text("recorded into ");
    text << process.file.string() << " (" << (failed ? std::string("missing") : sizeText(bytes));
    if (!alone)
        text << ", process " << process.pid;
    text << ")";
    if (!process.ended.empty())
        text << "; recording ended before the program did: " << process.ended;
    for (const std::string& tool : process.yieldedTo)
        text << "\n      While " << tool
             << " recorded, nothing was recorded here: CUDA serves one of them at a time.";
    say(text);
}

std::vector<RecordedProcess> recordedProcesses(const std::vector<TraceStatus>& told) {
    std::vector<RecordedProcess> all;
    const auto processOf = [&all](std::int64_t pid) {
        return std::ranges::find(all.rbegin(), all.rend(), pid, &RecordedProcess::pid);
    };
    for (const TraceStatus& status : told) {
        if (status.event == TraceEvent::Recording) {
            all.push_back({status.pid, status.text, false, {}, {}});
            continue;
        }
        const auto process = processOf(status.pid);
        if (process == all.rend())
            continue;
        if (status.event == TraceEvent::Failed) {
            all.erase(std::next(process).base());
            continue;
        }
        process->closed |= status.event == TraceEvent::Finished;
        if (status.event == TraceEvent::Yielded)
            process->yieldedTo.insert(status.text);
        if (status.event == TraceEvent::Ended && process->ended.empty())
            process->ended = status.text;
    }
    return all;
}

} // namespace

void noteOpenEnds(const TraceRequest& request, const ProgramEnd& end) {
    for (const RecordedProcess& process : recordedProcesses(readStatus(request.status)))
        if (!process.closed)
            (void)endContainer(process.file, {DefectCode::OpenEnd, 1, 0, whyOpen(process, end), false});
}

void tellJudgement(const std::vector<fs::path>& files) {
    try {
        const Console console;
        const RunControl control = console.control();
        io::RecordingData data = files.size() == 1 ? io::readRecording(files.front(), control)
                                                   : recording::readMerged(files, control);
        const auto recording =
            recording::makeRecording(std::move(data), files.front().filename().string(), false, control);
        if (recording->facts->deviceWork().size() == 0)
            return say("No work of a device was recorded: no kernel, copy or memset.");
        if (recording->facts->deviceWork().size() <= kAccountUpTo)
            recording::addAccount(*recording, control);
        console.clearLine();
        say(Printed() << recording->facts->deviceWork().size() << " operations of the device. "
                      << firstLines(*recording));
    } catch (const Error& error) {
        say(run::RunnerError{error.kind(), error.code(), error.what(), error.hint()});
    }
}

void tellMore(const std::vector<fs::path>& files) {
    if (files.empty())
        return;
    constexpr std::size_t kMostNamed = 32;
    Printed text("more: olab analyze");
    if (files.size() > 1)
        text << " --merge";
    for (const fs::path& file : files | std::views::take(kMostNamed))
        text << " " << file.string();
    if (files.size() > kMostNamed)
        text << " ...";
    say(text);
}

std::string tellOutcome(const TraceRequest& request, const ProgramEnd& end, TraceTelling telling) {
    const std::vector<TraceStatus> told = readStatus(request.status);
    std::vector<RecordedProcess> recorded = recordedProcesses(told);
    std::erase_if(recorded, [](const auto& process) { // it ended before there was one
        std::error_code failed;
        return !fs::exists(process.file, failed);
    });
    std::ranges::stable_partition(recorded, [&end](const auto& process) { return process.pid == end.pid; });
    if (recorded.empty()) {
        const Printed why = whyNothing(told);
        say(why);
        return why.text();
    }
    if (isThere(told, TraceEvent::Failed))
        say(Printed("not all was recorded. ") << textsOf(told, TraceEvent::Failed));
    if (telling == TraceTelling::Trouble)
        return {};
    for (const RecordedProcess& process : recorded)
        tellFile(process, recorded.size() == 1);
    std::vector<fs::path> files;
    for (const RecordedProcess& process : recorded)
        files.push_back(process.file);
    if (telling == TraceTelling::All)
        tellJudgement(files);
    tellMore(files);
    return {};
}

} // namespace olab::cli
