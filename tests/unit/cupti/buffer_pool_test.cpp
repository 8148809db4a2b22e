#include <olab/cupti/buffer_pool.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

namespace olab::cupti {
namespace {

constexpr std::size_t kMuch = std::size_t{1} << 30;

/// As if a record took eight bytes.
std::uint64_t eights(std::byte*, std::size_t valid) noexcept {
    return valid / 8;
}

TEST(BufferPool, BuffersAreAlignedAndComeBackInTheOrderTheyWereFilled) {
    BufferPool pool(kMuch, eights);
    std::byte* first = pool.request();
    std::byte* second = pool.request();
    ASSERT_NE(first, nullptr);
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 8, 0u);
    first[BufferPool::kBufferBytes - 1] = std::byte{1}; // all of it is CUPTI's
    EXPECT_EQ(pool.complete(second, 16), BufferPool::kBufferBytes / 16) << "at least";
    EXPECT_EQ(pool.complete(first, BufferPool::kBufferBytes), 17 * BufferPool::kBufferBytes / 16);
    EXPECT_EQ(pool.waitingBuffers(), 2u);
    const ActivityBuffer a = pool.take(), b = pool.take();
    EXPECT_EQ(a.data(), second);
    EXPECT_EQ(a.records().size(), 16u);
    EXPECT_EQ(b.data(), first);
    EXPECT_EQ(b.records().size(), BufferPool::kBufferBytes);
    EXPECT_FALSE(pool.take());
}

TEST(BufferPool, KnowsItsOwnAndHowManyAreGivenOut) {
    BufferPool pool(kMuch, eights);
    std::byte* const first = pool.request();
    std::byte* const second = pool.request();
    EXPECT_EQ(pool.givenOut(), 2u);
    pool.complete(first, 16);
    EXPECT_EQ(pool.givenOut(), 1u);
    pool.complete(second, 0);
    EXPECT_EQ(pool.givenOut(), 0u);
    std::byte other[8];
    EXPECT_TRUE(pool.owns(first)) << "also while it waits to be read";
    EXPECT_TRUE(pool.owns(second));
    EXPECT_FALSE(pool.owns(other));
    EXPECT_FALSE(pool.owns(nullptr));
}

TEST(BufferPool, AnEmptyBufferIsReusedNotHandedOver) {
    BufferPool pool(kMuch, eights);
    std::byte* buffer = pool.request();
    pool.complete(buffer, 0);
    EXPECT_FALSE(pool.take());
    EXPECT_EQ(pool.request(), buffer);
    pool.complete(buffer, 0);
    EXPECT_EQ(pool.allocatedBytes(), BufferPool::kBufferBytes);
}

TEST(BufferPool, PastTheCapRecordsAreDiscardedAndCountedButBuffersNeverRefused) {
    constexpr std::uint64_t kRecords = BufferPool::kBufferBytes / 8;
    BufferPool pool(2 * BufferPool::kBufferBytes, eights);
    for (int i = 0; i < 5; ++i) {
        std::byte* buffer = pool.request();
        ASSERT_NE(buffer, nullptr);
        pool.complete(buffer, BufferPool::kBufferBytes);
    }
    EXPECT_EQ(pool.discardedRecords(), 3 * kRecords);
    EXPECT_EQ(pool.allocatedBytes(), 3 * BufferPool::kBufferBytes)
        << "the cap, and the one that is being filled";
    ActivityBuffer taken = pool.take();
    pool.complete(pool.request(), BufferPool::kBufferBytes);
    EXPECT_EQ(pool.discardedRecords(), 4 * kRecords) << "one that is being read takes room as well";
    pool.recycle(std::move(taken));
    pool.complete(pool.request(), BufferPool::kBufferBytes);
    EXPECT_EQ(pool.discardedRecords(), 4 * kRecords) << "one that was given back does not";
    EXPECT_EQ(pool.waitingBuffers(), 2u);
}

// A flush returns the buffers of all threads at once.
TEST(BufferPool, NearlyEmptyBuffersOfManyThreadsAreKept) {
    BufferPool pool(4 * BufferPool::kBufferBytes, eights);
    std::vector<std::byte*> ofThreads;
    for (int i = 0; i < 48; ++i)
        ofThreads.push_back(pool.request());
    for (std::byte* buffer : ofThreads)
        pool.complete(buffer, 80);
    EXPECT_EQ(pool.discardedRecords(), 0u);
    EXPECT_EQ(pool.waitingBuffers(), 48u);
    for (int i = 0; i < 48; ++i)
        pool.recycle(pool.take());
    EXPECT_EQ(pool.complete(pool.request(), 80), BufferPool::kBufferBytes / 16)
        << "and leave nothing counted";
}

TEST(BufferPool, WhatComesAfterTheEndTakesNoRoom) {
    BufferPool pool(kMuch, eights);
    pool.close();
    for (int i = 0; i < 5; ++i)
        pool.complete(pool.request(), 80);
    EXPECT_FALSE(pool.take());
    EXPECT_EQ(pool.allocatedBytes(), BufferPool::kBufferBytes);
    EXPECT_EQ(pool.discardedRecords(), 0u) << "nobody asks any more";
}

std::atomic<int> g_allocations{0};
void* twoBuffers(std::size_t bytes) noexcept {
    return g_allocations++ < 2 ? std::calloc(bytes, 1) : nullptr;
}

TEST(BufferPool, WithoutMemoryTheOldestRecordsMakeRoom) {
    g_allocations = 0;
    BufferPool pool(kMuch, eights, twoBuffers);
    std::byte *first = pool.request(), *second = pool.request();
    EXPECT_EQ(pool.request(), nullptr) << "CUPTI has both: it counts what it must drop";
    pool.complete(nullptr, 0);
    pool.complete(first, 800);
    EXPECT_EQ(pool.request(), first);
    EXPECT_EQ(pool.discardedRecords(), 100u);
    pool.complete(second, 80);
    pool.complete(first, 8);
    EXPECT_EQ(pool.waitingBuffers(), 2u);
    EXPECT_EQ(pool.request(), second);
    EXPECT_EQ(pool.discardedRecords(), 110u);
    ActivityBuffer left = pool.take();
    EXPECT_EQ(left.data(), first);
    pool.recycle(std::move(left));
    pool.complete(second, 0);
}

bool isClear(const std::byte* buffer) {
    return std::all_of(buffer, buffer + BufferPool::kBufferBytes,
                       [](std::byte b) { return b == std::byte{}; });
}

void fill(std::byte* buffer) {
    std::fill_n(buffer, BufferPool::kBufferBytes, std::byte{0xff});
}

// CUPTI is told that it need not clear them.
TEST(BufferPool, EveryBufferThatIsHandedOutIsClear) {
    g_allocations = 0;
    BufferPool pool(BufferPool::kBufferBytes, eights, twoBuffers);
    std::byte* const first = pool.request();
    EXPECT_TRUE(isClear(first)) << "a new one";
    fill(first);
    pool.complete(first, 0);
    EXPECT_EQ(pool.request(), first);
    EXPECT_TRUE(isClear(first)) << "one that came back empty";
    fill(first);
    pool.complete(first, 80);
    pool.recycle(pool.take());
    EXPECT_EQ(pool.request(), first);
    EXPECT_TRUE(isClear(first)) << "one that was read";
    std::byte* const second = pool.request();
    fill(first), fill(second);
    pool.complete(first, BufferPool::kBufferBytes);
    pool.complete(second, 80);
    EXPECT_EQ(pool.discardedRecords(), 10u);
    EXPECT_EQ(pool.request(), second);
    EXPECT_TRUE(isClear(second)) << "one whose records had no room";
    EXPECT_EQ(pool.request(), first);
    EXPECT_TRUE(isClear(first)) << "one whose records made room";
    pool.complete(first, 0);
    pool.complete(second, 0);
}

TEST(BufferPool, KeepsAFewBuffersReadyAndNoMore) {
    BufferPool pool(kMuch, eights);
    pool.keepReady(0);
    EXPECT_EQ(pool.allocatedBytes(), 0u);
    for (int i = 0; i < 3; ++i)
        pool.keepReady(2);
    EXPECT_EQ(pool.allocatedBytes(), 2 * BufferPool::kBufferBytes);
    std::byte *first = pool.request(), *second = pool.request();
    EXPECT_TRUE(isClear(first) && isClear(second));
    EXPECT_EQ(pool.allocatedBytes(), 2 * BufferPool::kBufferBytes) << "those that were ready";
    pool.complete(first, 0);
    pool.complete(second, 0);
    pool.keepReady(2);
    EXPECT_EQ(pool.allocatedBytes(), 2 * BufferPool::kBufferBytes) << "they are ready again";
    pool.close();
    pool.keepReady(3);
    EXPECT_EQ(pool.allocatedBytes(), 2 * BufferPool::kBufferBytes);
}

TEST(BufferPool, ManyThreadsLoseNothing) {
    BufferPool pool(16 * BufferPool::kBufferBytes, eights);
    constexpr std::uint64_t kThreads = 4, kEach = 500;
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < kThreads; ++t)
        threads.emplace_back([&pool] {
            for (std::uint64_t i = 0; i < kEach; ++i)
                pool.complete(pool.request(), 8);
        });
    std::uint64_t taken = 0;
    const auto takeAll = [&] {
        while (ActivityBuffer buffer = pool.take()) {
            ++taken;
            pool.recycle(std::move(buffer));
        }
    };
    for (int i = 0; i < 100; ++i)
        takeAll();
    threads.clear();
    takeAll();
    EXPECT_EQ(taken + pool.discardedRecords(), kThreads * kEach);
}

} // namespace
} // namespace olab::cupti
