// The verdict of each kind, by hand.
#include "facts/sentences.h"
#include "made_trace.h"

namespace olab::test {
namespace {

using testing::HasSubstr;

// Three times: a copy under a kernel, `share` of the copy's 100 us inside the kernel.
void addPairs(Made& m, double share, Ns copySolo = us(100), Ns kernelSolo = us(400)) {
    for (int i = 0; i < 3; ++i) {
        const Ns t = us(1000 * (i + 1));
        m.ran(m.plan(experiment::OpKind::Kernel, 0, kernelSolo), t, t + us(400), 13);
        m.issued(t - us(20), t - us(4));
        const Ns begin = t + us(400) - us(100 * share);
        m.ran(m.plan(experiment::OpKind::CopyH2D, 1, copySolo), begin, begin + us(100), 14);
        m.issued(begin - us(9), begin - us(4), "cudaMemcpyAsync");
    }
}

TEST(Verdicts, OverlapDecidesWhenNobodyIsHeld) {
    for (const auto& [share, kind] : {std::pair{1.0, analysis::VerdictKind::Overlapped},
                                      {0.80, analysis::VerdictKind::Overlapped},
                                      {0.79, analysis::VerdictKind::Partial},
                                      {0.06, analysis::VerdictKind::Partial},
                                      {0.05, analysis::VerdictKind::Serialized},
                                      {0.0, analysis::VerdictKind::Serialized}}) {
        Made m;
        addPairs(m, share);
        const analysis::Report report = m.report();
        const analysis::Verdict& v = verdictOf(report, MemcpyH2D, Kernel);
        EXPECT_EQ(v.kind, kind) << share << ": " << v.text;
        EXPECT_NEAR(v.ofAttainable, share, 1e-9);
        EXPECT_NEAR(v.ofA, share, 1e-9);
        EXPECT_NEAR(v.ofB, share / 4, 1e-9);
        EXPECT_EQ(v.overlap, us(300 * share));
        EXPECT_EQ(v.blocked, 0);
    }
}

TEST(Verdicts, TheSentenceGivesTheNumbersThatDecided) {
    Made m;
    addPairs(m, 0.9);
    EXPECT_EQ(verdictOf(m.report(), MemcpyH2D, Kernel).text,
              "H2D and kernel overlapped: 90 % of what was attainable (270 us of 300 us).");
}

TEST(Verdicts, AbsentClassesDoNotApply) {
    Made m;
    addPairs(m, 1);
    const analysis::Report report = m.report();
    EXPECT_EQ(report.verdicts.size(), 6u);
    for (const auto& [a, b] : {std::pair{MemcpyD2H, Kernel},
                               {Memset, Kernel},
                               {MemcpyH2D, MemcpyD2H},
                               {MemcpyH2D, Memset},
                               {MemcpyD2H, Memset}})
        EXPECT_EQ(verdictOf(report, a, b).kind, analysis::VerdictKind::NotApplicable);
}

TEST(Verdicts, DeviceToDeviceCopiesAreJudgedWhenThereAreAny) {
    Made m;
    for (int i = 1; i <= 3; ++i) {
        m.work(Kernel, us(1000 * i), us(1000 * i + 500), 13);
        m.work(MemcpyD2D, us(1000 * i + 100), us(1000 * i + 200), 14);
    }
    const analysis::Report report = m.report();
    EXPECT_EQ(report.verdicts.size(), 7u);
    EXPECT_EQ(verdictOf(report, MemcpyD2D, Kernel).kind, analysis::VerdictKind::Overlapped);
}

// Measured on an H200: 1.9 us alone, 250 us inside a grid that just fills the device.
void addStarvedMemsets(Made& m, Ns solo) {
    for (int i = 0; i < 3; ++i) {
        const Ns t = us(1000 * (i + 1));
        m.ran(m.plan(experiment::OpKind::Kernel, 0, us(800), 0, 1056, 1056), t, t + us(800), 13);
        m.issued(t - us(20), t - us(4));
        m.ran(m.plan(experiment::OpKind::Memset, 1, solo), t + us(100), t + us(350), 14);
        m.issued(t + us(92), t + us(97), "cudaMemsetAsync");
    }
}

TEST(Verdicts, AStarvedMemsetIsSerializedThoughItOverlapsEntirely) {
    Made m;
    addStarvedMemsets(m, us(1.9));
    const analysis::Report report = m.report();
    const analysis::Verdict& v = verdictOf(report, Memset, Kernel);
    EXPECT_DOUBLE_EQ(v.ofAttainable, 1.0);
    EXPECT_EQ(v.kind, analysis::VerdictKind::Serialized);
    EXPECT_EQ(v.blockedA, 3 * us(248.1));
    EXPECT_EQ(v.blocked, v.blockedA);
    EXPECT_EQ(v.blockedB, 0);
    EXPECT_THAT(v.text,
                HasSubstr("although the clock shows 100 % overlap: memset was held or slowed by kernel for "
                          "744 us"));
}

TEST(Verdicts, AMemsetOfItsUsualLengthOverlaps) {
    Made m;
    addStarvedMemsets(m, us(249));
    EXPECT_EQ(verdictOf(m.report(), Memset, Kernel).kind, analysis::VerdictKind::Overlapped);
}

TEST(Verdicts, AMemsetHalfAsLongAgainIsStretched) {
    Made m;
    addStarvedMemsets(m, us(170));
    const analysis::Report report = m.report();
    const analysis::Verdict& v = verdictOf(report, Memset, Kernel);
    EXPECT_EQ(v.kind, analysis::VerdictKind::Stretched);
    EXPECT_THAT(v.text,
                HasSubstr("kernel slowed memset by 47 % (240 us more than the 510 us it takes alone)"));
}

TEST(Verdicts, APartOfMoreThanTheWholeIsSoManyTimes) {
    EXPECT_EQ(analysis::partText(0.474), "47 % of");
    EXPECT_EQ(analysis::partText(1.21), "121 % of");
    EXPECT_EQ(analysis::partText(1.5), "1.5 times");
    EXPECT_EQ(analysis::partText(3.9), "3.9 times");
    EXPECT_EQ(analysis::partText(21.55), "22 times") << "not 2155 %";
}

TEST(Verdicts, AMemsetThatWaitedBehindAFullGridIsSerialized) {
    Made m;
    for (int i = 0; i < 3; ++i) {
        const Ns t = us(1000 * (i + 1));
        m.ran(m.plan(experiment::OpKind::Kernel, 0, us(800), 0, 8448, 1056), t, t + us(800), 13);
        m.issued(t - us(20), t - us(4));
        // Not in whole microseconds: those would make two of them too short to judge.
        m.ran(m.plan(experiment::OpKind::Memset, 1, us(2.001)), t + us(700), t + us(702.001), 14);
        m.issued(t + us(92), t + us(100), "cudaMemsetAsync");
    }
    const analysis::Report report = m.report();
    const analysis::Verdict& v = verdictOf(report, Memset, Kernel);
    EXPECT_DOUBLE_EQ(v.ofAttainable, 1.0);
    EXPECT_EQ(v.blockedA, 3 * us(600));
    EXPECT_EQ(v.kind, analysis::VerdictKind::Serialized);
}

TEST(Verdicts, ASlowDownOfAFifthSpoilsAnOverlapAndLessDoesNot) {
    for (const auto& [kernelSolo, kind] : {std::pair{us(390), analysis::VerdictKind::Overlapped},
                                           {us(335), analysis::VerdictKind::Overlapped},
                                           {us(320), analysis::VerdictKind::Stretched}}) {
        Made m;
        addPairs(m, 1, us(100), kernelSolo);
        const analysis::Report report = m.report();
        const analysis::Verdict& v = verdictOf(report, MemcpyH2D, Kernel);
        EXPECT_EQ(v.kind, kind) << v.text;
        EXPECT_EQ(v.blockedB, 3 * (us(400) - kernelSolo)) << "no more than the 100 us the copy was there";
    }
}

TEST(Verdicts, AStretchIsBlamedNoLongerThanTheOtherWasThere) {
    Made m;
    addPairs(m, 0.8, us(100), us(100)); // 300 us longer than alone, of which the copy was there for 80
    EXPECT_EQ(verdictOf(m.report(), MemcpyH2D, Kernel).blockedB, 3 * us(80));
}

// Kernels that share the SMs slow each other: that is not the copies' doing, however long these run beside
// them.
TEST(Verdicts, KernelsThatShareTheDeviceAreNotHeldAgainstCopies) {
    Made m;
    for (int i = 0; i < 3; ++i) {
        const Ns t = us(1000 * (i + 1));
        m.ran(m.plan(experiment::OpKind::Kernel, 0, us(250)), t, t + us(400), 13);
        m.ran(m.plan(experiment::OpKind::Kernel, 1, us(250)), t, t + us(400), 14);
        m.ran(m.plan(experiment::OpKind::CopyH2D, 2, us(300)), t + us(50), t + us(350), 15);
    }
    const analysis::Report report = m.report();
    const analysis::Verdict& v = verdictOf(report, MemcpyH2D, Kernel);
    EXPECT_EQ(v.blockedB, 0);
    EXPECT_EQ(v.kind, analysis::VerdictKind::Overlapped) << v.text;
}

// Both directions share the link and slow each other: their pair says so, the kernel beside them is not to
// blame.
TEST(Verdicts, CopiesThatShareTheLinkAreNotHeldAgainstKernels) {
    Made m;
    for (int i = 0; i < 3; ++i) {
        const Ns t = us(1000 * (i + 1));
        m.ran(m.plan(experiment::OpKind::Kernel, 0, us(400)), t, t + us(400), 13);
        m.ran(m.plan(experiment::OpKind::CopyH2D, 1, us(200)), t + us(50), t + us(350), 14);
        m.ran(m.plan(experiment::OpKind::CopyD2H, 2, us(200)), t + us(50), t + us(350), 15);
    }
    const analysis::Report report = m.report();
    EXPECT_EQ(verdictOf(report, MemcpyH2D, Kernel).kind, analysis::VerdictKind::Overlapped);
    EXPECT_EQ(verdictOf(report, MemcpyD2H, Kernel).kind, analysis::VerdictKind::Overlapped);
    const analysis::Verdict& directions = verdictOf(report, MemcpyH2D, MemcpyD2H);
    EXPECT_EQ(directions.kind, analysis::VerdictKind::Stretched);
    EXPECT_EQ(directions.blockedA, 3 * us(100));
}

// The same name and grid may do different work each time; the shortest is no solo time.
TEST(Verdicts, WithoutSoloRunsKernelsOfDifferentLengthProveNothing) {
    Made m;
    for (int i = 1; i <= 4; ++i) {
        m.work(Kernel, us(1000 * i), us(1000 * i + 200 * i), 13);
        m.work(MemcpyH2D, us(1000 * i + 10), us(1000 * i + 190), 14);
    }
    EXPECT_EQ(verdictOf(m.report(), MemcpyH2D, Kernel).kind, analysis::VerdictKind::Overlapped);
}

TEST(Verdicts, WorkHeldByTheNullStreamIsBlockedByWhatRanMeanwhile) {
    Made m;
    m.stream(13, StreamKind::Blocking);
    m.stream(14, StreamKind::Blocking);
    m.gate(us(999));
    for (int i = 0; i < 3; ++i) {
        const Ns t = us(1000 * (i + 1));
        m.ran(m.plan(experiment::OpKind::Kernel, 0, us(800)), t, t + us(800), 13);
        m.ran(m.plan(experiment::OpKind::NullMemset, experiment::kNullStream, us(2)), t + us(801),
              t + us(803), 7);
        m.ran(m.plan(experiment::OpKind::CopyH2D, 1, us(100)), t + us(804), t + us(904), 14);
    }
    const analysis::Report report = m.report();
    const analysis::Verdict& v = verdictOf(report, MemcpyH2D, Kernel);
    EXPECT_EQ(v.kind, analysis::VerdictKind::Serialized);
    EXPECT_EQ(v.blockedA, 3 * us(800));
}

TEST(Verdicts, LostRecordsOfTheClassesMakeItInconclusive) {
    for (const auto& [classes, kind] :
         {std::pair{maskOf(Kernel), analysis::VerdictKind::Inconclusive},
          {maskOf(MemcpyH2D), analysis::VerdictKind::Inconclusive},
          {maskOf(Memset) | maskOf(HostFn), analysis::VerdictKind::Overlapped}}) {
        Made m;
        addPairs(m, 1);
        m.defect(DefectCode::DroppedRecords, classes);
        EXPECT_EQ(verdictOf(m.report(), MemcpyH2D, Kernel).kind, kind);
    }
}

TEST(Verdicts, ANoticeChangesNothingAndAnErrorEverything) {
    for (const auto& [code, kind] :
         {std::pair{DefectCode::GateOpenedEarly, analysis::VerdictKind::Overlapped},
          {DefectCode::DataMismatch, analysis::VerdictKind::Inconclusive}}) {
        Made m;
        addPairs(m, 1);
        m.defect(code, maskOf(Overhead));
        EXPECT_EQ(verdictOf(m.report(), MemcpyH2D, Kernel).kind, kind);
    }
}

TEST(Verdicts, AMissingOpIsALossOfItsClass) {
    Made m;
    addPairs(m, 1);
    m.plan(experiment::OpKind::Kernel, 0, us(400));
    const analysis::Report report = m.report();
    ASSERT_NE(defectOf(report, DefectCode::MissingOps), nullptr);
    EXPECT_EQ(defectOf(report, DefectCode::MissingOps)->classes, maskOf(Kernel));
    EXPECT_EQ(defectOf(report, DefectCode::MissingOps)->count, 1u);
    EXPECT_EQ(verdictOf(report, MemcpyH2D, Kernel).kind, analysis::VerdictKind::Inconclusive);
    EXPECT_EQ(verdictOf(report, MemcpyD2H, Memset).kind, analysis::VerdictKind::NotApplicable);
}

TEST(Verdicts, AClassThatWasPlannedAndNotRecordedIsNotMerelyAbsent) {
    Made m;
    addPairs(m, 1);
    m.plan(experiment::OpKind::CopyD2H, 0, us(400));
    EXPECT_EQ(verdictOf(m.report(), MemcpyD2H, Kernel).kind, analysis::VerdictKind::Inconclusive);
}

TEST(Verdicts, OneOpTooManyIsANotice) {
    Made m;
    addPairs(m, 1);
    m.work(Kernel, us(9000), us(9400));
    const analysis::Report report = m.report();
    ASSERT_NE(defectOf(report, DefectCode::ExtraOps), nullptr);
    EXPECT_EQ(verdictOf(report, MemcpyH2D, Kernel).kind, analysis::VerdictKind::Overlapped);
}

TEST(Verdicts, ToolEffectAboveATenthIsInconclusive) {
    for (const auto& [traced, kind] : {std::pair{us(1101), analysis::VerdictKind::Inconclusive},
                                       {us(1100), analysis::VerdictKind::Overlapped}}) {
        Made m;
        addPairs(m, 1);
        m.toolEffect = analysis::ToolEffect{traced, us(1000), 5};
        const analysis::Report report = m.report();
        EXPECT_EQ(verdictOf(report, MemcpyH2D, Kernel).kind, kind);
        EXPECT_EQ(defectOf(report, DefectCode::ToolEffect) != nullptr,
                  kind == analysis::VerdictKind::Inconclusive);
    }
}

// Four copies of `length` in kernels; all times are multiples of `step`, and of nothing larger.
analysis::VerdictKind kindWithCopiesOf(Ns length, Ns step) {
    Made m;
    for (Ns i = 1; i <= 4; ++i) {
        const Ns t = i * 1'000'000 / step * step;
        m.work(Kernel, t, t + us(600) / step * step + step * (i % 2), 13);
        m.work(MemcpyH2D, t + 7 * step, t + 7 * step + length, 14);
    }
    return verdictOf(m.report(), MemcpyH2D, Kernel).kind;
}

TEST(Verdicts, AClassTooShortForTheTimeStampsIsInconclusive) {
    EXPECT_EQ(kindWithCopiesOf(us(19), 1000), analysis::VerdictKind::Inconclusive) << "whole microseconds";
    EXPECT_EQ(kindWithCopiesOf(us(20), 1000), analysis::VerdictKind::Overlapped)
        << "20 us are enough anywhere";
    EXPECT_EQ(kindWithCopiesOf(49 * 32, 32), analysis::VerdictKind::Inconclusive);
    EXPECT_EQ(kindWithCopiesOf(50 * 32, 32), analysis::VerdictKind::Overlapped);
    EXPECT_EQ(kindWithCopiesOf(us(2), 1), analysis::VerdictKind::Overlapped);
}

TEST(Verdicts, TwoOpsAreTooFew) {
    Made m;
    for (int i = 1; i <= 3; ++i)
        m.work(Kernel, us(1000 * i), us(1000 * i + 500), 13);
    m.work(MemcpyH2D, us(1100), us(1200), 14);
    m.work(MemcpyH2D, us(2100), us(2200), 14);
    const analysis::Report report = m.report();
    EXPECT_EQ(verdictOf(report, MemcpyH2D, Kernel).kind, analysis::VerdictKind::Inconclusive);
    EXPECT_THAT(verdictOf(report, MemcpyH2D, Kernel).text, HasSubstr("only 2 H2D operations"));
}

TEST(Verdicts, EachDeviceIsJudgedApart) {
    Made m;
    for (int i = 1; i <= 3; ++i) {
        m.work(Kernel, us(1000 * i), us(1000 * i + 500), 13);
        m.work(MemcpyH2D, us(1000 * i + 100), us(1000 * i + 200), 14);
        m.work(Kernel, us(1000 * i), us(1000 * i + 500), 13).device = 1;
        m.work(MemcpyH2D, us(1000 * i + 600), us(1000 * i + 700), 14).device = 1;
    }
    const analysis::Report report = m.report();
    ASSERT_EQ(report.verdicts.size(), 12u);
    EXPECT_EQ(report.verdicts[0].device, "0");
    EXPECT_EQ(report.verdicts[0].kind, analysis::VerdictKind::Overlapped);
    EXPECT_EQ(report.verdicts[6].device, "1");
    EXPECT_EQ(report.verdicts[6].kind, analysis::VerdictKind::Serialized);
}

// Copies of 1000 us one after the other; behind each a memset of 50 us and a kernel of `kernel` us, long done
// when the next copy is.
void addCopyBound(Made& m, int pipelines, bool planned, Ns kernel = us(70), std::uint32_t kernelStreams = 0,
                  Ns pause = 0) {
    for (int i = 0; i < 12; ++i) {
        const int p = i % pipelines;
        const auto stream = static_cast<std::uint32_t>(13 + p);
        const auto add = [&](experiment::OpKind kind, Ns begin, Ns solo, std::uint32_t in) {
            if (planned)
                m.ran(m.plan(kind, p, solo), begin, begin + solo, in);
            else
                m.work(*experiment::classOf(kind), begin, begin + solo, in);
        };
        const Ns t = (us(1000) + pause) * (i + 1);
        add(experiment::OpKind::CopyH2D, t, us(1000), stream);
        add(experiment::OpKind::Memset, t + us(1001), us(50), stream);
        add(experiment::OpKind::Kernel, t + us(1052), kernel, stream + kernelStreams);
    }
}

TEST(Verdicts, WhatTheIdealRunKeepsApartTooIsApart) {
    for (const bool planned : {true, false}) {
        Made m;
        addCopyBound(m, 4, planned);
        const analysis::Report report = m.report();
        const analysis::Verdict& v = verdictOf(report, Memset, Kernel);
        EXPECT_EQ(v.kind, analysis::VerdictKind::Apart) << v.text;
        EXPECT_EQ(v.ofAttainable, 0);
        EXPECT_EQ(
            v.text,
            "memset and kernel never met; neither held the other back: the ideal run of the same pipeline "
            "keeps them apart too.");
        EXPECT_EQ(verdictOf(report, MemcpyH2D, Kernel).kind, analysis::VerdictKind::Overlapped);
    }
}

TEST(Verdicts, OnePipelineKeepsThemApartByItsOrderWhichMoreWouldMend) {
    for (const bool planned : {true, false}) {
        Made m;
        addCopyBound(m, 1, planned);
        EXPECT_EQ(verdictOf(m.report(), Memset, Kernel).kind, analysis::VerdictKind::Serialized);
    }
}

// The host waited after each pass: a copy could have run beside the kernel of the pass before it.
TEST(Verdicts, WhatMeetsInTheIdealRunIsSerialized) {
    Made m;
    for (int i = 0; i < 12; ++i) {
        const Ns t = us(1000 * (i + 1));
        const auto stream = static_cast<std::uint32_t>(13 + i % 4);
        m.ran(m.plan(experiment::OpKind::CopyH2D, i % 4, us(300)), t, t + us(300), stream);
        m.ran(m.plan(experiment::OpKind::Kernel, i % 4, us(400)), t + us(301), t + us(701), stream);
    }
    EXPECT_EQ(verdictOf(m.report(), MemcpyH2D, Kernel).kind, analysis::VerdictKind::Serialized);
}

// Something held the run up, if not one of the two the other: whatever it was can be fixed.
TEST(Verdicts, ARunMuchLongerThanTheIdealOneKeepsNothingApartByItself) {
    for (const auto& [pause, kind] :
         {std::pair{us(100), analysis::VerdictKind::Apart}, {us(500), analysis::VerdictKind::Serialized}}) {
        Made m;
        addCopyBound(m, 4, true, us(70), 0, pause);
        EXPECT_EQ(verdictOf(m.report(), Memset, Kernel).kind, kind) << pause;
    }
}

// Nobody knows what the streams of a foreign trace owe each other: it stays as it is.
TEST(Verdicts, WithoutAScheduleClassesThatShareNoStreamsAreNotApart) {
    Made m;
    addCopyBound(m, 4, false, us(70), 10);
    EXPECT_EQ(verdictOf(m.report(), Memset, Kernel).kind, analysis::VerdictKind::Serialized);
}

// The ideal run keeps the two apart, but each memset waited for a grid that filled the device: more than half
// of its own 30 us.
TEST(Verdicts, AMemsetThatWaitedForAGridIsSerializedAndNeverApart) {
    for (const bool waited : {true, false}) {
        Made m;
        for (int i = 0; i < 12; ++i) {
            const Ns t = us(1700 * (i + 1)), issued = t + us(waited ? 1540 : 1555);
            const int own = i % 2, other = 1 - own;
            m.ran(m.plan(experiment::OpKind::CopyH2D, own, us(1500)), t, t + us(1500), 13 + own);
            m.ran(m.plan(experiment::OpKind::Kernel, own, us(60), 0, 8448, 1056), t + us(1501), t + us(1561),
                  13 + own);
            m.ran(m.plan(experiment::OpKind::Memset, other, us(30)), t + us(1561), t + us(1591), 13 + other);
            m.issued(issued - us(5), issued, "cudaMemsetAsync");
        }
        const analysis::Report report = m.report();
        const analysis::Verdict& v = verdictOf(report, Memset, Kernel);
        EXPECT_EQ(v.blockedA, waited ? 12 * us(21) : 0);
        EXPECT_EQ(v.kind, waited ? analysis::VerdictKind::Serialized : analysis::VerdictKind::Apart)
            << v.text;
    }
}

TEST(Verdicts, APairThatTakesUnderAHundredthOfTheRunIsMinorUnlessItCostsMore) {
    Made m;
    addCopyBound(m, 4, true);
    const analysis::Report report = m.report();
    EXPECT_FALSE(verdictOf(report, Memset, Kernel).minor()) << "50 us in 1000";
    EXPECT_NEAR(verdictOf(report, Memset, Kernel).ofRun, 0.05, 0.01);
    Made brief;
    addCopyBound(brief, 4, true, us(7));
    const analysis::Report small = brief.report();
    EXPECT_TRUE(verdictOf(small, MemcpyH2D, Kernel).minor());
    EXPECT_NEAR(verdictOf(small, MemcpyH2D, Kernel).ofRun, 0.007, 0.0005);
    Made held; // memsets of 2 us that wait for hundreds
    addStarvedMemsets(held, us(1.9));
    EXPECT_FALSE(verdictOf(held.report(), Memset, Kernel).minor());
}

TEST(Verdicts, AClassThatLeftNoRecordIsNotMinor) {
    Made m;
    addPairs(m, 1);
    m.plan(experiment::OpKind::CopyD2H, 0, us(400));
    EXPECT_FALSE(verdictOf(m.report(), MemcpyD2H, Kernel).minor());
}

TEST(Matching, WorkThatNoPlannedOpClaimsIsANotice) {
    Made m;
    addPairs(m, 1);
    m.work(Kernel, us(9000), us(9400));
    const analysis::Report report = m.report();
    const Defect* d = defectOf(report, DefectCode::UnresolvedOp);
    ASSERT_NE(d, nullptr);
    EXPECT_EQ(d->count, 1u);
    EXPECT_EQ(d->classes, maskOf(Kernel));
    Made imported;
    imported.work(Kernel, us(9000), us(9400));
    EXPECT_EQ(defectOf(imported.report(), DefectCode::UnresolvedOp), nullptr) << "nothing was planned";
}

TEST(Matching, WorkThatBeginsBeforeItsCallIsANotice) {
    for (const bool early : {true, false}) {
        Made m;
        m.work(Kernel, us(100), us(200));
        m.issued(us(early ? 107 : 100.5), us(120));
        const analysis::Report report = m.report();
        const Defect* d = defectOf(report, DefectCode::StartsBeforeIssue);
        EXPECT_EQ(d != nullptr, early);
        if (d) {
            EXPECT_THAT(d->text(), HasSubstr("7.00 us"));
        }
    }
}

/// A copy until 900 us, and a kernel behind it in its stream from `next` on.
analysis::Report copyBefore(Ns next, std::string call = "cudaMemcpyAsync", std::uint8_t flags = 0) {
    Made m;
    m.work(MemcpyD2D, us(100), us(900)).flags |= flags;
    m.issued(us(90), us(95), std::move(call));
    m.work(Kernel, next, us(1000));
    m.issued(us(96), us(99));
    return m.report();
}

TEST(LateEnds, ACopyThatEndsAfterTheNextWorkOfItsStreamBeganIsALoss) {
    const analysis::Report report = copyBefore(us(105));
    const Defect* d = defectOf(report, DefectCode::LateEnd);
    ASSERT_NE(d, nullptr);
    EXPECT_EQ(d->count, 1u);
    EXPECT_EQ(d->classes, maskOf(MemcpyD2D));
    EXPECT_EQ(d->severity(), Severity::DataLoss);
    EXPECT_THAT(d->text(), HasSubstr("795 us late"));
}

TEST(LateEnds, NeitherTheStepOfAClockNorBranchesOfAGraphNorPagesAreLate) {
    EXPECT_EQ(defectOf(copyBefore(us(899)), DefectCode::LateEnd), nullptr);
    EXPECT_EQ(defectOf(copyBefore(us(105), "cudaGraphLaunch_v10000"), DefectCode::LateEnd), nullptr);
    EXPECT_EQ(defectOf(copyBefore(us(105), "cudaMemcpyAsync", kFlagUnified), DefectCode::LateEnd), nullptr);
}

TEST(TracingOff, HostFunctionsThatRecordThemselvesAreNoTrace) {
    Made m;
    m.gate(us(10));
    m.window.traced = false;
    m.hostFn(1, us(20), us(21));
    const analysis::Report report = m.report();
    EXPECT_EQ(report.bounds.measured, us(1e6));
    EXPECT_EQ(report.bounds.limiting, "tracing was off");
}

} // namespace
} // namespace olab::test
