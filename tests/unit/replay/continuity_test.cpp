// Answers move no faster than what they are made of: traces that differ by microseconds, or by a block, in
// one thing have the same first cause.
#include "hand_made.h"

#include <olab/analysis/link_rate.h>

namespace olab::test {
namespace {

using enum analysis::LossCause;

analysis::Ledger withPageableCopies(double earlier) {
    HandMade m;
    for (int i = 0; i < 6; ++i) {
        const double at = 22'000.0 * i;
        m.call("cudaMemcpyAsync", {at, at + 20'010 - earlier})
            .work(MemcpyH2D, 13, {at + 10, at + 20'010}, 96 << 20)
            .source = MemoryKind::Pageable;
        m.call("cudaLaunchKernel", {at + 20'020, at + 20'025}).work(Kernel, 13, {at + 20'030, at + 20'530});
    }
    return m.ledger();
}

TEST(Continuity, APageableCallHoldsTheHostHoweverLongBeforeItsCopyItReturns) {
    const Ns cost = withPageableCopies(0).entries.front().cost;
    for (const double earlier : {0., 20., 49., 51., 60., 145., 1000.}) {
        const analysis::Ledger ledger = withPageableCopies(earlier);
        ASSERT_EQ(firstCauseOf(ledger), "pageable") << earlier;
        EXPECT_NEAR(static_cast<double>(ledger.entries.front().cost), static_cast<double>(cost),
                    static_cast<double>(us(6 * earlier + 20)))
            << earlier;
    }
}

TEST(Continuity, AKernelMayBeginWhileItsFirstLaunchReturns) {
    for (const double behind : {-100., -20., -1., 0., 3.}) {
        HandMade m;
        m.call("cudaLaunchKernel", {0, 1'130}).work(Kernel, 13, {1'130 + behind, 1'430 + behind});
        for (int i = 0; i < 4; ++i) {
            const double at = 1'440 + 20. * i;
            m.call("cudaLaunchKernel", {at, at + 5}).work(Kernel, 13, {at + 8, at + 18});
        }
        const analysis::Ledger ledger = m.ledger();
        EXPECT_EQ(firstCauseOf(ledger), "first-launch") << behind;
        EXPECT_LT(ledger.unexplained, us(120)) << behind;
    }
}

TEST(Continuity, ACopyThatBeginsLateInItsCallWaitedForThat) {
    HandMade m;
    for (int i = 0; i < 4; ++i) {
        const double at = 14'000.0 * i;
        m.call("cudaMemcpyAsync", {at, at + 3'300})
            .work(MemcpyH2D, 13, {at + 250, at + 3'290}, 16 << 20)
            .source = MemoryKind::Pageable;
        m.call("cudaLaunchKernel", {at + 3'305, at + 3'310}).work(Kernel, 13, {at + 3'315, at + 4'000});
    }
    for (const analysis::OwnedWait& wait : m.graph().waits)
        EXPECT_NE(wait.cause, Unexplained);
    EXPECT_EQ(m.graph().waits[2].cause, HostLate) << "what the host did before took longer than the call";
}

TEST(Continuity, AGridDoesNotWaitForTheFewPlacesThatCommunicationHolds) {
    for (const std::uint32_t blocks : {64u, 264u, 1'000u}) {
        HandMade m;
        m.device.smCount = 132;
        m.recordsStreamCalls = false;
        const auto kernel = [&](double issued, std::uint32_t stream, Span time, std::uint32_t grid,
                                const char* name) {
            ActivityRecord& r = m.call("cudaLaunchKernel", {issued, issued + 5}).work(Kernel, stream, time);
            r.name = m.text(name);
            r.geometry = KernelGeometry{{grid, 1, 1}, {256, 1, 1}};
        };
        for (int i = 0; i < 6; ++i) {
            const double at = 6'000.0 * i, issued = 30.0 * i - 200;
            kernel(issued, 7, {at + 10, at + 2'010}, 264, "backward");
            m.call("cudaEventRecord", {issued + 6, issued + 7});
            m.call("cudaStreamWaitEvent", {issued + 8, issued + 9});
            kernel(issued + 10, 20, {at + 2'015, at + 5'015}, 24,
                   "ncclDevKernel_AllReduce_Sum_f32_RING_LL(int)");
            m.call("cudaEventRecord", {issued + 16, issued + 17});
            m.call("cudaStreamWaitEvent", {issued + 18, issued + 19});
            kernel(issued + 20, 7, {at + 5'020, at + 5'820}, blocks, "optimizer");
        }
        EXPECT_EQ(firstCauseOf(m.ledger()), "exposed-communication") << blocks << " blocks";
    }
}

/// Each round copies, computes and copies back in one stream, and the host waits for it.
TEST(Continuity, CausesThatSaveNothingAloneAreOneLine) {
    HandMade m;
    for (int i = 0; i < 8; ++i) {
        const double at = 2'010.0 * i;
        m.call("cudaMemcpyAsync", {at, at + 3}).work(MemcpyH2D, 13, {at + 8, at + 508}, 16 << 20);
        m.call("cudaLaunchKernel", {at + 4, at + 7}).work(Kernel, 13, {at + 510, at + 1'510});
        m.call("cudaMemcpyAsync", {at + 8, at + 11}).work(MemcpyD2H, 13, {at + 1'512, at + 2'000}, 16 << 20);
        m.call("cudaStreamSynchronize", {at + 12, at + 2'005}).says(StreamCallKind::StreamSync, 13);
    }
    const analysis::Ledger ledger = m.ledger();
    const analysis::LedgerEntry* const first = entryOf(ledger, HostSync);
    const analysis::LedgerEntry* const other = entryOf(ledger, SameStream);
    ASSERT_TRUE(first && other);
    EXPECT_EQ(first->onlyWith, std::vector{SameStream});
    EXPECT_EQ(other->onlyWith, std::vector{HostSync});
    EXPECT_GT(std::max(first->cost, other->cost), us(5'000));
    EXPECT_EQ(std::min(first->cost, other->cost), 0);
    EXPECT_EQ(sumOf(ledger), ledger.measured);
}

TEST(Continuity, TheLinkOfACardIsKnownByItsNameOrItsGeneration) {
    const auto rateOf = [](const char* name, std::uint32_t major) {
        DeviceRecord device;
        device.name = name, device.computeMajor = major;
        return analysis::usualLinkRate(device);
    };
    EXPECT_EQ(rateOf("Tesla T4", 9), rateOf("unknown", 7)) << "the name goes first";
    EXPECT_EQ(rateOf("NVIDIA H200", 0), rateOf("unknown", 9));
    EXPECT_EQ(rateOf("NVIDIA A100-SXM4-80GB", 0), rateOf("unknown", 8));
    EXPECT_LT(rateOf("unknown", 0), rateOf("NVIDIA A100 80GB PCIe", 8)) << "no more than all cards have";
    EXPECT_EQ(rateOf("T400", 0), rateOf("unknown", 0)) << "not a T4";
}

} // namespace
} // namespace olab::test
