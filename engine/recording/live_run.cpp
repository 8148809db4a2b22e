#include <olab/recording/live_run.h>

#include <olab/experiment/plan.h>
#include <olab/recording/kernel_calibration.h>

#include <condition_variable>
#include <optional>
#include <utility>

namespace olab::recording {
namespace {

using Clock = std::chrono::steady_clock;

/// Their kernels take the same time for the same number of loops.
bool kernelsAlike(const experiment::Experiment& a, const experiment::Experiment& b) {
    const auto same = [&](const char* key) {
        return experiment::optionText(a, key) == experiment::optionText(b, key);
    };
    return kernelShapeOf(a) == kernelShapeOf(b) && same("device") && same("sim.device");
}

class LiveRun {
public:
    LiveRun(const LiveWish& wish, experiment::Backend& backend, const RunControl& control,
            const LiveHooks& hooks)
        : m_wish(wish)
        , m_backend(backend)
        , m_control(control)
        , m_hooks(hooks) {}

    [[noreturn]] void execute() {
        for (;;) {
            m_control.throwIfCancelled();
            const Clock::time_point begin = Clock::now();
            takeWish();
            Trace trace = runOnce();
            const auto least = std::max<std::chrono::nanoseconds>(m_hooks.least, simulatedTime(trace));
            tell(std::move(trace));
            sleepUntil(begin + least);
        }
    }

private:
    /// Adopts the latest wish unless it cannot run: then the plan stays. The first one must be possible.
    void takeWish() {
        m_changed.clear();
        m_fresh = false;
        experiment::HeldExperiment wanted = m_wish.get();
        if (m_plan && (wanted == m_plan->experiment || wanted == m_refused))
            return;
        try {
            refuseSimulated(wanted);
            use(experiment::plan(wanted, m_backend.deviceCount()));
        } catch (const Error& error) {
            if (!m_plan || error.kind() != ErrorKind::Usage)
                throw;
            if (m_hooks.refused)
                m_hooks.refused(wanted, error.what());
            m_refused = std::move(wanted);
        }
    }

    void refuseSimulated(const experiment::Experiment& wanted) const {
        const std::vector<std::string> simulated = experiment::simulatorOnly(wanted);
        if (m_hooks.onDevice && !simulated.empty())
            throw Error(ErrorKind::Usage, "simulated-only", "No GPU can be " + simulated.front() + ".",
                        "Choose the simulator.");
    }

    void use(experiment::Plan next) {
        if (m_plan) {
            m_changed = comparison::optionDifferences(m_plan->experiment, next.experiment);
            m_fresh =
                experiment::environmentOf(m_plan->experiment) != experiment::environmentOf(next.experiment) ||
                experiment::needsFreshProcess(next.experiment);
            if (!kernelsAlike(m_plan->experiment, next.experiment))
                m_loops = 0;
        }
        m_refused.reset();
        m_plan = std::move(next);
    }

    Trace runOnce() {
        experiment::RunOptions options;
        options.solos = false;
        options.calibratedLoops = m_loops;
        options.keepPrepared = true;
        TraceBuilder builder;
        m_backend.run(*m_plan, options, builder, quiet());
        Trace trace = builder.finish();
        if (m_loops == 0)
            m_loops = calibratedLoops(trace);
        return trace;
    }

    void tell(Trace trace) {
        LivePass pass;
        pass.number = ++m_passes;
        pass.changed = std::move(m_changed);
        pass.freshProcess = m_fresh;
        if (!trace.windows().empty() && isMeasured(trace)) {
            const WindowRecord window = trace.windows().front();
            if (m_lastEnd)
                pass.between = window.begin - *m_lastEnd;
            m_lastEnd = window.end;
        }
        pass.recording =
            makeRecording({std::move(trace), experiment::shareExperiment(m_plan->experiment), {}},
                          "Pass " + std::to_string(pass.number), true, quiet());
        m_hooks.passed(std::move(pass));
    }

    /// A pass reports no progress, but can be stopped.
    RunControl quiet() const { return {m_control.stop, {}}; }

    static bool isMeasured(const Trace& trace) { return trace.provenance().source == SourceKind::Cuda; }

    static std::chrono::nanoseconds simulatedTime(const Trace& trace) {
        return std::chrono::nanoseconds(isMeasured(trace) ? 0 : trace.deviceSpan().length());
    }

    void sleepUntil(Clock::time_point until) {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any stopped;
        stopped.wait_until(lock, m_control.stop, until, [] { return false; });
    }

    const LiveWish& m_wish;
    experiment::Backend& m_backend;
    const RunControl& m_control;
    const LiveHooks& m_hooks;
    std::optional<experiment::Plan> m_plan;
    std::optional<experiment::HeldExperiment> m_refused;
    std::vector<comparison::OptionDifference> m_changed;
    bool m_fresh = false;
    std::int64_t m_loops = 0;
    int m_passes = 0;
    std::optional<Ns> m_lastEnd;
};

} // namespace

LiveWish::LiveWish(experiment::HeldExperiment experiment)
    : m_experiment(std::move(experiment)) {}

void LiveWish::set(const experiment::HeldExperiment& experiment) {
    const std::lock_guard lock(m_mutex);
    m_experiment = experiment;
}

experiment::HeldExperiment LiveWish::get() const {
    const std::lock_guard lock(m_mutex);
    return m_experiment;
}

void runLive(const LiveWish& wish, experiment::Backend& backend, const RunControl& control,
             const LiveHooks& hooks) {
    LiveRun(wish, backend, control, hooks).execute();
}

} // namespace olab::recording
