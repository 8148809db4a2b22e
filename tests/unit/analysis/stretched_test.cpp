// Pairs that overlap by the clock while one slows the other: little is won, and the verdict says so.
#include "made_trace.h"
#include "measure/solo_seen.h"
#include "report/stretch_text.h"

namespace olab::test {
namespace {

using testing::HasSubstr;

/// Three times: an H2D and a D2H copy of 300 us at once, `shared` of it side by side; `h2d` and `d2h` alone.
analysis::Verdict directions(Ns h2d, Ns d2h, Ns shared = us(300)) {
    Made m;
    for (int i = 0; i < 3; ++i) {
        const Ns t = us(1000 * (i + 1)), later = t + us(300) - shared;
        m.ran(m.plan(experiment::OpKind::CopyH2D, 0, h2d), t, t + us(300), 13);
        m.ran(m.plan(experiment::OpKind::CopyD2H, 1, d2h), later, later + us(300), 14);
    }
    return verdictOf(m.report(), MemcpyH2D, MemcpyD2H);
}

TEST(Stretched, MoreThanAFifthLongerAndNoMoreThanTwiceAsLong) {
    EXPECT_EQ(directions(us(251), us(300)).kind, analysis::VerdictKind::Overlapped) << "49 of 251";
    EXPECT_EQ(directions(us(250), us(300)).kind, analysis::VerdictKind::Overlapped)
        << "a fifth is not more than a fifth";
    EXPECT_EQ(directions(us(249), us(300)).kind, analysis::VerdictKind::Stretched) << "51 of 249";
    EXPECT_EQ(directions(us(300), us(249)).kind, analysis::VerdictKind::Stretched) << "either of them";
    EXPECT_EQ(directions(us(150), us(300)).kind, analysis::VerdictKind::Stretched)
        << "all of its solo time is not more";
    EXPECT_EQ(directions(us(149), us(300)).kind, analysis::VerdictKind::Serialized)
        << "151 of 149: nothing was won";
}

TEST(Stretched, OnlyWhereTheClockShowsOverlap) {
    EXPECT_EQ(directions(us(200), us(200), us(240)).kind, analysis::VerdictKind::Stretched) << "80 %";
    EXPECT_EQ(directions(us(200), us(200), us(237)).kind, analysis::VerdictKind::Partial) << "79 %";
}

TEST(Stretched, TheSentenceSaysWhoSlowedWhomByHowMuchAndWhatTheyShare) {
    const analysis::Verdict both = directions(us(200), us(240));
    EXPECT_EQ(
        both.text,
        "H2D and D2H overlapped 100 % of what was attainable (900 us of 900 us), but each slowed the "
        "other: H2D by 50 %, D2H by 25 % (H2D took 300 us more than the 600 us it takes alone, D2H 180 us "
        "more than the 720 us it takes alone): both directions share the host's memory.");
    EXPECT_DOUBLE_EQ(both.slowedA, 0.5);
    EXPECT_DOUBLE_EQ(both.slowedB, 0.25);
    EXPECT_EQ(both.stretchedA, us(300));
    EXPECT_EQ(both.stretchedB, us(180));
    EXPECT_THAT(directions(us(200), us(200)).text, HasSubstr("but each slowed the other by 50 % (H2D took"));
    EXPECT_THAT(directions(us(200), us(280)).text,
                HasSubstr("but D2H slowed H2D by 50 % (300 us more than the 600 us it takes alone): both"));
    EXPECT_THAT(directions(us(280), us(200)).text, HasSubstr("but H2D slowed D2H by 50 %"));
}

// The engine of one direction takes turns with its copies: what it makes longer, the other direction did not.
TEST(Stretched, CopiesOfOneEngineExplainEachOtherFirst) {
    Made m;
    for (int i = 0; i < 3; ++i) {
        const Ns t = us(1000 * (i + 1));
        m.ran(m.plan(experiment::OpKind::CopyH2D, 0, us(150)), t, t + us(300), 13);
        m.ran(m.plan(experiment::OpKind::CopyH2D, 1, us(150)), t, t + us(300), 14);
        m.ran(m.plan(experiment::OpKind::CopyD2H, 2, us(300)), t, t + us(300), 15);
    }
    const analysis::Verdict verdict = verdictOf(m.report(), MemcpyH2D, MemcpyD2H);
    EXPECT_EQ(verdict.stretchedA, 0);
    EXPECT_EQ(verdict.kind, analysis::VerdictKind::Overlapped) << verdict.text;
}

// A memset that stood 60 us behind a full grid and then ran under it as long as alone: waiting, not
// stretching.
TEST(Stretched, WaitingAloneDoesNotStretch) {
    Made m;
    for (int i = 0; i < 3; ++i) {
        const Ns t = us(1000 * (i + 1));
        m.ran(m.plan(experiment::OpKind::Kernel, 0, us(800), 0, 8448, 1056), t, t + us(800), 13);
        m.issued(t - us(20), t - us(4));
        m.ran(m.plan(experiment::OpKind::Memset, 1, us(100)), t + us(700), t + us(800), 14);
        m.issued(t + us(630), t + us(640), "cudaMemsetAsync");
    }
    const analysis::Report report = m.report();
    const analysis::Verdict& v = verdictOf(report, Memset, Kernel);
    EXPECT_DOUBLE_EQ(v.ofAttainable, 1.0);
    EXPECT_EQ(v.blockedA, 3 * us(60));
    EXPECT_EQ(v.stretchedA, 0);
    EXPECT_EQ(v.kind, analysis::VerdictKind::Partial) << v.text;
}

TEST(Stretched, WhatPairsCompeteFor) {
    experiment::Schedule inPlace;
    inPlace.kernel.reads.bytes = 4096;
    EXPECT_THAT(analysis::sharedResource(MemcpyH2D, MemcpyD2H, nullptr),
                HasSubstr("both directions share the host's memory"));
    EXPECT_THAT(analysis::sharedResource(MemcpyH2D, Kernel, nullptr), HasSubstr("the device's memory"));
    EXPECT_THAT(analysis::sharedResource(MemcpyD2H, Kernel, &inPlace), HasSubstr("the kernels in place"));
    EXPECT_THAT(analysis::sharedResource(MemcpyD2H, Memset, &inPlace), HasSubstr("the device's memory"));
    EXPECT_THAT(analysis::sharedResource(Memset, Kernel, nullptr),
                HasSubstr("the SMs and the device's memory"));
}

std::optional<Ns> soloOf(int alone, int beside, Ns longer) {
    analysis::LikeKernels kernels;
    for (int i = 0; i < alone; ++i)
        kernels.add(us(2000) + i, false);
    for (int i = 0; i < beside; ++i)
        kernels.add(us(2000) + longer + i, true);
    return kernels.solo();
}

TEST(Stretched, KernelsThatRanAloneTellHowLongTheirLikeTakesAlone) {
    const std::optional<Ns> solo = soloOf(8, 8, us(1500));
    ASSERT_TRUE(solo);
    EXPECT_NEAR(static_cast<double>(*solo), static_cast<double>(us(2000)), 8);
    EXPECT_FALSE(soloOf(8, 8, 0)) << "no longer than alone";
    EXPECT_FALSE(soloOf(8, 8, us(50))) << "by less than work differs";
    EXPECT_FALSE(soloOf(3, 3, us(1500))) << "that may be chance";
    EXPECT_FALSE(soloOf(8, 0, 0));
}

} // namespace
} // namespace olab::test
