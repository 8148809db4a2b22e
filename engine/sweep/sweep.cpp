#include <olab/sweep/sweep.h>

#include <olab/analysis/waits.h>
#include <olab/sweep/knee.h>
#include <olab/sweep/sweep_document.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace olab::sweep {
namespace {

double medianOf(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double ratio(Ns a, Ns b) {
    return static_cast<double>(a) / static_cast<double>(std::max<Ns>(1, b));
}

bool comparesWork(const Sweep& sweep) {
    return std::ranges::none_of(sweep.grid.axes, [](const Axis& axis) { return axis.kind != AxisKind::Way; });
}

bool raced(const Cell& cell) {
    const CellNumbers* const numbers = cell.shownNumbers();
    return numbers && numbers->raced;
}

} // namespace

std::string_view cellStateName(CellState state) {
    static constexpr std::array<std::string_view, 5> kNames{"waiting", "simulated", "measured", "impossible",
                                                            "failed"};
    return kNames[static_cast<std::size_t>(state)];
}

std::optional<Ns> Cell::time() const {
    if (const auto measured = spread())
        return measured->median;
    return predicted ? std::optional(predicted->measured) : std::nullopt;
}

const CellNumbers* Cell::shownNumbers() const {
    return numbers ? &*numbers : times.empty() && predicted ? &*predicted : nullptr;
}

std::optional<double> Cell::off() const {
    if (times.empty() || !predicted || predicted->measured <= 0 || predicted->raced ||
        (numbers && numbers->raced))
        return std::nullopt;
    return ratio(spread()->median, predicted->measured) - 1;
}

CellState Sweep::state(std::size_t number) const {
    const Cell& cell = cells[number];
    if (!cell.impossible.empty())
        return CellState::Impossible;
    if (!cell.times.empty())
        return simulated ? CellState::Simulated : CellState::Measured;
    if (!cell.failed.empty())
        return CellState::Failed;
    return cell.predicted ? CellState::Simulated : CellState::Waiting;
}

std::size_t Sweep::measured() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(cells, [](const Cell& cell) { return !cell.times.empty(); }));
}

double Sweep::noise() const {
    std::vector<double> widths;
    for (const Cell& cell : cells)
        if (const auto spread = cell.spread(); spread && spread->runs > 1)
            widths.push_back(ratio(spread->highest - spread->lowest, spread->median));
    return widths.empty() ? 0 : medianOf(std::move(widths));
}

std::optional<double> Sweep::drift() const {
    std::vector<double> ratios;
    for (const Cell& cell : cells)
        if (cell.times.size() > 1)
            ratios.push_back(ratio(cell.times.back(), cell.times.front()));
    return ratios.empty() ? std::nullopt : std::optional(medianOf(std::move(ratios)) - 1);
}

Sweep emptySweep(Grid grid) {
    checkGrid(grid);
    Sweep sweep;
    sweep.grid = std::move(grid);
    sweep.cells.resize(sweep.grid.cells());
    for (std::size_t cell = 0; cell < sweep.cells.size(); ++cell) {
        sweep.cells[cell].impossible = whyImpossible(sweep.grid, cell);
        sweep.cells[cell].passes = passesOf(experimentOf(sweep.grid, cell));
    }
    return sweep;
}

std::optional<std::size_t> bestCell(const Sweep& sweep) {
    std::optional<std::size_t> best;
    double shortest = 0;
    const bool onlyMeasured = sweep.measured() > 0;
    for (std::size_t i = 0; i < sweep.cells.size() && comparesWork(sweep); ++i) {
        const Cell& cell = sweep.cells[i];
        const auto time = cell.time();
        if (!time || cell.passes == 0 || raced(cell) || (onlyMeasured && cell.times.empty()))
            continue;
        const double perPass = static_cast<double>(*time) / static_cast<double>(cell.passes);
        if (!best || perPass < shortest)
            best = i, shortest = perPass;
    }
    return best;
}

std::optional<PredictionError> predictionError(const Sweep& sweep) {
    std::vector<double> errors;
    PredictionError found;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
        const Cell& cell = sweep.cells[i];
        const auto off = cell.off();
        if (!off)
            continue;
        errors.push_back(std::abs(*off));
        if (errors.back() >= found.largest)
            found.largest = errors.back(), found.worst = i;
        if (cell.numbers && cell.numbers->limiting == cell.predicted->limiting)
            ++found.sameLimiting;
    }
    if (errors.empty())
        return std::nullopt;
    found.cells = errors.size();
    found.median = medianOf(std::move(errors));
    return found;
}

namespace {

std::string inPercent(double share) {
    return fixedText(100 * share, 1) + " %";
}

/// For the whole map.
std::string shortestText(const Sweep& sweep) {
    const auto best = bestCell(sweep);
    if (!best)
        return {};
    const Cell& cell = sweep.cells[*best];
    const bool measured = sweep.state(*best) == CellState::Measured;
    return std::string(measured ? "Shortest: " : "Shortest, simulated: ") + cellText(sweep.grid, *best) +
           ", " + analysis::timeText(*cell.time()) + ".";
}

std::string predictionText(const Sweep& sweep) {
    const auto error = predictionError(sweep);
    if (!error || sweep.simulated)
        return {};
    return "Predictions are off by " + inPercent(error->median) + " in the median of " +
           std::to_string(error->cells) + " cells, at most by " + inPercent(error->largest) + " (" +
           cellText(sweep.grid, error->worst) + "); they name the same limit in " +
           std::to_string(error->sameLimiting) + ".";
}

std::string steadinessText(const Sweep& sweep) {
    const auto drift = sweep.drift();
    if (!drift || sweep.simulated)
        return {};
    return "Repeats of a cell differ by " + inPercent(sweep.noise()) +
           " in the median; from the first to the last they became " + inPercent(std::abs(*drift)) +
           (*drift < 0 ? " shorter." : " longer.");
}

std::string leftOutText(const Sweep& sweep) {
    std::size_t impossible = 0, failed = 0;
    std::string why;
    for (const Cell& cell : sweep.cells) {
        impossible += cell.impossible.empty() ? 0 : 1;
        failed += cell.failed.empty() ? 0 : 1;
        if (why.empty())
            why = cell.impossible.empty() ? cell.failed : cell.impossible;
    }
    if (impossible + failed == 0)
        return {};
    return std::to_string(impossible) + " cells cannot run and " + std::to_string(failed) + " failed: " + why;
}

} // namespace

std::vector<std::string> sweepSentences(const Sweep& sweep) {
    std::vector<std::string> all{shortestText(sweep)};
    for (std::size_t axis = 0; axis < sweep.grid.axes.size(); ++axis)
        all.push_back(axisText(sweep, axis));
    all.push_back(predictionText(sweep));
    all.push_back(steadinessText(sweep));
    all.push_back(leftOutText(sweep));
    std::erase_if(all, [](const std::string& text) { return text.empty(); });
    return all;
}

} // namespace olab::sweep
