// What the options of memory, kernel and buffers do to a simulated run: each test fails if the option does
// nothing.
#include "sim_test.h"

#include <olab/experiment/data_flow.h>
#include <olab/experiment/plan.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>

namespace olab::test {
namespace {

using enum ActivityClass;

constexpr Ns kTransfer = 304'000; ///< of 16 MiB at the default model's rate, about

TEST(SimMemory, AMappedSourceIsReadByTheKernel) {
    const Played copied({"streams=1", "memset=off", "callback=off", "d2h=off"});
    const Played mapped({"streams=1", "memset=off", "callback=off", "d2h=off", "h2d.memory=mapped"});
    EXPECT_TRUE(mapped.all(experiment::OpKind::CopyH2D).empty());
    EXPECT_NEAR(static_cast<double>(median(mapped.durations(experiment::OpKind::Kernel)) -
                                    median(copied.durations(experiment::OpKind::Kernel))),
                kTransfer, 0.02 * kTransfer);
}

TEST(SimMemory, AMappedTargetIsWrittenByTheKernel) {
    const Played mapped({"streams=1", "memset=off", "callback=off", "h2d=off", "d2h.memory=mapped"});
    EXPECT_TRUE(mapped.all(experiment::OpKind::CopyD2H).empty());
    EXPECT_NEAR(static_cast<double>(median(mapped.durations(experiment::OpKind::Kernel))),
                400'000 + kTransfer, 0.02 * kTransfer);
}

TEST(SimMemory, KernelsInPlaceShareTheBusWithEachOtherAndWithCopies) {
    const auto kernels = [](const char* streams, const char* d2h) {
        return median(Played({streams, d2h, "memset=off", "callback=off", "h2d.memory=mapped"})
                          .durations(experiment::OpKind::Kernel));
    };
    const Ns alone = kernels("streams=1", "d2h=off");
    EXPECT_GT(kernels("streams=4", "d2h=off"), alone + 2 * kTransfer);
    const Played beside({"streams=4", "memset=off", "callback=off", "h2d.memory=mapped"});
    EXPECT_GT(median(beside.durations(experiment::OpKind::CopyD2H)), kTransfer * 106 / 100);
}

TEST(SimMemory, ManagedMemoryMovesOnce) {
    const Played run({"streams=1", "iterations=4", "memset=off", "callback=off", "h2d.memory=managed",
                      "d2h.memory=managed"});
    const std::vector<Ns> kernels = run.durations(experiment::OpKind::Kernel);
    EXPECT_GT(kernels[0], 400'000 + 2 * 1'300'000); // twice 16 MiB at 12 GB/s
    for (std::size_t i = 1; i < kernels.size(); ++i)
        EXPECT_LT(kernels[i], 405'000);
}

TEST(SimMemory, SoloKernelsIncludeWhatTheyMoveInPlace) {
    const Trace trace = simulate(experimentWith({"d2h.memory=mapped", "iterations=1"}));
    for (const SoloRecord& solo : trace.solos())
        if (solo.cls == Kernel) {
            EXPECT_GT(solo.duration, 690'000);
        }
}

TEST(SimMemory, AConstantTargetIsStaticMemory) {
    const Played run({"h2d.target=constant", "h2d.bytes=4KiB"});
    for (const experiment::Op& op : run.all(experiment::OpKind::CopyH2D))
        EXPECT_EQ(run.of(op).target, MemoryKind::DeviceStatic);
    EXPECT_EQ(Played({"h2d.bytes=4KiB"}).of(run.all(experiment::OpKind::CopyH2D)[0]).target,
              MemoryKind::Device);
}

TEST(SimMemory, EveryPageLockedKindIsPinned) {
    for (const char* memory : {"h2d.memory=wc", "h2d.memory=registered", "h2d.memory=pinned"}) {
        const Played run({memory, "h2d.portable=on"});
        EXPECT_EQ(run.of(run.all(experiment::OpKind::CopyH2D)[0]).source, MemoryKind::Pinned);
        EXPECT_GT(run.share(MemcpyH2D, Kernel), 0.9) << memory;
    }
}

TEST(SimMemory, AFillKernelWaitsForRoomAndDoesNotCrawl) {
    const auto experiment = [](const char* method) {
        return experimentWith({method, "kernel.blocks=fill:1", "kernel.us=800", "streams=2", "h2d=off",
                               "d2h=off", "callback=off", "memset.bytes=1MiB"});
    };
    const Played api(experiment("memset.method=api")), kernel(experiment("memset.method=kernel"));
    EXPECT_GT(std::ranges::max(api.durations(experiment::OpKind::Memset)), 100'000);
    EXPECT_LT(std::ranges::max(kernel.durations(experiment::OpKind::FillKernel)), 10'000);
    EXPECT_EQ(kernel.trace.text(kernel.of(kernel.all(experiment::OpKind::FillKernel)[0]).name),
              "olab_fill_kernel");
    // A grid of one fill leaves no room until its end.
    for (const experiment::Op& fill : kernel.all(experiment::OpKind::FillKernel))
        for (const experiment::Op& other : kernel.all(experiment::OpKind::Kernel)) {
            const Interval f = kernel.work(fill), k = kernel.work(other);
            EXPECT_LT(std::min(f.end, k.end) - std::max(f.begin, k.begin), 3'000);
        }
}

TEST(SimMemory, AFillByCopyNeedsNoSm) {
    const Played run({"memset.method=copy", "kernel.blocks=fill:1", "kernel.us=800", "streams=2", "h2d=off",
                      "d2h=off", "callback=off"});
    EXPECT_EQ(run.of(run.all(experiment::OpKind::FillCopy)[0]).engine, EngineKind::CopyD2D);
    EXPECT_GT(run.share(MemcpyD2D, Kernel), 0.9);
    EXPECT_LT(std::ranges::max(run.durations(experiment::OpKind::FillCopy)), 15'000);
}

TEST(SimMemory, OnSomeDevicesACopyWithinNeedsThem) {
    sim::DeviceModel model;
    model.d2dOnSms = 1;
    const Played run({"memset.method=copy", "kernel.blocks=fill:1", "kernel.us=800", "streams=2", "h2d=off",
                      "d2h=off", "callback=off"},
                     model);
    EXPECT_EQ(run.of(run.all(experiment::OpKind::FillCopy)[0]).engine, EngineKind::Compute);
    EXPECT_GT(std::ranges::max(run.durations(experiment::OpKind::FillCopy)), 100'000);
}

TEST(SimMemory, SharedMemoryTakesRoomOnTheSms) {
    const sim::DeviceModel model;
    EXPECT_EQ(sim::residentBlocks(model, 256), 1056u);
    EXPECT_EQ(sim::residentBlocks(model, 256, 100 << 10), 264u);
    EXPECT_EQ(sim::residentBlocks(model, 256, 227 << 10), 132u);
    EXPECT_EQ(sim::residentBlocks(model, 256, 228 << 10), 0u); // a KiB of each block is the system's
    const auto kernels = {"kernel.blocks=132", "kernel.threads=64", "streams=4",   "h2d=off",
                          "d2h=off",           "memset=off",        "callback=off"};
    experiment::HeldExperiment e = experimentWith(kernels);
    const Ns beside = makespan(simulate(e));
    experiment::setOption(e, "kernel.smem=200KiB");
    EXPECT_GT(makespan(simulate(e)), beside * 35 / 10);
}

TEST(SimMemory, ABlockThatDoesNotFitIsRefused) {
    experiment::HeldExperiment e = experimentWith({"kernel.smem=64KiB"});
    experiment::setOption(e, "sim.device", "c1060");
    TraceBuilder builder;
    try {
        sim::SimBackend().run(experiment::plan(e), {}, builder, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_THAT(error.what(), testing::HasSubstr("C1060"));
    }
}

bool races(std::initializer_list<const char*> assignments) {
    return hasDefect(simulate(experimentWith(assignments)), DefectCode::DataMismatch);
}

TEST(SimRaces, AKernelInAnotherStreamMeetsOldData) {
    EXPECT_TRUE(races({"kernel.stream=other"}));
    EXPECT_FALSE(races({"kernel.stream=other", "deps=copy-to-kernel"}));
    EXPECT_FALSE(races({"kernel.stream=own"}));
}

TEST(SimRaces, TheNullStreamOrdersBlockingStreamsOnly) {
    EXPECT_TRUE(races({"kernel.stream=null", "stream.kind=nonblocking"}));
    EXPECT_FALSE(races({"kernel.stream=null", "stream.kind=blocking"}));
    EXPECT_FALSE(races({"kernel.stream=null", "stream.kind=nonblocking", "deps=copy-to-kernel"}));
}

/// Copies run ahead of longer kernels, unless they wait until the buffer is free.
TEST(SimRaces, StreamsByRoleNeedTheFreeEvent) {
    for (const char* sets : {"streams=1", "streams=2", "streams=3"}) {
        EXPECT_FALSE(races({"stream.roles=on", "h2d.bytes=8MiB", "memset=off", sets})) << sets;
        EXPECT_TRUE(races({"stream.roles=no-free-event", "h2d.bytes=8MiB", "memset=off", sets})) << sets;
    }
    EXPECT_TRUE(races({"stream.roles=no-free-event", "h2d.bytes=8MiB", "memset=off", "d2h=off", "streams=2"}))
        << "only the input is written over";
}

/// A race that nobody wins by chance is none: the host's waits order it.
TEST(SimRaces, WhatHappensInOrderIsRight) {
    EXPECT_FALSE(races({"kernel.stream=other", "sync.every=op"}));
}

/// What the plan alone keeps in order cannot go wrong, whatever the times are.
TEST(SimRaces, APlanThatKeepsTheOrderNeverRaces) {
    int ordered = 0, raced = 0;
    for (const char* stream : {"kernel.stream=own", "kernel.stream=null", "kernel.stream=other"})
        for (const char* kind : {"stream.kind=blocking", "stream.kind=nonblocking", "stream.kind=legacy"})
            for (const char* buffers : {"buffers=own", "buffers=shared"})
                for (const char* deps : {"deps=none", "deps=event-chain", "deps=copy-to-kernel"})
                    for (const char* host :
                         {"sync.every=end", "sync.every=iteration", "sync.every=op", "sync.at=before-d2h"}) {
                        const experiment::HeldExperiment e =
                            experimentWith({stream, kind, buffers, deps, host, "iterations=3"});
                        if (!experiment::conflicts(e).empty())
                            continue;
                        const bool wrong = hasDefect(simulate(e), DefectCode::DataMismatch);
                        ordered += experiment::mayRace(experiment::plan(e)) ? 0 : 1;
                        raced += wrong ? 1 : 0;
                        EXPECT_TRUE(!wrong || experiment::mayRace(experiment::plan(e)))
                            << stream << ' ' << kind << ' ' << buffers << ' ' << deps << ' ' << host;
                    }
    EXPECT_GT(ordered, 30);
    EXPECT_GT(raced, 30);
}

TEST(SimRaces, SharedBuffersRaceUnlessOrdered) {
    EXPECT_TRUE(races({"buffers=shared"}));
    EXPECT_FALSE(races({"buffers=own"}));
    EXPECT_FALSE(races({"buffers=shared", "streams=1"}));
    EXPECT_FALSE(races({"buffers=shared", "sync.every=op"}));
    EXPECT_TRUE(races({"buffers=shared", "h2d=off", "memset=off"})); // the output alone
    EXPECT_TRUE(races({"buffers=shared", "d2h=off", "memset=off"})); // the input alone
    EXPECT_TRUE(races({"buffers=shared", "h2d=off", "d2h=off"}));    // what is cleared
}

} // namespace
} // namespace olab::test
