#include "calibration_check.h"

#include "command.h"

#include <olab/experiment/held_experiment.h>
#include <olab/recording/experiment_job.h>
#include <olab/sim/model_check.h>
#include <olab/sim/sim_backend.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kMostError = 0.10;         // median of the held-out cells
constexpr double kLeastRight = 0.9;         // of the verdicts of the held-out cells
constexpr std::int64_t kSmallOp = 64 << 10; // the host cannot issue faster than these are done

struct Cell {
    std::string name;
    recording::RecordingPtr recording;
    bool heldOut = false;
};

/// Without the gate the window begins with the first call, which also sets up the recording (half a
/// millisecond of it): there what the device shows counts.
Ns makespanOf(const Trace& trace, const experiment::Experiment& e) {
    if (trace.windows().empty() || !(experiment::optionText(e, "gate") == "on"))
        return trace.deviceSpan().length();
    return trace.windows().front().end - trace.windows().front().begin;
}

/// The settings beyond the grid of `olab calibrate --check`, with which a run is of a kind of its own.
std::string kindOf(const experiment::Experiment& e) {
    std::string kind;
    for (const std::string_view key : {"env.max_connections", "env.launch_blocking", "submit", "sync.every",
                                       "interfere", "issue", "deps", "null_op", "kernel.stream", "buffers"})
        if (const std::string value = experiment::optionText(e, key);
            value != experiment::optionText(experiment::HeldExperiment{}, key))
            kind += std::string(key) + "=" + value + " ";
    return experiment::optionNumber(e, "h2d.bytes") <= kSmallOp ? kind + "small" : kind;
}

/// A chessboard over what the cells differ in, so that both halves have some of everything; of a kind of its
/// own every other one.
bool isHeldOut(const experiment::Experiment& e, std::map<std::string, int>& seen) {
    if (const std::string kind = kindOf(e); !kind.empty())
        return seen[kind]++ % 2 != 0;
    const int pageable = experiment::optionText(e, "h2d.memory") == "pageable" ? 1 : 0;
    const int without = ((experiment::optionText(e, "memset") == "on") ? 0 : 1) +
                        ((experiment::optionText(e, "callback") == "on") ? 0 : 2);
    return (experiment::optionNumber(e, "streams") + pageable + without) % 2 != 0;
}

std::vector<fs::path> cellFiles(const fs::path& folder) {
    std::error_code failed;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, failed))
        if (entry.path().extension() == ".olab" && entry.path().filename().string().starts_with("cell-"))
            files.push_back(entry.path());
    if (failed || files.empty())
        throw Error(ErrorKind::Usage, "no-cells",
                    "There are no recordings cell-*.olab in " + folder.string() + ".",
                    "Give the folder with the recordings of the grid.");
    std::sort(files.begin(), files.end());
    return files;
}

[[noreturn]] void throwUseless(const std::string& file, const std::string& why) {
    throw Error(ErrorKind::Usage, "no-cell", "The simulator cannot be checked against " + file + ": " + why,
                "Give recordings that 'olab run -o' wrote, with trace=both or trace=on.");
}

std::vector<Cell> readCells(const fs::path& folder, const RunControl& control) {
    std::vector<Cell> cells;
    std::map<std::string, int> seen;
    for (const fs::path& file : cellFiles(folder)) {
        const recording::RecordingPtr recording = recording::openRecording(file, control);
        if (!recording->experiment)
            throwUseless(file.string(), "it does not say which experiment it is a recording of.");
        if (recording->trace.empty() || makespanOf(recording->trace, *recording->experiment) <= 0)
            throwUseless(file.string(), "it holds no activities.");
        cells.push_back({file.stem().string().substr(5), recording, isHeldOut(*recording->experiment, seen)});
    }
    const auto heldOut = std::count_if(cells.begin(), cells.end(), [](const Cell& c) { return c.heldOut; });
    if (heldOut == 0 || heldOut == static_cast<std::ptrdiff_t>(cells.size()))
        throw Error(ErrorKind::Usage, "one-half",
                    "The recordings in " + folder.string() + " are too much alike to be parted into halves.",
                    "Record more of them, with one stream more or less, or without the memset.");
    return cells;
}

struct Compared {
    sim::PredictedCell cell;
    double measuredMs = 0, predictedMs = 0;
    std::string misses;
};

void compareVerdicts(const analysis::Report& measured, const analysis::Report& predicted, Compared& out) {
    for (const analysis::Verdict& m : measured.verdicts) {
        if (m.kind == analysis::VerdictKind::NotApplicable)
            continue;
        const auto p = std::find_if(predicted.verdicts.begin(), predicted.verdicts.end(),
                                    [&](const analysis::Verdict& v) { return v.a == m.a && v.b == m.b; });
        ++out.cell.verdicts;
        if (p != predicted.verdicts.end() && p->kind == m.kind) {
            ++out.cell.verdictsRight;
            continue;
        }
        const std::string said(p == predicted.verdicts.end() ? "nothing" : analysis::verdictName(p->kind));
        out.misses += (out.misses.empty() ? "" : "; ") + std::string(classLabel(m.a)) + "&" +
                      std::string(classLabel(m.b)) + " " + std::string(analysis::verdictName(m.kind)) +
                      ", predicted " + said;
    }
}

Compared compare(const Cell& cell, const sim::DeviceModel& model, const RunControl& control) {
    sim::SimBackend simulator(model);
    experiment::HeldExperiment experiment = *cell.recording->experiment;
    experiment::setOption(experiment, "repeat=1");
    const recording::RecordingPtr predicted =
        recording::runExperiment(experiment, {&simulator, nullptr}, cell.name, control);
    Compared out;
    out.cell.experiment = *cell.recording->experiment;
    out.measuredMs = static_cast<double>(makespanOf(cell.recording->trace, experiment)) / 1e6;
    out.predictedMs = static_cast<double>(makespanOf(predicted->trace, experiment)) / 1e6;
    out.cell.error = out.predictedMs / out.measuredMs - 1;
    compareVerdicts(cell.recording->report, predicted->report, out);
    return out;
}

Printed line(const Cell& cell, const Compared& c) {
    char text[200];
    std::snprintf(text, sizeof text, "%-44s %-9s %10.2f %10.2f %+8.1f %% %4zu of %zu  ", cell.name.c_str(),
                  cell.heldOut ? "predicted" : "used", c.measuredMs, c.predictedMs, c.cell.error * 100,
                  c.cell.verdictsRight, c.cell.verdicts);
    return Printed(std::string_view(text)) << c.misses << "\n";
}

Printed line(std::string_view name, const sim::CheckFigures& f) {
    const double right =
        f.verdicts == 0 ? 0 : static_cast<double>(f.verdictsRight) / static_cast<double>(f.verdicts);
    char text[240];
    std::snprintf(
        text, sizeof text,
        ": %zu cells, median error %.1f %%, largest %.1f %%, verdicts agree in %zu of %zu (%.0f %%)", f.cells,
        f.medianError * 100, f.maxError * 100, f.verdictsRight, f.verdicts, right * 100);
    return Printed(name) << std::string_view(text) << "\n";
}

Printed line(const sim::CheckedCondition& condition) {
    std::string when;
    for (const auto& [key, value] : condition.when)
        when += (when.empty() ? "" : " ") + key + "=" + value;
    const sim::CheckFigures& f = condition.figures;
    char text[240];
    std::snprintf(text, sizeof text, "  %-52s %5zu %7.1f %% %7.1f %% %+7.1f to %+.1f %% %4zu of %zu",
                  when.c_str(), f.cells, f.medianError * 100, f.maxError * 100, f.lowest * 100,
                  f.highest * 100, f.verdictsRight, f.verdicts);
    return Printed(std::string_view(text)) << "\n";
}

Printed conditions(const sim::ModelCheck& check) {
    Printed text =
        Literal("\nby condition, each half predicted from the other         cells    median   largest   "
                "  from and to        verdicts\n");
    for (const sim::CheckedCondition& condition : check.conditions)
        text << line(condition);
    return text << "\n";
}

std::string environmentOf(const Trace& trace, const char* key) {
    const auto found = trace.environment().find(key);
    return found == trace.environment().end() ? "" : found->second;
}

void addOrigin(sim::ModelCheck& check, const std::vector<Cell>& cells) {
    for (const Cell& cell : cells) {
        const Trace& trace = cell.recording->trace;
        check.measured = check.measured && trace.provenance().source == SourceKind::Cuda;
        check.recordedAt = std::max(check.recordedAt, trace.provenance().recordedAt);
        check.driver = environmentOf(trace, "driver");
    }
}

bool isGood(const sim::CheckFigures& f) {
    return f.medianError <= kMostError && f.verdicts > 0 &&
           static_cast<double>(f.verdictsRight) >= kLeastRight * static_cast<double>(f.verdicts);
}

sim::FittedModel fitHalf(const std::vector<Cell>& cells, bool heldOut) {
    std::vector<recording::RecordingPtr> half;
    for (const Cell& cell : cells)
        if (cell.heldOut == heldOut)
            half.push_back(cell.recording);
    return fitRecordings(half);
}

/// A prediction reports progress of its own, which is none of the whole.
RunControl quiet(const RunControl& control) {
    return {control.stop, {}};
}

} // namespace

sim::FittedModel fitRecordings(const std::vector<recording::RecordingPtr>& recordings) {
    std::vector<sim::CalibrationRun> runs;
    for (const recording::RecordingPtr& recording : recordings) {
        runs.push_back({recording->trace, *recording->experiment});
        for (const recording::RecordingPtr& other : recording->otherRuns)
            runs.push_back({other->trace, *recording->experiment});
    }
    return sim::fitModel(runs);
}

CalibrationCheck checkCalibration(const fs::path& folder, const RunControl& control) {
    const std::vector<Cell> cells = readCells(folder, control);
    CalibrationCheck out;
    out.model = fitHalf(cells, false).model;
    const sim::DeviceModel turned = fitHalf(cells, true).model;
    out.table << "cell                                         half        measured  predicted     "
                 "error    verdicts\n";
    std::vector<sim::PredictedCell> heldOut, used, usedFromHeldOut;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Cell& cell = cells[i];
        control.report(static_cast<double>(i) / static_cast<double>(cells.size()), "simulating " + cell.name);
        const Compared compared = compare(cell, out.model, quiet(control));
        out.table << line(cell, compared);
        (cell.heldOut ? heldOut : used).push_back(compared.cell);
        if (!cell.heldOut)
            usedFromHeldOut.push_back(compare(cell, turned, quiet(control)).cell);
    }
    sim::ModelCheck check = sim::checkOf(heldOut, usedFromHeldOut);
    addOrigin(check, cells);
    out.table << conditions(check) << line("used to calibrate", sim::figuresOf(used))
              << line("the halves changed over", sim::figuresOf(usedFromHeldOut))
              << line("predicted", check.predicted);
    out.good = isGood(check.predicted);
    out.model.checked = std::move(check);
    return out;
}

} // namespace olab::cli
