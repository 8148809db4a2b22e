// The check of what came back: it must see a pass too old, another pipeline's data and a single wrong
// element.
#include "pipelines.h"

#include <gtest/gtest.h>

namespace olab::cuda {
namespace {

using kernels::patternAt;
using kernels::resultOf;

constexpr std::size_t kCount = 1000;

/// As a kernel of pass `pass` leaves it.
Memory results(std::uint32_t seed, std::uint32_t pass) {
    Memory memory = Memory::pageable(kCount * sizeof(std::uint32_t));
    for (std::size_t i = 0; i < kCount; ++i)
        memory.as<std::uint32_t>()[i] = resultOf(patternAt(i, seed), pass);
    return memory;
}

std::uint64_t wrong(const Memory& memory, std::uint32_t seed, std::uint32_t pass) {
    return wrongResults(memory.as<std::uint32_t>(), wholeOf(memory), seed, pass);
}

TEST(DataPattern, RightResultsAreRight) {
    EXPECT_EQ(wrong(results(3, 7), 3, 7), 0u);
}

TEST(DataPattern, AnEarlierPassAndAnotherPipelineAreWrong) {
    EXPECT_EQ(wrong(results(3, 6), 3, 7), kCount);
    EXPECT_GT(wrong(results(4, 7), 3, 7), kCount / 2);
}

TEST(DataPattern, OneWrongElementIsSeenWhereItIsLookedAt) {
    const Memory memory = results(3, 7);
    memory.as<std::uint32_t>()[kCount - 1] ^= 1;
    EXPECT_EQ(wrong(memory, 3, 7), 1u);
    EXPECT_EQ(wrongResults(memory.as<std::uint32_t>(), sampledBy(kCount / 2, memory), 3, 7), 0u);
}

TEST(DataPattern, SamplesAreThePlacesThreadsWrite) {
    const Memory memory = Memory::pageable(kCount * sizeof(std::uint32_t));
    EXPECT_EQ(sampledBy(100, memory).step, 10u);
    EXPECT_EQ(sampledBy(100, memory).count, 100u);
    EXPECT_EQ(sampledBy(5000, memory).step, 1u);
    EXPECT_EQ(sampledBy(5000, memory).count, kCount);
}

TEST(DataPattern, FillsAllElementsAndTheOddBytes) {
    const Memory memory = Memory::pageable(4099);
    fillPattern(memory, 9);
    for (std::size_t i = 0; i < 1024; ++i)
        ASSERT_EQ(memory.as<std::uint32_t>()[i], patternAt(i, 9));
    for (std::size_t i = 4096; i < 4099; ++i)
        EXPECT_EQ(memory.as<unsigned char>()[i], 0);
}

} // namespace
} // namespace olab::cuda
