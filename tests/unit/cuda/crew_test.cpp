// A crew of which one thread cannot start.
#include "crew.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <system_error>

namespace olab::cuda {
namespace {

using namespace std::chrono_literals;

/// What std::jthread does where the system has no thread left.
struct NoThread {
    NoThread() = default;
    NoThread(NoThread&&) {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    }
    void operator()() const {}
};

TEST(Crew, WhenAThreadCannotStartTheOthersAreToldToStopBeforeTheyAreAwaited) {
    std::promise<bool> ended;
    std::future<bool> end = ended.get_future();
    std::thread leader([&ended] {
        bool threw = false;
        try {
            Crew crew(3);
            for (int i = 0; i < 2; ++i)
                crew.hire([&crew] {
                    crew.ready.arrive();
                    crew.ready.awaitOpen(crew.stop.get_token()); // nobody will open it
                });
            std::vector<NoThread> none(1);
            crew.threads.emplace_back(std::move(none.front()));
        } catch (const std::system_error&) {
            threw = true;
        }
        ended.set_value(threw);
    });
    const bool inTime = end.wait_for(300s) == std::future_status::ready;
    EXPECT_TRUE(inTime) << "the leader waits for threads that wait for it";
    if (!inTime)
        std::quick_exit(1); // they would be waited for for ever
    leader.join();
    EXPECT_TRUE(end.get());
}

TEST(Crew, DismissedTwiceIsDismissed) {
    Crew crew(1);
    crew.hire([&crew] { crew.issued.awaitOpen(crew.stop.get_token()); });
    crew.dismiss();
    crew.dismiss();
    EXPECT_TRUE(crew.threads.empty());
    EXPECT_FALSE(crew.failure);
}

} // namespace
} // namespace olab::cuda
