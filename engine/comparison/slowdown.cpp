#include <olab/comparison/slowdown.h>

#include "rank_tests.h"

#include <olab/trace/value_text.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace olab::comparison {
namespace {

constexpr std::size_t kMostExact = 2500; ///< ratios, or pairs squared

double normalTail(double z) {
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// P(U = u) for u up to half of n * m, which is symmetric: the largest value is of the one side or the other.
std::vector<double> rankSumShares(std::size_t n, std::size_t m) {
    const std::size_t half = n * m / 2 + 1;
    std::vector<std::vector<double>> ofSmaller(m + 1, std::vector<double>(half, 0)); // of a values, by b
    for (auto& shares : ofSmaller)
        shares[0] = 1;
    for (std::size_t a = 1; a <= n; ++a) {
        std::vector<std::vector<double>> shares(m + 1, std::vector<double>(half, 0));
        shares[0][0] = 1;
        for (std::size_t b = 1; b <= m; ++b) {
            const double ofA = static_cast<double>(a) / static_cast<double>(a + b);
            for (std::size_t u = 0; u < half; ++u)
                shares[b][u] = (u >= b ? ofA * ofSmaller[b][u - b] : 0) + (1 - ofA) * shares[b - 1][u];
        }
        ofSmaller = std::move(shares);
    }
    return ofSmaller[m];
}

/// P(W = w) for w up to half of the largest sum of ranks.
std::vector<double> signedRankShares(std::size_t n) {
    std::vector<double> shares(n * (n + 1) / 4 + 1, 0);
    shares[0] = 1;
    for (std::size_t rank = 1; rank <= n; ++rank)
        for (std::size_t w = shares.size(); w-- > 0;)
            shares[w] = 0.5 * (shares[w] + (w >= rank ? shares[w - rank] : 0));
    return shares;
}

RankBound exactBound(const std::vector<double>& shares, double wanted) {
    RankBound found;
    double tail = 0;
    for (const double share : shares) {
        tail += share;
        if (1 - 2 * tail < wanted)
            break;
        ++found.order;
        found.coverage = 1 - 2 * tail;
    }
    return found;
}

RankBound normalBound(double mean, double deviation, double wanted) {
    RankBound found;
    const auto tailBelow = [&](std::size_t order) {
        return normalTail((static_cast<double>(order) - 0.5 - mean) / deviation); // P(statistic < order)
    };
    std::size_t low = 0, high = static_cast<std::size_t>(mean);
    while (low < high) {
        const std::size_t middle = (low + high + 1) / 2;
        if (1 - 2 * tailBelow(middle) >= wanted)
            low = middle;
        else
            high = middle - 1;
    }
    found.order = low;
    found.coverage = low > 0 ? 1 - 2 * tailBelow(low) : 0;
    return found;
}

} // namespace

RankBound rankSumBound(std::size_t n, std::size_t m, double wanted) {
    if (n == 0 || m == 0)
        return {};
    if (n * m <= kMostExact)
        return exactBound(rankSumShares(n, m), wanted);
    const double a = static_cast<double>(n), b = static_cast<double>(m);
    return normalBound(a * b / 2, std::sqrt(a * b * (a + b + 1) / 12), wanted);
}

RankBound signedRankBound(std::size_t n, double wanted) {
    if (n * n <= kMostExact)
        return exactBound(signedRankShares(n), wanted);
    const double a = static_cast<double>(n);
    return normalBound(a * (a + 1) / 4, std::sqrt(a * (a + 1) * (2 * a + 1) / 24), wanted);
}

namespace {

using Logs = std::vector<double>; ///< of ratios: their differences are ranked

bool allTakeTime(std::span<const Ns> times) {
    return !times.empty() && std::ranges::all_of(times, [](Ns time) { return time > 0; });
}

std::span<const Ns> judged(std::span<const Ns> times) {
    return times.first(std::min(times.size(), kMostRunsJudged));
}

double logOf(Ns before, Ns after) {
    return std::log(static_cast<double>(after) / static_cast<double>(before));
}

Slowdown betweenOrders(Logs logs, const RankBound& bound) {
    std::ranges::sort(logs);
    const std::size_t half = logs.size() / 2;
    const double middle = logs.size() % 2 == 1 ? logs[half] : (logs[half - 1] + logs[half]) / 2;
    Slowdown found;
    found.ratio = std::exp(middle);
    if (bound.order > 0) {
        found.low = std::exp(logs[bound.order - 1]);
        found.high = std::exp(logs[logs.size() - bound.order]);
        found.coverage = bound.coverage;
    }
    return found;
}

std::string countText(std::size_t before, std::size_t after) {
    if (before == 1 && after == 1)
        return "one run of each says nothing about how far runs differ";
    return std::to_string(before) + " and " + std::to_string(after) + " runs are too few";
}

double widthOf(const Slowdown& found) {
    return (std::log(*found.high) - std::log(*found.low)) / 2;
}

std::string percentOf(double ratio, bool withSign) {
    const double percent = (ratio - 1) * 100;
    return (withSign && percent >= 0 ? "+" : "") + fixedText(percent, 1);
}

} // namespace

std::optional<Slowdown> slowdownOfRuns(std::span<const Ns> before, std::span<const Ns> after) {
    before = judged(before), after = judged(after);
    if (!allTakeTime(before) || !allTakeTime(after))
        return std::nullopt;
    Logs logs;
    for (const Ns was : before)
        for (const Ns is : after)
            logs.push_back(logOf(was, is));
    const bool areEnough = std::min(before.size(), after.size()) >= kFewestRuns;
    Slowdown found =
        betweenOrders(std::move(logs),
                      areEnough ? rankSumBound(before.size(), after.size(), kSlowdownCoverage) : RankBound{});
    found.basis = SlowdownBasis::Runs;
    found.before = before.size(), found.after = after.size();
    if (!found.low)
        found.lacks = countText(before.size(), after.size()) + ": " + std::to_string(kFewestRuns) +
                      " of each are the fewest that can tell";
    return found;
}

std::optional<Slowdown> slowdownOfPairs(std::span<const Ns> before, std::span<const Ns> after) {
    const std::size_t pairs = std::min({before.size(), after.size(), kMostRunsJudged});
    before = before.first(pairs), after = after.first(pairs);
    if (pairs < kFewestRunPairs || !allTakeTime(before) || !allTakeTime(after))
        return slowdownOfRuns(before, after);
    Logs logs;
    for (std::size_t i = 0; i < pairs; ++i)
        for (std::size_t j = i; j < pairs; ++j)
            logs.push_back((logOf(before[i], after[i]) + logOf(before[j], after[j])) / 2);
    Slowdown found = betweenOrders(std::move(logs), signedRankBound(pairs, kSlowdownCoverage));
    found.basis = SlowdownBasis::Pairs;
    found.before = found.after = pairs;
    return found;
}

std::optional<std::size_t> moreRuns(const Slowdown& found, double limit) {
    constexpr double kWithPower = 1.5; // (2.58 + 1.28) / 2.58: sufficient in nine of ten cases
    const auto before = static_cast<double>(found.before), after = static_cast<double>(found.after);
    const std::size_t fewer = std::min(found.before, found.after);
    if (!found.low)
        return fewer < kFewestRuns ? kFewestRuns - fewer : 1;
    const double distance = std::abs(std::log(found.ratio) - std::log1p(limit));
    const double each = 2 * before * after / (before + after);
    const double wanted = each * std::pow(kWithPower * widthOf(found) / distance, 2);
    if (!(wanted <= static_cast<double>(kMostRunsJudged)))
        return std::nullopt;
    return static_cast<std::size_t>(std::ceil(std::max(1.0, wanted - static_cast<double>(fewer))));
}

std::string slowdownText(const Slowdown& found) {
    const double ratio = found.ratio;
    const bool isFactor = ratio >= 1.5 || ratio <= 1 / 1.5, isFaster = ratio < 1;
    const bool isSure = !found.low || found.basis == SlowdownBasis::Exact;
    const auto shown = [&](double end) {
        return isFactor ? fixedText(isFaster ? 1 / end : end, 2)
                        : fixedText(std::abs(end - 1) < 5e-4 ? 0 : (isFaster ? 1 - end : end - 1) * 100, 1);
    };
    if (isSure && std::abs(ratio - 1) < 5e-4)
        return "as long";
    if (!isSure && !found.rises() && !found.falls())
        return "no difference that can be told from chance (" + percentOf(*found.low, true) + " % to " +
               percentOf(*found.high, true) + " %)";
    std::string text = isFactor ? shown(ratio) + (isFaster ? "x faster" : "x slower")
                                : (isFaster ? "faster by " : "slower by ") + shown(ratio) + " %";
    if (!isSure)
        text += " (" + shown(isFaster ? *found.high : *found.low) + " to " +
                shown(isFaster ? *found.low : *found.high) + ")";
    return text;
}

} // namespace olab::comparison
