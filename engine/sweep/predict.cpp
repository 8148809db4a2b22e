#include <olab/sweep/run_sweep.h>

#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <mutex>
#include <thread>

namespace olab::sweep {
namespace {

class Prediction {
public:
    Prediction(Sweep& sweep, const Predictor& predictor, const RunControl& control, const SweepHooks& hooks)
        : m_sweep(sweep)
        , m_predictor(predictor)
        , m_control(control)
        , m_hooks(hooks) {
        for (std::size_t i = 0; i < sweep.cells.size(); ++i)
            if (sweep.cells[i].impossible.empty() && !sweep.cells[i].predicted)
                m_wanted.push_back(i);
    }

    void execute() {
        m_sweep.basis = m_predictor.basis;
        constexpr unsigned kMostThreads = 8;
        sideBySide(m_wanted.size(), std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads),
                   [this](std::size_t i) { predictOne(m_wanted[i]); });
        m_control.throwIfCancelled();
    }

private:
    experiment::HeldExperiment simulated(std::size_t cell) const {
        experiment::HeldExperiment experiment = experimentOf(m_sweep.grid, cell);
        experiment::setOption(experiment, "trace", "on");
        bool variesDevice = false;
        for (const Axis& axis : m_sweep.grid.axes)
            variesDevice = variesDevice || axis.varies("sim.device");
        if (!m_predictor.simDevice.empty() && !variesDevice)
            experiment::setOption(experiment, "sim.device", m_predictor.simDevice);
        return experiment;
    }

    /// Nothing if the cell cannot be simulated.
    std::optional<CellNumbers> numbersOf(std::size_t cell) const {
        RunControl quiet;
        quiet.stop = m_control.stop;
        try {
            const recording::RecordingPtr run = recording::runExperiment(
                simulated(cell), {m_predictor.simulator, nullptr}, "predicted", quiet);
            return cellNumbersOf(run->report, !run->raceText().empty());
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Internal)
                throw;
            return std::nullopt;
        }
    }

    void predictOne(std::size_t cell) {
        if (m_control.cancelled())
            return;
        std::optional<CellNumbers> numbers = numbersOf(cell);
        const std::lock_guard lock(m_mutex);
        if (!numbers)
            return;
        m_sweep.cells[cell].predicted = std::move(numbers);
        if (m_hooks.changed)
            m_hooks.changed(m_sweep, cell);
        m_control.report(static_cast<double>(++m_done) / static_cast<double>(m_wanted.size()),
                         "predicting " + cellText(m_sweep.grid, cell));
    }

    Sweep& m_sweep;
    const Predictor& m_predictor;
    const RunControl& m_control;
    const SweepHooks& m_hooks;
    std::vector<std::size_t> m_wanted;
    std::mutex m_mutex; ///< protects the cells and the callback
    std::size_t m_done = 0;
};

} // namespace

void predict(Sweep& sweep, const Predictor& predictor, const RunControl& control, const SweepHooks& hooks) {
    Prediction(sweep, predictor, control, hooks).execute();
}

} // namespace olab::sweep
