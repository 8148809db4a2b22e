// The effect of a change on a number, from paired runs: one without and one with the change, in immediate
// succession, so that slow drift affects both. And the spread of runs of one kind. Pure functions, any
// thread; times in nanoseconds.
//
// The interval is the exact one of order statistics (the sign test turned round): with n differences the
// k-th smallest and the k-th largest enclose their median with the probability 1 - 2 P(B(n, 1/2) < k),
// whatever their distribution; source: H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., 2003, section
// 7.1. A t interval would need differences that are normal, and run times have long tails. Six pairs are the
// fewest that give 95 % so (five: 93.75 %).
#pragma once

#include <olab/trace/types.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace olab::comparison {

inline constexpr int kFewestPairs = 6;
inline constexpr double kConfidence = 0.95;

struct PairedChange {
    Ns before = 0, after = 0; ///< medians
    Ns change = 0;            ///< median of the differences, after - before
    int pairs = 0;
    std::optional<Ns> low, high; ///< of the change; empty with fewer than kFewestPairs
    double coverage = 0;         ///< the exact probability of the interval, 0.95 or more; 0 without one

    bool falls() const { return high && *high < 0; }
    bool rises() const { return low && *low > 0; }
    friend bool operator==(const PairedChange&, const PairedChange&) = default;
};
/// Of runs i of both, up to the smaller count.
PairedChange pairedChange(std::span<const Ns> before, std::span<const Ns> after);

/// The spread of the runs of one experiment.
struct Spread {
    Ns median = 0, lowest = 0, highest = 0;
    int runs = 0;
    friend bool operator==(const Spread&, const Spread&) = default;
};
std::optional<Spread> spreadOf(std::vector<Ns> times);

/// Makespans of all runs of a job, in order: repeats, and the pairs behind them.
struct RunTimes {
    std::vector<Ns> traced, untraced;
    bool empty() const { return traced.empty() && untraced.empty(); }
    friend bool operator==(const RunTimes&, const RunTimes&) = default;
};
/// Every run of one took longer than every run of the other, and each had more than one.
bool beyondSpread(const Spread& a, const Spread& b);

/// "-24.60 ms (95 %: -25.02 to -24.11)".
std::string changeText(const PairedChange& change);
/// "median of 5, 340 ms to 351 ms"; of one run "one run".
std::string spreadText(const Spread& spread);
/// From time after / time before, for the end of a sentence: "21x slower", "2.87x faster", "4.1 % longer",
/// "as long".
std::string ratioText(double ratio);

} // namespace olab::comparison
