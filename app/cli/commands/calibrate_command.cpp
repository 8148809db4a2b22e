#include "calibration_check.h"
#include "command.h"
#include "console.h"
#include "engines.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/held_experiment.h>
#include <olab/experiment/option_table.h>
#include <olab/recording/experiment_job.h>
#include <olab/run/child_backend.h>
#include <olab/sim/fit_model.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/output_file.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace olab::cli {
namespace {

/// The experiments of `olab calibrate`: each shows some quantities of the device model alone.
struct CalibrationExperiment {
    std::string name; ///< of its recording, if that is kept
    experiment::HeldExperiment experiment;
};

constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB;

/// One stream, so that nothing waits for anything but its predecessor; short kernels, since all it takes is
/// something to wait for.
experiment::Experiment oneStream(std::int64_t bytes) {
    experiment::Experiment e;
    e.streams = 1;
    e.iterations = 12;
    e.kernelUs = 100;
    e.h2dBytes = e.d2hBytes = e.memsetBytes = bytes;
    e.trace = experiment::TraceMode::On;
    return e;
}

/// Latencies at the small end, rates at the large one.
void addSizes(std::vector<CalibrationExperiment>& out) {
    for (const std::int64_t bytes :
         {std::int64_t{4}, 4 * kKiB, 64 * kKiB, 1 * kMiB, 4 * kMiB, 16 * kMiB, 64 * kMiB})
        out.push_back({"pinned-" + experiment::bytesToText(bytes), oneStream(bytes)});
    for (const std::int64_t bytes : {4 * kKiB, 64 * kKiB, 256 * kKiB, 1 * kMiB, 16 * kMiB, 64 * kMiB}) {
        experiment::Experiment e = oneStream(bytes);
        e.h2dMemory = e.d2hMemory = experiment::HostMemory::Pageable;
        out.push_back({"pageable-" + experiment::bytesToText(bytes), e});
    }
}

/// Nothing but copies, so that both directions are busy all the time.
void addBothDirections(std::vector<CalibrationExperiment>& out) {
    for (const std::int64_t bytes : {16 * kMiB, 64 * kMiB}) {
        experiment::Experiment e = oneStream(bytes);
        e.streams = 4;
        e.kernel = e.memset = e.callback = false;
        out.push_back({"both-directions-" + experiment::bytesToText(bytes), e});
    }
}

void addBarriers(std::vector<CalibrationExperiment>& out) {
    for (const experiment::NullOp op :
         {experiment::NullOp::Memset, experiment::NullOp::Kernel, experiment::NullOp::Event}) {
        experiment::Experiment e = oneStream(1 * kMiB);
        e.streams = 2;
        e.streamKind = experiment::PlannedStreamKind::Blocking;
        e.nullOp = op;
        out.push_back({"null-" + experiment::optionText(e, "null_op"), e});
    }
}

/// Without the gate the device is idle when a call comes.
void addUngated(std::vector<CalibrationExperiment>& out) {
    experiment::Experiment e = oneStream(4 * kKiB);
    e.gate = false;
    e.repeat = 5; // each shows one such call, its first
    e.kernelUs = 1;
    e.callback = false;
    out.push_back({"ungated", e});
}

std::vector<CalibrationExperiment> calibrationPlan() {
    std::vector<CalibrationExperiment> out;
    addSizes(out);
    addBothDirections(out);
    addBarriers(out);
    addUngated(out);
    return out;
}

namespace fs = std::filesystem;

constexpr OptionSpec kCalibrateOptions[] = {
    {"--output", "-o", "FILE", "write the model there; without it, it is printed"},
    {"--from", "", "RECORDING", "work from recordings instead of running anything; may be given often"},
    {"--keep", "", "DIR", "also keep the recordings it made"},
    {"--check", "", "DIR",
     "how well the simulator predicts the recordings in DIR when calibrated on half of them"},
    {"--backend", "", "cuda|sim", "cuda (default); sim calibrates the simulator itself, to try the method"},
    kOnOption,
};

constexpr std::string_view kCalibrateText =
    "Runs small experiments on the device and works out its rates and latencies from their recordings. Use "
    "the\n"
    "model with --set sim.device=file:FILE. --from takes recordings of traced runs, of these or any other\n"
    "experiments. --check takes a folder of recordings cell-*.olab, calibrates on every second one, "
    "simulates "
    "the\n"
    "others and fails with exit code 1 when the median error of the makespan is above 10 % or fewer than 90 "
    "% "
    "of\n"
    "the verdicts agree. With -o the model it writes keeps these figures, and every run on it says how far "
    "to "
    "trust\n"
    "it: the model calibrated on that half or, with --from, on those recordings.";

std::unique_ptr<experiment::Backend> backendOf(const Arguments& arguments, const RunControl& control) {
    const std::string wanted = arguments.has("--backend") ? arguments.value("--backend") : "cuda";
    const bool simulates = wanted == "sim";
    if (simulates && !arguments.has("--on"))
        return std::make_unique<sim::SimBackend>();
    if (wanted != "cuda" && !simulates)
        throw Error(ErrorKind::Usage, "bad-backend", "There is no backend '" + wanted + "'.",
                    "The backends here are cuda and sim.");
    const Machine machine(arguments, control);
    run::ChildConfig config = machine.config();
    if (simulates)
        config.extraArguments = {"--sim"};
    else if (const run::EngineProbe probe = machine.probe(control); !probe.usable)
        machine.refuse(probe, "calibrated");
    return std::make_unique<run::ChildBackend>(config);
}

RunControl partOf(const RunControl& whole, std::size_t index, std::size_t count) {
    RunControl part;
    part.stop = whole.stop;
    part.progress = [&whole, index, count](double share, std::string_view what) {
        const double done = static_cast<double>(index) + std::clamp(share, 0.0, 1.0);
        whole.report(done / static_cast<double>(count), what);
    };
    return part;
}

std::vector<recording::RecordingPtr> measured(const Arguments& arguments, const RunControl& control) {
    const std::unique_ptr<experiment::Backend> backend = backendOf(arguments, control);
    const std::vector<CalibrationExperiment> plan = calibrationPlan();
    const fs::path folder = arguments.value("--keep");
    if (!folder.empty())
        makeFolder(folder, "--keep");
    std::vector<recording::RecordingPtr> out;
    for (std::size_t i = 0; i < plan.size(); ++i) {
        const RunControl part = partOf(control, i, plan.size());
        out.push_back(
            recording::runExperiment(plan[i].experiment, {backend.get(), nullptr}, plan[i].name, part));
        if (!folder.empty())
            recording::saveRecording(*out.back(), folder / ("calibration-" + plan[i].name + ".olab"),
                                     control);
    }
    return out;
}

std::vector<recording::RecordingPtr> read(const std::vector<std::string>& files, const RunControl& control) {
    std::vector<recording::RecordingPtr> out;
    for (const std::string& file : files) {
        out.push_back(recording::openRecording(file, control));
        if (!out.back()->experiment)
            throw Error(ErrorKind::Usage, "no-experiment",
                        file + " does not say which experiment it is a recording of.",
                        "Give recordings that 'olab run' or 'olab calibrate --keep' wrote.");
    }
    return out;
}

Printed line(const sim::FittedValue& value) {
    char text[160];
    std::snprintf(text, sizeof text, "  %-30s %14lld %7zu  ", std::string(value.key).c_str(),
                  static_cast<long long>(value.value), value.samples);
    return Printed(std::string_view(text)) << value.source << "\n";
}

/// To stderr: stdout may be the model.
void showTable(const sim::FittedModel& fitted) {
    Printed text = fitted.model.name;
    text << "\n  field                                  value samples  from\n";
    for (const sim::FittedValue& value : fitted.values)
        text << line(value);
    text << "  This model is not checked: 'olab calibrate --help' says how.\n";
    std::fputs(text.text().c_str(), stderr);
}

sim::FittedModel fitted(const Arguments& arguments) {
    const Console console;
    const RunControl control = console.control();
    if (arguments.has("--output"))
        checkWritable(arguments.value("--output")); // before minutes of work
    const std::vector<std::string> files = arguments.values("--from");
    return fitRecordings(files.empty() ? measured(arguments, control) : read(files, control));
}

/// @returns the exit code
int check(const Arguments& arguments) {
    for (const char* option : {"--keep", "--backend", "--on"})
        if (arguments.has(option))
            throw Error(ErrorKind::Usage, "check-runs-nothing",
                        "--check works from recordings and runs nothing on a device.",
                        std::string("Leave out ") + option + ".");
    if (arguments.has("--output"))
        checkWritable(arguments.value("--output"));
    const Console console;
    CalibrationCheck result = checkCalibration(arguments.value("--check"), console.control());
    print(result.table);
    if (const std::vector<std::string> files = arguments.values("--from"); !files.empty()) {
        std::optional<sim::ModelCheck> checked = std::move(result.model.checked);
        result.model = fitRecordings(read(files, console.control())).model;
        result.model.checked = std::move(checked);
    }
    if (arguments.has("--output"))
        writeFile(arguments.value("--output"), sim::deviceModelToJson(result.model));
    return result.good ? 0 : 1;
}

int runCalibrate(const Arguments& arguments) {
    if (arguments.has("--check"))
        return check(arguments);
    const sim::FittedModel result = fitted(arguments);
    showTable(result);
    const std::string json = sim::deviceModelToJson(result.model);
    if (arguments.has("--output"))
        writeFile(arguments.value("--output"), json);
    else
        printJson(json);
    return 0;
}

} // namespace

extern const Command kCalibrateCommand{
    "calibrate",
    "[-o FILE] [--from RECORDING]... [--on HOST] [--keep DIR] [--check DIR]",
    "Measures this device for the simulator.",
    kCalibrateText,
    kCalibrateOptions,
    0,
    0,
    runCalibrate};

} // namespace olab::cli
