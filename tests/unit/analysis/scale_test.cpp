// Shapes that make a quadratic step take minutes: none may. What is judged is growth, never the clock: four
// times as much of something must not take ten times the processor time.
#include "made_trace.h"

#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/lanes_of.h>

#include <ctime>

namespace olab::test {
namespace {

constexpr std::uint32_t kMany = 120'000;
constexpr double kFast = 2; // seconds of CPU: far below what a quadratic step takes on any machine
constexpr double kGrowth =
    10; // four times the work in at most ten times the time; quadratic would be sixteen

struct Timed {
    analysis::Report report;
    double seconds = 0;
};

template <typename Fill>
Timed timed(Fill fill, std::uint32_t count) {
    TraceBuilder builder;
    builder.add(StreamRecord{1, 7, StreamKind::Null, 0});
    for (std::uint32_t s = 13; s < 20; ++s)
        builder.add(StreamRecord{1, s, StreamKind::Blocking, 0});
    builder.add(SoloRecord{0, Kernel, 0, us(2), 3, 1056, 1056});
    for (std::uint32_t i = 0; i < count; ++i) {
        ActivityRecord r;
        r.device = 0, r.context = 1, r.stream = 13 + i % 7, r.correlation = i + 1;
        fill(r, i, count);
        builder.add(r);
    }
    const Trace trace = builder.finish();
    const auto lanes = lanesOf(trace);
    const std::clock_t start = std::clock();
    analysis::Report report = analysis::analyze({trace, *lanes});
    return {std::move(report), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

template <typename Fill>
analysis::Report analyzed(Fill fill) {
    Timed large = timed(fill, kMany);
    if (large.seconds > kFast) {
        EXPECT_LT(large.seconds, kGrowth * timed(fill, kMany / 4).seconds);
    }
    return std::move(large.report);
}

TEST(Scale, OneLongCopyOverManyMemsets) {
    const analysis::Report report = analyzed([](ActivityRecord& r, std::uint32_t i, std::uint32_t n) {
        r.cls = i == 0 ? MemcpyH2D : Memset;
        r.begin = us(10 * i + 1), r.end = i == 0 ? us(10. * n) : r.begin + us(1 + i % 5);
    });
    EXPECT_EQ(report.devices[0].classes.at(Memset).count, kMany - 1);
}

TEST(Scale, EverythingAtOnce) {
    const analysis::Report report = analyzed([](ActivityRecord& r, std::uint32_t i, std::uint32_t n) {
        r.cls = i % 2 ? Kernel : Memset;
        r.begin = us(1) + i, r.end = us(1) + 2 * Ns{n} - i;
    });
    EXPECT_EQ(report.devices[0].busyAny, 2 * Ns{kMany});
}

TEST(Scale, ManyFullGridsWithMemsetsThatWaitedForAll) {
    const analysis::Report report = analyzed([](ActivityRecord& r, std::uint32_t i, std::uint32_t n) {
        r.cls = i < n / 2 ? Kernel : Memset;
        r.begin = us(3. * (i % (n / 2)) + 1), r.end = r.begin + us(3);
        if (r.cls == Memset)
            r.begin = r.end = us(3. * n) + i;
    });
    EXPECT_EQ(report.devices[0].classes.at(Memset).zeroDuration, kMany / 2);
}

TEST(Scale, ManyBarriersOfTheNullStream) {
    const analysis::Report report = analyzed([](ActivityRecord& r, std::uint32_t i, std::uint32_t) {
        r.cls = i % 2 ? Memset : MemcpyH2D;
        r.stream = i % 2 ? 7 : 13 + i % 7;
        r.begin = us(10. * i + 1), r.end = r.begin + us(10);
    });
    EXPECT_NE(findingOf(report, "null-stream"), nullptr);
}

// A copy behind another one asks for the lane of its engine: that must not cost a look at each stream of
// another device.
TEST(Scale, CopiesOfASecondDeviceBehindManyStreamsOfTheFirst) {
    const analysis::Report report = analyzed([](ActivityRecord& r, std::uint32_t i, std::uint32_t n) {
        const bool copy = i % 2 == 1;
        r.cls = copy ? MemcpyH2D : Memset;
        r.device = copy, r.context = 1 + copy;
        r.stream = 100 + i % (copy ? 64 : n / 3);
        r.begin = us(10 * i + 1), r.end = r.begin + us(copy ? 20 : 5);
    });
    EXPECT_EQ(report.devices[1].classes.at(MemcpyH2D).count, kMany / 2);
}

/// Processor time of all threads for the *lanes, facts and report of a trace: the least of three.
double analysisTime(const Trace& trace, const experiment::Plan* schedule = nullptr) {
    double least = 1e9;
    for (int round = 0; round < 3; ++round) {
        const std::clock_t start = std::clock();
        const auto lanes = lanesOf(trace);
        const analysis::Report report = analysis::analyze({trace, *lanes, schedule});
        least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
}

struct Size {
    std::uint32_t activities = 200'000, devices = 8, streams = 10'000; ///< streams of all devices
};

/// Copies, memsets and kernels take turns on every stream, each issued by a call of its device's thread.
Trace traceOf(Size size) {
    constexpr std::array kTurns{MemcpyH2D, Memset, Kernel, MemcpyD2H};
    TraceBuilder builder;
    for (std::uint32_t i = 0; i < size.activities / 2; ++i) {
        ActivityRecord r;
        const std::uint32_t device = i % size.devices, turn = i / size.devices;
        r.cls = kTurns[(turn / (size.streams / size.devices) + turn) % kTurns.size()];
        r.device = device, r.context = 1 + device, r.correlation = i + 1;
        r.stream = 13 + turn % (size.streams / size.devices);
        r.begin = us(10) + Ns{turn} * 600 + i * 7919 % 500, r.end = r.begin + 1500 + i * 104729 % 2000;
        r.bytes = r.cls == Kernel ? 0 : 1 << (10 + i * 31 % 8);
        builder.add(r);
        r.cls = Api, r.thread = 100 + device;
        r.begin = us(5) + Ns{turn} * 600, r.end = r.begin + 400;
        builder.add(r);
    }
    return builder.finish();
}

double timeOf(Size size) {
    return analysisTime(traceOf(size));
}

TEST(Growth, WithActivities) {
    EXPECT_LT(timeOf({800'000, 8, 10'000}), kGrowth * timeOf({200'000, 8, 10'000}));
}

TEST(Growth, WithStreams) {
    EXPECT_LT(timeOf({200'000, 8, 40'000}), kGrowth * timeOf({200'000, 8, 10'000}));
}

TEST(Growth, WithDevices) {
    EXPECT_LT(timeOf({200'000, 200, 10'000}), kGrowth * timeOf({200'000, 50, 10'000}));
}

// Events between streams, and a schedule in which to look them up.
TEST(Growth, WithEdges) {
    const auto timeOfEdges = [](int iterations) {
        experiment::HeldExperiment experiment;
        experiment::setOption(experiment, "streams=8");
        experiment::setNumber(experiment, "iterations", iterations);
        experiment::setOption(experiment, "warmup=0");
        experiment::setOption(experiment, "deps=event-chain");
        const experiment::Plan schedule = experiment::plan(experiment);
        TraceBuilder builder;
        sim::SimBackend().run(schedule, {}, builder, {});
        return analysisTime(builder.finish(), &schedule);
    };
    EXPECT_LT(timeOfEdges(4'000), kGrowth * timeOfEdges(1'000));
}

} // namespace
} // namespace olab::test
