#include <olab/analysis/analyze.h>
#include <olab/analysis/waits.h>
#include <olab/experiment/plan.h>
#include <olab/recording/kernel_calibration.h>
#include <olab/sweep/run_sweep.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

namespace olab::sweep {
namespace {

/// SplitMix64: the same sequence with every library, which std::shuffle does not guarantee.
class Mixed {
public:
    explicit Mixed(std::uint64_t seed)
        : m_state(seed) {}
    std::size_t below(std::size_t limit) {
        m_state += 0x9e3779b97f4a7c15u;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebu;
        return static_cast<std::size_t>((z ^ (z >> 31U)) % limit);
    }

private:
    std::uint64_t m_state;
};

} // namespace

std::vector<std::size_t> roundOrder(std::size_t cells, std::size_t round) {
    std::vector<std::size_t> order(cells);
    std::iota(order.begin(), order.end(), 0);
    Mixed random(round / 2 + 1);
    for (std::size_t i = cells; i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
    if (round % 2 == 1)
        std::ranges::reverse(order);
    return order;
}

namespace {

using Clock = std::chrono::steady_clock;

Ns windowTime(const Trace& trace) {
    return trace.windows().empty() ? trace.deviceSpan().length()
                                   : trace.windows().front().end - trace.windows().front().begin;
}

bool hasRaced(const std::vector<Defect>& defects) {
    return std::ranges::any_of(defects, [](const Defect& d) { return d.code == DefectCode::DataMismatch; });
}

std::string troubleOfRun(const std::vector<Defect>& defects) {
    if (hasRaced(defects))
        return "It raced: what came out is wrong, and its times are those of a broken program.";
    for (const Defect& defect : defects)
        if (defect.severity() != Severity::Notice)
            return "A run is not whole: " + defect.text();
    return {};
}

/// "about 40 s left", "about 3 min left"
std::string leftText(double seconds) {
    constexpr double kMinute = 60;
    const bool isLong = seconds > 2 * kMinute;
    return "about " + std::to_string(static_cast<long>(isLong ? seconds / kMinute + 0.5 : seconds + 0.5)) +
           (isLong ? " min left" : " s left");
}

/// The runs that make up a repeat of a cell.
struct Kinds {
    bool timesUntraced = false; ///< the repeats are untraced runs
    bool reports = true;        ///< the first round makes a traced run of each cell
};

Kinds kindsOf(const Grid& grid, recording::BackendPair backends) {
    const std::string mode = experiment::optionText(grid.base, "trace");
    const bool untraced = backends.plain && (mode != "on" || !backends.traced);
    return {untraced, backends.traced && (mode != "off" || !untraced)};
}

/// Kernels with equal keys take the same time for the same number of loops.
using LoopsKey = std::pair<recording::KernelShape, std::string>;
LoopsKey loopsKey(const experiment::Experiment& experiment) {
    return {recording::kernelShapeOf(experiment), experiment::optionText(experiment, "device") + " " +
                                                      experiment::optionText(experiment, "sim.device")};
}

bool isLeftOut(const Cell& cell) {
    return !cell.impossible.empty() || !cell.failed.empty();
}

class Measuring {
public:
    Measuring(Sweep& sweep, recording::BackendPair backends, SweepStore* store, const MeasureOptions& options,
              const RunControl& control, const SweepHooks& hooks)
        : m_sweep(sweep)
        , m_backends(backends)
        , m_store(store)
        , m_options(options)
        , m_control(control)
        , m_hooks(hooks)
        , m_kinds(kindsOf(sweep.grid, backends)) {
        m_sweep.machine = options.machine;
        if (store)
            takeLoops();
        if (options.triesFailedAgain)
            for (Cell& cell : m_sweep.cells)
                cell.failed.clear();
        m_runs = runsLeft(m_sweep, backends, options);
    }

    void execute() {
        for (int round = 0; round < m_options.repeats; ++round)
            for (const std::size_t cell : roundOrder(m_sweep.cells.size(), static_cast<std::size_t>(round)))
                if (isWanted(cell))
                    measureCell(cell, round);
    }

private:
    bool isWanted(std::size_t cell) const {
        const bool chosen =
            m_options.only.empty() || std::ranges::find(m_options.only, cell) != m_options.only.end();
        return chosen && !isLeftOut(m_sweep.cells[cell]);
    }

    /// Takes over the loop counts of existing runs, to repeat their work.
    void takeLoops() {
        std::map<std::string, std::int64_t> known;
        for (const RunLine& line : m_store->lines())
            if (line.loops > 0)
                known.emplace(line.cell, line.loops);
        for (std::size_t i = 0; i < m_sweep.cells.size(); ++i) {
            const experiment::HeldExperiment experiment = experimentOf(m_sweep.grid, i);
            if (const auto found = known.find(cellDigest(experiment)); found != known.end())
                m_loops.emplace(loopsKey(experiment), found->second);
        }
    }

    void measureCell(std::size_t number, int round) {
        const Cell& cell = m_sweep.cells[number];
        try {
            if (static_cast<int>(cell.times.size()) <= round)
                measureRun(number, round, !m_kinds.timesUntraced, true);
            if (m_kinds.reports && !cell.numbers)
                measureRun(number, round, true, false);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::DeviceFailed && error.kind() != ErrorKind::Usage)
                throw;
            if (error.code() == "cannot-write") // the disk is full; not the experiment's fault
                throw;
            RunLine line;
            line.cell = cellDigest(experimentOf(m_sweep.grid, number));
            line.failed = error.what();
            keep(number, std::move(line));
        }
    }

    /// Each round has its own seed, the same for all cells, so that the simulator's random numbers vary like
    /// real runs, and so do a device's data.
    experiment::HeldExperiment seeded(std::size_t number, int round) const {
        experiment::HeldExperiment experiment = experimentOf(m_sweep.grid, number);
        experiment::setNumber(experiment, "seed",
                              (experiment::optionNumber(experiment, "seed") + round) %
                                  (std::int64_t{1} << 31));
        return experiment;
    }

    void measureRun(std::size_t number, int round, bool traced, bool counts) {
        m_control.throwIfCancelled();
        experiment::Backend& backend = traced ? *m_backends.traced : *m_backends.plain;
        const experiment::HeldExperiment experiment = seeded(number, round);
        const experiment::Plan planned = experiment::plan(experiment, backend.deviceCount());
        std::int64_t& loops = m_loops[loopsKey(experiment)];
        experiment::RunOptions options;
        options.solos = traced && !m_sweep.cells[number].numbers;
        options.calibratedLoops = loops;
        TraceBuilder builder;
        backend.run(planned, options, builder, partControl(number, round, traced));
        Trace trace = builder.finish();
        if (loops == 0)
            loops = recording::calibratedLoops(trace);
        RunLine line = lineOfRun(trace, planned, traced, counts);
        line.cell = cellDigest(experimentOf(m_sweep.grid, number));
        line.loops = loops;
        if (options.solos)
            report(number, std::move(trace), experiment, line);
        ++m_done;
        keep(number, std::move(line));
    }

    static RunLine lineOfRun(const Trace& trace, const experiment::Plan& planned, bool traced, bool counts) {
        RunLine line;
        line.traced = traced;
        line.counts = counts;
        line.simulated = trace.provenance().source == SourceKind::Simulated;
        line.time = windowTime(trace);
        line.trouble = troubleOfRun(analysis::troubleOf(trace, &planned));
        return line;
    }

    /// Adds the analysis of a traced run, and the recording if it is kept.
    void report(std::size_t number, Trace trace, const experiment::Experiment& experiment, RunLine& line) {
        RunControl quiet;
        quiet.stop = m_control.stop;
        const auto recording =
            recording::makeRecording({std::move(trace), experiment::shareExperiment(experiment), {}},
                                     cellText(m_sweep.grid, number), true, quiet);
        recording::addAccount(*recording, quiet);
        line.numbers = cellNumbersOf(recording->report, !recording->raceText().empty());
        if (!m_store || !m_options.keepsRecordings)
            return;
        const std::filesystem::path file = m_store->recordingFile(line.cell);
        recording::saveRecording(*recording, file, quiet);
        line.file = file.filename().string();
        m_sweep.cells[number].file = file.string();
    }

    void keep(std::size_t number, RunLine line) {
        if (m_store)
            m_store->add(line);
        applyLine(m_sweep, number, line);
        if (m_hooks.changed)
            m_hooks.changed(m_sweep, number);
    }

    RunControl partControl(std::size_t number, int round, bool traced) const {
        RunControl part;
        part.stop = m_control.stop;
        const std::string text = "round " + std::to_string(round + 1) + " of " +
                                 std::to_string(m_options.repeats) + ", " + cellText(m_sweep.grid, number) +
                                 (traced && m_kinds.timesUntraced ? ", traced" : "") + timeLeft() + ": ";
        part.progress = [this, text](double share, std::string_view what) {
            const auto all = static_cast<double>(std::max<std::size_t>(1, m_runs));
            m_control.report((static_cast<double>(m_done) + std::clamp(share, 0.0, 1.0)) / all,
                             text + std::string(what));
        };
        return part;
    }

    std::string timeLeft() const {
        constexpr std::size_t kEnough = 3;
        if (m_done < kEnough || m_done >= m_runs)
            return {};
        const double spent = std::chrono::duration<double>(Clock::now() - m_begin).count();
        return ", " + leftText(spent / static_cast<double>(m_done) * static_cast<double>(m_runs - m_done));
    }

    Sweep& m_sweep;
    recording::BackendPair m_backends;
    SweepStore* m_store;
    const MeasureOptions& m_options;
    const RunControl& m_control;
    const SweepHooks& m_hooks;
    Kinds m_kinds;
    std::map<LoopsKey, std::int64_t> m_loops;
    std::size_t m_runs = 0, m_done = 0;
    Clock::time_point m_begin = Clock::now();
};

} // namespace

void measure(Sweep& sweep, recording::BackendPair backends, SweepStore* store, const MeasureOptions& options,
             const RunControl& control, const SweepHooks& hooks) {
    if (!backends.traced && !backends.plain)
        throw Error(ErrorKind::Internal, "no-backend", "There is nothing to run the cells on.",
                    "Choose the simulator, or a machine with a GPU.");
    Measuring(sweep, backends, store, options, control, hooks).execute();
}

std::size_t runsLeft(const Sweep& sweep, recording::BackendPair backends, const MeasureOptions& options) {
    const Kinds kinds = kindsOf(sweep.grid, backends);
    const auto repeats = static_cast<std::size_t>(std::max(0, options.repeats));
    std::size_t left = 0;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        const Cell& cell = sweep.cells[i];
        const bool chosen = options.only.empty() || std::ranges::find(options.only, i) != options.only.end();
        if (!chosen || !cell.impossible.empty() || (!cell.failed.empty() && !options.triesFailedAgain))
            continue;
        left += repeats - std::min(repeats, cell.times.size());
        left += kinds.reports && kinds.timesUntraced && !cell.numbers ? 1 : 0;
    }
    return left;
}

} // namespace olab::sweep
