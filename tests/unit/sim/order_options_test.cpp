// What the options of issue, order, waits and dependencies do to a simulated run: each test fails if the
// option does nothing.
#include "sim_test.h"

#include <olab/experiment/held_experiment.h>

#include <algorithm>
#include <map>
#include <set>

namespace olab::test {
namespace {

using enum ActivityClass;

std::map<QueueId, std::vector<Interval>> callsByThread(const Trace& trace) {
    std::map<QueueId, std::vector<Interval>> out;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == Api)
            out[trace[i].queue].push_back(trace.time(i));
    return out;
}

std::set<std::string> callNames(const Trace& trace) {
    std::set<std::string> names;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == Api)
            names.insert(std::string(trace.text(trace[i].name)));
    return names;
}

TEST(SimIssue, EachStreamHasItsThread) {
    EXPECT_EQ(callsByThread(simulate(experimentWith({"streams=5"}))).size(), 1u);
    EXPECT_EQ(callsByThread(simulate(experimentWith({"streams=5", "issue.threads=per-stream"}))).size(), 5u);
}

TEST(SimIssue, ThreadsTakeTurnsAtTheDriversLock) {
    const auto tiny = {"streams=8", "iterations=50", "kernel.us=1",  "h2d=off",
                       "d2h=off",   "memset=off",    "callback=off", "gate=off"};
    experiment::HeldExperiment e = experimentWith(tiny);
    const Played one(e);
    experiment::setOption(e, "issue.threads=per-stream");
    const Played many(e);
    EXPECT_GT(makespan(many.trace), makespan(one.trace) * 9 / 10);
    EXPECT_GT(median(many.callDurations(experiment::OpKind::Kernel)),
              4 * median(one.callDurations(experiment::OpKind::Kernel)));
}

TEST(SimIssue, OnCallbackAPassIsIssuedWhenTheOneBeforeHasReported) {
    for (const char* threads : {"issue.threads=1", "issue.threads=per-stream"}) {
        const Played run({"issue=on-callback", "streams=3", "iterations=6", threads});
        std::map<std::int32_t, Ns> reported;
        std::size_t checked = 0;
        for (const experiment::Op& op : run.schedule.ops) {
            if (op.kind == experiment::OpKind::CopyH2D && reported.contains(op.pipeline)) {
                EXPECT_GT(run.call(op).begin, reported[op.pipeline]);
                ++checked;
            }
            if (op.kind == experiment::OpKind::HostFn)
                reported[op.pipeline] = run.work(op).end;
        }
        EXPECT_EQ(checked, 15u);
    }
}

/// With one thread the pass that has been free the longest comes first, not the one planned first.
TEST(SimIssue, OneThreadServesWhoHasWaitedLongest) {
    const Played run({"issue=on-callback", "streams=3", "iterations=12"});
    std::vector<std::pair<Ns, Ns>> passes; // free since, issued
    std::map<std::int32_t, Ns> reported;
    for (const experiment::Op& op : run.schedule.ops) {
        if (op.kind == experiment::OpKind::CopyH2D && reported.contains(op.pipeline))
            passes.emplace_back(reported[op.pipeline], run.call(op).begin);
        if (op.kind == experiment::OpKind::HostFn)
            reported[op.pipeline] = run.work(op).end;
    }
    std::ranges::sort(passes);
    EXPECT_TRUE(std::ranges::is_sorted(passes, {}, &std::pair<Ns, Ns>::second));
}

TEST(SimIssue, TheDriverApiHasItsOwnCallsAndCosts) {
    const Played runtime({"api=runtime"}), driver({"api=driver"});
    EXPECT_THAT(callNames(driver.trace),
                testing::UnorderedElementsAre("cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemsetD8Async",
                                              "cuLaunchKernel", "cuLaunchHostFunc", "cuCtxSynchronize"));
    EXPECT_GT(median(driver.callDurations(experiment::OpKind::CopyH2D)),
              median(runtime.callDurations(experiment::OpKind::CopyH2D)));
}

TEST(SimIssue, AGraphIsLaunchedByOneCall) {
    const Played stream({"streams=1"}), graph({"streams=1", "submit=graph"});
    EXPECT_THAT(callNames(graph.trace),
                testing::UnorderedElementsAre("cudaGraphLaunch", "cudaDeviceSynchronize"));
    EXPECT_EQ(callsByThread(graph.trace).begin()->second.size(), 2u);
    const auto hop = [](const Played& run) {
        return median(waits(run.schedule, run.trace, experiment::OpKind::CopyD2H));
    };
    EXPECT_LT(hop(graph), 1'000);
    EXPECT_GT(hop(stream), 6'000);
}

TEST(SimStreams, PerThreadStreamsHeedTheNullStream) {
    const auto kind = [](const char* stream) {
        return experimentWith({stream, "issue.threads=per-stream", "kernel.stream=null"});
    };
    const Played perThread(kind("stream.kind=per-thread")), free(kind("stream.kind=nonblocking"));
    EXPECT_EQ(
        perThread.trace.queue(perThread.of(perThread.all(experiment::OpKind::CopyH2D)[0]).queue).streamKind,
        StreamKind::Blocking);
    EXPECT_FALSE(hasDefect(perThread.trace, DefectCode::DataMismatch)); // each kernel behind its copy
    EXPECT_TRUE(hasDefect(free.trace, DefectCode::DataMismatch));
}

Ns medianWait(const Played& run, bool first) {
    std::map<std::int32_t, Ns> ended;
    std::vector<Ns> out;
    for (const experiment::Op& op : run.schedule.ops) {
        if (run.activity[op.id.value] == kNoActivity)
            continue;
        if (op.kind == experiment::OpKind::Kernel && (op.pipeline == 0) == first &&
            ended.contains(op.pipeline))
            out.push_back(run.work(op).begin - ended[op.pipeline]);
        ended[op.pipeline] = run.work(op).end;
    }
    return median(out);
}

TEST(SimStreams, AStreamOfHighPriorityWaitsForBlocksAndNotForGrids) {
    const auto crowded = {"kernel.blocks=fill:8", "kernel.us=800", "streams=4", "memset=off", "callback=off"};
    experiment::HeldExperiment e = experimentWith(crowded);
    const Played equal(e);
    experiment::setOption(e, "stream.priority=first-high");
    const Played high(e);
    EXPECT_LT(medianWait(high, true), 120'000); // one wave of eight
    EXPECT_GT(medianWait(equal, true), 300'000);
    EXPECT_GT(medianWait(high, false), 300'000);
}

TEST(SimStreams, DescendingPrioritiesServeInTheirOrder) {
    const Played run({"kernel.blocks=fill:8", "kernel.us=800", "streams=4", "iterations=8", "h2d=off",
                      "d2h=off", "memset=off", "callback=off", "stream.priority=descending"});
    std::map<std::int32_t, Ns> ended;
    for (const experiment::Op& op : run.all(experiment::OpKind::Kernel))
        ended[op.pipeline] = run.work(op).end;
    EXPECT_LT(ended[0], ended[1]);
    EXPECT_LT(ended[1], ended[2]);
    EXPECT_LT(ended[2], ended[3]);
    EXPECT_LT(ended[0], 1'100'000'000); // not held by the others: they are eight times 0.8 ms each
}

TEST(SimWaits, EachWayHasItsCall) {
    EXPECT_THAT(callNames(simulate(experimentWith({"sync=device"}))),
                testing::Contains("cudaDeviceSynchronize"));
    EXPECT_THAT(callNames(simulate(experimentWith({"sync=stream"}))),
                testing::Contains("cudaStreamSynchronize"));
    EXPECT_THAT(callNames(simulate(experimentWith({"sync=event"}))),
                testing::IsSupersetOf({"cudaEventRecord", "cudaEventSynchronize"}));
    EXPECT_THAT(callNames(simulate(experimentWith({"sync=poll"}))),
                testing::IsSupersetOf({"cudaEventRecord", "cudaEventQuery"}));
}

TEST(SimWaits, AWaitForOneStreamLeavesTheOthersAlone) {
    const Played run({"sync=stream", "streams=3", "iterations=1", "kernel.us=3000"});
    const std::vector<experiment::Op> waits = run.all(experiment::OpKind::HostSync);
    ASSERT_EQ(waits.size(), 3u);
    const Ns lastEnd = run.work(run.all(experiment::OpKind::CopyD2H)[2]).end;
    EXPECT_LT(run.call(waits[0]).end, lastEnd);
    EXPECT_GT(run.call(waits[2]).end, lastEnd);
}

TEST(SimWaits, PollingLearnsSoonerThanSleeping) {
    const auto tail = [](const char* sync) {
        const Played run({sync, "streams=1", "callback=off"});
        return run.trace.windows().front().end - run.trace.deviceSpan().end;
    };
    EXPECT_LT(tail("sync=poll"), 2'000);
    EXPECT_GT(tail("sync=event"), 50'000);
}

TEST(SimWaits, WaitingOftenCostsOverlap) {
    const double end = Played({"sync.every=end"}).share(MemcpyH2D, Kernel);
    const double iteration = Played({"sync.every=iteration"}).share(MemcpyH2D, Kernel);
    const double op = Played({"sync.every=op"}).share(MemcpyH2D, Kernel);
    EXPECT_GT(end, iteration + 0.1);
    EXPECT_GT(iteration, 0.1);
    EXPECT_EQ(op, 0);
}

TEST(SimWaits, BeforeD2hTheHostKnowsThatTheKernelIsDone) {
    const auto early = [](const char* at) {
        const Played run({at, "streams=2", "gate=off"});
        std::size_t count = 0;
        const auto kernels = run.all(experiment::OpKind::Kernel),
                   copies = run.all(experiment::OpKind::CopyD2H);
        for (std::size_t i = 0; i < copies.size(); ++i)
            count += run.call(copies[i]).begin < run.work(kernels[i]).end;
        return count;
    };
    EXPECT_EQ(early("sync.at=before-d2h"), 0u);
    EXPECT_GT(early("sync.at=end"), 40u);
}

TEST(SimEvents, InAChainAnIterationFollowsThatOfTheStreamBefore) {
    const Played run({"deps=event-chain", "streams=3", "callback=off"});
    std::map<std::pair<std::int32_t, std::int32_t>, Ns> ended;
    for (const experiment::Op& op : run.all(experiment::OpKind::CopyD2H))
        ended[{op.pipeline, op.iteration}] = run.work(op).end;
    for (const experiment::Op& op : run.all(experiment::OpKind::CopyH2D))
        if (op.iteration > 0) {
            const std::pair before{(op.pipeline + 2) % 3, op.iteration - 1};
            EXPECT_GE(run.work(op).begin, ended.at(before) + 900); // the event's latency
        }
}

TEST(SimEvents, ARedundantWaitCostsNextToNothing) {
    const auto run = [](const char* deps) {
        return Played({deps, "streams=1", "memset=off", "callback=off"});
    };
    const Played without = run("deps=none"), with = run("deps=same-stream");
    EXPECT_EQ(with.all(experiment::OpKind::EventWait).size(), 24u);
    EXPECT_NEAR(static_cast<double>(makespan(with.trace)), static_cast<double>(makespan(without.trace)),
                24 * 2'000);
}

TEST(SimStreams, KernelsRunWhereTheyAreToldTo) {
    const Played null({"kernel.stream=null"}), other({"kernel.stream=other"});
    for (const experiment::Op& op : null.all(experiment::OpKind::Kernel))
        EXPECT_EQ(null.trace.queue(null.of(op).queue).streamKind, StreamKind::Null);
    for (const experiment::Op& op : other.all(experiment::OpKind::Kernel))
        EXPECT_EQ(other.trace.queue(other.of(op).queue).number,
                  13u + static_cast<std::uint32_t>((op.pipeline + 1) % 4));
}

} // namespace
} // namespace olab::test
