#include "slowdown_noise.h"

#include <cmath>

namespace olab::bench {
namespace {

constexpr double kSize = 0.01; ///< of all noise here: 1 %

using Values = std::vector<double>;

template <typename Each>
Values valuesOf(std::size_t runs, Each each) {
    Values values;
    for (std::size_t i = 0; i < runs; ++i)
        values.push_back(each(i));
    return values;
}

double normal(Random& random, double deviation = kSize) {
    return std::normal_distribution<>(0, deviation)(random);
}
bool happens(Random& random, double chance) {
    return std::bernoulli_distribution(chance)(random);
}

Values gauss(Random& random, std::size_t runs) {
    return valuesOf(runs, [&](std::size_t) { return normal(random); });
}
/// Never faster than it can be, sometimes slower.
Values skewed(Random& random, std::size_t runs) {
    return valuesOf(runs, [&](std::size_t) { return std::exponential_distribution<>(1 / kSize)(random); });
}
/// One run of twenty is disturbed.
Values outliers(Random& random, std::size_t runs) {
    return valuesOf(runs, [&](std::size_t) { return normal(random) + (happens(random, 0.05) ? 0.2 : 0); });
}
Values heavyTails(Random& random, std::size_t runs) {
    return valuesOf(
        runs, [&](std::size_t) { return kSize * std::student_t_distribution<>(3)(random) / std::sqrt(3.0); });
}
/// Two clocks, two places in memory: each process has one of both.
Values twoModes(Random& random, std::size_t runs) {
    return valuesOf(runs, [&](std::size_t) {
        return (happens(random, 0.5) ? kSize : -kSize) + normal(random, kSize / 10);
    });
}
/// It gets warmer: 3 % longer at the end than at the begin.
Values drifting(Random& random, std::size_t runs) {
    return valuesOf(runs, [&](std::size_t i) {
        return normal(random) + 0.03 * static_cast<double>(i) / static_cast<double>(runs);
    });
}
/// Each run resembles the one before it.
Values wandering(Random& random, std::size_t runs) {
    double level = normal(random);
    return valuesOf(runs, [&](std::size_t) {
        constexpr double kKept = 0.8;
        level = kKept * level + normal(random, kSize * std::sqrt(1 - kKept * kKept));
        return level;
    });
}

constexpr Noise kNoises[] = {
    {"normal", false, gauss},
    {"skewed", false, skewed},
    {"outliers", false, outliers},
    {"heavy tails", false, heavyTails},
    {"two modes", false, twoModes},
    {"drift, in turns", true, drifting},
    {"wandering, in turns", true, wandering},
    {"drift, one side after the other", false, drifting, false},
    {"wandering, one side after the other", false, wandering, false},
};

} // namespace

std::span<const Noise> noises() {
    return kNoises;
}

MadeRuns madeRuns(const Noise& noise, std::size_t each, double slower, Random& random) {
    constexpr double kTime = 40e6; // 40 ms
    const Values values = noise.make(random, 2 * each);
    MadeRuns made;
    made.inTurns = noise.inTurns;
    for (std::size_t i = 0; i < values.size(); ++i) {
        // A B, B A, ...: as olab run --prove does
        const bool isAfter = noise.inTurns ? (i % 4 == 1 || i % 4 == 2) : i >= each;
        const double time = kTime * std::exp(values[i]) * (isAfter ? 1 + slower : 1);
        (isAfter ? made.after : made.before).push_back(std::llround(time));
    }
    return made;
}

} // namespace olab::bench
