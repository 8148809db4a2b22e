// Small variations from op to op, from a fixed generator: the standard library's distributions may differ
// between implementations, but a simulated trace must not.
#pragma once

#include <olab/trace/types.h>

namespace olab::sim {

/// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class Jitter {
public:
    explicit Jitter(std::uint64_t seed)
        : m_state(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (m_state += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }

    /// `value` plus or minus up to `permille` thousandths of it, never below 0. A time of months stays
    /// unchanged.
    Ns around(Ns value, std::uint32_t permille) {
        constexpr Ns kMonths = 9'000'000'000'000'000; // a thousand times this still fits
        if (value > kMonths)
            return value;
        const auto spread = static_cast<std::int64_t>(permille) * 1000;
        const auto part = static_cast<std::int64_t>(next() >> 33) % (2 * spread + 1) - spread;
        const Ns moved = value + value / 1000 * part / 1000 + value % 1000 * part / 1'000'000;
        return moved < 0 ? 0 : moved;
    }

private:
    std::uint64_t m_state;
};

} // namespace olab::sim
