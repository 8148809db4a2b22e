// Calibration comes back to where it started: what a known model simulates, fitted, is that model again.
#include "sim_test.h"

#include <olab/experiment/held_experiment.h>
#include <olab/sim/fit_model.h>
#include <olab/trace/trace_builder.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>

namespace olab::test {
namespace {

/// Unlike the defaults in everything that the runs below can show.
sim::DeviceModel strange() {
    sim::DeviceModel m;
    m.name = "Some GPU";
    m.smCount = 80;
    m.h2dPinnedRate = 24'000;
    m.d2hPinnedRate = 26'000;
    m.h2dBothRate = 18'000;
    m.d2hBothRate = 21'000;
    m.h2dPageableRate = 6'000;
    m.d2hPageableRate = 9'000;
    m.memsetRate = 700'000;
    m.copyLatency = 2'500;
    m.memsetFloor = 2'200;
    m.nullKernel = 3'000;
    m.pageableSetup = 30'000;
    m.pageableReturn = 40'000;
    m.pageableChunk = 4 << 20;
    m.issueKernel = 7'000;
    m.issueCopy = 5'000;
    m.issueMemset = 9'000;
    m.issueHostFn = 3'000;
    m.issueEvent = 2'000;
    m.hostGap = 600;
    m.submitLatency = 9'000;
    m.hopSameEngine = 2'000;
    m.hopOtherEngine = 11'000;
    m.barrierLatency = 45'000;
    m.gateLatency = 12'000;
    m.callbackIn = 30'000;
    m.callbackOut = 15'000;
    m.callbackWork = 4'000;
    m.syncWake = 25'000;
    return m;
}

/// What can be seen of a device in a few runs.
std::vector<experiment::HeldExperiment> runs() {
    return {
        experimentWith({"streams=1", "h2d.bytes=4KiB", "d2h.bytes=4KiB", "memset.bytes=4KiB"}),
        experimentWith({"streams=1"}),
        experimentWith({"streams=4", "memset=off", "kernel=off", "callback=off"}),
        experimentWith({"streams=3", "h2d.memory=pageable", "d2h.memory=pageable"}),
        experimentWith({"streams=2", "stream.kind=blocking", "null_op=kernel"}),
        experimentWith({"streams=2", "stream.kind=blocking", "null_op=event"}),
        experimentWith({"streams=1", "gate=off", "kernel.us=1", "callback=off", "h2d.bytes=4KiB",
                        "d2h.bytes=4KiB", "memset.bytes=4KiB"}),
    };
}

sim::FittedModel fittedFrom(const sim::DeviceModel& model,
                            const std::vector<experiment::HeldExperiment>& experiments) {
    std::deque<Trace> traces;
    std::vector<sim::CalibrationRun> calibration;
    for (const experiment::Experiment& e : experiments)
        calibration.push_back({traces.emplace_back(simulate(e, model)), e});
    return sim::fitModel(calibration);
}

TEST(FitModel, FindsTheModelThatWasSimulated) {
    const sim::DeviceModel model = strange();
    const sim::FittedModel fitted = fittedFrom(model, runs());
    std::map<std::string_view, std::int64_t> expected;
    for (const sim::DeviceModelField& field : sim::fieldsOf(model))
        expected[field.key] = field.value;
    for (const sim::FittedValue& value : fitted.values) {
        if (value.samples == 0)
            continue;
        const auto wanted = static_cast<double>(expected.at(value.key));
        EXPECT_NEAR(static_cast<double>(value.value), wanted, 0.06 * wanted) << value.key;
    }
    EXPECT_EQ(fitted.model.smCount, 80u);
}

TEST(FitModel, SeesEveryFieldThatTheRunsCanShow) {
    std::vector<std::string_view> unseen;
    for (const sim::FittedValue& value : fittedFrom(strange(), runs()).values)
        if (value.samples == 0)
            unseen.push_back(value.key);
    // Those behind it are of options that no calibration runs yet: estimates, all of them.
    unseen.erase(std::next(std::ranges::find(unseen, "duration_jitter_permille")), unseen.end());
    const std::vector<std::string_view> expected{"device_memory_bytes_per_us",
                                                 "blocks_to_saturate_memory",
                                                 "memset_room",
                                                 "memset_starved_floor_ns",
                                                 "memset_starved_bytes_per_us",
                                                 "pageable_inline_bytes",
                                                 "issue_sync_ns",
                                                 "channels",
                                                 "queue_depth",
                                                 "latency_jitter_permille",
                                                 "duration_jitter_permille"};
    EXPECT_EQ(unseen, expected);
}

TEST(FitModel, WhatWasNotSeenKeepsTheValueOfTheBase) {
    const experiment::HeldExperiment e = experimentWith({"streams=1", "h2d=off", "d2h=off", "callback=off"});
    const Trace trace = simulate(e, strange());
    sim::DeviceModel base;
    base.h2dPinnedRate = 12'345;
    base.callbackIn = 54'321;
    const sim::CalibrationRun run{trace, e};
    const sim::DeviceModel fitted = sim::fitModel({&run, 1}, base).model;
    EXPECT_EQ(fitted.h2dPinnedRate, 12'345);
    EXPECT_EQ(fitted.callbackIn, 54'321);
    EXPECT_NEAR(static_cast<double>(fitted.hopSameEngine), 2'000, 200);
}

TEST(FitModel, PredictsWhatItWasNotCalibratedOn) {
    const sim::DeviceModel model = strange(), fitted = fittedFrom(model, runs()).model;
    for (const auto& e :
         {experimentWith({"streams=2"}), experimentWith({"streams=4", "memset=off"}),
          experimentWith({"streams=4", "h2d.memory=pageable", "d2h.memory=pageable", "callback=off"})}) {
        const auto time = [&](const sim::DeviceModel& m) {
            const WindowRecord w = simulate(e, m).windows().front();
            return static_cast<double>(w.end - w.begin);
        };
        EXPECT_NEAR(time(fitted), time(model), 0.03 * time(model));
    }
}

TEST(FitModel, NothingToCalibrateFromIsAnError) {
    EXPECT_THROW(sim::fitModel({}), Error);
    const experiment::HeldExperiment e;
    const Trace empty = TraceBuilder().finish();
    const sim::CalibrationRun run{empty, e};
    EXPECT_THROW(sim::fitModel({&run, 1}), Error);
}

} // namespace
} // namespace olab::test
