#include "data_pattern.h"

#include <algorithm>
#include <cstring>

namespace olab::cuda {
using kernels::patternAt;
namespace {

constexpr std::uint64_t kMostLookedAt = 1u << 22; // elements; more would take longer than the run

} // namespace

std::uint64_t elements(const Memory& memory) {
    return memory ? memory.bytes() / sizeof(std::uint32_t) : 0;
}

void fillPattern(const Memory& memory, std::uint32_t seed) {
    auto* words = memory.as<std::uint32_t>();
    const std::uint64_t count = elements(memory);
    for (std::uint64_t i = 0; i < count; ++i)
        words[i] = patternAt(i, seed);
    std::memset(words + count, 0, memory.bytes() - count * sizeof *words);
}

Sampling sampledBy(std::uint64_t threads, const Memory& memory) {
    const std::uint64_t count = elements(memory);
    return {kernels::stepOf(count, threads), std::min(count, threads)};
}

Sampling wholeOf(const Memory& memory) {
    const std::uint64_t count = elements(memory);
    return {kernels::stepOf(count, kMostLookedAt), std::min(count, kMostLookedAt)};
}

std::uint64_t wrongResults(const std::uint32_t* words, Sampling where, std::uint32_t seed,
                           std::uint32_t pass) {
    std::uint64_t wrong = 0;
    for (std::uint64_t k = 0; k < where.count; ++k) {
        const std::uint64_t i = k * where.step;
        wrong += words[i] != kernels::resultOf(patternAt(i, seed), pass);
    }
    return wrong;
}

} // namespace olab::cuda
