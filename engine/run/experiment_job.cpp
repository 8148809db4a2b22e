#include <olab/run/experiment_job.h>

#include <algorithm>
#include <charconv>

namespace olab {
namespace {

struct Run {
    bool traced = false;
    int tracedNumber = 0; ///< from 1, among the traced runs; 0: untraced
    Trace trace;
    Ns makespan = 0;
};

/// Which kinds run, in order. Plain and traced alternate, so that a device that warms up or slows down
/// touches both alike.
std::vector<bool> runOrder(const Experiment& experiment, BackendPair backends) {
    const auto repeat = static_cast<std::size_t>(std::max(1, experiment.repeat));
    if (!backends.plain || (backends.traced && experiment.trace == TraceMode::On))
        return std::vector<bool>(repeat, true);
    if (!backends.traced || experiment.trace == TraceMode::Off)
        return std::vector<bool>(repeat, false);
    std::vector<bool> order;
    for (std::size_t i = 0; i < std::max<std::size_t>(repeat, kToolEffectRuns); ++i)
        order.insert(order.end(), {false, true});
    return order;
}

/// The measured window; without one, what the device did.
Ns makespanOf(const Trace& trace) {
    if (trace.windows().empty())
        return trace.deviceSpan().length();
    return trace.windows().front().end - trace.windows().front().begin;
}

std::int64_t loopsOf(const Trace& trace) {
    const auto found = trace.environment().find("calibration.loops");
    std::int64_t loops = 0;
    if (found != trace.environment().end())
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), loops);
    return std::max<std::int64_t>(0, loops);
}

std::string sayRun(int number, std::size_t count, bool traced) {
    return "run " + std::to_string(number) + " of " + std::to_string(count) + (traced ? "" : ", untraced");
}

std::vector<Ns> sortedMakespans(const std::vector<Run>& runs, bool traced) {
    std::vector<Ns> times;
    for (const Run& run : runs)
        if (run.traced == traced)
            times.push_back(run.makespan);
    std::sort(times.begin(), times.end());
    return times;
}

Ns medianOf(const std::vector<Ns>& sorted) {
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle]
                                  : sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2;
}

/// Runs alternate, so neighbours are a pair.
double pairedRatio(const std::vector<Run>& runs) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2)
        if (!runs[i].traced && runs[i + 1].traced && runs[i].makespan > 0)
            ratios.push_back(static_cast<double>(runs[i + 1].makespan) /
                             static_cast<double>(runs[i].makespan));
    if (ratios.empty())
        return 0;
    std::sort(ratios.begin(), ratios.end());
    return ratios[ratios.size() / 2];
}

std::optional<ToolEffect> toolEffectOf(const std::vector<Run>& runs) {
    const std::vector<Ns> traced = sortedMakespans(runs, true), plain = sortedMakespans(runs, false);
    if (traced.empty() || plain.empty())
        return std::nullopt;
    return ToolEffect{medianOf(traced), medianOf(plain),
                      static_cast<int>(std::min(traced.size(), plain.size())), pairedRatio(runs)};
}

bool wantsAnotherPair(const std::vector<Run>& runs) {
    const std::optional<ToolEffect> effect = toolEffectOf(runs);
    return effect && effect->runs < kMaxToolEffectRuns && effect->ratio() > kMaxToolEffect;
}

class ExperimentJob {
public:
    ExperimentJob(const Experiment& experiment, BackendPair backends, const RunControl& control)
        : m_schedule(plan(experiment, (backends.traced ? backends.traced : backends.plain)->deviceCount()))
        , m_backends(backends)
        , m_control(control)
        , m_order(runOrder(experiment, backends)) {}

    std::vector<Run> execute() {
        std::vector<Run> runs;
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            runs.push_back(executeOne(static_cast<int>(i) + 1, m_order[i]));
            if (runs.size() == m_order.size() && wantsAnotherPair(runs))
                m_order.insert(m_order.end(), {false, true});
        }
        return runs;
    }

private:
    Run executeOne(int number, bool traced) {
        m_control.throwIfCancelled();
        RunOptions options;
        options.solos = traced && !m_haveSolos;
        options.calibratedLoops = m_loops;
        TraceBuilder builder;
        Backend& backend = traced ? *m_backends.traced : *m_backends.plain;
        backend.run(m_schedule, options, builder, controlOf(number, traced));
        if (traced && m_haveSolos)
            for (const SoloRecord& solo : m_solos)
                builder.add(solo);
        Run run{traced, traced ? ++m_tracedRuns : 0, builder.finish(), 0};
        run.makespan = makespanOf(run.trace);
        learnFrom(run);
        return run;
    }

    /// The same work in every run: the first one calibrates, the first traced one measures each op alone.
    void learnFrom(const Run& run) {
        if (m_loops == 0)
            m_loops = loopsOf(run.trace);
        if (!run.traced || m_haveSolos)
            return;
        m_haveSolos = true;
        m_solos.assign(run.trace.solos().begin(), run.trace.solos().end());
    }

    RunControl controlOf(int number, bool traced) const {
        RunControl control;
        control.stop = m_control.stop;
        control.progress = [this, number, traced](double share, std::string_view what) {
            const auto count = static_cast<double>(m_order.size());
            const double done = (number - 1 + std::clamp(share, 0.0, 1.0)) / count;
            const std::string run = m_order.size() == 1 ? "" : sayRun(number, m_order.size(), traced) + ": ";
            m_control.report(done, run + std::string(what));
        };
        return control;
    }

    Schedule m_schedule;
    BackendPair m_backends;
    const RunControl& m_control;
    std::vector<bool> m_order;
    std::int64_t m_loops = 0;
    int m_tracedRuns = 0;
    bool m_haveSolos = false;
    std::vector<SoloRecord> m_solos;
};

std::size_t medianIndex(const std::vector<Run>& runs) {
    std::vector<std::size_t> byTime(runs.size());
    for (std::size_t i = 0; i < byTime.size(); ++i)
        byTime[i] = i;
    std::stable_sort(byTime.begin(), byTime.end(),
                     [&runs](std::size_t a, std::size_t b) { return runs[a].makespan < runs[b].makespan; });
    return byTime[(byTime.size() - 1) / 2];
}

/// The runs a person asked for: `repeat` of them. The tool effect needs more; with repeat=1 the one that is
/// kept is the median of all of them, so that the picture and the tool effect speak of the same run.
std::vector<Run> keptRuns(std::vector<Run> runs, std::size_t repeat) {
    const bool anyTraced = std::any_of(runs.begin(), runs.end(), [](const Run& run) { return run.traced; });
    std::erase_if(runs, [anyTraced](const Run& run) { return run.traced != anyTraced; });
    if (repeat <= 1 && runs.size() > 1) {
        std::vector<Run> one;
        one.push_back(std::move(runs[medianIndex(runs)]));
        return one;
    }
    if (runs.size() > repeat)
        runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(repeat), runs.end());
    return runs;
}

/// All runs are done: what follows is short beside them.
RunControl analysisControl(const RunControl& control) {
    RunControl result;
    result.stop = control.stop;
    result.progress = [&control](double, std::string_view what) { control.report(1, what); };
    return result;
}

} // namespace

RecordingPtr runExperiment(const Experiment& experiment, BackendPair backends, std::string title,
                           const RunControl& control) {
    if (!backends.traced && !backends.plain)
        throw Error(ErrorKind::Internal, "no-backend", "There is nothing to run the experiment on.",
                    "Choose the simulator, or a machine with a GPU.");
    std::vector<Run> runs = ExperimentJob(experiment, backends, control).execute();
    const std::optional<ToolEffect> effect = toolEffectOf(runs);
    const auto tracedRuns = static_cast<int>(sortedMakespans(runs, true).size());
    runs = keptRuns(std::move(runs), static_cast<std::size_t>(std::max(1, experiment.repeat)));
    const std::size_t median = medianIndex(runs);
    std::shared_ptr<Recording> chosen;
    std::vector<RecordingPtr> others;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        control.throwIfCancelled();
        const std::string name = runs.size() == 1 ? title : title + " (" + std::to_string(i + 1) + ")";
        auto recording = makeRecording({std::move(runs[i].trace), experiment, effect}, name, true,
                                       analysisControl(control));
        recording->tracedRun = runs[i].tracedNumber;
        recording->tracedRuns = tracedRuns;
        if (i == median)
            chosen = std::move(recording);
        else
            others.push_back(std::move(recording));
    }
    chosen->otherRuns = std::move(others);
    return chosen;
}

} // namespace olab
