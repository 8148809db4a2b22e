#include "best_words.h"

#include <olab/analysis/waits.h>
#include <olab/trace/number_text.h>

#include <cmath>

namespace olab::sweep {
namespace {

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

/// The one with the shortest prediction of those that did not run.
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

} // namespace

std::string bestText(const Sweep& sweep, const BestFound& found) {
    if (!found.best)
        return "No cell could run.";
    std::string text = sweep.simulated ? "Simulated: best is " : "Best is ";
    text += cellText(sweep.grid, *found.best) + ": " + timeOf(sweep.cells[*found.best]) + "." +
            sureText(sweep, found);
    return found.cells < sweep.cells.size() ? text + unseenText(sweep, found) : text;
}

} // namespace olab::sweep
