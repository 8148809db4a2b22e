#include "command.h"
#include "console.h"
#include "text_report.h"

#include <olab/analysis/race.h>
#include <olab/experiment/presets.h>
#include <olab/experiment/schedule.h>
#include <olab/io/report_json.h>
#include <olab/run/child_backend.h>
#include <olab/run/experiment_job.h>
#include <olab/sim/sim_backend.h>

#include <filesystem>
#include <fstream>
#include <sstream>

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
    "blocked(a,b)<=50us, finding(id)==0 or a JSON pointer into the report (/bounds/efficiency>=0.9); what "
    "is\n"
    "inconclusive or missing never passes. On the simulator --assert needs an explicit --backend sim.";

std::string textOfFile(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf()))
        throw Error(ErrorKind::Usage, "cannot-read", "Cannot read " + path.string() + ".",
                    "Check the name and that you may read it.");
    return text.str();
}

Experiment startingPoint(const Arguments& arguments) {
    if (arguments.positional().empty())
        return {};
    const std::string& name = arguments.positional().front();
    if (const Preset* preset = findPreset(name))
        return preset->experiment;
    std::error_code ignored;
    if (fs::is_regular_file(name, ignored))
        return experimentFromJson(textOfFile(name));
    throw Error(ErrorKind::Usage, "bad-preset", "'" + name + "' is neither a preset nor a file.",
                "'olab presets' lists the presets; a file holds a JSON object of option keys.");
}

Experiment experimentOf(const Arguments& arguments) {
    Experiment experiment = startingPoint(arguments);
    for (const std::string& assignment : arguments.values("--set"))
        setOption(experiment, assignment);
    plan(experiment, 2); // refuses what cannot be before anything starts; the number of devices is seen then
    return experiment;
}

/// Refuses what cannot be read now, not after a long run.
void checkAssertions(const Arguments& arguments) {
    for (const std::string& expression : arguments.values("--assert"))
        checkAssertion(Report{}, "{}", expression);
}

fs::path ownProgram() {
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    return failed ? findOlab() : self;
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
    const EngineProbe probe = probeEngine(ownProgram(), control);
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

/// What a person at a terminal reads first: the report of the run, while the tool effect is still measured. A
/// script that asked for one value (--json), a judgement or a file gets it when all is known.
class EarlyReport {
public:
    EarlyReport(const Arguments& arguments, const Console& console)
        : m_wanted(!arguments.has("--json") && !arguments.has("--assert") && !arguments.has("--output"))
        , m_console(console) {}
    ExperimentHooks hooks() {
        return {[this](RecordingPtr recording) { m_latest = std::move(recording); },
                [this] {
                    m_known = m_latest;
                    show();
                },
                nullptr,
                {}};
    }
    const RecordingPtr& known() const { return m_known; } ///< all but the tool effect; null: more is missing
    bool shown() const { return m_shown; }

private:
    void show() {
        if (!m_wanted)
            return;
        m_console.clearLine();
        print(reportText(*m_known) << "\ntool effect: being measured\n");
        m_shown = true;
    }
    bool m_wanted, m_shown = false;
    const Console& m_console;
    RecordingPtr m_latest, m_known;
};

RecordingPtr runInChildren(const Experiment& experiment, const Arguments& arguments,
                           const RunControl& control, EarlyReport& early) {
    ChildConfig config;
    config.program = ownProgram();
    if (simulatesInChildren(arguments))
        config.extraArguments = {"--sim"};
    config.kind = ChildKind::Plain;
    config.departure = makeDeparture();
    ChildBackend plain(config);
    config.kind = ChildKind::Traced;
    config.rawCuptiFile = arguments.value("--keep-raw");
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

/// Each traced run kept its buffers in FILE.1, FILE.2, ...: the one that is reported becomes FILE, the rest
/// goes.
void pickRawFile(const fs::path& raw, int reported, int count) {
    std::error_code ignored;
    for (int i = 1; i <= count; ++i) {
        const fs::path file = raw.string() + "." + std::to_string(i);
        if (i == reported)
            fs::rename(file, raw);
        else
            fs::remove(file, ignored);
    }
}

RecordingPtr measure(const Arguments& arguments, const RunControl& control, EarlyReport& early) {
    const Experiment experiment = experimentOf(arguments);
    checkAssertions(arguments);
    const fs::path raw = arguments.value("--keep-raw");
    RecordingPtr recording;
    if (simulatesInChildren(arguments) || useCuda(arguments, experiment, control))
        recording = runInChildren(experiment, arguments, control, early);
    else if (raw.empty())
        recording = runOnSimulator(experiment, arguments, control, early);
    else
        throw Error(ErrorKind::Usage, "no-raw", "The simulator has no CUPTI buffers to keep.",
                    "Leave out --keep-raw, or run on a GPU.");
    if (!raw.empty())
        pickRawFile(raw, recording->tracedRun, recording->tracedRuns);
    return recording;
}

/// As --output says.
RecordingPtr saved(const Arguments& arguments, RecordingPtr recording, const RunControl& control) {
    if (!arguments.has("--output"))
        return recording;
    const fs::path file = arguments.value("--output");
    saveRecording(*recording, file, control);
    auto inFile = std::make_shared<Recording>(*recording);
    inFile->file = file;
    return inFile;
}

int judge(const Arguments& arguments, const Recording& recording, const std::string& json) {
    bool allHold = true;
    for (const std::string& expression : arguments.values("--assert")) {
        const AssertionResult result = checkAssertion(recording.report, json, expression);
        say(result.text);
        allHold = allHold && result.passed;
    }
    return allHold ? 0 : 1;
}

/// What came last, where the rest is already read.
Printed lateText(const Report& report) {
    Printed text = toolEffectText(report);
    if (report.toolEffect && report.toolEffect->ratio() > kMaxToolEffect)
        text << "Recording changed the run too much to judge it: the verdicts above are inconclusive.\n";
    return text;
}

void deliver(const Arguments& arguments, const Recording& recording, const std::string& json, bool isRead) {
    if (isRead)
        print(lateText(recording.report));
    else if (arguments.has("--json"))
        printJson(json);
    else
        print(reportText(recording));
}

/// The run went well, what came behind it did not: nothing is lost, but the exit code says so.
[[noreturn]] void deliverWithoutEffect(const Arguments& arguments, const EarlyReport& early,
                                       const Error& error) {
    const RecordingPtr recording = saved(arguments, early.known(), {});
    deliver(arguments, *recording, reportJsonOf(*recording), early.shown());
    throw Error(error.kind(), error.code(), std::string("The tool effect was not measured: ") + error.what(),
                error.hint());
}

int run(const Arguments& arguments) {
    RecordingPtr recording;
    bool isRead = false;
    {
        const Console console; // first: Ctrl+C is an orderly cancel from here on
        EarlyReport early(arguments, console);
        try {
            recording = saved(arguments, measure(arguments, console.control(), early), console.control());
        } catch (const Error& error) {
            console.clearLine();
            if (!early.known() || error.kind() == ErrorKind::Cancelled || error.kind() == ErrorKind::Usage)
                throw;
            deliverWithoutEffect(arguments, early, error);
        }
        isRead = early.shown();
    }
    const std::string json = reportJsonOf(*recording);
    deliver(arguments, *recording, json, isRead);
    const int judged = judge(arguments, *recording, json);
    if (recording->raceText().empty())
        return judged;
    say(Printed() << recording->raceText() << " " << kRaceHint);
    return static_cast<int>(ErrorKind::DeviceFailed);
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
