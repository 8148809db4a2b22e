// Made run times: what one program takes again and again, with the kinds of noise that real runs have.
#pragma once

#include <olab/trace/types.h>

#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace olab::bench {

/// One comparison: the times of both sides, in the order of their runs.
struct MadeRuns {
    std::vector<Ns> before, after;
    bool inTurns = false; ///< run i of both is made one behind the other, else all of one before the other
};

using Random = std::mt19937_64;
/// Relative noise of run number `run` of `runs`, made in this order.
struct Noise {
    std::string_view name;
    bool inTurns = false;
    std::vector<double> (*make)(Random&, std::size_t runs); ///< of both sides together, in the order made
    bool isFair = true; ///< false: it favours one side by itself, which no statistics can see
};
std::span<const Noise> noises();

/// `each` runs of both; those of the second take `slower` longer (0.03).
MadeRuns madeRuns(const Noise& noise, std::size_t each, double slower, Random& random);

} // namespace olab::bench
