// What the simulator says about itself and its ops, and that it says the same every time.
#include "sim_test.h"

#include <random_experiments.h>

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/sim/model_check.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <ctime>
#include <set>

namespace olab::test {
namespace {

TEST(SimRecords, SameSeedSameTrace) {
    for (const experiment::Experiment& e : conformance::randomExperiments(40))
        ASSERT_TRUE(simulate(e) == simulate(e));
}

TEST(SimRecords, OtherSeedOtherTimesSameOps) {
    experiment::HeldExperiment e;
    const Trace first = simulate(e);
    experiment::setOption(e, "seed=2");
    const Trace second = simulate(e);
    EXPECT_FALSE(first == second);
    EXPECT_EQ(first.size(), second.size());
    const double ratio =
        static_cast<double>(first.deviceSpan().length()) / static_cast<double>(second.deviceSpan().length());
    EXPECT_NEAR(ratio, 1.0, 0.02);
}

TEST(SimRecords, NeverPretendsToBeAMeasurement) {
    sim::DeviceModel model;
    model.name = "Some GPU";
    const Trace trace = simulate(experiment::HeldExperiment{}, model);
    EXPECT_EQ(trace.provenance().source, SourceKind::Simulated);
    EXPECT_EQ(trace.provenance().tool, "Overlap Lab simulator");
    EXPECT_EQ(trace.provenance().recordedAt, "");
    EXPECT_EQ(trace.environment().at("platform"), "simulator");
    EXPECT_EQ(trace.environment().at("calibration.loops"), "0");
    ASSERT_EQ(trace.devices().size(), 1u);
    EXPECT_EQ(trace.devices()[0].name, "Some GPU (simulated)");
    EXPECT_EQ(trace.devices()[0].smCount, 132u);
}

TEST(SimRecords, SaysHowFarToTrustIt) {
    sim::DeviceModel model;
    const Trace unchecked = simulate(experiment::HeldExperiment{}, model);
    EXPECT_NE(unchecked.environment().at("simulator.trust").find("never checked"), std::string::npos);
    const sim::PredictedCell cells[] = {{experiment::HeldExperiment{}, -0.2, 6, 6},
                                        {experiment::HeldExperiment{}, -0.3, 6, 5}};
    model.checked = sim::checkOf(cells, {});
    const std::string text =
        simulate(experiment::HeldExperiment{}, model).environment().at("simulator.trust");
    EXPECT_EQ(text, sim::trustIn(&*model.checked, experiment::HeldExperiment{}).text);
    EXPECT_NE(text.find("25.0 % too short"), std::string::npos) << text;
}

TEST(SimRecords, ActivitiesLookLikeCuptis) {
    const Trace trace = simulate(experimentWith({"null_op=kernel", "kernel.kind=memory"}));
    std::set<std::string_view> kernels, calls;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        const Activity a = trace[i];
        if (a.cls == ActivityClass::Kernel) {
            kernels.insert(trace.text(a.name));
            EXPECT_EQ(a.engine, EngineKind::Compute);
        }
        if (a.cls == ActivityClass::Api)
            calls.insert(trace.text(a.name));
        if (isCopyClass(a.cls)) {
            EXPECT_EQ(trace.channels()[a.channel.value].type, ChannelType::AsyncCopy);
        }
        if (a.cls == ActivityClass::Memset) {
            EXPECT_EQ(a.engine, EngineKind::Compute);
        }
    }
    EXPECT_THAT(kernels, testing::UnorderedElementsAre("olab_stream_kernel", "olab_null_kernel"));
    EXPECT_THAT(calls, testing::UnorderedElementsAre("cudaMemcpyAsync", "cudaMemsetAsync", "cudaLaunchKernel",
                                                     "cudaLaunchHostFunc", "cudaDeviceSynchronize"));
}

TEST(SimRecords, ACallAndItsWorkShareACorrelation) {
    const Trace trace = simulate(experiment::HeldExperiment{});
    std::set<std::uint32_t> calls, work;
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        const Activity a = trace[i];
        const bool call = a.cls == ActivityClass::Api && trace.text(a.name) != "cudaDeviceSynchronize";
        if (call || isDeviceClass(a.cls) || a.cls == ActivityClass::HostFn) {
            EXPECT_TRUE((call ? calls : work).insert(a.correlation).second) << a.correlation;
        }
    }
    EXPECT_EQ(calls, work);
}

TEST(SimRecords, SoloKernelsLastWhatWasAskedFor) {
    for (const char* blocks : {"kernel.blocks=1", "kernel.blocks=64", "kernel.blocks=1057",
                               "kernel.blocks=fill:1", "kernel.blocks=fill:8", "kernel.blocks=fill:37"}) {
        SCOPED_TRACE(blocks);
        const Trace trace = simulate(experimentWith({blocks, "iterations=1"}));
        bool seen = false;
        for (const SoloRecord& s : trace.solos()) {
            if (s.cls != ActivityClass::Kernel)
                continue;
            seen = true;
            EXPECT_NEAR(static_cast<double>(s.duration), 400'000, 400'000 * 0.01);
            EXPECT_EQ(s.residentBlocks, 1056u);
            EXPECT_GE(s.samples, 3u);
        }
        EXPECT_TRUE(seen);
    }
}

TEST(SimRecords, SoloCopiesRunAtTheirRate) {
    const Trace trace =
        simulate(experimentWith({"h2d.memory=pageable", "h2d.bytes=12MiB", "d2h.bytes=55MiB"}));
    const sim::DeviceModel model;
    for (const SoloRecord& s : trace.solos()) {
        if (!isCopyClass(s.cls))
            continue;
        const auto rate = s.cls == ActivityClass::MemcpyH2D ? model.h2dCachedRate : model.d2hPinnedRate;
        const auto expected = static_cast<double>(s.bytes) * 1000 / static_cast<double>(rate);
        EXPECT_NEAR(static_cast<double>(s.duration), expected, expected * 0.02);
    }
}

TEST(SimRecords, ReportsProgressAndCanBeStoppedMidway) {
    experiment::HeldExperiment e;
    experiment::setOption(e, "iterations=2000");
    std::stop_source stop;
    double last = 0;
    const RunControl control{stop.get_token(), [&](double share, std::string_view) {
                                 EXPECT_GE(share, last);
                                 last = share;
                                 if (share > 0.3)
                                     stop.request_stop();
                             }};
    TraceBuilder builder;
    EXPECT_THROW(sim::SimBackend().run(experiment::plan(e), {}, builder, control), Error);
    EXPECT_GT(last, 0.3);
    EXPECT_LT(last, 0.6);
}

/// A guard against quadratic growth, not a benchmark: many times what the release build needs.
TEST(SimRecords, TenTimesTheOpsTakeTenTimesAsLong) {
    const auto seconds = [](int iterations) {
        experiment::HeldExperiment e =
            experimentWith({"streams=64", "stream.kind=blocking", "null_op=event"});
        for (const char* key : {"h2d.bytes", "d2h.bytes", "memset.bytes"})
            experiment::setOption(e, key, "1MiB");
        experiment::setNumber(e, "iterations", iterations);
        const experiment::Plan schedule = experiment::plan(e);
        const std::clock_t start = std::clock(); // of this process: other load does not count
        TraceBuilder builder;
        sim::SimBackend().run(schedule, {.solos = false}, builder, {});
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    };
    const double small = std::max(seconds(30), 0.002);
    EXPECT_LT(seconds(300), small * 40);
}

} // namespace
} // namespace olab::test
