#include <olab/comparison/paired_change.h>

#include <olab/analysis/waits.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <cmath>

namespace olab::comparison {
namespace {

Ns middleOf(std::vector<Ns> values) {
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : values[half - 1] + (values[half] - values[half - 1]) / 2;
}

/// P(B(n, 1/2) < k)
double binomialTail(int n, int k) {
    double term = std::pow(0.5, n), sum = 0;
    for (int i = 0; i < k; ++i) {
        sum += term;
        term *= static_cast<double>(n - i) / (i + 1);
    }
    return sum;
}

/// Rank k of the smallest and largest value used; 0: too few values.
int orderFor(int n) {
    int k = 0;
    while (2 * (k + 1) <= n && 1 - 2 * binomialTail(n, k + 1) >= kConfidence)
        ++k;
    return k;
}

} // namespace

PairedChange pairedChange(std::span<const Ns> before, std::span<const Ns> after) {
    const std::size_t pairs = std::min(before.size(), after.size());
    std::vector<Ns> differences;
    for (std::size_t i = 0; i < pairs; ++i)
        differences.push_back(after[i] - before[i]);
    std::ranges::sort(differences);
    PairedChange found;
    found.pairs = static_cast<int>(pairs);
    found.before = middleOf({before.begin(), before.begin() + static_cast<std::ptrdiff_t>(pairs)});
    found.after = middleOf({after.begin(), after.begin() + static_cast<std::ptrdiff_t>(pairs)});
    found.change = middleOf(differences);
    if (const int k = orderFor(found.pairs); k > 0) {
        found.low = differences[static_cast<std::size_t>(k - 1)];
        found.high = differences[pairs - static_cast<std::size_t>(k)];
        found.coverage = 1 - 2 * binomialTail(found.pairs, k);
    }
    return found;
}

std::optional<Spread> spreadOf(std::vector<Ns> times) {
    if (times.empty())
        return std::nullopt;
    const auto [lowest, highest] = std::ranges::minmax(times);
    const int runs = static_cast<int>(times.size());
    return Spread{middleOf(std::move(times)), lowest, highest, runs};
}

bool beyondSpread(const Spread& a, const Spread& b) {
    return a.runs > 1 && b.runs > 1 && (a.highest < b.lowest || b.highest < a.lowest);
}

/// Uses one unit for all three numbers, to make the width of the interval visible.
std::string changeText(const PairedChange& change) {
    struct Unit {
        double size;
        const char* name;
    };
    const double largest = static_cast<double>(std::max(
        {std::abs(change.change), std::abs(change.low.value_or(0)), std::abs(change.high.value_or(0))}));
    const Unit unit = largest >= 1e9 ? Unit{1e9, " s"} : largest >= 1e6 ? Unit{1e6, " ms"} : Unit{1e3, " us"};
    const auto inUnit = [&](Ns time) {
        return (time > 0 ? "+" : "") + fixedText(static_cast<double>(time) / unit.size, 2);
    };
    std::string text = inUnit(change.change) + unit.name;
    if (change.low)
        text += " (95 %: " + inUnit(*change.low) + " to " + inUnit(*change.high) + ")";
    return text;
}

std::string spreadText(const Spread& spread) {
    if (spread.runs < 2)
        return "one run";
    return "median of " + std::to_string(spread.runs) + " runs, " + analysis::timeText(spread.lowest) +
           " to " + analysis::timeText(spread.highest);
}

std::string ratioText(double ratio) {
    const auto factor = [](double value) { return value < 9.95 ? shortText(value, 3) : fixedText(value, 0); };
    const double percent = (ratio - 1) * 100;
    if (ratio >= 1.5)
        return factor(ratio) + "x slower";
    if (ratio > 0 && ratio <= 1 / 1.5)
        return factor(1 / ratio) + "x faster";
    if (std::abs(percent) < 0.05)
        return "as long";
    return fixedText(std::abs(percent), 1) + (percent > 0 ? " % longer" : " % shorter");
}

} // namespace olab::comparison
