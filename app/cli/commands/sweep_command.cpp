#include "command.h"
#include "console.h"
#include "engines.h"
#include "launcher.h"
#include "sweep_launcher.h"
#include "sweep_text.h"

#include <olab/sim/sim_backend.h>
#include <olab/sweep/cell_folder.h>
#include <olab/sweep/run_sweep.h>
#include <olab/sweep/sweep_document.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

constexpr OptionSpec kSweepOptions[] = {
    {"--vary", "", "KEY=VALUES", "an axis: streams=1,2,4,8 or h2d.bytes=1MiB..64MiB*2; two at most"},
    {"--repeat", "", "N", "how often each cell is measured (1)"},
    {"--set", "", "KEY=VALUE", "change one option of all cells; may be given often"},
    {"--backend", "", "auto|cuda|sim", "auto (default): the GPU, or only the simulator where there is none"},
    kOnOption,
    kLauncherOption,
    kPartitionOption,
    kAccountOption,
    kGpusOption,
    {"--at-once", "", "N", "with a command as --launcher: how many cells it runs at once (1)"},
    {"--cell", "", "N",
     "of the sweep in DIR: measure only this cell, into a folder of its own (a task of --launcher)"},
    {"--output", "-o", "DIR",
     "keep every run there at once; a folder that is there goes on where it stopped"},
    {"--keep", "", "", "also keep the recording of one traced run of each cell in DIR"},
    {"--keep-iterations", "", "", "leave iterations as they are when streams vary"},
    {"--try-failed", "", "", "run cells again that failed before"},
    {"--best", "", "", "search for the best cell instead of measuring all, and say how sure it is"},
    {"--figure", "", "time|per-pass|rate|efficiency|off", "what the map shows"},
    {"--csv", "", "", "print a line for each cell"},
    {"--json", "", "", "print all of it as JSON"},
};

constexpr std::string_view kSweepText =
    "VALUES are a list whose parts may be ranges: 1,2,4..16*2 or 100..400+100. Options that change together\n"
    "are one axis: --vary h2d.bytes+d2h.bytes=1MiB,4MiB. First the simulator says what to expect of every\n"
    "cell, which is marked; then each round measures all cells once, in a shuffled order, every second "
    "round\n"
    "backwards, so that drift does not look like an effect. When streams vary, iterations follow, so that "
    "the\n"
    "work stays the same. With trace=both the times are those of untraced runs, and one traced run of each\n"
    "cell has its account. Beyond the knee of an axis no value gains 2 %, or more than repeats of a cell\n"
    "differ by; the report of the cell says what holds it there.\n"
    "\n"
    "With -o DIR a run is on the disk before the next one starts. The same command, or 'olab sweep DIR', "
    "goes\n"
    "on after a crash or Ctrl+C, with more values or a larger --repeat too, and measures nothing twice. A\n"
    "folder that was measured on another machine is refused.\n"
    "\n"
    "--launcher slurm makes each cell a task of an array (sbatch); 'CMD {}' starts each by your own command. "
    "DIR and\n"
    "olab must be on a disk that the nodes share. The tasks keep their runs in DIR/cells; when all have "
    "ended they\n"
    "are collected, and cells without a result are named. The same command goes on: it waits for tasks that "
    "still\n"
    "run, and starts those that are missing.";

constexpr int kMostRepeats = 1000;

int repeatsOf(const Arguments& arguments, int usual) {
    if (!arguments.has("--repeat"))
        return usual;
    const std::string text = arguments.value("--repeat");
    int repeats = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), repeats);
    if (error != std::errc() || end != text.data() + text.size() || repeats < 1 || repeats > kMostRepeats)
        throw Error(ErrorKind::Usage, "bad-repeat", "'" + text + "' is not a valid number of repeats.",
                    "It is a whole number from 1 to " + std::to_string(kMostRepeats) + ".");
    return repeats;
}

std::optional<sweep::Figure> figureWanted(const Arguments& arguments) {
    if (!arguments.has("--figure"))
        return std::nullopt;
    const std::string id = arguments.value("--figure");
    const auto rows = sweep::figureTable();
    const auto row = std::ranges::find(rows, id, &sweep::FigureRow::id);
    if (row == rows.end())
        throw Error(ErrorKind::Usage, "bad-figure", "There is no figure '" + id + "'.",
                    "The figures are time, per-pass, rate, efficiency and off.");
    return row->figure;
}

bool namesSweep(const Arguments& arguments) {
    return !arguments.positional().empty() && sweep::SweepStore::isSweep(arguments.positional().front());
}

void checkWords(const Arguments& arguments) {
    if (namesSweep(arguments) &&
        (arguments.has("--vary") || arguments.has("--set") || arguments.has("--output")))
        throw Error(ErrorKind::Usage, "two-sweeps",
                    "'" + arguments.positional().front() +
                        "' is the folder of a sweep, which says what is swept.",
                    "Name it alone to go on, or name the experiment and -o DIR to sweep more values of it.");
    if (arguments.has("--keep") && !arguments.has("--output") && !namesSweep(arguments))
        throw Error(ErrorKind::Usage, "no-folder", "--keep needs a folder for the recordings.",
                    "Add -o DIR.");
    if (!arguments.has("--launcher"))
        (void)slurmOptions(arguments); // refuses what needs it
    if (arguments.has("--csv") && arguments.has("--json"))
        throw Error(ErrorKind::Usage, "two-formats", "--csv and --json are two formats.", "Choose one.");
}

/// What is swept: a folder says it, or the words of the command.
sweep::StoredGrid gridWanted(const Arguments& arguments, const RunControl& control) {
    if (namesSweep(arguments))
        return sweep::SweepStore::gridOf(arguments.positional().front());
    sweep::StoredGrid wanted;
    for (const std::string& axis : arguments.values("--vary"))
        wanted.grid.axes.push_back(sweep::axisFrom(axis));
    wanted.grid.base = experimentOf(arguments, control);
    wanted.grid.title = titleOf(arguments);
    wanted.grid.keepsPasses = !arguments.has("--keep-iterations");
    return wanted;
}

fs::path folderOf(const Arguments& arguments) {
    return namesSweep(arguments) ? fs::path(arguments.positional().front())
                                 : fs::path(arguments.value("--output"));
}

struct Swept {
    sweep::Sweep sweep;
    std::optional<sweep::BestFound> best;
};

class SweepRun {
public:
    SweepRun(const Arguments& arguments, const RunControl& control)
        : m_arguments(arguments)
        , m_control(control)
        , m_wanted(gridWanted(arguments, control))
        , m_folder(folderOf(arguments)) {
        m_swept.sweep = sweep::emptySweep(m_wanted.grid);
        m_options.repeats = repeatsOf(arguments, m_wanted.repeats);
        m_options.keepsRecordings = arguments.has("--keep");
        m_options.triesFailedAgain = arguments.has("--try-failed");
        if (arguments.has("--best"))
            sweep::checkBest(m_wanted.grid);
    }

    Swept execute() {
        if (m_arguments.has("--cell"))
            return measureOneCell();
        if (m_arguments.has("--launcher"))
            return launch();
        Engines engines(m_arguments, m_wanted.grid.base, {}, m_control);
        m_options.machine = engines.machine();
        refuseSimulatedAxes(engines);
        openStore();
        predictAll(engines);
        measureAll(engines);
        engines.settle(m_control);
        return std::move(m_swept);
    }

    /// What Ctrl+C left in the folder; empty: nothing is kept.
    Printed leftText() const {
        if (!m_store)
            return {};
        return Printed() << m_store->lines().size() << " runs are kept in " << m_folder.string()
                         << "; 'olab sweep " << m_folder.string() << "' goes on.";
    }

private:
    void refuseSimulatedAxes(const Engines& engines) const {
        for (const sweep::Axis& axis : m_wanted.grid.axes)
            for (const std::string& key : axis.keys)
                if (engines.inChildren() && key.starts_with("sim."))
                    throw Error(ErrorKind::Usage, "simulator-only", key + " changes nothing on a GPU.",
                                "Add --backend sim, or vary another option.");
    }

    /// A task: nothing but its cell, and no table.
    Swept measureOneCell() {
        const std::size_t cell = cellWanted();
        Engines engines(m_arguments, m_wanted.grid.base, {}, m_control);
        if (!engines.inChildren())
            throw Error(ErrorKind::Usage, "only-simulated", "There is no GPU here to measure a cell on.",
                        "Without a GPU a sweep is only predicted: leave out --launcher and --cell.");
        m_options.machine = engines.machine();
        m_options.only = {cell};
        m_folder = sweep::cellFolder(m_folder, m_wanted.grid, cell);
        openStore();
        sweep::measure(m_swept.sweep, engines.pair(), m_store.get(), m_options, m_control);
        engines.settle(m_control);
        return std::move(m_swept);
    }

    std::size_t cellWanted() const {
        const std::string text = m_arguments.value("--cell");
        std::size_t cell = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cell);
        if (!namesSweep(m_arguments) || error != std::errc() || end != text.data() + text.size() ||
            cell >= m_wanted.grid.cells())
            throw Error(
                ErrorKind::Usage, "bad-cell", "'" + text + "' is not a cell of a sweep that is there.",
                "Write olab sweep DIR --cell N, with N below " + std::to_string(m_wanted.grid.cells()) + ".");
        return cell;
    }

    Swept launch() {
        SweepLauncher launcher(m_arguments, m_folder);
        std::vector<std::size_t> cells;
        openStore();
        const bool underWay = launcher.isUnderWay(m_control);
        if (!underWay)
            collect(launcher, {}); // what tasks left that nobody waited for
        for (std::size_t i = 0; i < m_swept.sweep.cells.size(); ++i)
            if (wantsCell(i))
                cells.push_back(i);
        if (underWay)
            std::erase_if(cells, [this](std::size_t cell) {
                return !sweep::SweepStore::isSweep(sweep::cellFolder(m_folder, m_wanted.grid, cell));
            });
        else
            for (const std::size_t cell : cells)
                sweep::prepareCell(*m_store, m_wanted.grid, m_options.repeats, cell);
        m_store.reset(); // the folder is nobody's while the tasks run
        try {
            if (underWay)
                say(Printed() << "waiting for tasks that run already (job " << launcher.jobs() << ")");
            else if (!cells.empty())
                launcher.start(cells, m_control);
            launcher.await(m_control);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Cancelled)
                collect(launcher, {});
            throw;
        }
        collect(launcher, cells);
        predictHere();
        return std::move(m_swept);
    }

    bool wantsCell(std::size_t cell) const {
        const sweep::Cell& one = m_swept.sweep.cells[cell];
        return !sweep::isComplete(m_swept.sweep, cell, m_options.repeats) ||
               (!one.failed.empty() && m_options.triesFailedAgain);
    }

    /// Takes over what the tasks have kept. `expected`: the cells that should have a result now.
    void collect(const SweepLauncher& launcher, const std::vector<std::size_t>& expected) {
        std::map<std::size_t, std::string> foreign;
        std::string machine = sweep::SweepStore::gridOf(m_folder).machine;
        for (std::size_t i = 0; i < m_swept.sweep.cells.size(); ++i) {
            const std::string there = sweep::machineOfCell(m_folder, m_wanted.grid, i);
            if (machine.empty())
                machine = there;
            else if (!there.empty() && there != machine)
                foreign[i] = "It ran on " + there + ", the others on " + machine + ".";
        }
        m_store.reset();
        m_store = std::make_unique<sweep::SweepStore>(m_folder, machine);
        m_store->describe(m_wanted.grid, m_options.repeats);
        for (std::size_t i = 0; i < m_swept.sweep.cells.size(); ++i)
            if (!foreign.contains(i))
                sweep::collectCell(*m_store, m_wanted.grid, m_options.repeats, i);
        m_swept.sweep = sweep::emptySweep(m_wanted.grid);
        sweep::fillFrom(m_swept.sweep, m_store->lines(), m_folder);
        m_swept.sweep.machine = m_store->machine();
        for (const std::size_t cell : expected)
            if (!sweep::isComplete(m_swept.sweep, cell, m_options.repeats))
                m_swept.sweep.cells[cell].failed = whyMissing(launcher, foreign, cell);
    }

    static std::string whyMissing(const SweepLauncher& launcher, std::map<std::size_t, std::string>& foreign,
                                  std::size_t cell) {
        if (const auto other = foreign.find(cell); other != foreign.end())
            return other->second;
        const std::string last = launcher.lastWords(cell);
        return "Its task ended without a result" + (last.empty() ? "." : ": " + last);
    }

    /// With the model of the machine that measured.
    void predictHere() {
        sim::SimBackend simulator;
        const experiment::Experiment& base = m_wanted.grid.base;
        const intervention::ChosenModel model =
            m_swept.sweep.simulated ? intervention::simulatedModel(base)
                                    : intervention::nearestModel(m_swept.sweep.machine,
                                                                 experiment::optionText(base, "sim.device"));
        sweep::predict(m_swept.sweep,
                       {&simulator, model.simDevice, "Predicted by the simulator with " + model.why + "."},
                       m_control);
    }

    void openStore() {
        if (m_folder.empty())
            return;
        m_store = std::make_unique<sweep::SweepStore>(m_folder, m_options.machine);
        m_store->describe(m_wanted.grid, m_options.repeats);
        sweep::fillFrom(m_swept.sweep, m_store->lines(), m_folder);
        m_swept.sweep.machine = m_store->machine();
    }

    void predictAll(Engines& engines) {
        const bool isOfOther = !engines.inChildren() && !m_swept.sweep.machine.empty();
        if (isOfOther) // it was measured elsewhere, and is only looked at
            return predictHere();
        const intervention::ChosenModel model = engines.model(m_wanted.grid.base);
        const sweep::Predictor predictor{engines.predictors().simulator, model.simDevice,
                                         "Predicted by the simulator with " + model.why + "."};
        sweep::predict(m_swept.sweep, predictor, m_control);
    }

    void measureAll(Engines& engines) {
        if (m_arguments.has("--best"))
            m_swept.best =
                sweep::findBest(m_swept.sweep, engines.pair(), m_store.get(), m_options, m_control);
        else if (engines.inChildren())
            sweep::measure(m_swept.sweep, engines.pair(), m_store.get(), m_options, m_control);
    }

    const Arguments& m_arguments;
    const RunControl& m_control;
    sweep::StoredGrid m_wanted;
    fs::path m_folder; ///< empty: nothing is kept
    sweep::MeasureOptions m_options;
    std::unique_ptr<sweep::SweepStore> m_store;
    Swept m_swept;
};

Swept sweepWanted(const Arguments& arguments) {
    const Console console;
    const RunControl control = console.control();
    SweepRun run(arguments, control);
    try {
        return run.execute();
    } catch (const Error&) {
        console.clearLine();
        if (const Printed left = run.leftText(); !left.empty())
            say(left);
        throw;
    }
}

int runSweepCommand(const Arguments& arguments) {
    checkWords(arguments);
    const std::optional<sweep::Figure> figure = figureWanted(arguments);
    const Swept swept = sweepWanted(arguments);
    if (arguments.has("--cell"))
        return std::ranges::any_of(swept.sweep.cells, [](const auto& cell) { return !cell.failed.empty(); })
                   ? 4
                   : 0;
    const sweep::BestFound* const best = swept.best ? &*swept.best : nullptr;
    if (arguments.has("--json"))
        printJson(sweep::sweepToJson(swept.sweep, best));
    else if (arguments.has("--csv"))
        printJson(sweep::sweepToCsv(swept.sweep));
    else
        print(sweepText(swept.sweep, figure.value_or(sweep::usualFigure(swept.sweep)), best));
    const auto failed = std::ranges::count_if(swept.sweep.cells,
                                              [](const sweep::Cell& cell) { return !cell.failed.empty(); });
    return failed > 0 ? static_cast<int>(ErrorKind::DeviceFailed) : 0;
}

} // namespace

extern const Command kSweepCommand{
    "sweep",
    "[PRESET, FILE.json or DIR] --vary KEY=VALUES [--vary KEY=VALUES] [--repeat N] [--set KEY=VALUE]... "
    "[--on HOST] [--launcher L] [-o "
    "DIR] "
    "[--keep] [--best] [--csv|--json]",
    "Varies one or two options: a map, predicted and measured, and where nothing more is gained.",
    kSweepText,
    kSweepOptions,
    0,
    1,
    runSweepCommand};

} // namespace olab::cli
