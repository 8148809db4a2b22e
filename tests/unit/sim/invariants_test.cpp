// What must hold of every simulation, looked for in a few hundred experiments.
#include "sim_test.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>
#include <olab/trace/lanes.h>

#include <backend_conformance.h>
#include <random_experiments.h>

#include <algorithm>
#include <functional>
#include <map>

namespace olab::test {
namespace {

constexpr std::size_t kExperiments = 250;

class Invariants : public testing::Test {
protected:
    struct Run {
        experiment::Experiment experiment;
        experiment::Plan schedule;
        Trace trace;
        std::string name;
    };

    template <typename Check>
    static void forEach(Check check, const sim::DeviceModel& model = {},
                        const std::function<void(experiment::Experiment&)>& change = {}) {
        for (experiment::Experiment e : conformance::randomExperiments(kExperiments)) {
            if (change)
                change(e);
            std::string name;
            for (const std::string& difference : experiment::differsFromDefault(e))
                name += difference + " ";
            SCOPED_TRACE(name);
            check(Run{e, experiment::plan(e), simulate(e, model), name});
            if (testing::Test::HasFailure())
                return; // the first one says enough
        }
    }
};

TEST_F(Invariants, EveryPlannedOpHasItsActivity) {
    forEach([](const Run& run) {
        std::array<std::uint64_t, kClassCount> found{};
        for (ActivityIndex i = 0; i < run.trace.size(); ++i)
            ++found[static_cast<std::size_t>(run.trace.cls(i))];
        for (std::size_t c = 0; c < kDeviceClassCount; ++c)
            EXPECT_EQ(found[c], run.schedule.expected[c]) << className(static_cast<ActivityClass>(c));
        EXPECT_EQ(run.trace.counts().refused, 0u);
    });
}

TEST_F(Invariants, ADirectionCarriesOneCopyAtATime) {
    forEach([](const Run& run) {
        for (const auto cls : {ActivityClass::MemcpyH2D, ActivityClass::MemcpyD2H}) {
            Ns last = 0;
            for (ActivityIndex i = 0; i < run.trace.size(); ++i) {
                if (run.trace.cls(i) != cls)
                    continue;
                EXPECT_GE(run.trace.time(i).begin, last) << className(cls);
                last = run.trace.time(i).end;
            }
        }
    });
}

TEST_F(Invariants, OneCopyEngineCarriesOneCopyAtATime) {
    sim::DeviceModel model;
    model.copyEngines = 1;
    forEach(
        [](const Run& run) {
            const LaneSet lanes = LaneSet::of(run.trace);
            EXPECT_EQ(overlapLength(lanes.classCoverage(0, ActivityClass::MemcpyH2D),
                                    lanes.classCoverage(0, ActivityClass::MemcpyD2H)),
                      0);
        },
        model);
}

/// What every backend must keep: order, calls, details, window, solos.
TEST_F(Invariants, NothingIsWrongByTheConformanceSuite) {
    forEach([](const Run& run) {
        EXPECT_THAT(conformance::problems(run.schedule, run.trace), testing::IsEmpty());
    });
}

/// With the orders that old devices and other systems impose, too.
TEST_F(Invariants, OtherQueuesKeepEveryOrder) {
    sim::DeviceModel fermi;
    fermi.inOrderQueues = fermi.delayedSignals = 1;
    fermi.copyEngines = 2;
    sim::DeviceModel tesla = fermi;
    tesla.copyEngines = tesla.priorityLevels = 1;
    tesla.d2dOnSms = 1;
    const auto check = [](const Run& run) {
        EXPECT_THAT(conformance::problems(run.schedule, run.trace), testing::IsEmpty());
    };
    forEach(check, fermi);
    forEach(check, tesla);
    for (const experiment::Submission submission :
         {experiment::Submission::Wddm, experiment::Submission::WddmHags})
        forEach(check, {}, [&](experiment::Experiment& e) { e.simSubmission = submission; });
}

/// Two that once came to a halt: threads at their wait when another's call opens the gate early, and a first
/// launch that waits for kernels whose end is signalled late.
TEST_F(Invariants, WhatOnceHungDoesNot) {
    sim::DeviceModel tight;
    tight.queueDepth = 2;
    EXPECT_TRUE(hasDefect(simulate(experimentWith({"issue.threads=per-stream", "null_op=memset"}), tight),
                          DefectCode::GateOpenedEarly));
    sim::DeviceModel fermi;
    fermi.inOrderQueues = fermi.delayedSignals = 1;
    EXPECT_GT(makespan(simulate(experimentWith({"kernel.stream=other", "interfere=first-launch", "h2d=off",
                                                "d2h=off", "callback=off"}),
                                fermi)),
              0);
}

TEST_F(Invariants, EnvironmentsKeepEveryOrder) {
    const auto check = [](const Run& run) {
        EXPECT_THAT(conformance::problems(run.schedule, run.trace), testing::IsEmpty());
    };
    forEach(check, {}, [](experiment::Experiment& e) { e.launchBlocking = true; });
    forEach(check, {}, [](experiment::Experiment& e) {
        e.maxConnections = 1;
        e.launchQueues = experiment::LaunchQueues::Quarter;
    });
}

TEST_F(Invariants, OneThreadMakesOneCallAtATime) {
    forEach([](const Run& run) {
        std::map<QueueId, Ns> last;
        for (ActivityIndex i = 0; i < run.trace.size(); ++i) {
            if (run.trace.cls(i) != ActivityClass::Api)
                continue;
            EXPECT_GE(run.trace.time(i).begin, last[run.trace[i].queue]);
            last[run.trace[i].queue] = run.trace.time(i).end;
        }
    });
}

TEST_F(Invariants, HostFunctionsRunOneAtATime) {
    forEach([](const Run& run) {
        Ns last = 0;
        for (ActivityIndex i = 0; i < run.trace.size(); ++i) {
            if (run.trace.cls(i) != ActivityClass::HostFn)
                continue;
            EXPECT_GE(run.trace.time(i).begin, last);
            last = run.trace.time(i).end;
        }
    });
}

bool isWorkload(const auto& run, ActivityIndex i) {
    const OpId op = run.trace[i].op;
    return run.trace.cls(i) == ActivityClass::Kernel &&
           run.schedule.ops[op.value].kind == experiment::OpKind::Kernel;
}

/// Blocks times their duration is work; the device can do no more of it in a time than its capacity allows.
/// And no more grids are there at once than have a block each.
TEST_F(Invariants, KernelsNeverExceedCapacity) {
    sim::DeviceModel steady;
    steady.durationJitter = 0;
    forEach(
        [&](const Run& run) {
            const experiment::Experiment& e = run.experiment;
            const std::uint64_t capacity =
                sim::residentBlocks(steady, static_cast<std::uint32_t>(e.kernelThreads),
                                    static_cast<std::uint64_t>(e.kernelSmem));
            const std::uint64_t blocks =
                e.kernelBlocks.fill ? e.kernelBlocks.fill * capacity : e.kernelBlocks.blocks;
            const auto waves = (blocks + capacity - 1) / capacity;
            const double work =
                static_cast<double>(blocks * static_cast<std::uint64_t>(e.kernelUs) * 1000 / waves);
            std::vector<Interval> kernels;
            for (ActivityIndex i = 0; i < run.trace.size(); ++i)
                if (isWorkload(run, i))
                    kernels.push_back(run.trace.time(i));
            const double available =
                static_cast<double>(IntervalSet::unionOf(kernels).total()) * static_cast<double>(capacity);
            // 6 %: a grid of more than 16 waves is cut into coarser pieces.
            EXPECT_GE(available * 1.06, work * static_cast<double>(kernels.size()));
            for (const Interval k : kernels)
                EXPECT_GE(k.length() + k.length() / 16 + 16, e.kernelUs * 1000);
        },
        steady);
}

TEST_F(Invariants, NonblockingStreamsPassTheNullStream) {
    std::size_t crossed = 0;
    forEach([&](const Run& run) {
        const std::vector<ActivityIndex> activity = byOp(run.schedule, run.trace);
        Ns nullEnd = 0;
        for (const experiment::Op& op : run.schedule.ops) {
            if (activity[op.id.value] == kNoActivity)
                continue;
            const Interval t = run.trace.time(activity[op.id.value]);
            if (op.stream == experiment::kNullStream)
                nullEnd = std::max(nullEnd, t.end);
            else if (run.experiment.streamKind == experiment::PlannedStreamKind::NonBlocking &&
                     t.begin < nullEnd)
                ++crossed;
        }
    });
    EXPECT_GT(crossed, 100u);
}

TEST_F(Invariants, TheWindowHoldsAllDeviceWork) {
    forEach([](const Run& run) {
        ASSERT_EQ(run.trace.windows().size(), 1u);
        if (run.trace.deviceSpan().length() == 0)
            return;
        const WindowRecord& w = run.trace.windows().front();
        EXPECT_LE(w.begin, run.trace.deviceSpan().begin);
        EXPECT_GE(w.end, run.trace.deviceSpan().end);
        EXPECT_GE(w.begin, 1'000'000'000);
        EXPECT_LT(w.end, 100'000'000'000); // no experiment of these lasts minutes
    });
}

/// Whatever waits must still be served, however little there is of channels (streams wait for one kind while
/// they hold the other) and of places in the rings.
TEST_F(Invariants, ScarceChannelsAndRingsNeverHang) {
    struct Scarce {
        std::uint32_t channels, queueDepth, copyEngines;
    };
    for (const Scarce s : {Scarce{1, 2, 1}, Scarce{3, 1, 2}, Scarce{1, 1022, 2}, Scarce{2, 16, 2}}) {
        SCOPED_TRACE(std::to_string(s.channels) + " channels, rings of " + std::to_string(s.queueDepth));
        sim::DeviceModel tight;
        tight.channels = s.channels;
        tight.queueDepth = s.queueDepth;
        tight.copyEngines = s.copyEngines;
        forEach(
            [](const Run& run) { EXPECT_GE(run.trace.windows().front().end, run.trace.deviceSpan().end); },
            tight);
    }
}

} // namespace
} // namespace olab::test
