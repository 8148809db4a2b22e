// Each rule: one trace where it fires, one where it must not, and what it does when records lack.
#include "made_trace.h"

#include <olab/analysis/rules.h>
#include <olab/experiment/held_experiment.h>
#include <olab/trace/lanes_of.h>

namespace olab::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

using Changes = std::vector<std::pair<std::string, std::string>>;

// --- pageable

void addCopies(Made& m, MemoryKind host, std::int64_t bytes, bool withCalls) {
    for (int i = 0; i < 3; ++i) {
        const Ns t = us(1000 * (i + 1));
        ActivityRecord& up = m.work(MemcpyH2D, t, t + us(100), 13);
        up.source = host, up.target = MemoryKind::Device, up.bytes = bytes;
        if (withCalls)
            m.issued(t - us(5), t + us(100), "cudaMemcpyAsync");
        m.work(Kernel, t + us(110), t + us(300), 13);
        if (withCalls)
            m.issued(t + us(103), t + us(106));
    }
}

TEST(Pageable, LargeCopiesOfPageableMemoryAreProved) {
    Made m;
    addCopies(m, MemoryKind::Pageable, 1 << 20, true);
    const analysis::Report report = m.report();
    const analysis::Finding* f = findingOf(report, "pageable");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->status, analysis::FindingStatus::Proved);
    EXPECT_EQ(f->activities.size(), 3u);
    EXPECT_EQ(f->tryChanges, (Changes{{"h2d.memory", "pinned"}}));
    // Three calls of 105 us, the first of which begins before the device does; issuing a kernel takes 3 us.
    EXPECT_EQ(f->lost, us(100) + 2 * us(105) - 3 * us(3));
    EXPECT_THAT(f->text, HasSubstr("3 H2D copies use pageable host memory"));
}

TEST(Pageable, WithoutCallsTheTimeAloneIsTheLoss) {
    Made m;
    addCopies(m, MemoryKind::Pageable, 1 << 20, false);
    m.work(Kernel, us(1000), us(1040), 14);
    EXPECT_EQ(findingOf(m.report(), "pageable")->lost, us(260));
}

TEST(Pageable, BothDirectionsAreTried) {
    Made m;
    addCopies(m, MemoryKind::Pageable, 1 << 20, true);
    m.work(MemcpyD2H, us(9000), us(9100)).target = MemoryKind::Pageable;
    EXPECT_EQ(findingOf(m.report(), "pageable")->tryChanges,
              (Changes{{"h2d.memory", "pinned"}, {"d2h.memory", "pinned"}}));
}

TEST(Pageable, PinnedOrSmallCopiesAreFine) {
    for (const auto& [memory, bytes] :
         {std::pair{MemoryKind::Pinned, 1 << 20}, {MemoryKind::Pageable, 64 << 10}}) {
        Made m;
        addCopies(m, memory, bytes, true);
        const analysis::Report report = m.report();
        EXPECT_EQ(findingOf(report, "pageable"), nullptr);
        EXPECT_EQ(abstentionOf(report, "pageable"), nullptr);
    }
}

TEST(Pageable, UnknownMemoryIsAnAbstention) {
    Made m;
    addCopies(m, MemoryKind::Unknown, 1 << 20, true);
    EXPECT_NE(abstentionOf(m.report(), "pageable"), nullptr);
}

/// One copy of which nothing is known may be the pageable one.
TEST(Pageable, OneCopyOfUnknownMemoryIsEnoughToAbstain) {
    Made m;
    for (int i = 0; i < 3; ++i) {
        ActivityRecord& copy = m.work(MemcpyH2D, us(100 * i), us(100 * i + 50));
        copy.source = i == 1 ? MemoryKind::Unknown : MemoryKind::Pinned;
        copy.target = MemoryKind::Device;
    }
    const analysis::Report report = m.report();
    EXPECT_EQ(findingOf(report, "pageable"), nullptr);
    ASSERT_NE(abstentionOf(report, "pageable"), nullptr);
    EXPECT_EQ(abstentionOf(report, "pageable")->lacks, "the memory kinds of 1 of 3 copies");
}

TEST(Pageable, ACopyOfUnknownSizeIsNotASmallOne) {
    Made m;
    ActivityRecord& copy = m.work(MemcpyH2D, us(0), us(50));
    copy.bytes = 0;
    copy.source = MemoryKind::Pageable;
    const analysis::Report report = m.report();
    EXPECT_NE(abstentionOf(report, "pageable"), nullptr);
}

// --- same-stream

void addTwoClasses(Made& m, std::uint32_t copyStream, std::uint32_t kernelStream) {
    for (int i = 1; i <= 3; ++i) {
        m.work(MemcpyH2D, us(1000 * i), us(1000 * i + 100), copyStream);
        m.work(Kernel, us(1000 * i + 102), us(1000 * i + 300), kernelStream);
    }
}

TEST(SameStream, OneStreamForBothIsProved) {
    Made m;
    addTwoClasses(m, 13, 13);
    const analysis::Report report = m.report();
    const analysis::Finding* f = findingOf(report, "same-stream");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->status, analysis::FindingStatus::Proved);
    EXPECT_EQ(f->lost, us(300));
    EXPECT_EQ(f->tryChanges, (Changes{{"streams", "3"}}));
    EXPECT_THAT(f->text, HasSubstr("H2D with kernel (stream 13)"));
}

TEST(SameStream, TwoStreamsAreNot) {
    Made m;
    addTwoClasses(m, 14, 13);
    EXPECT_EQ(findingOf(m.report(), "same-stream"), nullptr);
}

TEST(SameStream, WithoutStreamsItAbstains) {
    Made m;
    addTwoClasses(m, 13, kNoNumber);
    const analysis::Report report = m.report();
    ASSERT_NE(abstentionOf(report, "same-stream"), nullptr);
    EXPECT_EQ(abstentionOf(report, "same-stream")->lacks, "the streams of the operations");
}

// --- null-stream

void addNullBarrier(Made& m, StreamKind kind) {
    m.gate(us(9));
    if (kind != StreamKind::Unknown)
        for (const std::uint32_t s : {13u, 14u})
            m.stream(s, kind);
    m.ran(m.plan(experiment::OpKind::Kernel, 0, us(390)), us(10), us(400), 13);
    m.ran(m.plan(experiment::OpKind::NullMemset, experiment::kNullStream, us(2)), us(402), us(404), 7);
    m.ran(m.plan(experiment::OpKind::CopyH2D, 1, us(94)), us(406), us(500), 14);
}

TEST(NullStreamRule, ABarrierBetweenBlockingStreamsIsProved) {
    Made m;
    addNullBarrier(m, StreamKind::Blocking);
    const analysis::Report report = m.report();
    const analysis::Finding* f = findingOf(report, "null-stream");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->status, analysis::FindingStatus::Proved);
    EXPECT_EQ(f->lost, us(396)) << "both were held from the opening of the gate; counted once";
    EXPECT_THAT(f->tryChanges, testing::IsEmpty()) << "the plan says that its streams are non-blocking";
    EXPECT_THAT(f->text, HasSubstr("H2D #2 (stream 14) waited 396 us for memset #1 (the NULL stream)"));
}

TEST(NullStreamRule, NonBlockingStreamsAreNotHeld) {
    Made m;
    addNullBarrier(m, StreamKind::NonBlocking);
    const analysis::Report report = m.report();
    EXPECT_EQ(findingOf(report, "null-stream"), nullptr);
    EXPECT_EQ(abstentionOf(report, "null-stream"), nullptr);
}

TEST(NullStreamRule, WithoutStreamKindsItAbstains) {
    TraceBuilder builder;
    for (std::uint32_t s : {13u, 14u}) {
        ActivityRecord r;
        r.cls = Kernel, r.begin = us(s), r.end = us(s + 1), r.device = 0, r.context = 1, r.stream = s;
        builder.add(r);
    }
    const Trace trace = builder.finish();
    const auto lanes = lanesOf(trace);
    EXPECT_NE(abstentionOf(analysis::analyze({trace, *lanes}), "null-stream"), nullptr);
}

TEST(NullStreamRule, OneStreamOfUnknownKindIsEnoughToAbstain) {
    Made m;
    m.stream(13, StreamKind::NonBlocking);
    m.work(Kernel, us(0), us(10), 13);
    m.work(Kernel, us(20), us(30), 14);
    const analysis::Report report = m.report();
    ASSERT_NE(abstentionOf(report, "null-stream"), nullptr);
    EXPECT_EQ(abstentionOf(report, "null-stream")->lacks,
              "the kinds of some streams (blocking, non-blocking, NULL)");
}

// --- memset-full-grid

void addMemsetBehind(Made& m, std::uint64_t blocks) {
    m.gate(us(9));
    const auto first = m.plan(experiment::OpKind::Kernel, 0, us(800), 0, blocks, 1056);
    const auto memset = m.plan(experiment::OpKind::Memset, 1, us(2));
    m.ran(first, us(10), us(810), 13);
    m.ran(memset, us(617), us(619), 14);
}

TEST(MemsetFullGrid, NamesTheKernelAndTheTime) {
    Made m;
    addMemsetBehind(m, 8448);
    const analysis::Report report = m.report();
    const analysis::Finding* f = findingOf(report, "memset-full-grid");
    ASSERT_NE(f, nullptr);
    EXPECT_THAT(f->text,
                HasSubstr("memset #1 (stream 14) waited 607 us for kernel fma #0 (stream 13): its grid of "
                          "8448 blocks fills the device (1056 at once)"));
    EXPECT_EQ(f->status, analysis::FindingStatus::Consistent);
    EXPECT_EQ(f->lost, us(607));
    EXPECT_EQ(f->tryChanges, (Changes{{"kernel.blocks", "16"}})) << "the plan says that it has 64";
}

TEST(MemsetFullGrid, ASmallGridHoldsNobody) {
    Made m;
    addMemsetBehind(m, 64);
    const analysis::Report report = m.report();
    EXPECT_EQ(findingOf(report, "memset-full-grid"), nullptr);
    EXPECT_EQ(abstentionOf(report, "memset-full-grid"), nullptr);
}

TEST(MemsetFullGrid, WithoutResidencyItAbstains) {
    Made m;
    m.work(Kernel, us(10), us(800), 13);
    m.work(Memset, us(700), us(702), 14);
    EXPECT_NE(abstentionOf(m.report(), "memset-full-grid"), nullptr);
}

// --- launch-bound

// `length` of device work per launch of 5 us every 6 us.
void addLaunches(Made& m, Ns length) {
    for (int i = 0; i < 50; ++i) {
        const Ns t = us(1000 + 6 * i);
        m.work(Kernel, t + us(7), t + us(7) + length, 13 + static_cast<std::uint32_t>(i % 4));
        m.issued(t, t + us(5));
    }
}

TEST(LaunchBound, ShortKernelsBehindAHostThatNeverPauses) {
    Made m;
    addLaunches(m, us(2));
    const analysis::Report report = m.report();
    const analysis::Finding* f = findingOf(report, "launch-bound");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->lost, report.devices[0].idle);
    EXPECT_THAT(f->text, HasSubstr("49 times"));
}

TEST(LaunchBound, ABusyDeviceIsNot) {
    Made m;
    addLaunches(m, us(5));
    EXPECT_EQ(findingOf(m.report(), "launch-bound"), nullptr);
}

TEST(LaunchBound, AHostThatWaitsBetweenCallsIsNot) {
    Made m;
    for (int i = 0; i < 50; ++i) {
        m.work(Kernel, us(1000 + 60 * i), us(1002 + 60 * i), 13);
        m.issued(us(990 + 60 * i), us(995 + 60 * i));
    }
    EXPECT_EQ(findingOf(m.report(), "launch-bound"), nullptr);
}

TEST(LaunchBound, ABlockingCopyIsNot) {
    Made m;
    for (int i = 0; i < 50; ++i) {
        m.work(MemcpyH2D, us(1060 + 100 * i), us(1099 + 100 * i), 13);
        m.issued(us(1000 + 100 * i), us(1099.5 + 100 * i), "cudaMemcpy");
    }
    EXPECT_EQ(findingOf(m.report(), "launch-bound"), nullptr);
}

TEST(LaunchBound, WithoutCallsItAbstains) {
    Made m;
    m.work(Kernel, us(1), us(2));
    EXPECT_NE(abstentionOf(m.report(), "launch-bound"), nullptr);
}

// --- engine-bound

TEST(EngineBound, ACopyEngineThatNeverRests) {
    Made m;
    for (int i = 0; i < 10; ++i) {
        m.work(MemcpyH2D, us(100 * i + 1), us(100 * i + 96), 13);
        m.work(Kernel, us(100 * i + 97), us(100 * i + 140), 14);
    }
    const analysis::Report report = m.report();
    const analysis::Finding* f = findingOf(report, "engine-bound");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->status, analysis::FindingStatus::Proved);
    EXPECT_EQ(f->lost, 0);
    EXPECT_THAT(f->text, HasSubstr("copy H2D engine was busy for 91 %"));
}

TEST(EngineBound, TwoThatHardlyRestAreBothToldTheBusierFirst) {
    Made m;
    for (int i = 0; i < 10; ++i) {
        m.work(MemcpyH2D, us(100 * i + 1), us(100 * i + 96), 13);
        m.work(MemcpyD2H, us(100 * i + 2), us(100 * i + 99), 14);
    }
    EXPECT_THAT(findingOf(m.report(), "engine-bound")->text,
                HasSubstr("The copy D2H and copy H2D engines were busy for 97 % and 95 %"));
}

TEST(EngineBound, AnEngineThatRestsIsNot) {
    Made m;
    for (int i = 0; i < 10; ++i)
        m.work(MemcpyH2D, us(100 * i + 1), us(100 * i + 85), 13);
    EXPECT_EQ(findingOf(m.report(), "engine-bound"), nullptr);
}

TEST(EngineBound, SmallGridsLeaveRoomHoweverLongTheyRun) {
    for (const std::uint64_t blocks : {64u, 1056u}) {
        Made m;
        for (int i = 0; i < 10; ++i)
            m.ran(m.plan(experiment::OpKind::Kernel, 0, us(98), 0, blocks, 1056), us(100 * i + 1),
                  us(100 * i + 99));
        EXPECT_EQ(findingOf(m.report(), "engine-bound") != nullptr, blocks == 1056);
    }
}

TEST(EngineBound, UnknownGridsAreOnlyConsistentWithIt) {
    Made m;
    m.work(Kernel, us(1), us(100));
    EXPECT_EQ(findingOf(m.report(), "engine-bound")->status, analysis::FindingStatus::Consistent);
}

TEST(EngineBound, NorAreGridsOfFewerBlocksThanTheDeviceHasMultiprocessors) {
    for (const std::uint32_t blocks : {64u, 132u}) {
        Made m;
        m.device.smCount = 132;
        for (int i = 0; i < 10; ++i)
            m.work(Kernel, us(100 * i + 1), us(100 * i + 99)).geometry =
                KernelGeometry{{blocks, 1, 1}, {256, 1, 1}, 16, 0, 0};
        EXPECT_EQ(findingOf(m.report(), "engine-bound") != nullptr, blocks == 132);
    }
}

/// Damaged times: what kernels beside each other take in all has no room in 64 bits.
TEST(EngineBound, KernelsBesideEachOtherMayTakeMoreThanATimeHolds) {
    constexpr Ns kLong = Ns{1} << 62;
    Made m;
    m.work(Kernel, 1, kLong, 13);
    m.work(Kernel, 1, kLong, 14);
    EXPECT_NE(findingOf(m.report(), "engine-bound"), nullptr);
}

// --- what is offered

std::optional<analysis::Finding> offered(std::initializer_list<const char*> assignments) {
    Made m;
    addNullBarrier(m, StreamKind::Blocking);
    for (const char* assignment : assignments)
        experiment::setOption(m.schedule.experiment, assignment);
    const analysis::Report report = m.report();
    const analysis::Finding* f = findingOf(report, "null-stream");
    return f ? std::optional(*f) : std::nullopt;
}

TEST(Remedies, TheFirstThatIsNoRaceIsOffered) {
    const auto f = offered({"stream.kind=blocking", "null_op=memset"});
    ASSERT_TRUE(f);
    EXPECT_EQ(f->tryChanges, (Changes{{"stream.kind", "nonblocking"}}));
    EXPECT_THAT(f->remedy, HasSubstr("cudaStreamNonBlocking"));
    const auto raced = offered({"stream.kind=blocking", "kernel.stream=null"});
    ASSERT_TRUE(raced);
    EXPECT_EQ(raced->tryChanges, (Changes{{"kernel.stream", "own"}}));
    EXPECT_THAT(raced->remedy, HasSubstr("into the stream of its copies"));
    EXPECT_THAT(raced->remedy, HasSubstr("Not stream.kind=nonblocking"));
    EXPECT_THAT(raced->remedy, testing::Not(HasSubstr("cudaStreamNonBlocking")));
}

TEST(Remedies, WhatCannotBeIsNotOffered) {
    const auto f = offered({"kernel.stream=null", "stream.kind=blocking", "deps=copy-to-kernel"});
    ASSERT_TRUE(f);
    EXPECT_EQ(f->tryChanges, (Changes{{"stream.kind", "nonblocking"}})) << "its events keep the order";
    const auto other = offered({"kernel.stream=null", "stream.kind=nonblocking", "deps=copy-to-kernel"});
    ASSERT_TRUE(other);
    EXPECT_THAT(other->tryChanges, testing::IsEmpty()) << "deps=copy-to-kernel refuses kernel.stream=own";
}

TEST(Remedies, WhatChangesNothingIsNotOffered) {
    const auto f = offered({"stream.kind=nonblocking", "null_op=memset"});
    ASSERT_TRUE(f);
    EXPECT_EQ(f->tryChanges, (Changes{{"null_op", "off"}}));
    EXPECT_EQ(f->remedy, "Leave out the operation on the legacy NULL stream between the passes.");
}

TEST(Remedies, WhereNobodyPlannedNothingThatTakesAnOrderOutIsOfferedWithoutItsCondition) {
    Made m;
    m.gate(us(9));
    for (const std::uint32_t s : {13u, 14u})
        m.stream(s, StreamKind::Blocking);
    m.work(Kernel, us(10), us(400), 13);
    m.issued(us(1), us(2));
    m.work(Memset, us(402), us(404), 7);
    m.issued(us(3), us(4));
    m.work(MemcpyH2D, us(406), us(500), 14);
    m.issued(us(5), us(6));
    const analysis::Report report = m.report();
    const analysis::Finding* f = findingOf(report, "null-stream");
    ASSERT_NE(f, nullptr);
    EXPECT_THAT(f->tryChanges, testing::IsEmpty());
    EXPECT_THAT(f->remedy, HasSubstr("Only where no data relies on that order"));
}

TEST(Race, TakesEfficiencyAndProofsBack) {
    for (const bool raced : {false, true}) {
        Made m;
        for (int i = 0; i < 10; ++i) {
            m.work(MemcpyH2D, us(100 * i + 1), us(100 * i + 96), 13);
            m.work(Kernel, us(100 * i + 47), us(100 * i + 140), 14);
        }
        if (raced)
            m.defect(DefectCode::DataMismatch, kAllClasses);
        const analysis::Report report = m.report();
        EXPECT_EQ(report.bounds.efficiency.has_value(), !raced);
        const analysis::Finding* f = findingOf(report, "engine-bound");
        ASSERT_NE(f, nullptr);
        EXPECT_EQ(f->status, raced ? analysis::FindingStatus::Consistent : analysis::FindingStatus::Proved);
        EXPECT_EQ(verdictOf(report, MemcpyH2D, Kernel).kind == analysis::VerdictKind::Inconclusive, raced);
    }
}

TEST(Findings, ComeWorstFirstWithTheirWorstEvidenceFirst) {
    Made m;
    for (int i = 0; i < 100; ++i) {
        const Ns t = us(1000 * (i + 1));
        ActivityRecord& up = m.work(MemcpyH2D, t, t + us(10 + i), 13);
        up.source = MemoryKind::Pageable;
        m.work(Kernel, t + us(200), t + us(900), 13);
    }
    const analysis::Report report = m.report();
    ASSERT_GE(report.findings.size(), 2u);
    for (std::size_t i = 1; i < report.findings.size(); ++i)
        EXPECT_GE(report.findings[i - 1].lost, report.findings[i].lost);
    const analysis::Finding* f = findingOf(report, "pageable");
    ASSERT_EQ(f->activities.size(), analysis::kMaxEvidence);
    EXPECT_EQ(m.trace.time(f->activities.front()).length(), us(109));
}

// --- both-directions

/// Both directions at once, each `times` as long as alone.
void addBothWays(Made& m, double times) {
    for (int i = 0; i < 4; ++i) {
        const Ns t = us(1000 + 1000 * i), end = t + static_cast<Ns>(us(400) * times);
        m.ran(m.plan(experiment::OpKind::CopyH2D, 0, us(400)), t, end, 13);
        m.ran(m.plan(experiment::OpKind::CopyD2H, 1, us(400)), t, end, 14);
    }
}

TEST(BothDirections, CopiesThatTakeHalfAsLongAgainShareTheMemoryOfTheHost) {
    Made m;
    addBothWays(m, 1.5);
    const analysis::Report report = m.report();
    const analysis::Finding* f = findingOf(report, "both-directions");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->lost, 0) << "nothing in the order of the work mends it";
    EXPECT_EQ(f->activities.size(), 8u);
    EXPECT_THAT(f->text, HasSubstr("H2D copies took 1.50 and D2H copies 1.50 times as long"));
}

TEST(BothDirections, ATenthIsWhatTwoEnginesCostEachOther) {
    Made m;
    addBothWays(m, 1.1);
    EXPECT_EQ(findingOf(m.report(), "both-directions"), nullptr);
}

TEST(BothDirections, CopiesThatTookLongerThanTheyRanTogetherHaveAnotherReason) {
    Made m;
    for (int i = 0; i < 4; ++i) {
        const Ns t = us(1000 + 5000 * i);
        m.ran(m.plan(experiment::OpKind::CopyH2D, 0, us(400)), t, t + us(3000), 13);
        m.ran(m.plan(experiment::OpKind::CopyD2H, 1, us(400)), t, t + us(410), 14);
    }
    EXPECT_EQ(findingOf(m.report(), "both-directions"), nullptr);
}

// --- unified-memory

void addMove(Made& m, Ns begin, bool isMigration) {
    ActivityRecord& move = m.work(MemcpyH2D, begin, begin + us(50), 13);
    move.bytes = 2 << 20;
    move.flags = isMigration ? kFlagUnified : 0;
}

TEST(UnifiedMemory, MigrationsAreProvedByTheirRecords) {
    Made m;
    m.work(Kernel, us(900), us(1500), 14);
    for (int i = 0; i < 4; ++i)
        addMove(m, us(1000 + 100 * i), true);
    const analysis::Report report = m.report();
    const analysis::Finding* f = findingOf(report, "unified-memory");
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->status, analysis::FindingStatus::Proved);
    EXPECT_EQ(f->lost, us(200));
    EXPECT_EQ(f->activities.size(), 4u);
    EXPECT_THAT(f->text, HasSubstr("4 times, 200 us in all (8 MiB)"));
}

TEST(UnifiedMemory, CopiesThatWereAskedForAreNone) {
    Made m;
    for (int i = 0; i < 4; ++i)
        addMove(m, us(1000 + 100 * i), false);
    EXPECT_EQ(findingOf(m.report(), "unified-memory"), nullptr);
}

} // namespace
} // namespace olab::test
