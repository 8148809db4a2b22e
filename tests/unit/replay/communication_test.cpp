// What stands behind communication, in traces of a few activities: all times in us.
#include "hand_made.h"

namespace olab::test {
namespace {

using enum analysis::LossCause;
using testing::DoubleEq;
using testing::HasSubstr;

struct Communicating : testing::Test {
    HandMade m;
    double issued = 0;
    /// A kernel that was launched long before it could begin.
    void kernel(std::uint32_t stream, Span time, const char* name = "gemm") {
        m.call("cudaLaunchKernel", {issued, issued + 1}).work(Kernel, stream, time).name = m.text(name);
        ++issued;
    }
    void allReduce(std::uint32_t stream, Span time) {
        kernel(stream, time, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)");
    }
    double lengthWithout() { return m.without(ExposedCommunication); }
};

TEST_F(Communicating, WhatStandsBehindItInItsStreamRunsBeside) {
    kernel(13, {8, 100});
    allReduce(13, {100, 400});
    kernel(13, {400, 500});
    EXPECT_THAT(m.base(), DoubleEq(500));
    EXPECT_THAT(lengthWithout(), DoubleEq(400)) << "the all-reduce still waits for its data";
    EXPECT_THAT(m.beginOf(2, Causes().with(ExposedCommunication)), DoubleEq(100));
    EXPECT_EQ(m.graph().waits[2].cause, ExposedCommunication);
}

TEST_F(Communicating, KeepsItsOwnOrderAndThatOfTheComputation) {
    kernel(13, {8, 100});
    allReduce(13, {100, 400});
    kernel(13, {400, 500});
    allReduce(13, {500, 800});
    kernel(13, {800, 900});
    EXPECT_THAT(m.base(), DoubleEq(900));
    const Causes without = Causes().with(ExposedCommunication);
    EXPECT_THAT(m.beginOf(2, without), DoubleEq(100));
    EXPECT_THAT(m.beginOf(3, without), DoubleEq(400)) << "the second behind the first";
    EXPECT_THAT(m.beginOf(4, without), DoubleEq(200)) << "kernels behind each other";
    EXPECT_THAT(lengthWithout(), DoubleEq(700)) << "more than all communication hides nothing";
}

TEST_F(Communicating, TakesItsMultiprocessorsFromWhatRunsBesideIt) {
    kernel(13, {8, 100});
    allReduce(13, {100, 400});
    m.lastWork().geometry = KernelGeometry{{33, 1, 1}, {512, 1, 1}, 32, 0, 0}; // a quarter of the device
    kernel(13, {400, 1'400});
    m.device.smCount = 132;
    EXPECT_NEAR(m.base() - lengthWithout(), 300 * (1 - 2.4 / 4), 2) << "not all of its 300 us are won";
}

TEST_F(Communicating, TheLastOfSeveralPartsIsNotHidden) {
    kernel(13, {8, 100});
    for (int part = 0; part < 3; ++part)
        allReduce(13, {100 + 100.0 * part, 200 + 100.0 * part});
    kernel(13, {400, 1'400});
    EXPECT_NEAR(m.base() - lengthWithout(), 200, 2) << "it comes behind the computation";
}

TEST_F(Communicating, AnEventBehindItIsNoOtherCause) {
    kernel(13, {8, 100});
    m.call("cudaEventRecord", {1, 2}).says(StreamCallKind::EventRecord, 13, 1, 1);
    m.call("cudaStreamWaitEvent", {2, 3}).says(StreamCallKind::StreamWait, 14, 1, 1);
    issued = 3;
    allReduce(14, {100, 400});
    m.call("cudaEventRecord", {4, 5}).says(StreamCallKind::EventRecord, 14, 2, 2);
    m.call("cudaStreamWaitEvent", {5, 6}).says(StreamCallKind::StreamWait, 13, 2, 2);
    issued = 6;
    kernel(13, {400, 500});
    EXPECT_THAT(m.base(), DoubleEq(500));
    EXPECT_THAT(lengthWithout(), DoubleEq(400));
    EXPECT_EQ(m.graph().waits[2].cause, ExposedCommunication);
    EXPECT_FALSE(m.graph().present.has(EventOrder)) << "what is communicated has to be there";
}

TEST_F(Communicating, WhatBeginsAsItEndsWithoutAnotherReasonStoodBehindIt) {
    kernel(13, {8, 100});
    allReduce(14, {110, 400});
    kernel(13, {405, 500});
    kernel(13, {530, 600}); // 30 us behind what it stands behind, and nothing ended then
    EXPECT_EQ(m.graph().waits[2].cause, ExposedCommunication);
    EXPECT_EQ(m.graph().waits[2].blocker, m.graph().nodes[m.graph().workOf[1]].row);
    EXPECT_NE(m.graph().waits[3].cause, ExposedCommunication);
    EXPECT_THAT(m.base(), DoubleEq(600));
    const Causes without = Causes().with(ExposedCommunication).with(Unexplained);
    EXPECT_LT(m.beginOf(2, without), 150) << "behind the kernel before";
    EXPECT_THAT(m.beginOf(1, without), DoubleEq(110)) << "the all-reduce waited for its data, as it seems";
}

TEST_F(Communicating, AHostThatWaitsForAllOfAnIterationWaitsForItToo) {
    for (int step = 0; step < 4; ++step) {
        const double at = 2'100. * step;
        issued = at;
        kernel(13, {at + 8, at + 1'000});
        allReduce(14, {at + 1'005, at + 1'900});
        kernel(13, {at + 1'906, at + 2'080});
        m.call("cudaDeviceSynchronize", {at + 10, at + 2'090});
    }
    EXPECT_NEAR(m.base(), m.measured(), 5);
    EXPECT_NEAR(lengthWithout(), m.base() - 4 * 174, 30) << "the kernel behind it runs beside it";
}

TEST_F(Communicating, ComputationOfTheSameLengthIsNone) {
    kernel(13, {8, 100});
    kernel(13, {100, 400});
    kernel(13, {400, 500});
    EXPECT_FALSE(m.graph().present.has(ExposedCommunication));
    EXPECT_THAT(lengthWithout(), DoubleEq(500));
}

TEST_F(Communicating, TheAccountCallsItAnUpperLimitAndAddsUp) {
    kernel(13, {8, 100});
    allReduce(13, {100, 400});
    kernel(13, {400, 500});
    const analysis::Ledger ledger = m.ledger();
    const analysis::LedgerEntry* entry = entryOf(ledger, ExposedCommunication);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->cost, us(100)) << "the kernel behind it, not all of the 300 us of communication";
    EXPECT_EQ(entry->waited, us(300));
    EXPECT_EQ(sumOf(ledger), ledger.measured);
    EXPECT_THAT(entry->text, HasSubstr("at most"));
}

/// To the account its kernels, which wait in each collective, are work.
TEST_F(Communicating, TheHeadlineBeginsWithAStragglerThatCostsMoreThanTheFirstCause) {
    m.secondDevice();
    for (int step = 0; step < 10; ++step) {
        const double at = 100 + 1'000 * step;
        kernel(13, {at, at + 200});
        allReduce(13, {at + 201, at + 999});
        for (const auto& [name, time] :
             {std::pair("gemm", Span{at, at + 900}),
              std::pair("ncclDevKernel_AllReduce_Sum_f32_RING_LL", Span{at + 901, at + 999})}) {
            kernel(7, time, name);
            m.lastWork().device = 1, m.lastWork().context = 2;
        }
    }
    const analysis::Ledger ledger = m.ledger();
    EXPECT_THAT(
        ledger.headline,
        testing::StartsWith(
            "GPU 1 arrives last at 100 % of 10 collectives; the others wait 7.00 ms of 10.0 ms for it. "
            "Apart from that: 11 % slower than ideal: computation waits"))
        << "for the last part";
    EXPECT_EQ(sumOf(ledger), ledger.measured);
}

} // namespace
} // namespace olab::test
