// What a ledger says that removing a cause brings, against the simulator without it.
#include "hand_made.h"

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/io/records_only.h>
#include <olab/recording/recording.h>
#include <olab/sim/sim_backend.h>

namespace olab::test {
namespace {

using Options = std::vector<std::string>; ///< "key=value"

RecordingData simulated(const Options& options) {
    RecordingData data;
    HeldExperiment experiment;
    for (const char* option : {"streams=4", "iterations=8", "callback=off"})
        setOption(experiment, option);
    for (const std::string& option : options)
        setOption(experiment, option);
    TraceBuilder builder;
    SimBackend().run(plan(experiment), {}, builder, {});
    data.trace = builder.finish();
    data.experiment = shareExperiment(experiment);
    return data;
}

struct Case {
    const char* name;
    LossCause cause;
    Options planted, mended;
};

Options joined(Options a, const Options& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

class SimulatedRemovals : public testing::TestWithParam<Case> {};

/// Shares of the makespan.
constexpr double kWithin = 0.05;

TEST_P(SimulatedRemovals, BringWhatTheLedgerSays) {
    const Case& c = GetParam();
    const auto with = makeRecording(simulated(c.planted), "with", false, {});
    const auto without = makeRecording(simulated(joined(c.planted, c.mended)), "without", false, {});
    const Ledger& ledger = *with->report.ledger;
    ASSERT_EQ(ledger.missing, "");
    EXPECT_EQ(sumOf(ledger), ledger.measured);
    EXPECT_EQ(firstCauseOf(ledger), lossCauseId(c.cause)) << ledger.headline;
    const LedgerEntry* entry = entryOf(ledger, c.cause);
    ASSERT_NE(entry, nullptr);
    const auto measured = static_cast<double>(ledger.measured);
    const double gain = 1 - static_cast<double>(without->report.ledger->measured) / measured;
    EXPECT_NEAR(static_cast<double>(entry->gain) / measured, gain, kWithin);
}

TEST_P(SimulatedRemovals, NeedTheRecordsOnly) {
    RecordingData data = simulated(GetParam().planted);
    RecordingData stripped = recordsOnly(data);
    EXPECT_EQ(stripped.experiment, nullptr);
    EXPECT_TRUE(stripped.trace.environment().empty());
    for (ActivityIndex row = 0; row < stripped.trace.size(); ++row)
        ASSERT_EQ(stripped.trace.opOf(row), kNoOp);
    const auto whole = makeRecording(std::move(data), "whole", false, {});
    const auto records = makeRecording(std::move(stripped), "records", false, {});
    const Ledger &planned = *whole->report.ledger, &recorded = *records->report.ledger;
    EXPECT_EQ(firstCauseOf(recorded), firstCauseOf(planned));
    EXPECT_EQ(recorded.measured, planned.measured);
    EXPECT_EQ(sumOf(recorded), recorded.measured);
}

INSTANTIATE_TEST_SUITE_P(
    Causes, SimulatedRemovals,
    testing::Values(Case{"NullStreamMemset",
                         LossCause::NullStream,
                         {"stream.kind=blocking", "null_op=memset"},
                         {"null_op=off"}},
                    Case{"NullStreamKernel",
                         LossCause::NullStream,
                         {"stream.kind=blocking", "null_op=kernel"},
                         {"null_op=off"}},
                    Case{"SyncEachIteration",
                         LossCause::HostSync,
                         {"sync.every=iteration", "gate=off"},
                         {"sync.every=end"}},
                    Case{
                        "SyncEachOp", LossCause::HostSync, {"sync.every=op", "gate=off"}, {"sync.every=end"}},
                    Case{"EventChain", LossCause::EventOrder, {"deps=event-chain"}, {"deps=none"}},
                    Case{"Free", LossCause::DeviceBarrier, {"interfere=free"}, {"interfere=none"}},
                    Case{"FreeHost", LossCause::DeviceBarrier, {"interfere=freehost"}, {"interfere=none"}},
                    Case{"SlowCallbacks",
                         LossCause::Callback,
                         {"callback=on", "callback.us=200"},
                         {"callback=off", "callback.us=0"}},
                    Case{"LaunchBlocking",
                         LossCause::LaunchBlocking,
                         {"env.launch_blocking=on"},
                         {"env.launch_blocking=off"}},
                    Case{"PageableIn", LossCause::Pageable, {"h2d.memory=pageable"}, {"h2d.memory=pinned"}},
                    Case{"PageableOut", LossCause::Pageable, {"d2h.memory=pageable"}, {"d2h.memory=pinned"}},
                    Case{"Pageable",
                         LossCause::Pageable,
                         {"h2d.memory=pageable", "d2h.memory=pageable"},
                         {"h2d.memory=pinned", "d2h.memory=pinned"}}),
    [](const auto& test) { return std::string(test.param.name); });

// The simulator's runs record stream calls; without any plan they tell what the plan told.
TEST(RecordsOnly, OfHealthyRunsBlameNothing) {
    for (const Options& options : {Options{}, Options{"order=breadth"}, Options{"callback=on"}}) {
        const auto made = makeRecording(recordsOnly(simulated(options)), "records", false, {});
        const Ledger& ledger = *made->report.ledger;
        ASSERT_EQ(ledger.missing, "");
        for (const LedgerEntry& entry : ledger.entries)
            EXPECT_TRUE(entry.cause == LossCause::Stretched || entry.cause == LossCause::Callback ||
                        entry.cost * 50 <= ledger.measured)
                << entry.text;
    }
}

} // namespace
} // namespace olab::test
