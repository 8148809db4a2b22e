#include <olab/sweep/grid.h>

#include <olab/trace/error.h>
#include <olab/trace/fnv.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace olab::sweep {
namespace {

[[noreturn]] void refuseGrid(const std::string& why, const std::string& hint) {
    throw Error(ErrorKind::Usage, "bad-sweep", why, hint);
}

bool isVaried(const Grid& grid, std::string_view key) {
    return std::ranges::any_of(grid.axes, [&](const Axis& axis) { return axis.varies(key); });
}

void keepPasses(const Grid& grid, experiment::Experiment& experiment) {
    if (!grid.keepsPasses || !isVaried(grid, "streams") || isVaried(grid, "iterations"))
        return;
    const auto wanted = static_cast<double>(passesOf(grid.base));
    const auto streams = static_cast<double>(experiment::optionNumber(experiment, "streams"));
    experiment::setNumber(experiment, "iterations",
                          std::max<std::int64_t>(1, std::llround(wanted / streams)));
}

} // namespace

std::size_t Grid::cells() const {
    std::size_t count = axes.empty() ? 0 : 1;
    for (const Axis& axis : axes)
        count *= axis.values.size();
    return count;
}

std::vector<std::size_t> Grid::at(std::size_t cell) const {
    std::vector<std::size_t> found;
    for (const Axis& axis : axes) {
        found.push_back(cell % axis.values.size());
        cell /= axis.values.size();
    }
    return found;
}

std::size_t Grid::cellAt(std::size_t first, std::size_t second) const {
    return first + second * axes.front().values.size();
}

std::vector<std::size_t> Grid::line(std::size_t axis, std::size_t cell) const {
    std::vector<std::size_t> place = at(cell), found;
    place.resize(kMostAxes);
    for (std::size_t value = 0; value < axes[axis].values.size(); ++value) {
        place[axis] = value;
        found.push_back(cellAt(place[0], place[1]));
    }
    return found;
}

void checkGrid(const Grid& grid) {
    if (grid.axes.empty())
        refuseGrid("There is nothing to vary.", "Add --vary KEY=VALUE,VALUE,...: --vary streams=1,2,4,8");
    if (grid.axes.size() > kMostAxes)
        refuseGrid("A sweep has two axes at most.",
                   "Options that change together are one axis: --vary h2d.bytes+d2h.bytes=1MiB,4MiB");
    if (grid.axes.size() == 2)
        for (const std::string& key : grid.axes.front().keys)
            if (grid.axes.back().varies(key))
                refuseGrid(key + " is on both axes.", "Vary another option.");
    if (grid.cells() > kMostCells)
        refuseGrid("That is " + std::to_string(grid.cells()) + " cells.",
                   "A sweep has at most " + std::to_string(kMostCells) + ": leave values out.");
}

experiment::HeldExperiment experimentOf(const Grid& grid, std::size_t cell) {
    experiment::HeldExperiment experiment = grid.base;
    experiment::setOption(experiment, "repeat", "1");
    const std::vector<std::size_t> at = grid.at(cell);
    for (std::size_t axis = 0; axis < grid.axes.size(); ++axis)
        for (const std::string& key : grid.axes[axis].keys)
            experiment::setOption(experiment, key, grid.axes[axis].values[at[axis]]);
    keepPasses(grid, experiment);
    return experiment;
}

std::string whyImpossible(const Grid& grid, std::size_t cell) {
    const std::vector<std::string> reasons = experiment::conflicts(experimentOf(grid, cell));
    return reasons.empty() ? std::string() : reasons.front();
}

std::string cellText(const Grid& grid, std::size_t cell) {
    const std::vector<std::size_t> at = grid.at(cell);
    std::string text;
    for (std::size_t axis = 0; axis < grid.axes.size(); ++axis)
        text += (axis == 0 ? "" : ", ") + grid.axes[axis].assignment(at[axis]);
    return text;
}

std::int64_t passesOf(const experiment::Experiment& experiment) {
    return experiment::optionNumber(experiment, "streams") *
           experiment::optionNumber(experiment, "iterations");
}

std::string cellDigest(const experiment::Experiment& experiment) {
    constexpr int kDigits = 16, kHex = 16;
    std::array<char, kDigits> digits{};
    const std::uint64_t number = fnv(experiment::experimentToJson(experiment));
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, kHex).ptr;
    const std::string text(digits.data(), end);
    return std::string(kDigits - text.size(), '0') + text;
}

} // namespace olab::sweep
