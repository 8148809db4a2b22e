#include "command.h"
#include "console.h"
#include "early_report.h"
#include "kept_recording.h"
#include "text_report.h"

#include <olab/analysis/race.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>
#include <olab/experiment/schedule.h>
#include <olab/io/assertion.h>
#include <olab/io/report_json.h>
#include <olab/run/child_backend.h>
#include <olab/run/experiment_job.h>
#include <olab/run/programs.h>
#include <olab/run/temporary_folder.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/input_file.h>
#include <olab/trace/output_file.h>

#include <filesystem>
#include <optional>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

constexpr OptionSpec kOptions[] = {
    {"--set", "", "KEY=VALUE", "change one option; may be given often ('olab options' lists them)"},
    {"--backend", "", "auto|cuda|sim", "auto (default): the GPU, or the simulator where there is none"},
    {"--output", "-o", "OUT.olab", "keep the recording"},
    {"--json", "", "", "print the report as JSON"},
    {"--assert", "", "EXPR", "fail with exit code 1 unless it holds; may be given often"},
    {"--keep-raw", "", "FILE", "also keep the raw CUPTI buffers of the run that is reported"},
};

constexpr std::string_view kText =
    "Without a preset or a file it runs the defaults. EXPR is overlap(a,b)>=0.8, hidden(a,b)>=0.9,\n"
    "blocked(a,b)<=50us, verdict(a,b)==overlapped, finding(id)==0, raced()==0, count(class)>=1,\n"
    "waited(class)<=1ms or a JSON pointer into the report (/bounds/efficiency>=0.9); what is inconclusive\n"
    "or missing never passes. On the simulator --assert needs an explicit --backend sim.\n"
    "\n"
    "Whether the recording can be written is told before anything runs; if it fails all the same, the report "
    "is\n"
    "still printed and judged, and the exit code is 2 unless it is another one already. A link stays one, "
    "mode and\n"
    "owner of a replaced file stay, a read-only file is not replaced. -o /dev/stdout takes the recording "
    "there and\n"
    "the report to standard error.";

Experiment startingPoint(const Arguments& arguments, const RunControl& control) {
    if (arguments.positional().empty())
        return {};
    const std::string& name = arguments.positional().front();
    if (const Preset* preset = findPreset(name))
        return preset->experiment;
    std::error_code ignored;
    if (fs::exists(name, ignored)) // also a pipe: <(...)
        return experimentFromJson(readTextFile(name, control));
    throw Error(ErrorKind::Usage, "bad-preset", "'" + name + "' is neither a preset nor a file.",
                "'olab presets' lists the presets; a file holds a JSON object of option keys.");
}

Experiment experimentOf(const Arguments& arguments, const RunControl& control) {
    Experiment experiment = startingPoint(arguments, control);
    for (const std::string& assignment : arguments.values("--set"))
        setOption(experiment, assignment);
    plan(experiment, 2); // refuses what cannot be before anything starts; the number of devices is seen then
    return experiment;
}

/// Refuses what cannot be read now, not after a long run.
void checkAssertions(const Arguments& arguments) {
    for (const std::string& expression : arguments.values("--assert"))
        checkAssertion({Report{}, "{}"}, expression);
}

fs::path engineProgram() {
    const fs::path self = ownProgram();
    return self.empty() ? findOlab() : self;
}

/// What only the simulator can play must not be measured by mistake. @throws Error
void refuseOnGpu(const std::vector<std::string>& simulated) {
    if (!simulated.empty())
        throw Error(ErrorKind::Usage, "simulator-only", simulated.front() + " exists only in the simulator.",
                    "Add --backend sim, or leave " + simulated.front() + " out.");
}

void refuseAssertions(const Arguments& arguments) {
    if (arguments.has("--assert"))
        throw Error(ErrorKind::Usage, "assert-on-simulator",
                    "An assertion about a simulated run must be asked for.",
                    "Add --backend sim, or run on a machine with a GPU.");
}

/// True: the GPU; false: the simulator. @throws Error
bool useCuda(const Arguments& arguments, const Experiment& experiment, const RunControl& control) {
    const std::string wanted = arguments.has("--backend") ? arguments.value("--backend") : "auto";
    if (wanted == "sim")
        return false;
    if (wanted != "auto" && wanted != "cuda")
        throw Error(ErrorKind::Usage, "bad-backend", "There is no backend '" + wanted + "'.",
                    "The backends are auto, cuda and sim.");
    const std::vector<std::string> simulated = simulatorOnly(experiment);
    if (wanted == "cuda")
        refuseOnGpu(simulated);
    if (!simulated.empty()) {
        say(Printed() << "This is SIMULATED: " << simulated.front() << " exists only in the simulator.");
        refuseAssertions(arguments);
        return false;
    }
    const EngineProbe probe = probeEngine(engineProgram(), control);
    if (probe.usable)
        return true;
    if (wanted == "cuda")
        throw Error(ErrorKind::NoDevice, "no-device", "No GPU can be used: " + probe.why, probe.hint);
    say(Printed() << "No GPU can be used, so this is SIMULATED: " << probe.why);
    refuseAssertions(arguments);
    return false;
}

std::string titleOf(const Arguments& arguments) {
    return arguments.positional().empty() ? "defaults"
                                          : fs::path(arguments.positional().front()).filename().string();
}

/// Not for people: the simulator in child processes, so that all that lies between them and the report can be
/// tried where there is no GPU.
bool simulatesInChildren(const Arguments& arguments) {
    return arguments.has("--backend") && arguments.value("--backend") == "sim-engine";
}

/// A script that asked for one value, a judgement or a file gets it when all is known.
bool wantsEarly(const Arguments& arguments) {
    return !arguments.has("--json") && !arguments.has("--assert") && !arguments.has("--output");
}

RecordingPtr runInChildren(const Experiment& experiment, const Arguments& arguments, const fs::path& raw,
                           const RunControl& control, EarlyReport& early) {
    ChildConfig config;
    config.program = engineProgram();
    if (simulatesInChildren(arguments))
        config.extraArguments = {"--sim"};
    config.kind = ChildKind::Plain;
    config.departure = makeDeparture();
    ChildBackend plain(config);
    config.kind = ChildKind::Traced;
    config.rawCuptiFile = raw;
    ChildBackend traced(config);
    RecordingPtr recording =
        runExperiment(experiment, {&traced, &plain}, titleOf(arguments), control, early.hooks());
    traced.settle(control); // what is measured next, perhaps by the next command, is not disturbed
    return recording;
}

RecordingPtr runOnSimulator(const Experiment& experiment, const Arguments& arguments,
                            const RunControl& control, EarlyReport& early) {
    SimBackend simulator;
    return runExperiment(experiment, {&simulator, nullptr}, titleOf(arguments), control, early.hooks());
}

/// Each traced run keeps its buffers in a file of its own, raw.1, raw.2, ...: that of the one that is
/// reported is wanted.
RecordingPtr runKeepingRaw(const Experiment& experiment, const Arguments& arguments,
                           const RunControl& control, EarlyReport& early) {
    const fs::path wanted = arguments.value("--keep-raw");
    checkWritable(wanted);
    const TemporaryFolder folder;
    const fs::path raw = folder.path() / "raw";
    RecordingPtr recording = runInChildren(experiment, arguments, raw, control, early);
    copyFile(raw.string() + "." + std::to_string(recording->tracedRun), wanted, control);
    return recording;
}

RecordingPtr measure(const Arguments& arguments, const RunControl& control, EarlyReport& early) {
    const Experiment experiment = experimentOf(arguments, control);
    checkAssertions(arguments);
    const bool keepsRaw = arguments.has("--keep-raw");
    if (simulatesInChildren(arguments) || useCuda(arguments, experiment, control))
        return keepsRaw ? runKeepingRaw(experiment, arguments, control, early)
                        : runInChildren(experiment, arguments, {}, control, early);
    if (keepsRaw)
        throw Error(ErrorKind::Usage, "no-raw", "The simulator has no CUPTI buffers to keep.",
                    "Leave out --keep-raw, or run on a GPU.");
    return runOnSimulator(experiment, arguments, control, early);
}

int judge(const Arguments& arguments, const Recording& recording, const std::string& json) {
    bool allHold = true;
    for (const std::string& expression : arguments.values("--assert")) {
        const AssertionResult result =
            checkAssertion({recording.report, json, recording.facts.get()}, expression);
        say(result.text);
        allHold = allHold && result.passed;
    }
    return allHold ? 0 : 1;
}

void deliver(const Arguments& arguments, const KeptRecording& kept, const Recording& recording,
             const std::string& json, const EarlyReport& early) {
    if (early.shown())
        print(early.lateText(recording.report));
    else if (arguments.has("--json"))
        printJson(json);
    else
        kept.printReport(reportText(recording));
}

/// The run went well, what came behind it did not: nothing is lost, but the exit code says so.
[[noreturn]] void deliverWithoutEffect(const Arguments& arguments, KeptRecording& kept,
                                       const EarlyReport& early, const Error& error) {
    const Recording& recording = *early.known();
    kept.save(recording, {});
    deliver(arguments, kept, recording, reportJsonOf(recording, kept.savedTo()), early);
    (void)kept.finish(error.exitCode());
    throw Error(error.kind(), error.code(), std::string("The tool effect was not measured: ") + error.what(),
                error.hint());
}

int run(const Arguments& arguments) {
    KeptRecording kept(arguments);
    RecordingPtr recording;
    std::optional<Console> console(std::in_place); // first: Ctrl+C is an orderly cancel from here on
    EarlyReport early(wantsEarly(arguments), [&console](const Printed& text) {
        console->clearLine();
        print(text);
    });
    try {
        recording = measure(arguments, console->control(), early);
        kept.save(*recording, console->control());
    } catch (const Error& error) {
        console->clearLine();
        if (!early.known() || error.kind() == ErrorKind::Cancelled || error.kind() == ErrorKind::Usage)
            throw;
        deliverWithoutEffect(arguments, kept, early, error);
    }
    console.reset();
    const std::string json = reportJsonOf(*recording, kept.savedTo());
    deliver(arguments, kept, *recording, json, early);
    const int judged = judge(arguments, *recording, json);
    if (recording->raceText().empty())
        return kept.finish(judged);
    say(Printed() << recording->raceText() << " " << kRaceHint);
    return kept.finish(static_cast<int>(ErrorKind::DeviceFailed));
}

} // namespace

extern const Command kRunCommand{
    "run",
    "[PRESET or FILE.json] [--set KEY=VALUE]... [-o OUT.olab] [--json] [--assert EXPR]...",
    "Runs one experiment and says what overlapped.",
    kText,
    kOptions,
    0,
    1,
    run};

} // namespace olab::cli
