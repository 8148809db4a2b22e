// The account of a program that repeats itself is that of its iterations.
#include <olab/recording/recording.h>

#include <olab/analysis/report.h>
#include <olab/analysis/steady_state.h>
#include <olab/trace/trace_builder.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace olab::test {
namespace {

class Program {
public:
    Program() {
        m_builder.add(ProvenanceRecord{SourceKind::Traced, "somebody", "1", ""});
        m_builder.add(DeviceRecord{});
    }
    void call(std::string_view name, Ns begin, Ns end) {
        ActivityRecord r;
        r.cls = ActivityClass::Api, r.thread = 100, r.correlation = ++m_correlation;
        r.begin = begin, r.end = end, r.name = m_builder.intern(name);
        m_builder.add(r);
    }
    /// Issued by the call before it.
    void work(ActivityClass cls, std::string_view name, Ns begin, Ns end, std::uint32_t stream = 7) {
        ActivityRecord r;
        r.cls = cls, r.stream = stream, r.context = 1, r.correlation = m_correlation;
        r.begin = begin, r.end = end, r.name = m_builder.intern(name);
        r.bytes = cls == ActivityClass::Kernel ? 0 : 1 << 20;
        m_builder.add(r);
    }
    recording::RecordingPtr recorded() {
        return recording::makeRecording({m_builder.finish(), nullptr, std::nullopt}, "program", false);
    }

private:
    TraceBuilder m_builder;
    std::uint32_t m_correlation = 0;
};

constexpr Ns kUs = 1'000, kMs = 1'000'000;

struct Training {
    bool lateCopy = false;   ///< of which CUPTI gives the end much too late
    std::vector<int> held{}; ///< iterations behind which the host does nothing for 10 ms
    bool heldByMore = false; ///< but copies something out first
};

/// 300 ms of warming up, then 10 iterations of 2 ms of which the host takes 1 ms for itself.
recording::RecordingPtr trained(const Training& how = {}) {
    Program p;
    if (how.lateCopy) {
        p.call("cudaMemcpyAsync", 1 * kUs, 2 * kUs);
        p.work(ActivityClass::MemcpyD2D, "", 10 * kUs, 2'000 * kMs);
    }
    p.call("cudaLaunchKernel", 0, 10 * kUs);
    p.work(ActivityClass::Kernel, "warm_up", 20 * kUs, 100 * kMs);
    Ns at = 300 * kMs;
    for (int i = 0; i < 10; ++i, at += 2 * kMs) {
        p.call("cudaMemcpyAsync", at, at + 5 * kUs);
        p.work(ActivityClass::MemcpyH2D, "", at + 10 * kUs, at + 200 * kUs);
        p.call("cudaLaunchKernel", at + 6 * kUs, at + 11 * kUs);
        p.work(ActivityClass::Kernel, "forward", at + 205 * kUs, at + 600 * kUs);
        p.call("cudaLaunchKernel", at + 12 * kUs, at + 17 * kUs);
        p.work(ActivityClass::Kernel, "backward", at + 602 * kUs, at + 1'000 * kUs);
        if (std::ranges::find(how.held, i) == how.held.end())
            continue;
        for (int copy = 0; how.heldByMore && copy < 3; ++copy) {
            p.call("cudaMemcpyAsync", at + (1'010 + copy) * kUs, at + (1'011 + copy) * kUs);
            p.work(ActivityClass::MemcpyD2H, "", at + (1 + 3 * copy) * kMs + 20 * kUs,
                   at + (4 + 3 * copy) * kMs, 14);
        }
        at += 10 * kMs;
    }
    return p.recorded();
}

TEST(JudgedPart, WarmingUpIsNoPartOfTheAccount) {
    const auto recording = trained();
    ASSERT_TRUE(recording->report.ledger);
    const analysis::Ledger& ledger = *recording->report.ledger;
    ASSERT_EQ(ledger.missing, "");
    ASSERT_TRUE(ledger.part);
    EXPECT_EQ(ledger.part->iterations, 9u) << "nobody knows how long the host takes behind the last";
    EXPECT_EQ(ledger.part->time.begin, recording->report.steadyState->time.begin);
    EXPECT_EQ(ledger.part->time.length(), 9 * 2 * kMs);
    EXPECT_EQ(ledger.measured, ledger.part->time.length());
    EXPECT_EQ(*recording->report.bounds.measured, ledger.measured) << "one run time on a screen";
    EXPECT_LT(ledger.measured, 20 * kMs);
    ASSERT_FALSE(ledger.entries.empty());
    EXPECT_EQ(ledger.entries.front().cause, analysis::LossCause::HostLate);
    EXPECT_NEAR(static_cast<double>(ledger.entries.front().cost), 9e6, 0.3e6);
    EXPECT_NE(ledger.headline.find("per iteration"), std::string::npos) << ledger.headline;
}

TEST(JudgedPart, ACopyThatIsSaidToEndMuchTooLateHidesNothing) {
    const auto right = trained(), late = trained({.lateCopy = true});
    const analysis::Ledger &ledger = *late->report.ledger, &expected = *right->report.ledger;
    ASSERT_EQ(ledger.missing, "");
    EXPECT_EQ(ledger.measured, expected.measured);
    EXPECT_EQ(ledger.ideal, expected.ideal);
    ASSERT_FALSE(ledger.entries.empty());
    EXPECT_EQ(ledger.entries.front().cost, expected.entries.front().cost);
    EXPECT_EQ(ledger.waits.size(), late->facts->deviceWork().size());
    EXPECT_TRUE(std::ranges::any_of(late->report.defects, [](const Defect& defect) {
        return defect.code == DefectCode::LateEnd && defect.classes == maskOf(ActivityClass::MemcpyD2D);
    }));
}

TEST(JudgedPart, IterationsThatTookMuchLongerForTheSameWorkAreLeftOutAndTold) {
    const auto recording = trained({.held = {2}});
    const analysis::Ledger& ledger = *recording->report.ledger;
    ASSERT_TRUE(ledger.part);
    EXPECT_EQ(ledger.part->iterations, 6u) << "those behind it, but for the last";
    EXPECT_EQ(ledger.measured, 6 * 2 * kMs);
    EXPECT_EQ(ledger.part->unusual, 3u);
    EXPECT_EQ(ledger.part->longestUnusual, 12 * kMs);
}

TEST(JudgedPart, IterationsThatDidMoreAreNotLeftOut) {
    const auto recording = trained({.held = {2}, .heldByMore = true});
    ASSERT_TRUE(recording->report.ledger->part);
    EXPECT_EQ(recording->report.ledger->part->iterations, 9u);
    EXPECT_EQ(recording->report.ledger->part->unusual, 0u);
}

TEST(JudgedPart, NorAreThoseThatComeOften) {
    const auto recording = trained({.held = {1, 4, 7}});
    ASSERT_TRUE(recording->report.ledger->part);
    EXPECT_EQ(recording->report.ledger->part->unusual, 0u);
    EXPECT_EQ(recording->report.ledger->measured, 9 * 2 * kMs + 30 * kMs);
}

TEST(JudgedPart, ItsEvidenceIsInRowsOfTheWhole) {
    const auto recording = trained();
    const analysis::Ledger& ledger = *recording->report.ledger;
    const analysis::DeviceWork& work = recording->facts->deviceWork();
    ASSERT_EQ(ledger.waits.size(), work.size());
    ASSERT_EQ(ledger.idealTimes.size(), work.size());
    EXPECT_EQ(ledger.idealTimes[0], recording->trace.time(work.row(0))) << "the warm-up stays where it was";
    for (const ActivityIndex row : ledger.entries.front().activities)
        EXPECT_EQ(recording->trace.cls(row), ActivityClass::MemcpyH2D) << "what the host was late with";
    EXPECT_EQ(ledger.waits[4].cause, analysis::LossCause::HostLate) << "the copy of the second iteration";
}

/// 20 iterations of a kernel in each of two streams, which wait for each other. All of it is issued before
/// half of it is done.
TEST(JudgedPart, WhatItsWorkWaitsForMayHaveBeenIssuedBeforeIt) {
    Program p;
    Ns issued = 0;
    for (int i = 0; i < 40; ++i) {
        const Ns at = 10 * kMs + i * 1'004 * kUs;
        p.call("cudaEventRecord", issued, issued + kUs);
        p.call("cudaStreamWaitEvent", issued + 2 * kUs, issued + 3 * kUs);
        p.call("cudaLaunchKernel", issued + 4 * kUs, issued + 9 * kUs);
        p.work(ActivityClass::Kernel, i % 2 ? "second" : "first", at, at + kMs, 13 + i % 2);
        issued += 15 * kUs;
    }
    const auto recording = p.recorded();
    const analysis::Ledger& ledger = *recording->report.ledger;
    ASSERT_EQ(ledger.missing, "");
    ASSERT_TRUE(ledger.part);
    ASSERT_FALSE(ledger.entries.empty());
    EXPECT_EQ(ledger.entries.front().cause, analysis::LossCause::EventOrder);
    EXPECT_NEAR(static_cast<double>(ledger.entries.front().cost), 0.5 * static_cast<double>(ledger.measured),
                0.06 * static_cast<double>(ledger.measured));
    EXPECT_EQ(ledger.waits.size(), 40u);
}

} // namespace
} // namespace olab::test
