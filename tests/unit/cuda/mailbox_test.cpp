#include "host_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace olab::cuda {
namespace {

constexpr Ns kLong = 10'000'000'000;

TEST(Mailbox, GivesPostsInTheOrderTheyCame) {
    Mailbox box(3);
    for (const std::uint32_t op : {7u, 3u, 5u})
        box.post(OpId{op});
    OpId got;
    for (const std::uint32_t op : {7u, 3u, 5u}) {
        ASSERT_EQ(box.take(got, kLong, {}), Mailbox::Wake::Post);
        EXPECT_EQ(got, OpId{op});
    }
}

TEST(Mailbox, WakesTheReaderThatWaits) {
    Mailbox box(1);
    std::jthread poster([&box] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        box.post(OpId{42});
    });
    OpId got;
    ASSERT_EQ(box.take(got, kLong, {}), Mailbox::Wake::Post);
    EXPECT_EQ(got, OpId{42});
}

TEST(Mailbox, LosesNothingOfManyPosters) {
    constexpr std::uint32_t kPosters = 4, kEach = 2000;
    Mailbox box(kPosters * kEach);
    std::vector<std::jthread> posters;
    for (std::uint32_t p = 0; p < kPosters; ++p)
        posters.emplace_back([&box, p] {
            for (std::uint32_t i = 0; i < kEach; ++i)
                box.post(OpId{p * kEach + i});
        });
    std::vector<bool> seen(kPosters * kEach, false);
    std::vector<std::int64_t> last(kPosters, -1);
    for (std::size_t n = 0; n < seen.size(); ++n) {
        OpId got;
        ASSERT_EQ(box.take(got, kLong, {}), Mailbox::Wake::Post);
        ASSERT_FALSE(seen.at(got.value));
        seen[got.value] = true;
        EXPECT_GT(got.value, last[got.value / kEach]) << "posts of one thread keep their order";
        last[got.value / kEach] = got.value;
    }
}

TEST(Mailbox, GivesUpWhenPatienceEndsAndWhenStopped) {
    Mailbox box(1);
    OpId got;
    EXPECT_EQ(box.take(got, 1'000'000, {}), Mailbox::Wake::Time);
    std::stop_source stop;
    std::jthread stopper([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        stop.request_stop();
    });
    EXPECT_EQ(box.take(got, kLong, stop.get_token()), Mailbox::Wake::Stop);
}

} // namespace
} // namespace olab::cuda
