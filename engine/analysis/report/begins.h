// Begins of iterations, and the ways to find them. Each returns none if it finds too few, and throws Error
// only when cancelled.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/steady_state.h>

#include <string>
#include <vector>

namespace olab::analysis {

/// Begins of iterations, and how they were found.
struct Begins {
    IterationMark mark = IterationMark::None;
    std::string name;
    std::uint64_t operations = 0;
    std::vector<Ns> at;
    Ns end = 0; ///< end of the last iteration
};

/// Steps are named by the program itself; anything else may repeat by chance.
constexpr std::size_t fewestOf(IterationMark mark) {
    return mark == IterationMark::Steps ? kFewestSteps : kFewestIterations;
}

/// From names: steps of a profiler, else the range that covers most of the device work.
Begins namedIterations(const TraceFacts& facts, const RunControl& control);
/// From operations that a stream repeats in the same order.
Begins patternIterations(const TraceFacts& facts, const RunControl& control);

/// The median; of an even number, the upper of the two in the middle. `numbers` is not empty.
Ns upperMedianOf(std::vector<Ns> numbers);
std::vector<Ns> lengthsOf(const std::vector<Interval>& times);

} // namespace olab::analysis
