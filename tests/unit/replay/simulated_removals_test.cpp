// What a ledger says that removing a cause brings, against the simulator without it.
#include "hand_made.h"

#include <olab/analysis/cause_table.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/io/recording_file.h>
#include <olab/recording/recording.h>
#include <olab/sim/sim_backend.h>

namespace olab::test {
namespace {

using Options = std::vector<std::string>; ///< "key=value"

io::RecordingData simulated(const Options& options) {
    io::RecordingData data;
    experiment::HeldExperiment experiment;
    for (const char* option : {"streams=4", "iterations=8", "callback=off"})
        experiment::setOption(experiment, option);
    for (const std::string& option : options)
        experiment::setOption(experiment, option);
    TraceBuilder builder;
    sim::SimBackend().run(experiment::plan(experiment), {}, builder, {});
    data.trace = builder.finish();
    data.experiment = experiment::shareExperiment(experiment);
    return data;
}

struct Case {
    const char* name;
    analysis::LossCause cause;
    Options planted, fixed;
};

Options joined(Options a, const Options& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

class SimulatedRemovals : public testing::TestWithParam<Case> {};

/// Shares of the makespan.
constexpr double kWithin = 0.05;

void expectTheGain(const Case& c) {
    const auto with = recording::makeRecording(simulated(c.planted), "with", false, {});
    const auto without =
        recording::makeRecording(simulated(joined(c.planted, c.fixed)), "without", false, {});
    const analysis::Ledger& ledger = *with->report.ledger;
    ASSERT_EQ(ledger.missing, "");
    EXPECT_EQ(sumOf(ledger), ledger.measured);
    EXPECT_EQ(firstCauseOf(ledger), analysis::lossCauseId(c.cause)) << ledger.headline;
    const analysis::LedgerEntry* entry = entryOf(ledger, c.cause);
    ASSERT_NE(entry, nullptr);
    const auto measured = static_cast<double>(ledger.measured);
    const double gain = 1 - static_cast<double>(without->report.ledger->measured) / measured;
    EXPECT_NEAR(static_cast<double>(entry->gain) / measured, gain, kWithin);
}

TEST_P(SimulatedRemovals, BringWhatTheLedgerSays) {
    expectTheGain(GetParam());
}

/// It leaves no record: only the plan tells of it.
TEST(SimulatedRemoval, OfAnEventOnTheNullStreamBringsWhatTheLedgerSays) {
    expectTheGain({"NullStreamEvent",
                   analysis::LossCause::NullStream,
                   {"stream.kind=blocking", "null_op=event"},
                   {"null_op=off"}});
    expectTheGain({"NullStreamEvent, breadth first",
                   analysis::LossCause::NullStream,
                   {"stream.kind=blocking", "null_op=event", "order=breadth", "memset=off"},
                   {"null_op=off"}});
}

TEST_P(SimulatedRemovals, NeedTheRecordsOnly) {
    io::RecordingData data = simulated(GetParam().planted);
    io::RecordingData stripped = io::recordsOnly(data);
    EXPECT_EQ(stripped.experiment, nullptr);
    EXPECT_TRUE(stripped.trace.environment().empty());
    for (ActivityIndex row = 0; row < stripped.trace.size(); ++row)
        ASSERT_EQ(stripped.trace.opOf(row), kNoOp);
    const auto whole = recording::makeRecording(std::move(data), "whole", false, {});
    const auto records = recording::makeRecording(std::move(stripped), "records", false, {});
    const analysis::Ledger &planned = *whole->report.ledger, &recorded = *records->report.ledger;
    EXPECT_EQ(firstCauseOf(recorded), firstCauseOf(planned));
    EXPECT_EQ(recorded.measured, planned.measured);
    EXPECT_EQ(sumOf(recorded), recorded.measured);
}

INSTANTIATE_TEST_SUITE_P(
    Causes, SimulatedRemovals,
    testing::Values(
        Case{"OneSubmissionQueue",
             analysis::LossCause::Submission,
             {"sim.submission=wddm-hags"},
             {"sim.submission=linux"}},
        Case{"NullStreamMemset",
             analysis::LossCause::NullStream,
             {"stream.kind=blocking", "null_op=memset"},
             {"null_op=off"}},
        Case{"NullStreamKernel",
             analysis::LossCause::NullStream,
             {"stream.kind=blocking", "null_op=kernel"},
             {"null_op=off"}},
        Case{"SyncEachIteration",
             analysis::LossCause::HostSync,
             {"sync.every=iteration", "gate=off"},
             {"sync.every=end"}},
        Case{"SyncEachOp", analysis::LossCause::HostSync, {"sync.every=op", "gate=off"}, {"sync.every=end"}},
        Case{"EventChain", analysis::LossCause::EventOrder, {"deps=event-chain"}, {"deps=none"}},
        Case{"Free", analysis::LossCause::DeviceBarrier, {"interfere=free"}, {"interfere=none"}},
        Case{"FreeHost", analysis::LossCause::DeviceBarrier, {"interfere=freehost"}, {"interfere=none"}},
        Case{"SlowCallbacks",
             analysis::LossCause::Callback,
             {"callback=on", "callback.us=200"},
             {"callback=off", "callback.us=0"}},
        Case{"LaunchBlocking",
             analysis::LossCause::LaunchBlocking,
             {"env.launch_blocking=on"},
             {"env.launch_blocking=off"}},
        Case{"PageableIn", analysis::LossCause::Pageable, {"h2d.memory=pageable"}, {"h2d.memory=pinned"}},
        Case{"PageableOut", analysis::LossCause::Pageable, {"d2h.memory=pageable"}, {"d2h.memory=pinned"}},
        Case{"Pageable",
             analysis::LossCause::Pageable,
             {"h2d.memory=pageable", "d2h.memory=pageable"},
             {"h2d.memory=pinned", "d2h.memory=pinned"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(RecordsOnly, WhatTakesAnOrderOutIsAdvisedWithItsConditionAndNotOffered) {
    const Options planted{"stream.kind=blocking", "null_op=memset"};
    for (const bool isPlanned : {true, false}) {
        io::RecordingData data = isPlanned ? simulated(planted) : io::recordsOnly(simulated(planted));
        const auto made = recording::makeRecording(std::move(data), "made", false, {});
        const auto& findings = made->report.findings;
        const auto found = std::ranges::find(findings, "null-stream", &analysis::Finding::id);
        ASSERT_NE(found, findings.end());
        const bool says =
            found->remedy.ends_with(analysis::causeRow(analysis::LossCause::NullStream).mustHold);
        EXPECT_EQ(found->tryChanges.empty(), !isPlanned);
        EXPECT_EQ(says, !isPlanned) << found->remedy;
    }
}

// The simulator's runs record stream calls; without any plan they tell what the plan told.
TEST(RecordsOnly, OfHealthyRunsBlameNothing) {
    for (const Options& options : {Options{}, Options{"order=breadth"}, Options{"callback=on"}}) {
        const auto made = recording::makeRecording(io::recordsOnly(simulated(options)), "records", false, {});
        const analysis::Ledger& ledger = *made->report.ledger;
        ASSERT_EQ(ledger.missing, "");
        for (const analysis::LedgerEntry& entry : ledger.entries)
            EXPECT_TRUE(entry.cause == analysis::LossCause::Stretched ||
                        entry.cause == analysis::LossCause::Callback || entry.cost * 50 <= ledger.measured)
                << entry.text;
    }
}

} // namespace
} // namespace olab::test
