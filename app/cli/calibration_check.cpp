#include "calibration_check.h"

#include "command.h"

#include <olab/run/experiment_job.h>
#include <olab/sim/sim_backend.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kMostError = 10;   // percent, median of the held-out cells
constexpr double kLeastAgreed = 90; // percent of the verdicts of the held-out cells

struct Cell {
    std::string name;
    RecordingPtr recording;
    bool heldOut = false;
};

/// A chessboard over what the cells differ in, so that both halves have some of everything.
bool isHeldOut(const Experiment& e) {
    const int pageable = e.h2dMemory == HostMemory::Pageable ? 1 : 0;
    const int without = (e.memset ? 0 : 1) + (e.callback ? 0 : 2);
    return (e.streams + pageable + without) % 2 != 0;
}

std::vector<Cell> readCells(const fs::path& folder, const RunControl& control) {
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
    std::vector<Cell> cells;
    for (const fs::path& file : files) {
        const RecordingPtr recording = openRecording(file, control);
        if (recording->experiment)
            cells.push_back({file.stem().string().substr(5), recording, isHeldOut(*recording->experiment)});
    }
    return cells;
}

struct Compared {
    double measuredMs = 0, predictedMs = 0, error = 0; ///< percent, with its sign
    std::size_t pairs = 0, agreed = 0;
    std::string misses;
};

Ns makespanOf(const Trace& trace) {
    if (trace.windows().empty())
        return trace.deviceSpan().length();
    return trace.windows().front().end - trace.windows().front().begin;
}

void compareVerdicts(const Report& measured, const Report& predicted, Compared& out) {
    for (const Verdict& m : measured.verdicts) {
        if (m.kind == VerdictKind::NotApplicable)
            continue;
        const auto p = std::find_if(predicted.verdicts.begin(), predicted.verdicts.end(),
                                    [&](const Verdict& v) { return v.a == m.a && v.b == m.b; });
        ++out.pairs;
        if (p != predicted.verdicts.end() && p->kind == m.kind) {
            ++out.agreed;
            continue;
        }
        const std::string said(p == predicted.verdicts.end() ? "nothing" : verdictName(p->kind));
        out.misses += (out.misses.empty() ? "" : "; ") + std::string(classLabel(m.a)) + "&" +
                      std::string(classLabel(m.b)) + " " + std::string(verdictName(m.kind)) + ", predicted " +
                      said;
    }
}

Compared compare(const Cell& cell, const DeviceModel& model, const RunControl& control) {
    SimBackend simulator(model);
    Experiment experiment = *cell.recording->experiment;
    experiment.repeat = 1;
    const RecordingPtr predicted = runExperiment(experiment, {&simulator, nullptr}, cell.name, control);
    Compared out;
    out.measuredMs = static_cast<double>(makespanOf(cell.recording->trace)) / 1e6;
    out.predictedMs = static_cast<double>(makespanOf(predicted->trace)) / 1e6;
    out.error = (out.predictedMs / out.measuredMs - 1) * 100;
    compareVerdicts(cell.recording->report, predicted->report, out);
    return out;
}

std::string line(const Cell& cell, const Compared& c) {
    char text[200];
    std::snprintf(text, sizeof text, "%-44s %-9s %10.2f %10.2f %+8.1f %% %4zu of %zu  ", cell.name.c_str(),
                  cell.heldOut ? "predicted" : "used", c.measuredMs, c.predictedMs, c.error, c.agreed,
                  c.pairs);
    return text + c.misses + "\n";
}

/// The figures of one half.
struct Half {
    std::vector<double> errors;
    std::size_t pairs = 0, agreed = 0;
    void add(const Compared& c) {
        errors.push_back(std::abs(c.error));
        pairs += c.pairs;
        agreed += c.agreed;
    }
    double median() const {
        std::vector<double> sorted = errors;
        std::sort(sorted.begin(), sorted.end());
        const std::size_t n = sorted.size();
        return n == 0 ? 0 : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    }
    double agreement() const {
        return pairs == 0 ? 0 : 100 * static_cast<double>(agreed) / static_cast<double>(pairs);
    }
    std::string text(const char* name) const {
        char text[200];
        std::snprintf(
            text, sizeof text,
            "%s: %zu cells, median error %.1f %%, largest %.1f %%, verdicts agree in %zu of %zu (%.0f %%)\n",
            name, errors.size(), median(),
            errors.empty() ? 0.0 : *std::max_element(errors.begin(), errors.end()), agreed, pairs,
            agreement());
        return text;
    }
};

} // namespace

FittedModel fitRecordings(const std::vector<RecordingPtr>& recordings) {
    std::vector<CalibrationRun> runs;
    for (const RecordingPtr& recording : recordings) {
        runs.push_back({recording->trace, *recording->experiment});
        for (const RecordingPtr& other : recording->otherRuns)
            runs.push_back({other->trace, *recording->experiment});
    }
    return fitModel(runs);
}

int checkCalibration(const fs::path& folder, const RunControl& control) {
    const std::vector<Cell> cells = readCells(folder, control);
    std::vector<RecordingPtr> used;
    for (const Cell& cell : cells)
        if (!cell.heldOut)
            used.push_back(cell.recording);
    const FittedModel fitted = fitRecordings(used);
    std::string text = "cell                                         half        measured  predicted     "
                       "error    verdicts\n";
    Half predicted, known;
    for (const Cell& cell : cells) {
        const Compared compared = compare(cell, fitted.model, control);
        text += line(cell, compared);
        (cell.heldOut ? predicted : known).add(compared);
    }
    print(text + known.text("used to calibrate") + predicted.text("predicted"));
    return predicted.median() <= kMostError && predicted.agreement() >= kLeastAgreed ? 0 : 1;
}

} // namespace olab::cli
