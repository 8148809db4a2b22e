// The bounds by hand, after the formulas of NVIDIA's simpleMultiCopy: serial h+k+d, one copy engine max(h+d,
// k), two max(h, d, k).
#include "made_trace.h"

#include <olab/analysis/ideal.h>

namespace olab::test {
namespace {

// `streams` pipelines of H2D 100 us, kernel 150 us, D2H 120 us, `rounds` times, ending after `span`. Each
// engine does one after the other, as long as alone, or faster where the span is too short for that.
void addPipelines(Made& m, int streams, int rounds, std::uint64_t blocks, Ns span) {
    const Ns kernels = std::min(us(150) * streams * rounds, span), most = kernels / (streams * rounds);
    Ns n = 0;
    for (int r = 0; r < rounds; ++r)
        for (int s = 0; s < streams; ++s, ++n) {
            const auto stream = static_cast<std::uint32_t>(13 + s);
            const auto ran = [&](std::uint32_t op, Ns length) {
                m.ran(op, us(1000) + n * length, us(1000) + (n + 1) * length, stream);
            };
            ran(m.plan(experiment::OpKind::CopyH2D, s, us(100)), us(100));
            ran(m.plan(experiment::OpKind::Kernel, s, us(150), 0, blocks, 1000), most);
            ran(m.plan(experiment::OpKind::CopyD2H, s, us(120)), us(120));
        }
    m.work(MemcpyOther, us(1000) + span - us(1), us(1000) + span, 40);
    m.schedule.expected[static_cast<std::size_t>(MemcpyOther)] = 1;
}
constexpr Ns kOther = us(1); // the copy that ends the span, alone of its kind

TEST(Bounds, FormulasOfSimpleMultiCopy) {
    Made m;
    addPipelines(m, 4, 3, 1000, us(2000));
    const analysis::Bounds b = m.report().bounds;
    EXPECT_EQ(b.serial, 12 * us(370) + kOther);
    EXPECT_EQ(b.oneCopyEngine, 12 * us(220) + kOther);
    EXPECT_EQ(b.twoCopyEngines, 12 * us(150)) << "the whole device for each kernel";
    EXPECT_EQ(b.criticalPath, 3 * us(370));
    EXPECT_EQ(b.measured, us(2000));
    EXPECT_EQ(b.limiting, "compute");
    EXPECT_TRUE(b.fromSolos);
    ASSERT_TRUE(b.efficiency);
    EXPECT_NEAR(*b.efficiency, (12 * 370 + 1 - 2000) / (12. * 370 + 1 - 12 * 150), 1e-9);
}

TEST(Bounds, ASmallGridNeedsItsShareOfTheDeviceOnly) {
    Made m;
    addPipelines(m, 4, 3, 250, us(2000));
    const analysis::Bounds b = m.report().bounds;
    EXPECT_EQ(b.twoCopyEngines, 12 * us(120)) << "kernels need a quarter of 150 us each";
    EXPECT_EQ(b.limiting, "copy_d2h");
}

TEST(Bounds, TheLongestStreamMayBeTheBound) {
    Made m;
    addPipelines(m, 2, 3, 250, us(2000));
    const analysis::Bounds b = m.report().bounds;
    EXPECT_EQ(b.criticalPath, 3 * us(370));
    EXPECT_EQ(b.limiting, "chain");
    EXPECT_NEAR(*b.efficiency, (6 * 370 + 1 - 2000) / (6. * 370 + 1 - 3 * 370), 1e-9);
}

TEST(Bounds, OneCopyEngineDoesBothDirections) {
    Made m;
    m.device.copyEngines = 1;
    addPipelines(m, 4, 3, 250, us(3000));
    const analysis::Bounds b = m.report().bounds;
    EXPECT_EQ(b.limiting, "copy engine");
    EXPECT_NEAR(*b.efficiency, (12 * 370 + 1 - 3000) / (12. * 370 - 12 * 220), 1e-9);
}

TEST(Bounds, OneStreamIsBoundByItsOrderThoughSeveralWouldOverlap) {
    Made m;
    addPipelines(m, 1, 3, 250, us(2000));
    const analysis::Bounds b = m.report().bounds;
    EXPECT_EQ(b.limiting, "chain");
    EXPECT_EQ(b.ideal, 3 * us(370));
    EXPECT_TRUE(b.idealIsEstimate);
    EXPECT_EQ(b.twoCopyEngines, 3 * us(120)) << "what several streams could take";
    EXPECT_FALSE(b.efficiency) << "as it is it can gain nothing";
}

TEST(Bounds, WorkOfOneEngineHasNothingToOverlapInAnyNumberOfStreams) {
    Made m;
    for (int i = 0; i < 4; ++i)
        m.ran(m.plan(experiment::OpKind::CopyH2D, i % 2, us(100)), us(1000 + 100 * i), us(1100 + 100 * i),
              static_cast<std::uint32_t>(13 + i % 2));
    const analysis::Bounds b = m.report().bounds;
    EXPECT_EQ(b.limiting, "nothing to overlap");
    EXPECT_FALSE(b.efficiency);
}

TEST(Bounds, SlowerThanSerialIsANegativeEfficiency) {
    Made m;
    addPipelines(m, 4, 3, 1000, us(5000));
    EXPECT_LT(m.report().bounds.efficiency.value(), 0);
}

TEST(Bounds, FasterThanTheBoundIsADefectAndNoNumber) {
    Made m;
    addPipelines(m, 4, 3, 1000, 12 * us(150) - us(60)); // 1.0227
    const analysis::Report report = m.report();
    EXPECT_FALSE(report.bounds.efficiency);
    EXPECT_NE(defectOf(report, DefectCode::BoundExceeded), nullptr);
    EXPECT_EQ(report.bounds.limiting, "compute");
}

TEST(Bounds, ALittleFasterIsWithinWhatSoloRunsCanSay) {
    Made m;
    addPipelines(m, 4, 3, 1000, 12 * us(150) - us(40)); // 1.015
    const analysis::Report report = m.report();
    EXPECT_LE(report.bounds.twoCopyEngines, report.bounds.measured)
        << "an engine needs no longer than it was busy";
    EXPECT_NEAR(report.bounds.efficiency.value(), 1, 0.003);
    EXPECT_EQ(defectOf(report, DefectCode::BoundExceeded), nullptr);
}

TEST(Bounds, MemsetsNeedTheSms) {
    Made m;
    for (int i = 0; i < 3; ++i) {
        m.ran(m.plan(experiment::OpKind::Kernel, 0, us(100), 0, 1000, 1000), us(1000 + 150 * i),
              us(1100 + 150 * i), 13);
        m.ran(m.plan(experiment::OpKind::Memset, 1, us(50)), us(1100 + 150 * i), us(1150 + 150 * i), 14);
    }
    EXPECT_EQ(m.report().bounds.twoCopyEngines, us(450));
}

TEST(Bounds, TheNullStreamsBarriersAreACauseAndNoBound) {
    for (const StreamKind kind : {StreamKind::Blocking, StreamKind::NonBlocking}) {
        Made m;
        m.stream(13, kind);
        m.stream(14, kind);
        m.ran(m.plan(experiment::OpKind::Kernel, 0, us(100)), us(10), us(110), 13);
        m.ran(m.plan(experiment::OpKind::NullMemset, experiment::kNullStream, us(20)), us(120), us(140), 7);
        m.ran(m.plan(experiment::OpKind::CopyH2D, 1, us(200)), us(150), us(350), 14);
        EXPECT_EQ(m.report().bounds.criticalPath, us(200));
    }
}

TEST(Bounds, WithoutSoloRunsTheShortestOfItsKindStandsIn) {
    Made m;
    for (int i = 0; i < 3; ++i) {
        m.work(MemcpyH2D, us(1000 * i + 10), us(1000 * i + 110 + 10 * i), 13);
        ActivityRecord& other = m.work(MemcpyH2D, us(1000 * i + 200), us(1000 * i + 230), 13);
        other.bytes = 77;
        m.work(Kernel, us(1000 * i + 300), us(1000 * i + 350 - i), 14);
    }
    const analysis::Bounds b = m.report().bounds;
    EXPECT_FALSE(b.fromSolos);
    EXPECT_EQ(b.serial, 3 * us(100) + 3 * us(30) + 3 * us(48));
    EXPECT_EQ(b.twoCopyEngines, 3 * us(130));
}

TEST(Bounds, SoloRunsFitByClassAndBytesWhenThePlanIsNotKnown) {
    Made m;
    m.plan(experiment::OpKind::CopyH2D, 0, us(70), 1 << 20);
    m.plan(experiment::OpKind::CopyH2D, 0, us(7), 4096);
    m.hasSchedule = false;
    m.work(MemcpyH2D, us(1), us(71));
    m.work(MemcpyH2D, us(201), us(208)).bytes = 4096;
    const analysis::Bounds b = m.report().bounds;
    EXPECT_TRUE(b.fromSolos);
    EXPECT_EQ(b.serial, us(77));
}

TEST(Bounds, BackToBackIsNoShorterThanOneStreamWasBusy) {
    Made m;
    m.ran(m.plan(experiment::OpKind::CopyH2D, 0, us(10)), us(100), us(200), 13);
    m.ran(m.plan(experiment::OpKind::Kernel, 0, us(10)), us(200), us(300), 13);
    EXPECT_EQ(m.report().bounds.serial, us(200));
}

TEST(Bounds, AnEngineWhoseKernelsLeaveRoomLimitsNothing) {
    Made m;
    m.ran(m.plan(experiment::OpKind::Kernel, 0, us(1000), 0, 1000, 1000), us(1000), us(2000), 13);
    const analysis::Bounds before = m.report().bounds;
    analysis::Ledger ledger;
    ledger.measured = ledger.ideal = us(1000);
    ledger.needs = {us(1000), us(1000), us(1000), "compute"};
    for (const bool leaveRoom : {false, true}) {
        ledger.ifIndependent.gain = leaveRoom ? us(400) : 0;
        analysis::Bounds b = before;
        analysis::followIdeal(b, ledger);
        EXPECT_EQ(b.gainsLittle, !leaveRoom);
        EXPECT_EQ(b.limiting == "chain", leaveRoom) << b.limiting;
        EXPECT_EQ(b.ideal, us(1000));
    }
}

TEST(Bounds, NothingToOverlapIsNotSaidOfWorkThatOverlapped) {
    Made m;
    m.ran(m.plan(experiment::OpKind::Kernel, 0, us(1000), 0, 1000, 1000), us(1000), us(2000), 13);
    m.ran(m.plan(experiment::OpKind::CopyH2D, 1, us(10)), us(1500), us(1510), 14);
    const analysis::Bounds b = m.report().bounds;
    EXPECT_TRUE(b.gainsLittle);
    EXPECT_EQ(b.limiting, "compute");
    EXPECT_FALSE(b.efficiency);
}

analysis::Ledger accountOf(Ns measured, Ns ideal, Ns engines) {
    analysis::Ledger ledger;
    ledger.measured = measured, ledger.ideal = ideal;
    ledger.needs = {engines, engines, ideal / 2, "copy_d2h"};
    return ledger;
}

TEST(Bounds, FollowTheIdealOfTheAccount) {
    Made m;
    addPipelines(m, 4, 3, 1000, us(2000));
    analysis::Bounds b = m.report().bounds;
    analysis::followIdeal(b, accountOf(us(2000), us(1500), us(1400)));
    EXPECT_EQ(b.ideal, us(1500));
    EXPECT_FALSE(b.idealIsEstimate);
    EXPECT_EQ(b.twoCopyEngines, us(1400));
    EXPECT_EQ(b.criticalPath, us(750));
    EXPECT_EQ(b.limiting, "copy_d2h");
    EXPECT_NEAR(*b.efficiency, (12 * 370 + 1 - 2000) / (12. * 370 + 1 - 1500), 1e-9);
    const analysis::Bounds once = b;
    analysis::followIdeal(b, accountOf(us(2000), us(1500), us(1400)));
    EXPECT_EQ(b.efficiency, once.efficiency) << "twice is as good as once";
    analysis::Ledger none = accountOf(us(2000), us(100), us(100));
    none.missing = "There is none.";
    analysis::followIdeal(b, none);
    EXPECT_EQ(b.ideal, once.ideal);
}

TEST(Bounds, HaveNoEfficiencyWhereTheRunIsNotBelieved) {
    Made m;
    addPipelines(m, 4, 3, 1000, us(2000));
    analysis::Bounds b = m.report().bounds;
    b.believed = false;
    analysis::followIdeal(b, accountOf(us(2000), us(1500), us(1400)));
    EXPECT_FALSE(b.efficiency);
}

} // namespace
} // namespace olab::test
