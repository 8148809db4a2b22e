// The job of a session that runs a sweep: what is in its folder, predictions, measurements.
#include "base/call_later.h"
#include "window/runs/session_engines.h"

#include <olab/intervention/find_fix.h>
#include <olab/sweep/run_sweep.h>
#include <olab/ui/format.h>
#include <olab/ui/news.h>

#include <chrono>
#include <functional>
#include <set>
#include <utility>

namespace olab::ui {

namespace {

/// Tells the window what is new in a sweep, several cells at once where they come fast: predictions of a
/// thousand cells are no thousand calls. Engine thread.
class SweepTeller {
public:
    SweepTeller(const sweep::Sweep& sweep, std::function<void(const SweepNewsPtr&)> told);
    ~SweepTeller(); ///< tells what is left
    SweepTeller(const SweepTeller&) = delete;
    SweepTeller& operator=(const SweepTeller&) = delete;
    sweep::SweepHooks hooks(); ///< use while this lives
    void tellAll();            ///< every cell
    void tell();               ///< those that changed

private:
    const sweep::Sweep& m_sweep;
    std::function<void(const SweepNewsPtr&)> m_told;
    std::set<std::size_t> m_changed;
    std::chrono::steady_clock::time_point m_last{};
};

SweepTeller::SweepTeller(const sweep::Sweep& sweep, std::function<void(const SweepNewsPtr&)> told)
    : m_sweep(sweep)
    , m_told(std::move(told)) {}

SweepTeller::~SweepTeller() {
    tell();
}

sweep::SweepHooks SweepTeller::hooks() {
    return {[this](const sweep::Sweep&, std::size_t cell) {
        constexpr std::chrono::milliseconds kPause{50};
        m_changed.insert(cell);
        if (std::chrono::steady_clock::now() - m_last >= kPause)
            tell();
    }};
}

void SweepTeller::tellAll() {
    for (std::size_t cell = 0; cell < m_sweep.cells.size(); ++cell)
        m_changed.insert(cell);
    tell();
}

void SweepTeller::tell() {
    m_last = std::chrono::steady_clock::now();
    if (m_changed.empty())
        return;
    auto news = std::make_shared<SweepNews>();
    for (const std::size_t cell : std::exchange(m_changed, {}))
        news->cells.emplace_back(cell, m_sweep.cells[cell]);
    news->untraced = m_sweep.untraced;
    news->simulated = m_sweep.simulated;
    news->machine = m_sweep.machine;
    news->basis = m_sweep.basis;
    m_told(news);
}

/// What is in the folder of a sweep. Null: nothing more is written there.
std::unique_ptr<sweep::SweepStore> takeStored(sweep::Sweep& swept, const SweepJob& job,
                                              const std::string& machine) {
    if (job.folder.empty())
        return nullptr;
    if (machine.empty()) { // only looked at
        sweep::fillFrom(swept, sweep::SweepStore::linesOf(job.folder), job.folder);
        swept.machine = sweep::SweepStore::gridOf(job.folder).machine;
        return nullptr;
    }
    auto store = std::make_unique<sweep::SweepStore>(job.folder, machine);
    store->describe(job.grid, job.repeats);
    sweep::fillFrom(swept, store->lines(), job.folder);
    swept.machine = store->machine();
    return store;
}

/// Without a machine there is nothing that the model could be of.
intervention::ChosenModel modelFor(const sweep::Sweep& swept) {
    if (swept.machine.empty() || swept.machine.starts_with(sweep::kSimulatedMachine))
        return intervention::simulatedModel(swept.grid.base);
    return intervention::nearestModel(swept.machine, experiment::optionText(swept.grid.base, "sim.device"));
}

} // namespace

bool Session::sweep(const SweepJobPtr& job) {
    const BackendChoice chosen =
        experiment::simulatorOnly(job->grid.base).empty() ? m_backend : BackendChoice::Simulator;
    return start(
        tr("Running the sweep"), false,
        [this, job, chosen](const run::JobControl& control, Outcome&) { runSweep(*job, chosen, control); });
}

/// As the command line calls it: both may go on with the other's sweep. @throws Error without a device
std::string Session::machineOf(const RunControl& control) const {
    if (!m_backends.engineArguments.empty())
        return std::string(sweep::kSimulatedMachine) + m_engines->where();
    const run::EngineProbe probe = m_engines->probe(m_backends, control);
    if (!probe.usable)
        throw Error(ErrorKind::NoDevice, "no-device",
                    tr("No GPU can be used: %1").arg(fromText(probe.why)).toStdString(), probe.hint);
    return probe.what + m_engines->where();
}

/// On the engine thread.
void Session::runSweep(const SweepJob& job, BackendChoice choice, const run::JobControl& control) {
    const bool measures = choice == BackendChoice::Gpu && job.measures && !job.folder.empty();
    sweep::Sweep swept = sweep::emptySweep(job.grid);
    SweepTeller teller(
        swept, [this](const SweepNewsPtr& news) { callLater(this, [this, news] { emit sweepTold(news); }); });
    const sweep::MeasureOptions options{.repeats = job.repeats,
                                        .keepsRecordings = true,
                                        .triesFailedAgain = true,
                                        .machine = measures ? machineOf(control) : std::string()};
    const auto store = takeStored(swept, job, options.machine);
    teller.tellAll();
    const std::unique_ptr<experiment::Backend> simulator = m_backends.simulator();
    const intervention::ChosenModel model = modelFor(swept);
    const std::string basis =
        tr("Predicted by the simulator with %1.").arg(fromText(model.why)).toStdString();
    sweep::predict(swept, {simulator.get(), model.simDevice, basis}, control, teller.hooks());
    teller.tell();
    if (measures)
        sweep::measure(swept, m_engines->pair(choice, m_backends, control), store.get(), options, control,
                       teller.hooks());
}

} // namespace olab::ui
