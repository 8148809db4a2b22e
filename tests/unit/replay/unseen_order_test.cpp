// Order that no work shows: events in the NULL stream, host functions in graphs, and a host that asks and
// sleeps.
#include "hand_made.h"

namespace olab::test {
namespace {

using analysis::LossCause;

constexpr double kLatency = 60; // us: latencies of calls and streams

double costOf(HandMade& m, LossCause cause) {
    const analysis::Ledger ledger = m.ledger();
    const analysis::LedgerEntry* const entry = entryOf(ledger, cause);
    return entry ? static_cast<double>(entry->cost) / 1000 : 0;
}

/// Kernels of 1 ms alternately in two streams of `kind`, an event in the NULL stream behind each.
void addTimedKernels(HandMade& m, StreamKind kind) {
    m.stream(7, StreamKind::Null);
    m.stream(8, kind);
    m.stream(9, kind);
    for (std::uint32_t i = 0; i < 8; ++i) {
        const double issued = 20.0 * i, at = 12 + 1'005.0 * i;
        m.call("cudaLaunchKernel", {issued, issued + 5}).work(Kernel, 8 + i % 2, {at, at + 1'000});
        m.call("cudaEventRecord", {issued + 6, issued + 8}).says(StreamCallKind::EventRecord, 7, i);
    }
}

TEST(UnseenOrder, AnEventInTheNullStreamHoldsBlockingStreamsApart) {
    HandMade m;
    addTimedKernels(m, StreamKind::Blocking);
    EXPECT_NEAR(costOf(m, LossCause::NullStream), 4'000, kLatency);
    EXPECT_LT(static_cast<double>(m.ledger().missed()) / 1000, kLatency);
}

TEST(UnseenOrder, NonBlockingStreamsDoNotWaitForAnEventInTheNullStream) {
    HandMade m;
    addTimedKernels(m, StreamKind::NonBlocking);
    EXPECT_EQ(costOf(m, LossCause::NullStream), 0);
}

/// Ten launches of a graph of two kernels; 200 us pass before each kernel.
void addGraphLaunches(HandMade& m, double from) {
    for (int i = 0; i < 10; ++i) {
        const double at = from + 2'400.0 * i;
        m.call("cudaGraphLaunch", {from + 10.0 * i, from + 10.0 * i + 5});
        m.work(Kernel, 7, {at + 200, at + 1'200});
        m.work(Kernel, 7, {at + 1'400, at + 2'400});
    }
}

TEST(UnseenOrder, AHostFunctionThatWasCapturedIntoAGraphHoldsItsNodes) {
    HandMade m;
    m.call("cudaStreamBeginCapture", {0, 2});
    m.call("cudaLaunchHostFunc", {3, 4});
    m.call("cudaStreamEndCapture", {5, 6});
    m.notIssued();
    addGraphLaunches(m, 100);
    EXPECT_NEAR(costOf(m, LossCause::Callback), 19 * 200, 2 * kLatency);
}

TEST(UnseenOrder, GapsOfAGraphWithoutHostFunctionsAreUnexplained) {
    HandMade m;
    m.call("cudaStreamBeginCapture", {0, 2});
    m.call("cudaStreamEndCapture", {5, 6});
    m.notIssued();
    m.call("cudaLaunchHostFunc", {7, 8}); // into a stream
    m.notIssued();
    addGraphLaunches(m, 100);
    EXPECT_EQ(costOf(m, LossCause::Callback), 0);
}

TEST(UnseenOrder, AHostThatAsksWhetherTheDeviceIsDoneAndSleepsWaits) {
    HandMade m;
    for (int i = 0; i < 6; ++i) {
        const double at = 4'000.0 * i;
        m.call("cudaLaunchKernel", {at, at + 5}).work(Kernel, 7, {at + 10, at + 1'010});
        m.call("cudaEventQuery", {at + 20, at + 22});
        m.call("cudaEventQuery", {at + 3'980, at + 3'982});
    }
    EXPECT_NEAR(costOf(m, LossCause::HostSync), 5 * 3'000, 2 * kLatency);
    EXPECT_LT(static_cast<double>(m.ledger().missed()) / 1000, kLatency);
}

} // namespace
} // namespace olab::test
