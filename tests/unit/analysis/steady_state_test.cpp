// The repeating iteration: by steps, by ranges, by the pattern, or none.
#include <olab/analysis/analyze.h>
#include <olab/analysis/steady_state.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/trace_builder.h>

#include <gtest/gtest.h>

#include <functional>

namespace olab::analysis {
namespace {

struct Made {
    int steps = 12;
    Ns step = 1'000'000;
    std::function<Ns(int)> slower = [](int) { return Ns{0}; };
    std::function<std::string(int)> range = [](int) { return std::string(); };
    bool repeats = true;
    int kernels = 4;
    bool copies = true;
    std::function<Ns(int)> copyAt = [](int) { return Ns{0}; }; ///< behind the begin of the step
    bool seenByStream = false; ///< each range once more, as a stream of the device saw it: 300 us later
};

/// Each step: a copy and four kernels in one stream, issued by a thread 100 us ahead of its work.
Trace made(const Made& run) {
    TraceBuilder builder;
    std::uint32_t correlation = 0;
    Ns now = 10'000'000;
    const auto add = [&](ActivityClass cls, const std::string& name, Ns begin, Ns length) {
        ActivityRecord work;
        work.cls = cls, work.device = 0, work.context = 1, work.stream = 7, work.name = builder.intern(name);
        work.begin = begin, work.end = begin + length, work.correlation = ++correlation;
        builder.add(work);
        ActivityRecord call;
        call.cls = ActivityClass::Api, call.thread = 1, call.name = builder.intern("launch");
        call.begin = begin - 100'000, call.end = call.begin + 2'000, call.correlation = correlation;
        builder.add(call);
    };
    for (int i = 0; i < run.steps; ++i) {
        const std::string unique = run.repeats ? "" : "_" + std::to_string(i);
        const Ns slower = run.slower(i);
        if (run.copies)
            add(ActivityClass::MemcpyH2D, "copy" + unique, now + run.copyAt(i), 5'000);
        for (int k = 0; k < run.kernels; ++k)
            add(ActivityClass::Kernel, (k < 2 ? "layer" : "head" + std::to_string(k)) + unique,
                now + 150'000 + 150'000 * k + (k == 3 ? slower : 0), 140'000);
        if (const std::string name = run.range(i); !name.empty()) {
            ActivityRecord range;
            range.cls = ActivityClass::Nvtx, range.thread = 1, range.name = builder.intern(name);
            range.begin = now - 150'000, range.end = now - 150'000 + run.step + slower - 10'000;
            builder.add(range);
            range.thread = 0, range.begin += 300'000, range.end += 300'000;
            if (run.seenByStream)
                builder.add(range);
        }
        now += run.step + slower;
    }
    return builder.finish();
}

SteadyState stateOf(const Trace& trace) {
    const auto lanes = lanesOf(trace);
    return findSteadyState(*gatherFacts({trace, *lanes}));
}

TEST(SteadyState, IsFoundByThePatternWithItsPeriodItsJitterAndTheWorst) {
    const SteadyState found = stateOf(made({.slower = [](int i) { return i == 7 ? Ns{400'000} : Ns{0}; }}));
    ASSERT_EQ(found.missing, "");
    EXPECT_EQ(found.mark, IterationMark::Pattern);
    EXPECT_EQ(found.operations, 5u);
    EXPECT_EQ(found.name, "copy") << "it begins after the longest pause of the device";
    EXPECT_EQ(found.period, 1'000'000);
    EXPECT_EQ(found.jitter, 0);
    EXPECT_EQ(found.longest, 1'400'000);
    EXPECT_EQ(found.iterations[found.worst].begin, 10'000'000 + 7 * 1'000'000);
    EXPECT_EQ(found.iterations[found.typical].length(), 1'000'000);
    EXPECT_GE(found.iterations.size(), 11u);
}

/// As where another thread puts it into the stream.
TEST(SteadyState, ACopyThatComesAtAnyPlaceHidesNoPattern) {
    constexpr Ns kPlaces[] = {0, 2, 1, 1, 3, 0, 2, 3, 3, 1, 0, 0};
    Made run;
    run.copyAt = [&](int i) { return 292'000 + 150'000 * kPlaces[i]; };
    const SteadyState found = stateOf(made(run));
    EXPECT_EQ(found.mark, IterationMark::Pattern);
    EXPECT_EQ(found.operations, 4u) << "kernels";
    EXPECT_NEAR(static_cast<double>(found.period), 1e6, 1e4);
}

TEST(SteadyState, LeavesTheRampUpOut) {
    const SteadyState found = stateOf(made({.slower = [](int i) { return i < 2 ? Ns{5'000'000} : Ns{0}; }}));
    ASSERT_EQ(found.missing, "");
    EXPECT_EQ(found.before, 2u);
    EXPECT_EQ(found.rampUp, 12'000'000);
    EXPECT_EQ(found.longest, 1'000'000);
    EXPECT_NE(found.text.find("Not counted"), std::string::npos) << found.text;
}

TEST(SteadyState, StepsOfAProfilerComeBeforeAllElse) {
    const SteadyState found = stateOf(
        made({.range = [](int i) { return "ProfilerStep#" + std::to_string(i + 5); }, .repeats = false}));
    ASSERT_EQ(found.missing, "");
    EXPECT_EQ(found.mark, IterationMark::Steps);
    EXPECT_EQ(found.name, "ProfilerStep#");
    EXPECT_EQ(found.period, 1'000'000);
    EXPECT_EQ(found.iterations.front().begin, 10'000'000) << "when its work begins, not when it is issued";
}

TEST(SteadyState, StepsAreThoseOfTheThreadNotOfTheStreamThatSawThem) {
    const auto step = [](int i) { return "ProfilerStep#" + std::to_string(i); };
    const SteadyState found = stateOf(made({.range = step, .repeats = false, .seenByStream = true}));
    ASSERT_EQ(found.missing, "");
    EXPECT_EQ(found.iterations.front().begin, 10'000'000);
    EXPECT_EQ(found.iterations.size(), 12u);
}

TEST(SteadyState, RangesThatComeAgainAreIterationsNumberedOrNot) {
    const SteadyState found =
        stateOf(made({.range = [](int i) { return "iteration " + std::to_string(i); }, .repeats = false}));
    EXPECT_EQ(found.mark, IterationMark::Ranges);
    EXPECT_EQ(found.name, "iteration #");
    EXPECT_EQ(found.iterations.size(), 12u);
}

TEST(SteadyState, TwoStepsOfAProfilerAreEnough) {
    const auto step = [](int i) { return "ProfilerStep#" + std::to_string(i); };
    const SteadyState found = stateOf(made({.steps = 2, .range = step, .repeats = false}));
    ASSERT_EQ(found.missing, "");
    EXPECT_EQ(found.mark, IterationMark::Steps);
    EXPECT_EQ(found.iterations.size(), 2u);
    EXPECT_NE(stateOf(made({.steps = 1, .range = step, .repeats = false})).missing, "");
}

TEST(SteadyState, NeitherOneOperationNorABuiltInOfPythonIsAnIteration) {
    EXPECT_NE(stateOf(made({.kernels = 1, .copies = false})).missing, "")
        << "330 kernels are no 330 iterations";
    const auto builtIn = [](int) { return "<built-in method run_backward>"; };
    EXPECT_NE(stateOf(made({.range = builtIn, .repeats = false})).missing, "");
}

TEST(SteadyState, AFrameOfPythonThatTookLongOnceIsNoIteration) {
    const auto frame = [](int) { return "torch/utils/_device.py(103): __torch_function__"; };
    const auto once = [](int i) { return i == 6 ? Ns{200'000'000} : Ns{0}; };
    EXPECT_EQ(stateOf(made({.range = frame, .repeats = false})).mark, IterationMark::Ranges);
    EXPECT_NE(stateOf(made({.slower = once, .range = frame, .repeats = false})).missing, "");
    const auto operation = [](int) { return "aten::copy_"; };
    EXPECT_NE(stateOf(made({.slower = once, .range = operation, .repeats = false})).missing, "");
    const auto named = [](int) { return "step"; }; // the program said what its iterations are
    EXPECT_EQ(stateOf(made({.slower = once, .range = named, .repeats = false})).mark, IterationMark::Ranges);
}

TEST(SteadyState, OneKernelInTwoSizesIsAPattern) {
    TraceBuilder builder;
    for (int i = 0; i < 24; ++i) {
        ActivityRecord work;
        work.cls = ActivityClass::Kernel, work.device = 0, work.context = 1, work.stream = 7;
        work.name = builder.intern("mix"), work.begin = 100'000 * i, work.end = work.begin + 99'000;
        work.geometry = KernelGeometry{{i % 2 == 0 ? 8192u : 4096u, 1, 1}, {256, 1, 1}, 16, 0, 0};
        builder.add(work);
    }
    const SteadyState found = stateOf(builder.finish());
    ASSERT_EQ(found.missing, "");
    EXPECT_EQ(found.mark, IterationMark::Pattern);
    EXPECT_EQ(found.period, 200'000);
}

TEST(SteadyState, TheLoopOfTheHostTellsIterationsOfOneOperation) {
    TraceBuilder builder;
    std::uint32_t correlation = 0;
    const auto call = [&](const char* name, Ns begin, std::uint32_t issues) {
        ActivityRecord r;
        r.cls = ActivityClass::Api, r.thread = 1, r.name = builder.intern(name), r.correlation = issues;
        r.begin = begin, r.end = begin + 2'000;
        builder.add(r);
    };
    for (int i = 0; i < 36; ++i) { // six rounds of six kernels and a wait
        const Ns at = 10'000'000 + 150'000 * i;
        ActivityRecord work;
        work.cls = ActivityClass::Kernel, work.device = 0, work.context = 1, work.stream = 7;
        work.name = builder.intern("mix"), work.begin = at, work.end = at + 140'000,
        work.correlation = ++correlation;
        builder.add(work);
        call("launch", at - 10'000, correlation);
        if (i % 6 == 5)
            call("wait", at + 100'000, 0);
    }
    const SteadyState found = stateOf(builder.finish());
    ASSERT_EQ(found.missing, "");
    EXPECT_EQ(found.operations, 6u);
    EXPECT_EQ(found.period, 900'000);
    EXPECT_GE(found.iterations.size(), 5u);
}

TEST(SteadyState, ThereIsNoneWhereNothingRepeats) {
    const SteadyState found = stateOf(made({.repeats = false}));
    EXPECT_NE(found.missing, "");
    EXPECT_TRUE(found.iterations.empty());
    EXPECT_NE(stateOf(made({.steps = 3})).missing, "");
    EXPECT_NE(stateOf(made({.step = 0})).missing, "") << "all of it at one moment";
    EXPECT_NE(stateOf(TraceBuilder().finish()).missing, "");
}

} // namespace
} // namespace olab::analysis
