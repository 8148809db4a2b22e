#include "crew.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace olab::cuda {
namespace {

using namespace std::chrono_literals;

TEST(Rendezvous, NobodyPassesBeforeItIsOpened) {
    constexpr std::size_t kThreads = 4;
    Rendezvous place(kThreads);
    std::atomic<int> passed{0};
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < kThreads; ++i)
        threads.emplace_back([&] {
            place.arrive();
            passed += place.awaitOpen({});
        });
    ASSERT_TRUE(place.awaitAll(300s, {}));
    EXPECT_EQ(passed, 0);
    place.open();
    threads.clear();
    EXPECT_EQ(passed, 4);
}

TEST(Rendezvous, TellsWhoIsMissing) {
    Rendezvous place(2);
    place.arrive();
    EXPECT_FALSE(place.awaitAll(1ms, {}));
    place.arrive();
    EXPECT_TRUE(place.awaitAll(0ms, {}));
}

TEST(Rendezvous, AStopEndsEveryWait) {
    Rendezvous place(2);
    std::stop_source stop;
    std::jthread stopper([&stop] {
        std::this_thread::sleep_for(5ms);
        stop.request_stop();
    });
    EXPECT_FALSE(place.awaitOpen(stop.get_token()));
    EXPECT_FALSE(place.awaitAll(300s, stop.get_token()));
}

} // namespace
} // namespace olab::cuda
