// What may make a step of the account quadratic. Judged is growth, never the clock: four times as much must
// not take ten times the processor time.
#include "hand_made.h"

#include <olab/trace/lanes_of.h>

#include <ctime>
#include <thread>

namespace olab::test {
namespace {

constexpr double kMostGrowth = 10; ///< quadratic would be sixteen
constexpr double kTooShort = 0.05; ///< seconds: what takes less is not judged by how it grows

/// Of `count` operations.
using Filler = void (*)(TraceBuilder&, std::uint32_t count);

struct Shape {
    const char* name;
    Filler fill;
    std::uint32_t count;
};

struct Opened {
    explicit Opened(const Shape& shape, std::uint32_t count) {
        TraceBuilder builder;
        shape.fill(builder, count);
        trace = builder.finish();
        lanes = lanesOf(trace);
        facts = analysis::gatherFacts({trace, *lanes});
    }
    Trace trace;
    std::shared_ptr<const LaneSet> lanes;
    analysis::FactsPtr facts;
};

double secondsOf(const analysis::Facts& facts) {
    const std::clock_t start = std::clock();
    const replay::Graph graph = replay::buildGraph(facts, {});
    for (const Causes without : {Causes(), Causes::all()})
        replay::play(graph, without, replay::Keep::Length, {});
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// A call and what it issued.
void issue(TraceBuilder& builder, std::uint32_t i, ActivityRecord r, Ns at,
           const char* name = "cudaLaunchKernel") {
    r.device = 0, r.context = 1, r.correlation = i + 1;
    if (r.cls != Kernel)
        r.source = r.target = MemoryKind::Pinned, r.bytes = 4096;
    builder.add(r);
    ActivityRecord call;
    call.cls = Api, call.thread = 100, call.correlation = i + 1;
    call.begin = at, call.end = at + 300, call.name = builder.intern(name);
    builder.add(call);
}

void addCall(TraceBuilder& builder, std::uint32_t correlation, Ns at, Ns length, const char* name) {
    ActivityRecord call;
    call.cls = Api, call.thread = 100, call.correlation = correlation;
    call.begin = at, call.end = at + length, call.name = builder.intern(name);
    builder.add(call);
}

ActivityRecord workAt(ActivityClass cls, std::uint32_t stream, Ns begin, Ns length) {
    ActivityRecord r;
    r.cls = cls, r.stream = stream, r.begin = begin, r.end = begin + length;
    return r;
}

/// Each of its own stream as far as there are numbers, all ready at once for one engine.
void copiesOfManyStreams(TraceBuilder& builder, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i)
        issue(builder, i, workAt(MemcpyH2D, 13 + i % 60'000, us(1'000) + 1'000 * Ns{i}, 1'000), us(1) + i,
              "cudaMemcpyAsync");
}

/// All waiting for room on the SMs, memsets among them.
void gridsOfManyStreams(TraceBuilder& builder, std::uint32_t count) {
    DeviceRecord device;
    device.device = 0, device.smCount = 132, device.copyEngines = 3, device.maxThreadsPerSm = 2048;
    device.maxBlocksPerSm = 32, device.registersPerSm = 65'536, device.sharedPerSm = 228 << 10;
    device.computeMajor = 9;
    builder.add(device);
    for (std::uint32_t i = 0; i < count; ++i) {
        ActivityRecord r =
            workAt(i % 8 == 0 ? Memset : Kernel, 13 + i % 60'000, us(1'000) + 1'000 * Ns{i}, 1'000);
        if (r.cls == Kernel)
            r.geometry = KernelGeometry{{1'056, 1, 1}, {256, 1, 1}, 32, 0, 0};
        issue(builder, i, r, us(1) + i);
    }
}

/// Blocking streams and now and then the NULL stream.
void nullStreamAmongMany(TraceBuilder& builder, std::uint32_t count) {
    builder.add(StreamRecord{1, 7, StreamKind::Null, 0});
    for (std::uint32_t s = 0; s < std::min(count, 60'000u); ++s)
        builder.add(StreamRecord{1, 13 + s, StreamKind::Blocking, 0});
    for (std::uint32_t i = 0; i < count; ++i)
        issue(builder, i,
              workAt(Kernel, i % 30'000 == 29'999 ? 7 : 13 + i % 60'000, us(10) + 500 * Ns{i}, 400),
              us(1) + 500 * Ns{i});
}

/// The host waits for all of many streams again and again.
void syncsOfManyStreams(TraceBuilder& builder, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const Ns at = us(1) + 2'000 * Ns{i};
        issue(builder, i, workAt(Kernel, 13 + i % 60'000, at + 500, 400), at);
        if (i % 4 != 3)
            continue;
        addCall(builder, count + i, at + 310, 700, "cudaDeviceSynchronize");
        builder.add(StreamCallRecord{StreamCallKind::DeviceSync, count + i, 1, kNoNumber, kNoNumber, 0, 0});
    }
}

void freesAmongManyStreams(TraceBuilder& builder, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const Ns at = us(1) + 2'000 * Ns{i};
        issue(builder, i, workAt(Kernel, 13 + i % 60'000, at + 500, 400), at);
        if (i % 4 == 3)
            addCall(builder, count + i, at + 310, 700, "cudaFree");
    }
}

/// Host functions of which nobody recorded the stream.
void hostFunctionsAmongManyStreams(TraceBuilder& builder, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const Ns at = us(1) + 2'000 * Ns{i};
        issue(builder, i, workAt(Kernel, 13 + i % 60'000, at + 500, 400), at);
        ActivityRecord r;
        r.cls = HostFn, r.thread = 200, r.begin = at + 950, r.end = at + 1'000;
        if (i % 4 == 3)
            builder.add(r);
    }
}

/// Each launch says that it loaded its function.
void loadsAmongManyStreams(TraceBuilder& builder, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const Ns at = us(1) + 2'000 * Ns{i};
        issue(builder, i, workAt(Kernel, 13 + i % 60'000, at + 500, 400), at);
        ActivityRecord r;
        r.cls = Overhead, r.thread = 100, r.begin = at, r.end = at + 100, r.correlation = i + 1;
        r.name = builder.intern("lazy function loading");
        if (i % 4 == 3)
            builder.add(r);
    }
}

/// Calls within calls, questions without end.
void polls(TraceBuilder& builder, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const Ns at = us(1) + 2'000 * Ns{i};
        issue(builder, i, workAt(Kernel, 13 + i % 8, at + 500, 1'400), at);
        addCall(builder, count + i, at + 310, 700, "cudaEventQuery");
        addCall(builder, count + i, at + 400, 100, "cudaEventQuery");
    }
}

/// One stream, all at the same time, one within the other.
void crossingInOneStream(TraceBuilder& builder, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i)
        issue(builder, i, workAt(i % 2 ? Kernel : MemcpyD2H, 13, us(10), us(1) + 2 * Ns{count} - i), us(1));
}

class LedgerGrowth : public testing::TestWithParam<Shape> {};

TEST_P(LedgerGrowth, IsNotQuadratic) {
    const Opened small(GetParam(), GetParam().count / 4);
    const double before = std::max(kTooShort, secondsOf(*small.facts));
    const Opened large(GetParam(), GetParam().count);
    EXPECT_LT(secondsOf(*large.facts), kMostGrowth * before);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, LedgerGrowth,
    testing::Values(Shape{"CopiesOfManyStreams", copiesOfManyStreams, 60'000},
                    Shape{"GridsOfManyStreams", gridsOfManyStreams, 60'000},
                    Shape{"NullStreamAmongMany", nullStreamAmongMany, 60'000},
                    Shape{"SyncsOfManyStreams", syncsOfManyStreams, 60'000},
                    Shape{"FreesAmongManyStreams", freesAmongManyStreams, 60'000},
                    Shape{"HostFunctionsAmongManyStreams", hostFunctionsAmongManyStreams, 60'000},
                    Shape{"LoadsAmongManyStreams", loadsAmongManyStreams, 60'000},
                    Shape{"Polls", polls, 60'000}, Shape{"CrossingInOneStream", crossingInOneStream, 60'000}),
    [](const auto& test) { return std::string(test.param.name); });

// The window stops it when another run is begun.
TEST(LedgerCancel, WorksBetweenTwoPasses) {
    const Opened large({"", polls, 0}, 60'000);
    std::stop_source stop;
    RunControl control;
    control.stop = stop.get_token();
    const double whole = secondsOf(*large.facts);
    std::jthread stopper([&](const std::stop_token&) {
        std::this_thread::sleep_for(std::chrono::duration<double>(whole / 2));
        stop.request_stop();
    });
    EXPECT_THROW(
        {
            for (;;) // until it is stopped, wherever it is then
                replay::makeLedger(*large.facts, control);
        },
        Error);
}

} // namespace
} // namespace olab::test
