#include "time_limit.h"

#include <olab/experiment/plan.h>

#include <atomic>
#include <gtest/gtest.h>

namespace olab::run {
namespace {

using namespace std::chrono_literals;

experiment::Schedule scheduleOf(const std::vector<std::string>& settings) {
    experiment::HeldExperiment e;
    for (const std::string& setting : settings)
        experiment::setOption(e, setting);
    return experiment::plan(e);
}

TEST(TimeLimit, GrowsWithTheWorkAndIsNeverBelowAMinute) {
    EXPECT_GE(timeLimitOf(scheduleOf({"streams=1", "iterations=1"})), 60s);
    EXPECT_LT(timeLimitOf(scheduleOf({})), 70s) << "the defaults take 40 ms";
    const auto kernels = timeLimitOf(scheduleOf({"streams=1", "iterations=1000", "kernel.us=10000"}));
    EXPECT_GE(kernels, 60s + 40s) << "ten seconds of kernels, four times";
    EXPECT_LT(kernels, 200s);
    const auto copies = timeLimitOf(scheduleOf({"streams=1", "iterations=1000", "h2d.bytes=1GiB"}));
    EXPECT_GT(copies, 1000s) << "a terabyte at 4 GB/s, four times";
    EXPECT_GT(timeLimitOf(scheduleOf({"iterations=1", "warmup=100", "h2d.bytes=1GiB"})), 200s);
}

TEST(TimeLimit, CountsTheWorkOfTheHostAndWhatKernelsReadInPlace) {
    const auto callbacks = timeLimitOf(scheduleOf({"streams=1", "iterations=1000", "callback.us=100000"}));
    EXPECT_GE(callbacks, 60s + 400s) << "a hundred seconds of callbacks, four times";
    EXPECT_GE(timeLimitOf(scheduleOf({"streams=1", "iterations=10", "warmup=100", "callback.us=100000"})),
              60s + 44s)
        << "and those of the warm-up";
    const auto mapped =
        timeLimitOf(scheduleOf({"streams=1", "iterations=100", "h2d.memory=mapped", "h2d.bytes=1GiB"}));
    EXPECT_GE(mapped, 60s + 100s) << "a hundred GiB over the bus, by kernels";
    EXPECT_GE(timeLimitOf(scheduleOf({"streams=100", "iterations=100", "interfere=hostregister"})), 60s + 79s)
        << "ten thousand calls of 2 ms";
    EXPECT_GE(timeLimitOf(scheduleOf({"streams=64", "iterations=1", "h2d.bytes=1GiB", "warmup=0"})),
              60s + 128s)
        << "the memory is pinned and filled, too";
}

TEST(Watchdog, CallsOnceWithTheLastStepWhenNothingGoesOn) {
    std::atomic<int> calls = 0;
    std::string last;
    Watchdog dog(3s, [&](const std::string& step) { // the two steps below take no time to speak of
        last = step;
        ++calls;
    });
    dog.step("warming up");
    dog.step("running");
    for (int i = 0; i < 30'000 && calls == 0; ++i)
        std::this_thread::sleep_for(10ms);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(last, "running");
}

TEST(Watchdog, EachStepHasTheWholeLimit) {
    std::atomic<int> calls = 0;
    {
        Watchdog dog(4s, [&](const std::string&) { ++calls; });
        for (int i = 0; i < 12; ++i) { // longer in all, each a tenth of it
            std::this_thread::sleep_for(400ms);
            dog.step("on");
        }
    }
    EXPECT_EQ(calls, 0);
}

TEST(Watchdog, EndsAtOnceAndWithoutALimitNeverCalls) {
    std::atomic<int> calls = 0;
    {
        const Watchdog dog(3600s, [&](const std::string&) { ++calls; });
    } // an hour later, if it waited
    {
        const Watchdog none(0s, [&](const std::string&) { ++calls; });
        std::this_thread::sleep_for(50ms);
    }
    EXPECT_EQ(calls, 0);
}

} // namespace
} // namespace olab::run
