#include <olab/sweep/knee.h>
#include <olab/sweep/sweep_document.h>

#include <olab/analysis/waits.h>
#include <olab/trace/number_text.h>

#include <algorithm>
#include <cmath>

namespace olab::sweep {
namespace {

std::string inPercent(double share) {
    return fixedText(100 * share, 1) + " %";
}

/// Of the map as a whole.
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
