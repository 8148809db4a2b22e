// The longest common subsequence of two sequences of labels: Myers, "An O(ND) Difference Algorithm and Its
// Variations", 1986. Pure functions, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace olab::comparison {

using Label = std::uint32_t;
/// Positions in the two sequences.
using Match = std::pair<std::size_t, std::size_t>;

/// Pairs of equal labels, ascending in both. Sequences that differ in more than `mostEdits` places, for which
/// the search would take too long, are paired as in matchInTurn().
std::vector<Match> matchInOrder(std::span<const Label> before, std::span<const Label> after,
                                std::size_t mostEdits = 2000);
/// Pairs the first occurrence of a label with the first, the second with the second, and so on.
std::vector<Match> matchInTurn(std::span<const Label> before, std::span<const Label> after);

} // namespace olab::comparison
