// Short copies behind long ones, streams of higher priority, full hardware queues, and the recording itself
// as causes of the account; how far it is.
#include "hand_made.h"

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/recording/recording.h>
#include <olab/sim/sim_backend.h>

namespace olab::test {
namespace {

using enum analysis::LossCause;
using testing::DoubleNear;

/// A copy of `large` us, behind it one of 4 us in another stream, and a kernel of 2000 us that needs that.
void addUnlikeCopies(HandMade& m, double large, std::int64_t bytes) {
    m.call("cudaMemcpyAsync", {0, 1}).work(MemcpyH2D, 13, {8, 8 + large}, bytes);
    const double at = 10 + large;
    m.call("cudaMemcpyAsync", {2, 3}).work(MemcpyH2D, 14, {at, at + 4}, 4096);
    m.call("cudaLaunchKernel", {4, 5}).work(Kernel, 14, {at + 8, at + 2008});
}

TEST(HeadOfLineEdges, AShortCopyGoesBetweenThePiecesOfALongOne) {
    HandMade m;
    addUnlikeCopies(m, 10'000, 100 << 20);
    EXPECT_THAT(m.base(), DoubleNear(m.measured(), 10));
    EXPECT_EQ(m.graph().waits[1].cause, HeadOfLine);
    EXPECT_EQ(m.graph().waits[1].blocker, m.graph().nodes[m.graph().workOf[0]].row);
    EXPECT_THAT(m.without(HeadOfLine), DoubleNear(10'012, 10)) << "the copies alone; work is conserved";
    EXPECT_LT(m.beginOf(1, Causes().with(HeadOfLine)), 30);
    EXPECT_EQ(firstCauseOf(m.ledger()), "head-of-line") << m.ledger().headline;
}

TEST(HeadOfLineEdges, CopiesOfLikeLengthWaitForTheirTurn) {
    HandMade m;
    addUnlikeCopies(m, 20, 8192);
    EXPECT_EQ(m.graph().waits[1].cause, EngineBound);
    EXPECT_FALSE(m.graph().present.has(HeadOfLine));
}

/// The kernel's stream waits for the short copy by an event: it needs it, but not behind a long one.
TEST(HeadOfLineEdges, AnEventOfAShortCopyIsNotToBlame) {
    HandMade m;
    m.call("cudaMemcpyAsync", {0, 1}).work(MemcpyH2D, 13, {8, 10'008}, 100 << 20);
    m.call("cudaMemcpyAsync", {2, 3}).work(MemcpyH2D, 14, {10'010, 10'014}, 4096);
    m.call("cudaEventRecord", {4, 5}).says(StreamCallKind::EventRecord, 14, 1, 1);
    m.call("cudaStreamWaitEvent", {6, 7}).says(StreamCallKind::StreamWait, 15, 1, 1);
    m.call("cudaLaunchKernel", {8, 9}).work(Kernel, 15, {10'018, 12'018});
    const analysis::Ledger ledger = m.ledger();
    EXPECT_EQ(firstCauseOf(ledger), "head-of-line") << ledger.headline;
    EXPECT_NEAR(static_cast<double>(ledger.entries.front().cost) / 1000, 2'000, 20);
}

/// Two copies in a stream, each of which others wait for by an event of its own, or both by that behind the
/// second.
void addCopiesOfOneStream(HandMade& m, bool eachHasAnEvent) {
    m.call("cudaMemcpyAsync", {0, 1}).work(MemcpyH2D, 13, {8, 10'008}, 100 << 20);
    if (eachHasAnEvent)
        m.call("cudaEventRecord", {1, 2}).says(StreamCallKind::EventRecord, 13, 2, 2);
    m.call("cudaMemcpyAsync", {2, 3}).work(MemcpyH2D, 13, {10'010, 10'014}, 4096);
    m.call("cudaEventRecord", {4, 5}).says(StreamCallKind::EventRecord, 13, 1, 1);
    m.call("cudaStreamWaitEvent", {6, 7}).says(StreamCallKind::StreamWait, 15, 1, 1);
    m.call("cudaLaunchKernel", {8, 9}).work(Kernel, 15, {10'018, 12'018});
    if (eachHasAnEvent)
        m.call("cudaStreamWaitEvent", {10, 11}).says(StreamCallKind::StreamWait, 16, 2, 2);
    m.call("cudaLaunchKernel", {12, 13}).work(Kernel, 16, {12'020, 12'030});
}

TEST(HeadOfLineEdges, InAStreamAShortCopyMayGoFirstWhereOthersWaitForTheLongOneByItself) {
    HandMade apart, together;
    addCopiesOfOneStream(apart, true);
    EXPECT_LT(apart.beginOf(1, Causes().with(HeadOfLine)), 30);
    addCopiesOfOneStream(together, false);
    EXPECT_FALSE(together.graph().present.has(HeadOfLine)) << "who waits may need both";
}

recording::RecordingPtr recordingOfRun(const std::vector<std::string>& options) {
    experiment::HeldExperiment experiment;
    for (const std::string& option : options)
        experiment::setOption(experiment, option);
    TraceBuilder builder;
    sim::SimBackend().run(experiment::plan(experiment), {}, builder, {});
    io::RecordingData data;
    data.trace = builder.finish();
    data.experiment = experiment::shareExperiment(experiment);
    return recording::makeRecording(std::move(data), "simulated", false, {});
}

/// What the account says that removing a cause brings, as a share of the run, and what it brought.
void expectPredictedGain(const std::vector<std::string>& options, const std::string& fixed,
                         analysis::LossCause cause) {
    auto after = options;
    after.push_back(fixed);
    const recording::RecordingPtr with = recordingOfRun(options), without = recordingOfRun(after);
    const analysis::Ledger& ledger = *with->report.ledger;
    ASSERT_EQ(ledger.missing, "");
    EXPECT_EQ(sumOf(ledger), ledger.measured);
    const analysis::LedgerEntry* entry = entryOf(ledger, cause);
    ASSERT_NE(entry, nullptr) << ledger.headline;
    const auto measured = static_cast<double>(ledger.measured);
    EXPECT_NEAR(static_cast<double>(entry->gain) / measured,
                1 - static_cast<double>(without->report.ledger->measured) / measured, 0.05);
    const analysis::Ledger& other = *without->report.ledger;
    const analysis::LedgerEntry* still = entryOf(other, cause);
    EXPECT_TRUE(!still || still->waited < entry->waited) << still->text;
    const analysis::LedgerEntry* calls = entryOf(ledger, LaunchBound);
    EXPECT_TRUE(!calls || calls->cost * 50 < ledger.measured) << calls->text;
}

TEST(PriorityInTheAccount, IsKnownWithWhatEqualOnesBring) {
    expectPredictedGain({"stream.priority=first-high", "kernel.blocks=fill:4", "kernel.us=800",
                         "iterations=8", "callback=off"},
                        "stream.priority=equal", Priority);
}

TEST(FullQueues, HoldTheHostWithoutBeingTakenForSlowCalls) {
    expectPredictedGain({"streams=2", "iterations=700", "gate=off", "callback=off", "kernel.us=100",
                         "h2d.bytes=64KiB", "d2h.bytes=64KiB", "memset.bytes=64KiB"},
                        "env.launch_queues=4x", QueueFull);
}

/// `count` launches of 10 us each, without a pause, of kernels of 8 us in four streams.
void addBareLaunches(HandMade& m, int count) {
    m.window = WindowRecord{0, us(10. * count + 6), true}; // of the lab: others have an estimate
    for (int i = 0; i < count; ++i)
        m.call("cudaLaunchKernel", {10. * i, 10. * i + 10})
            .work(Kernel, 13 + static_cast<std::uint32_t>(i % 4), {10. * i + 8, 10. * i + 16});
}

TEST(ToolInTheAccount, IsWhatTheSameRunTookLessWithoutRecording) {
    HandMade m;
    addBareLaunches(m, 100);
    const analysis::Ledger ledger = replay::makeLedger(m.facts(), {}, 1.5);
    const analysis::LedgerEntry* tool = entryOf(ledger, Tool);
    ASSERT_NE(tool, nullptr) << ledger.missing << ledger.headline;
    EXPECT_NEAR(static_cast<double>(tool->gain), static_cast<double>(ledger.measured) / 3, us(10));
    EXPECT_EQ(sumOf(ledger), ledger.measured);
    EXPECT_EQ(entryOf(replay::makeLedger(m.facts(), {}, 1.01), Tool), nullptr) << "runs differ by as much";
    EXPECT_EQ(entryOf(replay::makeLedger(m.facts()), Tool), nullptr) << "nobody measured it";
}

TEST(ToolInTheAccount, IsNoneWhereCallsCannotBeTheReason) {
    HandMade m;
    m.window = WindowRecord{0, us(4'012), true};
    m.call("cudaLaunchKernel", {0, 5}).work(Kernel, 13, {8, 2008});
    m.call("cudaLaunchKernel", {5, 10}).work(Kernel, 13, {2012, 4012});
    EXPECT_EQ(entryOf(replay::makeLedger(m.facts(), {}, 1.3), Tool), nullptr)
        << "the device was busy all the time";
}

TEST(Account, TellsHowFarItIs) {
    HandMade m;
    addUnlikeCopies(m, 10'000, 100 << 20);
    std::vector<double> shares;
    RunControl control;
    control.progress = [&](double share, std::string_view) { shares.push_back(share); };
    replay::makeLedger(m.facts(), control);
    ASSERT_GE(shares.size(), 3u);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_GE(shares.front(), 0);
    EXPECT_GT(shares.back(), shares.front());
    EXPECT_LE(shares.back(), 1);
}

} // namespace
} // namespace olab::test
