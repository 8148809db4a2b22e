#include <olab/recording/experiment_job.h>

#include <olab/analysis/analyze.h>
#include <olab/experiment/plan.h>
#include <olab/recording/kernel_calibration.h>
#include <olab/recording/tool_effect_memory.h>

#include <algorithm>
#include <set>

namespace olab::recording {
namespace {

/// The data kept of every run: enough for the tool effect.
struct Window {
    bool traced = false;
    Ns makespan = 0;
};

/// A requested run.
struct KeptRun {
    int number = 0;       ///< from 1, among all runs
    int tracedNumber = 0; ///< from 1, among the traced runs; 0: untraced
    Trace trace;
    Ns makespan = 0;
};

std::size_t wantedRuns(const experiment::Experiment& experiment) {
    return static_cast<std::size_t>(
        std::max<std::int64_t>(1, experiment::optionNumber(experiment, "repeat")));
}

/// Which kinds run, in order. A traced run first: it gives the verdict. Then plain and traced alternate, so
/// that warming up or slowing down of the device affects both alike.
std::vector<bool> runOrder(const experiment::Experiment& experiment, BackendPair backends, bool effectKnown) {
    const std::size_t repeat = wantedRuns(experiment);
    if (!backends.plain || (backends.traced && experiment::optionText(experiment, "trace") == "on"))
        return std::vector<bool>(repeat, true);
    if (!backends.traced || experiment::optionText(experiment, "trace") == "off")
        return std::vector<bool>(repeat, false);
    if (effectKnown)
        return std::vector<bool>(repeat, true);
    std::vector<bool> order;
    for (std::size_t i = 0; i < std::max<std::size_t>(repeat, kToolEffectRuns); ++i)
        order.insert(order.end(), {true, false});
    return order;
}

/// The measured window; without one, the span of device work.
Ns makespanOf(const Trace& trace) {
    if (trace.windows().empty())
        return trace.deviceSpan().length();
    return trace.windows().front().end - trace.windows().front().begin;
}

std::vector<Ns> sortedMakespans(const std::vector<Window>& runs, bool traced) {
    std::vector<Ns> times;
    for (const Window& run : runs)
        if (run.traced == traced)
            times.push_back(run.makespan);
    std::sort(times.begin(), times.end());
    return times;
}

Ns medianOfSorted(const std::vector<Ns>& sorted) {
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle]
                                  : sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2;
}

/// Runs alternate, so neighbours form a pair.
double pairedRatio(const std::vector<Window>& runs) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2)
        if (runs[i].traced && !runs[i + 1].traced && runs[i + 1].makespan > 0)
            ratios.push_back(static_cast<double>(runs[i].makespan) /
                             static_cast<double>(runs[i + 1].makespan));
    if (ratios.empty())
        return 0;
    std::sort(ratios.begin(), ratios.end());
    return ratios[ratios.size() / 2];
}

std::optional<analysis::ToolEffect> toolEffectOf(const std::vector<Window>& runs) {
    const std::vector<Ns> traced = sortedMakespans(runs, true), plain = sortedMakespans(runs, false);
    if (traced.empty() || plain.empty())
        return std::nullopt;
    return analysis::ToolEffect{medianOfSorted(traced),
                                medianOfSorted(plain),
                                static_cast<int>(std::min(traced.size(), plain.size())),
                                pairedRatio(runs),
                                {}};
}

bool wantsAnotherPair(const std::vector<Window>& runs) {
    const std::optional<analysis::ToolEffect> effect = toolEffectOf(runs);
    return effect && effect->runs < kMaxToolEffectRuns && effect->ratio() > analysis::kMaxToolEffect;
}

std::size_t medianIndex(const std::vector<KeptRun>& runs) {
    std::vector<std::size_t> byTime(runs.size());
    for (std::size_t i = 0; i < byTime.size(); ++i)
        byTime[i] = i;
    std::stable_sort(byTime.begin(), byTime.end(),
                     [&runs](std::size_t a, std::size_t b) { return runs[a].makespan < runs[b].makespan; });
    return byTime[(byTime.size() - 1) / 2];
}

class ExperimentJob {
public:
    ExperimentJob(const experiment::Experiment& experiment, BackendPair backends, std::string title,
                  const RunControl& control, const ExperimentHooks& hooks)
        : m_plan(experiment::plan(experiment,
                                  (backends.traced ? backends.traced : backends.plain)->deviceCount()))
        , m_backends(backends)
        , m_title(std::move(title))
        , m_control(control)
        , m_hooks(hooks) {}

    RecordingPtr execute() {
        begin();
        announce();
        while (m_windows.size() < m_order.size()) {
            executeOne();
            if (m_windows.size() == m_order.size() && !m_known && wantsAnotherPair(m_windows))
                m_order.insert(m_order.end(), {true, false});
            announce();
        }
        const std::optional<analysis::ToolEffect> effect = m_known ? knownEffect() : toolEffectOf(m_windows);
        remember(effect);
        return assemble(effect, true);
    }

private:
    const experiment::Experiment& experiment() const { return m_plan.experiment; }
    std::size_t wanted() const { return wantedRuns(experiment()); }
    bool allKept() const { return m_kept.size() == wanted(); }

    /// The first run; repeated if the remembered values turn out to belong to another device.
    void begin() {
        const bool both =
            m_backends.plain && m_backends.traced && experiment::optionText(experiment(), "trace") == "both";
        if (m_hooks.memory && both)
            m_known = m_hooks.memory->find(experiment(), m_hooks.place);
        m_loops = m_known ? m_known->loops : 0;
        m_order = runOrder(experiment(), m_backends, m_known.has_value());
        executeOne();
        m_device = ToolEffectMemory::deviceTextOf(m_kept.front().trace);
        if (!m_known || m_known->device == m_device)
            return;
        m_known.reset();
        m_loops = 0;
        m_tracedRuns = 0;
        m_solos.reset();
        m_windows.clear();
        m_kept.clear();
        m_order = runOrder(experiment(), m_backends, false);
        executeOne();
        m_device = ToolEffectMemory::deviceTextOf(m_kept.front().trace);
    }

    void remember(const std::optional<analysis::ToolEffect>& effect) const {
        if (!m_hooks.memory)
            return;
        if (analysis::racedRuns(m_runs).count() > 0)
            m_hooks.memory->forget(experiment(), m_hooks.place);
        else if (effect && !m_known)
            m_hooks.memory->keep(experiment(), m_hooks.place, {*effect, m_loops, m_device, m_title});
    }

    std::optional<analysis::ToolEffect> knownEffect() const {
        analysis::ToolEffect effect = m_known->effect;
        effect.measuredWith = m_known->title;
        return effect;
    }

    /// Posts the intermediate result, if more follows.
    void announce() {
        if (m_windows.size() == m_order.size())
            return;
        const bool first = m_windows.size() == 1, askedFor = allKept() && !m_yielded;
        if ((first || askedFor || hasNews()) && m_hooks.preview) {
            m_hooks.preview(assemble(m_known ? knownEffect() : std::nullopt, false));
            m_told = troubles();
        }
        if (!askedFor)
            return;
        m_yielded = true;
        if (m_hooks.yield)
            m_hooks.yield();
    }

    /// Kinds of problems so far in any run.
    std::set<DefectCode> troubles() const {
        std::set<DefectCode> codes;
        for (const analysis::RunTrouble& run : m_runs.troubled)
            for (const Defect& defect : run.defects)
                codes.insert(defect.code);
        return codes;
    }
    /// A new kind of problem changes the verdict and is reported immediately; the count can wait.
    bool hasNews() const { return !std::ranges::includes(m_told, troubles()); }

    void executeOne() {
        m_control.throwIfCancelled();
        const bool traced = m_order[m_windows.size()];
        experiment::RunOptions options;
        options.solos = traced && !m_solos;
        options.calibratedLoops = m_loops;
        TraceBuilder builder;
        experiment::Backend& backend = traced ? *m_backends.traced : *m_backends.plain;
        backend.run(m_plan, options, builder, controlOf(traced));
        if (traced && m_solos)
            for (const SoloRecord& solo : *m_solos)
                builder.add(solo);
        take(traced, builder.finish());
    }

    /// The same work in every run: the first run calibrates, the first traced run measures each op alone.
    void take(bool traced, Trace trace) {
        const int number = traced ? ++m_tracedRuns : 0;
        if (m_loops == 0)
            m_loops = calibratedLoops(trace);
        if (traced && !m_solos)
            m_solos.emplace(trace.solos().begin(), trace.solos().end());
        m_windows.push_back({traced, makespanOf(trace)});
        noteTrouble(traced, trace);
        if (traced == m_order.front() && !allKept())
            m_kept.push_back({m_runs.count(), number, std::move(trace), m_windows.back().makespan});
    }

    /// For every run, kept or not.
    void noteTrouble(bool traced, const Trace& trace) {
        ++(traced ? m_runs.traced : m_runs.untraced);
        std::vector<Defect> defects = analysis::troubleOf(trace, &m_plan);
        if (!defects.empty())
            m_runs.troubled.push_back({m_runs.count(), traced, std::move(defects)});
    }

    /// Progress of the requested runs; then of those after them.
    RunControl controlOf(bool traced) const {
        const std::size_t asked = m_order.size() == wanted() ? wanted() : 2 * wanted() - 1;
        const std::size_t at = m_windows.size(), all = m_order.size();
        const bool behind = at >= asked;
        const double done = static_cast<double>(behind ? at - asked : at),
                     count = static_cast<double>(behind ? all - asked : asked);
        std::string run;
        if (behind)
            run = "measuring the tool effect: ";
        if (behind || asked > 1)
            run += "run " + std::to_string(at + 1) + " of " + std::to_string(behind ? all : asked) +
                   (traced || experiment::optionText(experiment(), "trace") == "off" ? "" : ", untraced") +
                   ": ";
        RunControl control;
        control.stop = m_control.stop;
        control.progress = [this, run, done, count](double share, std::string_view what) {
            m_control.report((done + std::clamp(share, 0.0, 1.0)) / count, run + std::string(what));
        };
        return control;
    }

    /// A run is done: the rest is short in comparison.
    RunControl analysisControl() const {
        RunControl result;
        result.stop = m_control.stop;
        const bool last = m_windows.size() == m_order.size() || (allKept() && !m_yielded);
        result.progress = [this, last](double, std::string_view what) {
            m_control.report(last ? 1 : -1, what);
        };
        return result;
    }

    /// `last`: its trace is not needed again.
    std::shared_ptr<Recording> recordingOf(std::size_t kept,
                                           const std::optional<analysis::ToolEffect>& effect, bool last) {
        m_control.throwIfCancelled();
        KeptRun& run = m_kept[kept];
        io::RecordingData data{last ? std::move(run.trace) : run.trace,
                               experiment::shareExperiment(experiment()), effect};
        data.runs = m_runs;
        data.runs.shown = run.number;
        data.runs.shownTraced = run.tracedNumber > 0;
        data.times = times();
        auto recording = makeRecording(
            std::move(data), wanted() == 1 ? m_title : m_title + " (" + std::to_string(kept + 1) + ")", true,
            analysisControl());
        recording->tracedRun = run.tracedNumber;
        recording->tracedRuns = m_tracedRuns;
        return recording;
    }

    comparison::RunTimes times() const {
        comparison::RunTimes times;
        if (m_windows.size() > 1)
            for (const Window& run : m_windows)
                (run.traced ? times.traced : times.untraced).push_back(run.makespan);
        return times;
    }

    /// The median of the requested runs, followed by the others; the first until all are done.
    RecordingPtr assemble(const std::optional<analysis::ToolEffect>& effect, bool last) {
        if (!allKept())
            return recordingOf(0, effect, last);
        const std::size_t median = medianIndex(m_kept);
        std::shared_ptr<Recording> chosen;
        std::vector<RecordingPtr> others;
        for (std::size_t i = 0; i < m_kept.size(); ++i) {
            std::shared_ptr<Recording> recording = recordingOf(i, effect, last);
            if (i == median)
                chosen = std::move(recording);
            else
                others.push_back(std::move(recording));
        }
        chosen->otherRuns = std::move(others);
        return chosen;
    }

    experiment::Plan m_plan;
    BackendPair m_backends;
    std::string m_title;
    const RunControl& m_control;
    const ExperimentHooks& m_hooks;
    std::optional<MeasuredEffect> m_known;
    std::vector<bool> m_order;
    std::vector<Window> m_windows; ///< of all runs so far, in order
    std::vector<KeptRun> m_kept;
    std::string m_device;
    std::int64_t m_loops = 0;
    int m_tracedRuns = 0;
    analysis::JobRuns m_runs; ///< all runs, including those without a window
    std::set<DefectCode> m_told;
    bool m_yielded = false;
    std::optional<std::vector<SoloRecord>> m_solos; ///< of the first traced run
};

} // namespace

RecordingPtr runExperiment(const experiment::Experiment& experiment, BackendPair backends, std::string title,
                           const RunControl& control, const ExperimentHooks& hooks) {
    if (!backends.traced && !backends.plain)
        throw Error(ErrorKind::Internal, "no-backend", "There is nothing to run the experiment on.",
                    "Choose the simulator, or a machine with a GPU.");
    return ExperimentJob(experiment, backends, std::move(title), control, hooks).execute();
}

} // namespace olab::recording
