// What runs on an H200 have shown that no documentation says: channels in the order of issue, SMs that
// kernels share, host functions called late, pageable copies out of the caches.
#include "sim_test.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace olab::test {
namespace {

using enum ActivityClass;

std::vector<Interval> timesOf(const Trace& trace, ActivityClass cls) {
    std::vector<Interval> out;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == cls)
            out.push_back(trace.time(i));
    return out;
}

Ns typicalDuration(const Trace& trace, ActivityClass cls) {
    std::vector<Interval> times = timesOf(trace, cls);
    std::ranges::sort(times, {}, &Interval::length);
    return times[times.size() / 2].length();
}

/// Row by row: four copies, four memsets, four kernels. The kernels stand behind the last memset.
const auto kRows = {"streams=4",        "iterations=3",  "order=breadth",  "d2h=off",          "callback=off",
                    "kernel.blocks=64", "kernel.us=120", "h2d.bytes=8MiB", "memset.bytes=1MiB"};

TEST(SimMeasured, OfOneChannelOpsStartInTheOrderOfIssue) {
    experiment::HeldExperiment e = experimentWith(kRows);
    const Trace free = simulate(e);
    experiment::setOption(e, "env.max_connections=1");
    const Trace shared = simulate(e);
    EXPECT_LT(timesOf(free, Kernel)[0].begin, timesOf(free, MemcpyH2D)[3].begin);
    EXPECT_GT(timesOf(shared, Kernel)[0].begin, timesOf(shared, MemcpyH2D)[3].end);
    EXPECT_GE(timesOf(shared, Kernel)[0].begin, timesOf(shared, Memset)[3].begin);
}

TEST(SimMeasured, AKernelRightBehindAMemsetOfItsChannelIsPacked) {
    experiment::HeldExperiment e = experimentWith(kRows);
    experiment::setOption(e, "env.max_connections=1");
    std::vector<Interval> kernels = timesOf(simulate(e), Kernel);
    kernels.resize(4); // of the first row
    std::ranges::sort(kernels, {}, &Interval::length);
    EXPECT_NEAR(static_cast<double>(kernels[3].length()), 4.18 * 120'000, 25'000) << "the H200 says 498 us";
    EXPECT_LT(kernels[2].length(), 150'000);
}

TEST(SimMeasured, KernelsPastWhatSaturatesTheSmsShareThem) {
    const auto duration = [](const char* streams) {
        return typicalDuration(simulate(experimentWith({streams, "kernel.blocks=96", "h2d=off", "d2h=off",
                                                        "memset=off", "callback=off"})),
                               Kernel);
    };
    EXPECT_LT(duration("streams=2"), 405'000);
    EXPECT_NEAR(static_cast<double>(duration("streams=6")), 2.2 * 400'000, 100'000) << "1.8 to 2.4 measured";
}

TEST(SimMeasured, AHostFunctionComesLaterTheLongerItsThreadWasIdle) {
    const auto lateness = [](const char* kernel) {
        const Trace trace = simulate(experimentWith({"streams=1", "iterations=8", kernel}));
        const std::vector<Interval> copies = timesOf(trace, MemcpyD2H), functions = timesOf(trace, HostFn);
        return functions[4].begin - copies[4].end;
    };
    EXPECT_LT(lateness("kernel.us=10"), 150'000);
    EXPECT_GT(lateness("kernel.us=9000"), 200'000);
}

TEST(SimMeasured, PageableCopiesThatFitIntoTheCachesAreFaster) {
    const auto rate = [](const char* bytes) {
        const Trace trace = simulate(experimentWith({"streams=4", "h2d.memory=pageable", bytes}),
                                     sim::deviceModelNamed("h200"));
        Ns time = 0;
        std::int64_t moved = 0;
        for (ActivityIndex i = 0; i < trace.size(); ++i)
            if (trace.cls(i) == MemcpyH2D) {
                time += trace.duration(i);
                moved += trace.bytes(i);
            }
        return static_cast<double>(moved) / static_cast<double>(time);
    };
    EXPECT_NEAR(rate("h2d.bytes=2MiB"), 18, 2);
    EXPECT_LT(rate("h2d.bytes=24MiB"), 9);
}

TEST(SimMeasured, ABlockingLaunchWaitsForHostFunctionsToo) {
    const Played run({"streams=1", "iterations=4", "env.launch_blocking=on", "callback.us=500", "h2d=off",
                      "memset=off", "gate=off"});
    const std::vector<Interval> functions = timesOf(run.trace, HostFn);
    const std::vector<experiment::Op> kernels = run.all(experiment::OpKind::Kernel);
    EXPECT_GT(run.call(kernels[2]).end, functions[1].end);
    const Played two({"streams=2", "iterations=4", "env.launch_blocking=on", "callback.us=500", "h2d=off",
                      "memset=off", "kernel.us=20"});
    EXPECT_GT(two.call(two.all(experiment::OpKind::Kernel)[1]).end, timesOf(two.trace, HostFn)[0].end)
        << "of another stream";
}

TEST(SimMeasured, AGraphIsHandedOverWhileItRuns) {
    const Trace trace =
        simulate(experimentWith({"submit=graph", "gate=off", "iterations=100", "streams=4", "h2d.bytes=4KiB",
                                 "d2h.bytes=4KiB", "memset.bytes=4KiB", "kernel.us=5", "callback=off"}));
    EXPECT_GT(trace.deviceSpan().length(), 1600 * 2'300);
}

TEST(SimMeasured, GridsOfSeveralWavesMoveWhileTheyCompute) {
    const auto duration = [](const char* blocks) {
        return typicalDuration(simulate(experimentWith({"streams=1", "kernel.us=1000", blocks,
                                                        "d2h.memory=mapped", "d2h.bytes=32MiB", "h2d=off"})),
                               Kernel);
    };
    EXPECT_LT(duration("kernel.blocks=fill:8"), 1'100'000) << "1003 us measured";
    EXPECT_GT(duration("kernel.blocks=64"), 1'500'000);
}

} // namespace
} // namespace olab::test
