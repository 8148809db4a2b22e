#include <olab/analysis/ranked_bits.h>

#include <gtest/gtest.h>

#include <random>

namespace olab::test {
namespace {

TEST(RankedBits, KnowWhoIsInAndHowManyComeBefore) {
    std::mt19937 random(3);
    for (const std::size_t size : {0u, 1u, 63u, 64u, 65u, 1000u})
        for (const unsigned oneOf : {1u, 3u, 200u}) {
            analysis::RankedBits bits;
            bits.resize(size);
            std::vector<bool> in(size);
            for (std::size_t i = 0; i < size; ++i)
                if (random() % oneOf == 0)
                    in[i] = true, bits.add(i);
            bits.finish();
            std::size_t before = 0;
            for (std::size_t i = 0; i < size; ++i) {
                ASSERT_EQ(bits.contains(i), in[i]) << i << " of " << size;
                ASSERT_EQ(bits.rank(i), before) << i << " of " << size;
                before += in[i];
            }
            EXPECT_EQ(bits.rank(size), before) << "all of them";
        }
}

} // namespace
} // namespace olab::test
