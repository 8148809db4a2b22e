#include "rank_tests.h"

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

} // namespace olab::comparison
