#include <olab/sweep/find_best.h>

#include <olab/analysis/waits.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace olab::sweep {
namespace {

// Sentences about the best cell.

std::string timeOf(const Cell& cell) {
    const auto spread = cell.spread();
    return analysis::timeText(spread->median) +
           (spread->runs > 1 ? " (" + comparison::spreadText(*spread) + ")" : "");
}

std::string sureText(const Sweep& sweep, const BestFound& found) {
    if (!found.next)
        return " No other cell ran.";
    const std::string next = " The next best, " + cellText(sweep.grid, *found.next) + ", ";
    if (!found.distance)
        return next + "could not be compared.";
    const std::string slower = comparison::slowdownText(*found.distance);
    if (found.isExact)
        return next + "is " + slower + ". The simulator repeats itself; it says nothing about chance.";
    if (found.isSure)
        return next + "is " + slower + ": sure to 99 % that this one is faster.";
    return next + "cannot be told from it: " + slower + ".";
}

/// Mentions the cell with the shortest prediction among those that did not run.
std::string unseenText(const Sweep& sweep, const BestFound& found) {
    std::optional<std::size_t> shortest;
    const auto predicted = [&](std::size_t i) {
        const Cell& cell = sweep.cells[i];
        return static_cast<double>(cell.predicted->measured) / static_cast<double>(cell.passes);
    };
    for (std::size_t i = 0; i < sweep.cells.size(); ++i)
        if (const Cell& cell = sweep.cells[i]; cell.times.empty() && cell.predicted && cell.passes > 0)
            if (!shortest || predicted(i) < predicted(*shortest))
                shortest = i;
    std::string text = " " + std::to_string(found.cells) + " of " + std::to_string(sweep.cells.size()) +
                       " cells ran; a search can miss a better one elsewhere.";
    if (!shortest || !sweep.cells[*found.best].predicted)
        return text;
    const double share = predicted(*shortest) / predicted(*found.best) - 1;
    return text + " Of those that did not run, " + cellText(sweep.grid, *shortest) +
           " is predicted to take " + fixedText(100 * std::abs(share), 1) + " % " +
           (share < 0 ? "less." : "more.");
}

std::string bestText(const Sweep& sweep, const BestFound& found) {
    if (!found.best)
        return "No cell could run.";
    std::string text = sweep.simulated ? "Simulated: best is " : "Best is ";
    text += cellText(sweep.grid, *found.best) + ": " + timeOf(sweep.cells[*found.best]) + "." +
            sureText(sweep, found);
    return found.cells < sweep.cells.size() ? text + unseenText(sweep, found) : text;
}

constexpr std::size_t kFinalists = 3;
constexpr std::size_t kRoundsOfTwo = 16; // coordinate searches end much earlier

class BestSearch {
public:
    BestSearch(Sweep& sweep, recording::BackendPair backends, SweepStore* store,
               const MeasureOptions& options, const RunControl& control, const SweepHooks& hooks)
        : m_sweep(sweep)
        , m_backends(backends)
        , m_store(store)
        , m_options(options)
        , m_control(control)
        , m_hooks(hooks) {}

    BestFound execute() {
        std::size_t at = start();
        (void)costOf(at);
        for (std::size_t round = 0; round < kRoundsOfTwo; ++round) {
            const std::size_t before = at;
            for (std::size_t axis = 0; axis < m_sweep.grid.axes.size(); ++axis)
                at = searchLine(axis, at);
            if (at == before)
                break;
        }
        return judge();
    }

private:
    std::size_t start() const {
        const auto predicted = bestCell(m_sweep);
        return predicted.value_or(m_sweep.cells.size() / 2);
    }

    static double perPass(const Cell& cell) {
        const bool counts = !cell.times.empty() && cell.passes > 0 && !(cell.numbers && cell.numbers->raced);
        return counts ? static_cast<double>(cell.spread()->median) / static_cast<double>(cell.passes)
                      : std::numeric_limits<double>::infinity();
    }

    void run(const std::vector<std::size_t>& cells, int repeats) {
        MeasureOptions options = m_options;
        options.only = cells;
        options.repeats = repeats;
        measure(m_sweep, m_backends, m_store, options, m_control, m_hooks);
    }

    double costOf(std::size_t cell) {
        if (m_sweep.cells[cell].times.empty())
            run({cell}, 1);
        return perPass(m_sweep.cells[cell]);
    }

    /// @returns the best measured cell of the line through `at`
    std::size_t searchLine(std::size_t axis, std::size_t at) {
        const std::vector<std::size_t> line = m_sweep.grid.line(axis, at);
        std::size_t low = 0, high = line.size() - 1;
        if (!m_sweep.grid.axes[axis].numbers.empty())
            narrow(line, low, high);
        for (std::size_t i = low; i <= high; ++i)
            (void)costOf(line[i]);
        std::size_t best = at;
        for (const std::size_t cell : line)
            if (perPass(m_sweep.cells[cell]) < perPass(m_sweep.cells[best]))
                best = cell;
        return best;
    }

    /// Golden section down to three cells.
    void narrow(const std::vector<std::size_t>& line, std::size_t& low, std::size_t& high) {
        constexpr double kGolden = 0.381966;
        while (high - low > 2) {
            const auto step = std::max<std::size_t>(
                1, static_cast<std::size_t>(std::lround(kGolden * static_cast<double>(high - low))));
            const std::size_t left = low + step, right = high - step;
            if (left >= right) { // both are the middle
                costOf(line[left - 1]) <= costOf(line[left]) ? high = left : low = left - 1;
                continue;
            }
            costOf(line[left]) <= costOf(line[right]) ? high = right : low = left;
        }
    }

    std::vector<std::size_t> measuredCells() const {
        std::vector<std::size_t> cells;
        for (std::size_t i = 0; i < m_sweep.cells.size(); ++i)
            if (std::isfinite(perPass(m_sweep.cells[i])))
                cells.push_back(i);
        return cells;
    }

    /// The best first.
    void rank(std::vector<std::size_t>& cells) const {
        std::ranges::stable_sort(cells, {}, [this](std::size_t i) { return perPass(m_sweep.cells[i]); });
    }

    BestFound judge() {
        BestFound found;
        std::vector<std::size_t> cells = measuredCells();
        found.cells = cells.size();
        rank(cells);
        found.isExact = !m_backends.plain && m_sweep.simulated;
        if (!found.isExact && cells.size() > 1) {
            cells.resize(std::min(cells.size(), kFinalists));
            run(cells, 1 + static_cast<int>(comparison::kFewestRunPairs));
            rank(cells);
        }
        if (!cells.empty())
            found.best = cells[0];
        if (cells.size() > 1) {
            found.next = cells[1];
            found.distance = distance(cells[0], cells[1]);
            found.isSure = !found.isExact && found.distance && found.distance->rises();
        }
        found.text = bestText(m_sweep, found);
        return found;
    }

    /// The runs after the first one, which were made alternately; all runs if there are no more.
    std::vector<Ns> comparable(std::size_t number) const {
        constexpr double kExact = 1024; // passes differ slightly: avoids rounding loss of the division
        const Cell& cell = m_sweep.cells[number];
        std::vector<Ns> times;
        for (const Ns time : cell.times)
            times.push_back(static_cast<Ns>(
                std::llround(kExact * static_cast<double>(time) / static_cast<double>(cell.passes))));
        if (times.size() > comparison::kFewestRunPairs)
            times.erase(times.begin());
        return times;
    }

    std::optional<comparison::Slowdown> distance(std::size_t best, std::size_t next) const {
        return comparison::slowdownOfPairs(comparable(best), comparable(next));
    }

    Sweep& m_sweep;
    recording::BackendPair m_backends;
    SweepStore* m_store;
    const MeasureOptions& m_options;
    const RunControl& m_control;
    const SweepHooks& m_hooks;
};

} // namespace

void checkBest(const Grid& grid) {
    for (const Axis& axis : grid.axes)
        if (axis.kind != AxisKind::Way)
            throw Error(ErrorKind::Usage, "bad-sweep",
                        "There is no best value of " + axis.name() + ": its cells do different work.",
                        "Leave out --best, or vary how the same work is done.");
}

BestFound findBest(Sweep& sweep, recording::BackendPair backends, SweepStore* store,
                   const MeasureOptions& options, const RunControl& control, const SweepHooks& hooks) {
    checkBest(sweep.grid);
    return BestSearch(sweep, backends, store, options, control, hooks).execute();
}

} // namespace olab::sweep
