#include <olab/cupti/buffer_pool.h>

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace olab {
namespace {

TEST(BufferPool, BuffersAreAlignedAndComeBackInTheOrderTheyWereFilled) {
    BufferPool pool;
    std::byte* first = pool.request();
    std::byte* second = pool.request();
    ASSERT_NE(first, nullptr);
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 8, 0u);
    pool.complete(second, 16);
    pool.complete(first, 32);
    const auto filled = pool.takeFilled();
    ASSERT_EQ(filled.size(), 2u);
    EXPECT_EQ(filled[0].data.get(), second);
    EXPECT_EQ(filled[1].valid, 32u);
    EXPECT_TRUE(pool.takeFilled().empty());
}

TEST(BufferPool, AnEmptyBufferIsReusedNotHandedOver) {
    BufferPool pool;
    std::byte* buffer = pool.request();
    pool.complete(buffer, 0);
    EXPECT_TRUE(pool.takeFilled().empty());
    EXPECT_EQ(pool.request(), buffer);
    pool.complete(buffer, 0);
}

TEST(BufferPool, PastTheCapBuffersAreDiscardedAndCountedButNeverRefused) {
    BufferPool pool(2 * BufferPool::kBufferBytes);
    for (int i = 0; i < 5; ++i) {
        std::byte* buffer = pool.request();
        ASSERT_NE(buffer, nullptr);
        pool.complete(buffer, 8);
    }
    EXPECT_EQ(pool.discardedBuffers(), 3u);
    EXPECT_EQ(pool.takeFilled().size(), 2u);
    pool.complete(pool.request(), 8); // taken buffers make room again
    EXPECT_EQ(pool.discardedBuffers(), 3u);
    EXPECT_EQ(pool.takeFilled().size(), 1u);
}

TEST(BufferPool, ManyThreadsLoseNothing) {
    BufferPool pool;
    constexpr int kThreads = 4, kEach = 50;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&pool] {
            for (int i = 0; i < kEach; ++i)
                pool.complete(pool.request(), 8);
        });
    std::size_t taken = 0;
    for (int i = 0; i < 100; ++i) {
        auto filled = pool.takeFilled();
        taken += filled.size();
        pool.recycle(std::move(filled));
    }
    for (std::thread& thread : threads)
        thread.join();
    taken += pool.takeFilled().size();
    EXPECT_EQ(taken + pool.discardedBuffers(), static_cast<std::size_t>(kThreads * kEach));
}

} // namespace
} // namespace olab
