#include "arguments.h"
#include "command.h"
#include "console.h"
#include "early_report.h"
#include "engines.h"
#include "launcher.h"
#include "like_run.h"
#include "printed.h"
#include "proofs.h"
#include "text_report.h"

#include <olab/analysis/race.h>
#include <olab/assertion/assertion.h>
#include <olab/intervention/prove.h>
#include <olab/io/report_json.h>
#include <olab/recording/experiment_job.h>
#include <olab/recording/recording.h>
#include <olab/run/runner.h>
#include <olab/trace/output_file.h>
#include <olab/trace/temporary_folder.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

namespace olab::cli {
namespace {

/// What `olab run` keeps: -o OUT.olab. Whether it can be written is known before the run; when it fails after
/// all, the run is still told and judged, and the exit code says so.
class KeptRecording {
public:
    /// @throws Error for what cannot be written, before anything runs
    explicit KeptRecording(const Arguments& arguments);
    /// Writes it, if that was asked for. What goes wrong is kept for finish().
    void save(const recording::Recording& recording, const RunControl& control);
    /// The file it was written to; empty: none.
    const std::filesystem::path& savedTo() const { return m_savedTo; }
    /// The report: to standard output, unless the recording went there.
    void printReport(const Printed& report) const;
    /// Last of all: says what went wrong. @returns the exit code; a worse one stays
    int finish(int exitCode) const;

private:
    std::filesystem::path m_file; ///< empty: nothing is kept
    std::filesystem::path m_savedTo;
    bool m_toStandardOutput = false;
    std::optional<Error> m_failed;
};

KeptRecording::KeptRecording(const Arguments& arguments)
    : m_file(arguments.value("--output")) {
    if (!arguments.has("--output"))
        return;
    checkWritable(m_file);
    m_toStandardOutput = isStandardOutput(m_file);
    if (m_toStandardOutput && arguments.has("--json"))
        throw Error(ErrorKind::Usage, "one-output",
                    "The recording and the report cannot both go to standard output.",
                    "Leave out --json, or name a file after -o.");
    if (m_toStandardOutput && ::isatty(STDOUT_FILENO) == 1)
        throw Error(ErrorKind::Usage, "terminal", "A recording is not written to a terminal.",
                    "Name a file after -o, or send standard output somewhere else.");
}

void KeptRecording::save(const recording::Recording& recording, const RunControl& control) {
    if (m_file.empty())
        return;
    try {
        recording::saveRecording(recording, m_file, control);
        m_savedTo = m_file;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
        m_failed = error;
    }
}

void KeptRecording::printReport(const Printed& report) const {
    if (!m_toStandardOutput)
        return print(report);
    const std::string& text = report.text();
    std::fwrite(text.data(), 1, text.size(), stderr);
}

int KeptRecording::finish(int exitCode) const {
    if (!m_failed)
        return exitCode;
    say(run::RunnerError{m_failed->kind(), m_failed->code(), m_failed->what(), m_failed->hint()});
    return exitCode != 0 ? exitCode : m_failed->exitCode();
}

namespace fs = std::filesystem;

constexpr OptionSpec kRunOptions[] = {
    {"--set", "", "KEY=VALUE", "change one option; may be given often ('olab options' lists them)"},
    {"--like", "", "TRACE",
     "run the work of a recording again, of any tool: as it was, and with the options that are set"},
    {"--from", "", "T", "of --like: only what touches the time from T on (2ms, 350us)"},
    {"--to", "", "T", "... and before T"},
    {"--backend", "", "auto|cuda|sim", "auto (default): the GPU, or the simulator where there is none"},
    kOnOption,
    kLauncherOption,
    kPartitionOption,
    kAccountOption,
    kGpusOption,
    {"--output", "-o", "OUT.olab", "keep the recording"},
    {"--json", "", "", "print the report as JSON"},
    {"--assert", "", "EXPR", "fail with exit code 1 unless it holds; may be given often"},
    {"--prove", "", "ID,...",
     "prove the findings: run them with and without the change they offer, in interleaved pairs of runs, and "
     "say what it did",
     true},
    {"--pairs", "", "N", "of runs for each proof (6, the fewest for an interval of 95 %)"},
    {"--controls", "", "", "first run a pair that must overlap and one that must not"},
    {"--keep-raw", "", "FILE", "also keep the raw CUPTI buffers of the run that is reported"},
};

constexpr std::string_view kRunText =
    "Without a preset or a file it runs the defaults. EXPR is overlap(a,b)>=0.8, hidden(a,b)>=0.9,\n"
    "blocked(a,b)<=50us, verdict(a,b)==overlapped, finding(id)==0, raced()==0, count(class)>=1,\n"
    "waited(class)<=1ms or a JSON pointer into the report (/bounds/efficiency>=0.9); what is inconclusive\n"
    "or missing never passes. Shares above 1 need their %: overlap(a,b)>=80%. On the simulator --assert "
    "needs\n"
    "an explicit --backend sim; with --like a recording that lost records nothing passes.\n"
    "\n"
    "Whether the recording can be written is checked before anything runs; if writing still fails, the "
    "report "
    "is\n"
    "still printed and judged, and the exit code is 2 unless it is another one already. A link stays one, "
    "mode and\n"
    "owner of a replaced file stay, a read-only file is not replaced. -o /dev/stdout takes the recording "
    "there and\n"
    "the report to standard error.\n"
    "\n"
    "--like makes an experiment of what a GPU did in a recording, whichever tool made it: sizes, streams, "
    "order,\n"
    "memory, kernels as long and as large as they were, events and waits of the host. It says how well a run "
    "of it\n"
    "does what was recorded, then what the options that are set bring: --like trace.json --set "
    "h2d.memory=pinned.\n"
    "What the recording does not say is listed, with the option that changes it.\n"
    "\n"
    "--prove runs the experiment as it is and with the change that a finding offers, in interleaved pairs, "
    "at least six "
    "times\n"
    "each in fresh processes. Makespans come from untraced runs, waits and overlap from traced ones. A "
    "finding is\n"
    "confirmed when the run changes as predicted beyond what runs differ by, and its wait falls by more than "
    "half;\n"
    "refuted when the wait stays, or goes and brings nothing of what was predicted. Intervals are exact ones "
    "of 95 %\n"
    "or more for the median change, whatever the spread looks like. A run that raced proves nothing. Where a "
    "control\n"
    "of --controls fails every verdict is inconclusive.\n"
    "\n"
    "--on HOST runs on another machine: through ssh as you have set it up (~/.ssh/config, keys, agent), in "
    "child\n"
    "processes that end with the connection. The recording comes back; its environment names the host. That\n"
    "machine must have a GPU; with --backend sim it simulates, which says nothing about its hardware.\n"
    "\n"
    "--launcher slurm runs all of it in one job step (srun) on one node, --launcher 'CMD {}' by your own "
    "command. Files\n"
    "are read and written there, in a folder that the nodes share.";

/// Refuses what cannot be read now, not after a long run.
void checkAssertions(const Arguments& arguments) {
    for (const std::string& expression : arguments.values("--assert"))
        assertion::checkAssertion({analysis::Report{}, io::ReportDocument{}}, expression);
}

/// A script that asked for one value, a judgement or a file gets it when all is known.
bool wantsEarly(const Arguments& arguments) {
    return !arguments.has("--json") && !arguments.has("--assert") && !arguments.has("--output") &&
           !arguments.has("--controls");
}

void checkLike(const Arguments& arguments) {
    if (LikeRun::isWanted(arguments) && !arguments.positional().empty())
        throw Error(ErrorKind::Usage, "two-experiments",
                    "--like makes the experiment of a recording, and '" + arguments.positional().front() +
                        "' names another one.",
                    "Leave out one of the two.");
    if (!LikeRun::isWanted(arguments) && (arguments.has("--from") || arguments.has("--to")))
        throw Error(ErrorKind::Usage, "no-trace", "--from and --to choose a part of the recording of --like.",
                    "Add --like TRACE.");
}

/// What is run, in this order: the controls, the experiment, the proofs of its findings.
class Measurement {
public:
    Measurement(const Arguments& arguments, const fs::path& raw, const RunControl& control)
        : m_arguments(arguments)
        , m_control(control)
        , m_like(LikeRun::isWanted(arguments) ? std::make_unique<LikeRun>(arguments, control) : nullptr)
        , m_experiment(m_like ? experiment::HeldExperiment(m_like->experiment())
                              : experimentOf(arguments, control))
        , m_engines(arguments, m_experiment, raw, control) {
        if (!raw.empty() && !m_engines.inChildren())
            throw Error(ErrorKind::Usage, "no-raw", "The simulator has no CUPTI buffers to keep.",
                        "Leave out --keep-raw, or run on a GPU.");
    }

    /// Null: no recording was given to be like. Made by execute().
    std::unique_ptr<LikeRun> takeLike() { return std::move(m_like); }

    recording::RecordingPtr execute(EarlyReport& early) {
        std::optional<comparison::Controls> controls;
        if (m_arguments.has("--controls"))
            controls = intervention::runControls(m_experiment, m_engines.traced(), m_control);
        recording::RecordingPtr recording = recording::runExperiment(
            m_experiment, m_engines.pair(), m_like ? m_like->title() : titleOf(m_arguments), m_control,
            early.hooks());
        if (controls)
            recording = intervention::withControls(*recording, std::move(*controls), m_control);
        if (m_arguments.has("--prove"))
            recording = proved(m_arguments, recording, m_engines, m_control);
        if (m_like)
            m_like->compare(recording, m_engines, m_control);
        m_engines.settle(m_control);
        return recording;
    }

private:
    const Arguments& m_arguments;
    const RunControl& m_control;
    std::unique_ptr<LikeRun> m_like;
    experiment::HeldExperiment m_experiment;
    Engines m_engines;
};

/// Each traced run keeps its buffers in a file of its own, raw.1, raw.2, ...: that of the one that is
/// reported is wanted.
recording::RecordingPtr runKeepingRaw(const Arguments& arguments, const RunControl& control,
                                      EarlyReport& early, std::unique_ptr<LikeRun>& like) {
    const fs::path wanted = arguments.value("--keep-raw");
    checkWritable(wanted);
    const TemporaryFolder folder;
    const fs::path raw = folder.path() / "raw";
    Measurement measurement(arguments, raw, control);
    recording::RecordingPtr recording = measurement.execute(early);
    like = measurement.takeLike();
    copyFile(raw.string() + "." + std::to_string(recording->tracedRun), wanted, control);
    return recording;
}

recording::RecordingPtr measure(const Arguments& arguments, const RunControl& control, EarlyReport& early,
                                std::unique_ptr<LikeRun>& like) {
    checkLike(arguments);
    checkAssertions(arguments);
    checkProofs(arguments);
    if (arguments.has("--keep-raw"))
        return runKeepingRaw(arguments, control, early, like);
    Measurement measurement(arguments, {}, control);
    recording::RecordingPtr recording = measurement.execute(early);
    like = measurement.takeLike();
    return recording;
}

/// `lost`: why the work that is run is not all that was recorded; empty: it is.
int judge(const Arguments& arguments, const recording::Recording& recording,
          const io::ReportDocument& document, const std::string& lost) {
    bool allHold = true;
    for (const std::string& expression : arguments.values("--assert")) {
        assertion::AssertionResult result =
            assertion::checkAssertion({recording.report, document, recording.facts.get()}, expression);
        if (!lost.empty())
            result = {false, expression + ": cannot be judged, " + lost, false};
        say(result.text);
        allHold = allHold && result.passed;
    }
    return allHold ? 0 : 1;
}

void deliver(const Arguments& arguments, const KeptRecording& kept, const recording::Recording& recording,
             const io::ReportDocument& document, const EarlyReport& early, const Printed& like) {
    if (early.shown())
        print(early.lateText(recording.report) << proofsText(recording) << like);
    else if (arguments.has("--json"))
        printJson(document.text());
    else
        kept.printReport(reportText(recording) << proofsText(recording) << like);
}

/// The run went well, what came behind it did not: nothing is lost, but the exit code says so.
[[noreturn]] void deliverWithoutEffect(const Arguments& arguments, KeptRecording& kept,
                                       const EarlyReport& early, const Error& error) {
    const recording::Recording& recording = *early.known();
    kept.save(recording, {});
    deliver(arguments, kept, recording, documentOf(recording, kept.savedTo()), early, {});
    (void)kept.finish(error.exitCode());
    throw Error(error.kind(), error.code(), std::string("The tool effect was not measured: ") + error.what(),
                error.hint());
}

int runRun(const Arguments& arguments) {
    if (arguments.has("--launcher"))
        return runLaunched("run", arguments);
    (void)slurmOptions(arguments); // refuses what needs --launcher
    KeptRecording kept(arguments);
    recording::RecordingPtr recording;
    std::unique_ptr<LikeRun> like;
    std::optional<Console> console(std::in_place); // first: Ctrl+C is an orderly cancel from here on
    EarlyReport early(wantsEarly(arguments), [&console](const Printed& text) {
        console->clearLine();
        print(text);
    });
    try {
        recording = measure(arguments, console->control(), early, like);
        kept.save(*recording, console->control());
    } catch (const Error& error) {
        console->clearLine();
        if (!early.known() || error.kind() == ErrorKind::Cancelled || error.kind() == ErrorKind::Usage)
            throw;
        deliverWithoutEffect(arguments, kept, early, error);
    }
    console.reset();
    io::ReportDocument document = documentOf(*recording, kept.savedTo());
    if (like)
        like->addResult(document);
    deliver(arguments, kept, *recording, document, early, like ? like->text() : Printed());
    const int judged = judge(arguments, *recording, document, like ? like->lossReason() : "");
    if (!recording->raceText().empty())
        say(Printed() << recording->raceText() << " " << analysis::kRaceHint);
    const bool proofFailed = std::ranges::any_of(recording->proofs, &comparison::Proof::failed);
    if (proofFailed)
        say("A run of a proof failed: what it was to prove is open.");
    const bool failed = proofFailed || !recording->raceText().empty();
    return kept.finish(failed ? static_cast<int>(ErrorKind::DeviceFailed) : judged);
}

} // namespace

extern const Command kRunCommand{"run",
                                 "[PRESET or FILE.json] [--like TRACE] [--set KEY=VALUE]... [--on HOST] "
                                 "[--launcher L] [--prove] [--controls] [-o "
                                 "OUT.olab] [--json] [--assert EXPR]...",
                                 "Runs one experiment and says what overlapped.",
                                 kRunText,
                                 kRunOptions,
                                 0,
                                 1,
                                 runRun};

} // namespace olab::cli
