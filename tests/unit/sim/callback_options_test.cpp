// How the host learns of a pass, in a simulated run: each test fails if the option does nothing.
#include "sim_test.h"

#include <olab/experiment/held_experiment.h>

#include <algorithm>
#include <map>

namespace olab::test {
namespace {

using enum ActivityClass;

experiment::HeldExperiment slowCallbacks(const char* method) {
    return experimentWith({method, "streams=1", "iterations=6", "callback.us=2000"});
}

TEST(SimCallbacks, TheHostWorkIsInThem) {
    for (const char* method : {"callback.method=hostfn", "callback.method=streamcallback",
                               "callback.method=poll", "callback.method=blocking-event"}) {
        const Played run(slowCallbacks(method));
        for (const Ns duration : run.durations(experiment::OpKind::HostFn)) {
            EXPECT_GE(duration, 2'000'000);
            EXPECT_LT(duration, 2'010'000);
        }
    }
}

TEST(SimCallbacks, SomeHoldTheStreamAndOthersDoNot) {
    EXPECT_GT(makespan(simulate(slowCallbacks("callback.method=hostfn"))), 10'000'000);
    EXPECT_GT(makespan(simulate(slowCallbacks("callback.method=streamcallback"))), 10'000'000);
    EXPECT_LT(makespan(simulate(slowCallbacks("callback.method=poll"))), 7'500'000);
    EXPECT_LT(makespan(simulate(slowCallbacks("callback.method=blocking-event"))), 7'500'000);
}

/// On a GPU the window ends when the device has been waited for. The watching thread's work may end later.
TEST(SimCallbacks, TheWindowDoesNotWaitForTheWatcher) {
    for (const char* method : {"callback.method=poll", "callback.method=blocking-event"}) {
        const Played run(slowCallbacks(method));
        const Ns end = run.trace.windows().front().end;
        EXPECT_LT(end, run.work(run.all(experiment::OpKind::HostFn).back()).end);
        EXPECT_GE(end, run.work(run.all(experiment::OpKind::CopyD2H).back()).end);
    }
}

std::vector<Ns> delays(const char* method) {
    const Played run({method, "streams=1"});
    std::vector<Ns> out;
    std::map<std::int32_t, Ns> ended;
    for (const experiment::Op& op : run.schedule.ops)
        if (op.kind == experiment::OpKind::CopyD2H)
            ended[op.iteration] = run.work(op).end;
        else if (op.kind == experiment::OpKind::HostFn)
            out.push_back(run.work(op).begin - ended[op.iteration]);
    return out;
}

TEST(SimCallbacks, EachMethodHasItsDelay) {
    const Ns called = median(delays("callback.method=hostfn")); // the longer its thread is idle the later
    EXPECT_GT(called, 70'000);
    EXPECT_LT(called, 200'000);
    EXPECT_NEAR(static_cast<double>(median(delays("callback.method=blocking-event"))), 30'000, 4'000);
    const std::vector<Ns> polled = delays("callback.method=poll");
    EXPECT_LE(std::ranges::max(polled), 21'000);
    EXPECT_GT(std::ranges::max(polled) - std::ranges::min(polled), 8'000);
}

TEST(SimCallbacks, TheWatcherTakesEventsInIssueOrder) {
    const Played run({"callback.method=poll", "streams=4", "order=breadth", "callback.us=300"});
    Ns last = 0;
    for (const experiment::Op& op : run.all(experiment::OpKind::HostFn)) {
        EXPECT_GE(run.work(op).begin, last);
        last = run.work(op).end;
    }
}

TEST(SimCallbacks, AStreamCallbackHoldsTheDriversLock) {
    const auto longest = [](const char* method) {
        const Played run({method, "streams=2", "iterations=200", "callback.us=500", "gate=off"});
        return std::ranges::max(run.callDurations(experiment::OpKind::Kernel));
    };
    EXPECT_LT(longest("callback.method=hostfn"), 20'000);
    EXPECT_GT(longest("callback.method=streamcallback"), 300'000);
}

TEST(SimCallbacks, EachMethodHasItsCall) {
    const auto name = [](const char* method) {
        const Played run({method});
        return std::string(
            run.trace.text(run.trace[run.calls[run.all(experiment::OpKind::HostFn)[0].id.value]].name));
    };
    EXPECT_EQ(name("callback.method=hostfn"), "cudaLaunchHostFunc");
    EXPECT_EQ(name("callback.method=streamcallback"), "cudaStreamAddCallback");
    EXPECT_EQ(name("callback.method=poll"), "cudaEventRecord");
}

} // namespace
} // namespace olab::test
