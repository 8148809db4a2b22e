// Distributions of the two rank statistics for equal sides: exact for small numbers, otherwise by normal
// approximation.
#pragma once

#include <cstddef>

namespace olab::comparison {

/// Which of the sorted ratios bound the interval: the `order`-th smallest and the `order`-th largest, counted
/// from 1.
struct RankBound {
    std::size_t order = 0; ///< 0: too few runs for an interval of that coverage
    double coverage = 0;
};
/// For the n * m ratios of two groups (Mann and Whitney).
RankBound rankSumBound(std::size_t n, std::size_t m, double wanted);
/// For the n (n + 1) / 2 means of n differences (Wilcoxon).
RankBound signedRankBound(std::size_t n, double wanted);

} // namespace olab::comparison
