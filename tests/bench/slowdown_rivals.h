// Other intervals for the ratio of two groups of times, to measure how often each calls the same program
// slower.
#pragma once

#include <olab/trace/types.h>

#include <optional>
#include <random>
#include <span>

namespace olab::bench {

struct Ends {
    double low = 0, high = 0;
};
/// Of Welch, on logarithms, 99 %. Nothing for one run.
std::optional<Ends> welch(std::span<const Ns> before, std::span<const Ns> after);
/// The same, with the distribution of its t taken from the runs themselves (bootstrap-t, 499 samples).
std::optional<Ends> bootstrapT(std::span<const Ns> before, std::span<const Ns> after,
                               std::mt19937_64& random);

} // namespace olab::bench
