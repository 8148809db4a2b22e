#include "report/spread.h"

#include <algorithm>
#include <cmath>

namespace olab::analysis {
namespace {

Ns meanOf(std::span<const Ns> durations) {
    __extension__ using Wide = __int128;
    Wide sum = 0;
    for (const Ns duration : durations)
        sum += duration;
    return static_cast<Ns>(sum / static_cast<Wide>(durations.size()));
}

/// For an even count the mean of the two in the middle.
Ns medianOf(std::span<Ns> durations) {
    const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
    std::ranges::nth_element(durations, middle);
    if (durations.size() % 2 != 0)
        return *middle;
    const Ns below = *std::max_element(durations.begin(), middle);
    return below + (*middle - below) / 2;
}

/// The square root is only precise to whole ns anyway; differences from the mean keep their digits.
Ns deviationOf(std::span<const Ns> durations, Ns mean) {
    if (durations.size() < 2)
        return 0;
    double squares = 0, rest = 0;
    for (const Ns duration : durations) {
        const auto apart = static_cast<double>(duration - mean);
        squares += apart * apart;
        rest += apart;
    }
    const auto count = static_cast<double>(durations.size());
    return static_cast<Ns>(
        std::llround(std::sqrt(std::max(0.0, squares - rest * rest / count) / (count - 1))));
}

} // namespace

void setSpread(StatisticsRow& row, std::span<Ns> durations) {
    if (durations.empty())
        return;
    const auto [least, most] = std::ranges::minmax(durations);
    row.shortest = least, row.longest = most;
    row.mean = meanOf(durations);
    row.spread = deviationOf(durations, row.mean);
    row.median = medianOf(durations);
}

} // namespace olab::analysis
