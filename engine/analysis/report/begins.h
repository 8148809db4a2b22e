// Begins of iterations, and the ways to find them. Each gives none where it finds too few; they throw Error
// only when cancelled.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/analysis/steady_state.h>

#include <string>
#include <vector>

namespace olab::analysis {

/// Begins of iterations, and what told them.
struct Begins {
    IterationMark mark = IterationMark::None;
    std::string name;
    std::uint64_t operations = 0;
    std::vector<Ns> at;
    Ns end = 0; ///< of the last one
};

/// The program said itself what its steps are; anything else may repeat by chance.
constexpr std::size_t fewestOf(IterationMark mark) {
    return mark == IterationMark::Steps ? kFewestSteps : kFewestIterations;
}

/// By what the program named: steps of a profiler, else the range that covers most of the device work.
Begins namedIterations(const TraceFacts& facts, const RunControl& control);
/// By the operations that a stream repeats in their order.
Begins patternIterations(const TraceFacts& facts, const RunControl& control);

/// The upper one where there are two in the middle. `numbers` is not empty.
Ns upperMedianOf(std::vector<Ns> numbers);
std::vector<Ns> lengthsOf(const std::vector<Interval>& times);

} // namespace olab::analysis
