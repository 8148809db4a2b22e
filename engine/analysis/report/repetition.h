// The period of a repeating sequence of numbers, which may have other content before and after it and a few
// differences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace olab::analysis {

struct Repetition {
    std::size_t period = 0;         ///< 0: none
    std::size_t begin = 0, end = 0; ///< the repeating part of the sequence
};

/// The shortest period of the longest part that repeats at least `times` times. Numbers are small (ids). O(n
/// log n), some dozens of passes.
Repetition repetitionOf(std::span<const std::uint32_t> sequence, std::size_t times);

} // namespace olab::analysis
