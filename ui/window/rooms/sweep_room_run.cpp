// The job that runs a sweep: what is in its folder, predictions, measurements. Engine thread.
#include "window/rooms/sweep_room.h"
#include "window/runs/engines.h"

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
    SweepTeller(const sweep::Sweep& sweep, std::function<void(const SweepNewsPtr&)> told)
        : m_sweep(sweep)
        , m_told(std::move(told)) {}
    ~SweepTeller() { tell(); } ///< what is left
    SweepTeller(const SweepTeller&) = delete;
    SweepTeller& operator=(const SweepTeller&) = delete;
    /// Use while this lives.
    sweep::SweepHooks hooks() {
        return {[this](const sweep::Sweep&, std::size_t cell) {
            constexpr std::chrono::milliseconds kPause{50};
            m_changed.insert(cell);
            if (std::chrono::steady_clock::now() - m_last >= kPause)
                tell();
        }};
    }
    void tellAll() {
        for (std::size_t cell = 0; cell < m_sweep.cells.size(); ++cell)
            m_changed.insert(cell);
        tell();
    }
    /// Those that changed.
    void tell() {
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

private:
    const sweep::Sweep& m_sweep;
    std::function<void(const SweepNewsPtr&)> m_told;
    std::set<std::size_t> m_changed;
    std::chrono::steady_clock::time_point m_last{};
};

/// What is in the folder of a sweep. Null: nothing more is written there.
std::unique_ptr<sweep::SweepStore> takeStored(sweep::Sweep& swept, const SweepRoom::Wish& wish,
                                              const std::string& machine) {
    if (wish.folder.empty())
        return nullptr;
    if (machine.empty()) { // only looked at
        sweep::fillFrom(swept, sweep::SweepStore::linesOf(wish.folder), wish.folder);
        swept.machine = sweep::SweepStore::gridOf(wish.folder).machine;
        return nullptr;
    }
    auto store = std::make_unique<sweep::SweepStore>(wish.folder, machine);
    store->describe(wish.grid, wish.repeats);
    sweep::fillFrom(swept, store->lines(), wish.folder);
    swept.machine = store->machine();
    return store;
}

/// Without a machine there is nothing that the model could be of.
intervention::ChosenModel modelFor(const sweep::Sweep& swept) {
    if (swept.machine.empty() || swept.machine.starts_with(sweep::kSimulatedMachine))
        return intervention::simulatedModel(swept.grid.base);
    return intervention::nearestModel(swept.machine, experiment::optionText(swept.grid.base, "sim.device"));
}

/// As the command line calls it: both may go on with the other's sweep. @throws Error without a device
std::string machineOf(Engines& engines, const RunControl& control) {
    if (!engines.backends().engineArguments.empty())
        return std::string(sweep::kSimulatedMachine) + engines.where();
    const run::EngineProbe probe = engines.probe(control);
    if (!probe.usable)
        throw Error(ErrorKind::NoDevice, "no-device",
                    SweepRoom::tr("No GPU can be used: %1").arg(fromText(probe.why)).toStdString(),
                    probe.hint);
    return probe.what + engines.where();
}

} // namespace

void SweepRoom::runSweep(const Wish& wish, BackendChoice choice, const JobTools& tools,
                         const std::function<void(const SweepNewsPtr&)>& told) {
    const run::JobControl& control = tools.control;
    const bool measures = choice == BackendChoice::Gpu && wish.measures && !wish.folder.empty();
    sweep::Sweep swept = sweep::emptySweep(wish.grid);
    SweepTeller teller(swept, [&](const SweepNewsPtr& news) { tools.tell([told, news] { told(news); }); });
    const sweep::MeasureOptions options{.repeats = wish.repeats,
                                        .keepsRecordings = true,
                                        .triesFailedAgain = true,
                                        .machine =
                                            measures ? machineOf(tools.engines, control) : std::string()};
    const auto store = takeStored(swept, wish, options.machine);
    teller.tellAll();
    const std::unique_ptr<experiment::Backend> simulator = tools.engines.backends().simulator();
    const intervention::ChosenModel model = modelFor(swept);
    const std::string basis =
        tr("Predicted by the simulator with %1.").arg(fromText(model.why)).toStdString();
    sweep::predict(swept, {simulator.get(), model.simDevice, basis}, control, teller.hooks());
    teller.tell();
    if (measures)
        sweep::measure(swept, tools.engines.pair(choice, control), store.get(), options, control,
                       teller.hooks());
}

} // namespace olab::ui
