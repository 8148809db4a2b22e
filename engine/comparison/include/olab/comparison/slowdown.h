// How much longer the runs of one side took than those of the other, with an interval for the ratio that is
// valid for any distribution of run times: these have long tails, drift and several modes. Pure functions,
// any thread; times in nanoseconds.
//
// The estimate is the median of all ratios after / before (Hodges and Lehmann); the interval is the one that
// belongs to the rank sum test of Mann and Whitney, or, for runs made in turns, to the signed rank test of
// Wilcoxon; source: M. Hollander, D. A. Wolfe, E. Chicken, Nonparametric Statistical Methods, 3rd ed., 2014,
// sections 4.3 and 3.3. Both are exact for a few runs. Two to four runs of each side have no such interval;
// that of Welch would give one, and calls the same program slower too often where run times have two modes
// (tests/bench/slowdown_main.cpp measures both).
#pragma once

#include <olab/trace/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace olab::comparison {

/// More than 95 %: each end of the interval is wrong in at most one of two hundred comparisons. With 95 %, an
/// unchanged program would be called slower in two of a hundred.
inline constexpr double kSlowdownCoverage = 0.99;
inline constexpr std::size_t kFewestRuns = 5;        ///< of each side, for an interval
inline constexpr std::size_t kFewestRunPairs = 8;    ///< made alternately, for their interval
inline constexpr std::size_t kMostRunsJudged = 1000; ///< of each side; more do not improve the result

enum class SlowdownBasis : std::uint8_t {
    None,
    Runs,  ///< each run of one side against each of the other
    Pairs, ///< run i against run i: made alternately
    Exact  ///< simulated with one seed: equal options take equal time
};

struct Slowdown {
    double ratio = 1;                  ///< after / before
    std::optional<double> low, high;   ///< of the ratio; empty: see `lacks`
    double coverage = 0;               ///< the probability of the interval; 0 without one
    std::size_t before = 0, after = 0; ///< how many runs
    SlowdownBasis basis = SlowdownBasis::None;
    std::string lacks{};

    bool rises() const { return low && *low > 1; }   ///< surely slower
    bool falls() const { return high && *high < 1; } ///< surely faster
};
/// Nothing if one side has no run, or a run took no time.
std::optional<Slowdown> slowdownOfRuns(std::span<const Ns> before, std::span<const Ns> after);
/// Compares run i of both, up to the smaller count. Fewer than kFewestRunPairs: slowdownOfRuns().
std::optional<Slowdown> slowdownOfPairs(std::span<const Ns> before, std::span<const Ns> after);

/// Approximate number of additional runs of each side until the interval is on one side of `limit` (a share:
/// 0.03), if the ratio stays. Nothing: more than kMostRunsJudged.
std::optional<std::size_t> moreRuns(const Slowdown& found, double limit);

/// "slower by 4.1 % (3.2 to 5.0)", "2.87x slower (2.80 to 2.93)", "as long (-0.3 % to +0.4 %)".
std::string slowdownText(const Slowdown& found);

} // namespace olab::comparison
