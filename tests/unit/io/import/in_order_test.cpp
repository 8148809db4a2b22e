// Many make, one after the other is used, in the order of the numbers.
#include "import/in_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace olab::io {
namespace {

TEST(InOrder, UsesEachOnceInItsPlace) {
    constexpr std::size_t kCount = 5000, kThreads = 4;
    InOrder<std::size_t> pieces(3);
    std::atomic<std::size_t> next = 0;
    std::vector<std::size_t> used;
    std::atomic<int> users = 0;
    const auto work = [&] {
        for (std::size_t number = next++; number < kCount; number = next++) {
            auto piece = pieces.blank();
            *piece = number;
            pieces.give(number, std::move(piece), [&](std::size_t& made) {
                EXPECT_EQ(users++, 0);
                used.push_back(made);
                --users;
            });
        }
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < kThreads; ++t)
            threads.emplace_back(work);
    }
    ASSERT_EQ(used.size(), kCount);
    for (std::size_t i = 0; i < kCount; ++i)
        ASSERT_EQ(used[i], i);
}

TEST(InOrder, WhatComesEarlyWaits) {
    InOrder<int> pieces(8);
    std::vector<int> used;
    const auto use = [&used](int& made) { used.push_back(made); };
    pieces.give(2, std::make_unique<int>(2), use);
    pieces.give(1, std::make_unique<int>(1), use);
    EXPECT_TRUE(used.empty());
    pieces.give(0, std::make_unique<int>(0), use);
    EXPECT_EQ(used, (std::vector<int>{0, 1, 2}));
}

TEST(InOrder, NobodyWaitsForOneThatFailed) {
    InOrder<int> pieces(1);
    std::jthread waiting([&] { EXPECT_THROW(pieces.give(5, std::make_unique<int>(5), [](int&) {}), Error); });
    EXPECT_TRUE(pieces.fail());
    EXPECT_FALSE(pieces.fail());
}

TEST(InOrder, NothingComesBehindOneThatCouldNotBeUsed) {
    InOrder<int> pieces(8);
    std::vector<int> used;
    const auto use = [&used](int& made) { used.push_back(made); };
    EXPECT_THROW(pieces.give(0, std::make_unique<int>(0), [](int&) { throw std::bad_alloc(); }),
                 std::bad_alloc);
    pieces.give(1, std::make_unique<int>(1), use);
    EXPECT_TRUE(used.empty());
}

} // namespace
} // namespace olab::io
