// Devices, environment variables and operating systems, in a simulated run: each test fails if the option
// does nothing.
#include "sim_test.h"

#include <backend_conformance.h>

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace olab::test {
namespace {

using enum ActivityClass;

TEST(SimDevices, TheDeviceHasTheNumberThatWasAskedFor) {
    EXPECT_EQ(simulate(experimentWith({"device=3"})).devices().front().device, 3u);
}

TEST(SimDevices, TwoDevicesWorkSideBySide) {
    const Played one({"streams=2"}), two({"streams=2", "devices=all"});
    ASSERT_EQ(two.trace.devices().size(), 2u);
    EXPECT_EQ(two.all(experiment::OpKind::Kernel).size(), 2 * one.all(experiment::OpKind::Kernel).size());
    EXPECT_LT(makespan(two.trace), makespan(one.trace) * 11 / 10);
    for (const experiment::Op& op : two.all(experiment::OpKind::Kernel))
        EXPECT_EQ(two.trace.queue(two.of(op).queue).device, static_cast<std::uint32_t>(op.device));
}

TEST(SimDevices, TheyShareTheHostsMemory) {
    sim::DeviceModel narrow;
    narrow.hostMemoryRate = 60'000;
    const auto copies = {"streams=2", "kernel=off", "memset=off", "callback=off", "d2h=off", "devices=all"};
    const experiment::HeldExperiment e = experimentWith(copies);
    EXPECT_GT(makespan(simulate(e, narrow)), makespan(simulate(e)) * 16 / 10);
}

TEST(SimDevices, TheNullStreamIsEachDevicesOwn) {
    const Played run({"devices=all", "stream.kind=blocking", "null_op=memset", "streams=2"});
    std::set<std::uint32_t> devices;
    for (const experiment::Op& op : run.all(experiment::OpKind::NullMemset))
        devices.insert(run.trace.queue(run.of(op).queue).device);
    EXPECT_EQ(devices.size(), 2u);
}

TEST(SimDevices, PeerCopiesUseTheLinkBetween) {
    sim::DeviceModel slow;
    slow.p2pRate = 20'000;
    const auto peers = {"devices=all", "p2p=on"};
    const Played run(experimentWith(peers)), slowly(experimentWith(peers), slow);
    EXPECT_EQ(run.of(run.all(experiment::OpKind::PeerCopy)[0]).engine, EngineKind::CopyP2P);
    EXPECT_NEAR(static_cast<double>(median(run.durations(experiment::OpKind::PeerCopy))), 46'500, 1'500);
    EXPECT_NEAR(static_cast<double>(median(slowly.durations(experiment::OpKind::PeerCopy))), 840'000, 15'000);
}

TEST(SimEnvironment, ConnectionsLimitConcurrency) {
    const auto time = [](const char* connections) {
        return makespan(
            simulate(experimentWith({connections, "streams=8", "iterations=4", "order=breadth"})));
    };
    EXPECT_GT(time("env.max_connections=1"), time("env.max_connections=default") * 12 / 10);
    EXPECT_LT(time("env.max_connections=32"), time("env.max_connections=default") * 11 / 10);
}

TEST(SimEnvironment, BlockingLaunchesReturnWhenTheKernelIsDone) {
    const Played run({"env.launch_blocking=on"}), usual({"env.launch_blocking=off"});
    std::vector<Interval> kernels;
    for (const experiment::Op& op : run.all(experiment::OpKind::Kernel)) {
        EXPECT_GE(run.call(op).end, run.work(op).end);
        kernels.push_back(run.work(op));
    }
    EXPECT_EQ(concurrentLength(kernels), 0);
    EXPECT_LT(median(usual.callDurations(experiment::OpKind::Kernel)), 10'000);
}

TEST(SimEnvironment, LaunchQueuesHoldAsMuchAsTheyAreScaledTo) {
    const auto openedAt = [](const char* queues) {
        const Trace trace = simulate(experimentWith({queues, "streams=1", "iterations=500"}));
        for (const Defect& d : trace.defects())
            if (d.code == DefectCode::GateOpenedEarly)
                return d.detail;
        return std::string();
    };
    EXPECT_EQ(openedAt("env.launch_queues=0.25x"), "at op 255");
    EXPECT_EQ(openedAt("env.launch_queues=0.5x"), "at op 511");
    EXPECT_EQ(openedAt("env.launch_queues=default"), "at op 1022");
    EXPECT_EQ(openedAt("env.launch_queues=2x"), "at op 2044");
    EXPECT_EQ(openedAt("env.launch_queues=4x"), "");
}

/// What the author of the forum thread saw: with GPU scheduling no memory function ran beside a kernel,
/// whatever was left out; without it they did.
TEST(SimWddm, GpuSchedulingLosesTheOverlapOfPingPong) {
    for (const char* preset : {"ping-pong", "ping-pong-no-memset", "ping-pong-small-grid"}) {
        SCOPED_TRACE(preset);
        ASSERT_NE(experiment::findPreset(preset), nullptr);
        experiment::HeldExperiment e = experiment::findPreset(preset)->experiment;
        const auto share = [&](const char* submission, ActivityClass cls) {
            experiment::setOption(e, "sim.submission", submission);
            return Played(e).share(cls, Kernel);
        };
        for (const ActivityClass cls : {MemcpyH2D, MemcpyD2H}) {
            EXPECT_GT(share("linux", cls), 0.4);
            EXPECT_GT(share("wddm", cls), 0.4);
            EXPECT_EQ(share("wddm-hags", cls), 0);
        }
        EXPECT_EQ(share("wddm-hags", Memset), 0);
    }
}

/// A batch goes at once: without a gate, the copies at its front start together late, or their calls take
/// long.
TEST(SimWddm, OpsAreHandedOverInBatches) {
    const auto longCalls = [](const char* submission) {
        const Played run({submission, "streams=1", "iterations=41", "gate=off", "kernel.us=1000", "h2d=off",
                          "d2h=off", "memset=off", "callback=off"});
        return std::ranges::count_if(run.callDurations(experiment::OpKind::Kernel),
                                     [](Ns t) { return t > 20'000; });
    };
    EXPECT_EQ(longCalls("sim.submission=linux"), 0);
    EXPECT_EQ(longCalls("sim.submission=wddm"), 6); // the first, for an idle device, and five of eight
}

/// The second stream's kernel is alone in its batch, and the host, busy for long, does not wait or ask.
TEST(SimWddm, WhatIsNotFullGoesWhenItIsOld) {
    const auto late = [](Ns age) {
        sim::DeviceModel model;
        model.wddmBatchAge = age;
        model.callMallocHost = 900'000;
        const Played run({"sim.submission=wddm", "iterations=2", "streams=2", "gate=off", "kernel.us=9000",
                          "h2d=off", "memset=off", "d2h=off", "callback=off", "interfere=mallochost"},
                         model);
        const experiment::Op second = run.all(experiment::OpKind::Kernel)[1];
        return run.work(second).begin - run.call(second).end;
    };
    EXPECT_NEAR(static_cast<double>(late(200'000)), 204'000, 3'000);
    EXPECT_NEAR(static_cast<double>(late(600'000)), 604'000, 3'000);
}

/// Even so it is a simulation, and says so.
TEST(SimWddm, IsMarkedAsSimulated) {
    const Trace trace = simulate(experimentWith({"sim.submission=wddm-hags"}));
    EXPECT_EQ(trace.provenance().source, SourceKind::Simulated);
    EXPECT_EQ(trace.environment().at("simulator.submission"), "wddm-hags");
    EXPECT_EQ(simulate(experiment::HeldExperiment{}).environment().count("simulator.submission"), 0u);
}

/// What a person would see of a run.
std::vector<std::string> shown(const Trace& trace) {
    std::vector<std::string> out;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        const Activity a = trace[i];
        const Queue& queue = trace.queue(a.queue);
        std::ostringstream line;
        line << className(a.cls) << ' ' << a.begin << ' ' << a.end << ' ' << trace.text(a.name) << ' '
             << queue.device << ' ' << streamKindName(queue.streamKind) << ' ' << memoryKindName(a.target);
        if (const KernelGeometry* g = trace.geometry(i))
            line << ' ' << g->blocks() << ' ' << g->threads() << ' ' << g->dynamicShared;
        out.push_back(line.str());
    }
    for (const Defect& d : trace.defects())
        out.emplace_back(defectRow(d.code).id);
    return out;
}

TEST(SimSystems, EveryValueOfEveryOptionShows) {
    const std::set<std::string> silent{
        // a simulated device needs no warm-up, and repeats and children are the caller's affair
        "warmup=0", "warmup=2", "warmup=5", "warmup=17", "repeat=2", "repeat=5", "repeat=17", "trace=on",
        "trace=off",
        // all page-locked memory is the same to it
        "h2d.memory=wc", "h2d.memory=registered", "h2d.portable=on", "d2h.memory=registered",
        // only first launches load anything
        "env.module_loading=lazy", "env.module_loading=eager",
        // three streams need no more than three connections, and a few ops no deeper queues
        "env.launch_queues=0.25x", "env.launch_queues=0.5x", "env.launch_queues=2x", "env.launch_queues=4x",
        "env.max_connections=8", "env.max_connections=9", "env.max_connections=32"};
    const auto play = [](const experiment::Experiment& e) {
        TraceBuilder builder;
        sim::SimBackend().run(experiment::plan(e, 2), {}, builder,
                              {}); // of the device that the experiment names
        return shown(builder.finish());
    };
    experiment::HeldExperiment base = conformance::smallExperiment();
    experiment::setOption(
        base, "kernel.blocks=fill:2"); // where there is room for all, neither size nor priority matters
    experiment::setOption(base,
                          "kernel.us=2000"); // or kernels of one stream are done before the next is ready
    const auto usual = play(base);
    ASSERT_EQ(play(base), usual);
    const auto ofAProcessAlone = [](const std::string& assignment) { // a variable that nothing is lowered to
        const experiment::OptionRow& row =
            *experiment::findOption(assignment.substr(0, assignment.find('=')));
        return !row.environment.name.empty() && !row.lower;
    };
    for (const conformance::Case& c : conformance::everyOptionValue(base))
        if (!(c.experiment == base) && !silent.contains(c.name) && !ofAProcessAlone(c.name)) {
            EXPECT_NE(play(c.experiment), usual) << c.name;
        }
    for (const std::string& name : silent) {
        experiment::HeldExperiment e = base;
        experiment::setOption(e, name);
        EXPECT_EQ(play(e), usual) << name << " shows after all";
    }
}

TEST(SimSystems, AreTheSameEveryTime) {
    for (const char* option : {"sim.submission=wddm", "sim.submission=wddm-hags", "devices=all",
                               "env.launch_blocking=on", "issue.threads=per-stream", "submit=graph"}) {
        const experiment::HeldExperiment e = experimentWith({option});
        EXPECT_TRUE(simulate(e) == simulate(e)) << option;
    }
}

} // namespace
} // namespace olab::test
