// Host functions of which only the calls are recorded, and a thread that goes on when one ran.
#include "hand_made.h"

#include <functional>

namespace olab::test {
namespace {

using analysis::LossCause;

constexpr int kRounds = 24, kAhead = 4;
constexpr double kKernel = 265, kGap = 60, kRound = kKernel + kGap; // us; the host function runs in the gap

/// Where the host goes on so long after the begin of a kernel, and issues the one after the next three.
void addRounds(HandMade& m, const std::function<double(int)>& goesOn) {
    m.stream(13, StreamKind::NonBlocking);
    for (int i = 0; i < kRounds; ++i) {
        const double begin = 100 + kRound * i;
        const double at = i < kAhead ? 12 * i : 100 + kRound * (i - kAhead + 1) + goesOn(i);
        m.call("cudaLaunchKernel", {at, at + 5}).work(Kernel, 13, {begin, begin + kKernel});
        m.call("cudaLaunchHostFunc", {at + 6, at + 8});
    }
}

double shareOf(HandMade& m, LossCause cause) {
    const analysis::Ledger ledger = m.ledger();
    const analysis::LedgerEntry* const entry = entryOf(ledger, cause);
    return entry ? static_cast<double>(entry->cost) / static_cast<double>(ledger.measured) : 0;
}

TEST(SetOff, AThreadThatGoesOnBehindEachHostFunctionIsPartOfTheCallback) {
    HandMade m;
    addRounds(m, [](int) { return 20; });
    EXPECT_NEAR(shareOf(m, LossCause::Callback), kGap / kRound, 0.04);
    EXPECT_LT(shareOf(m, LossCause::HostLate), 0.02);
}

/// Then host functions have nothing to do with it, though there is one every time.
TEST(SetOff, AThreadThatGoesOnAtAnyTimeIsItsOwn) {
    HandMade m;
    addRounds(m, [](int i) { return 37 * (i % 7); });
    EXPECT_GT(shareOf(m, LossCause::HostLate), 0.04);
}

} // namespace
} // namespace olab::test
