// Kernels of several streams that nearly fill the device: the next one has the few places that are left, and
// its record says that it ran beside the one before.
#include "hand_made.h"

namespace olab::test {
namespace {

constexpr std::uint32_t kStreams = 6, kFirst = 20;
constexpr double kAlone = 260; ///< us

class LeftoverRoom : public testing::Test {
protected:
    LeftoverRoom() {
        m.device.smCount = 132, m.device.maxThreadsPerSm = 2048, m.device.registersPerSm = 65'536;
        m.device.sharedPerSm = 233'472; // eight blocks of 256 threads: 1056 places
        for (std::uint32_t s = 0; s < kStreams; ++s)
            m.stream(kFirst + s, StreamKind::NonBlocking);
    }
    /// Issued long before it can run.
    void kernel(std::uint32_t number, Span recorded, const std::string& name = "clean",
                std::uint32_t blocks = 1024) {
        m.call("cudaLaunchKernel", {3.0 * number, 3.0 * number + 2})
            .work(Kernel, kFirst + number % kStreams, recorded);
        m.lastWork().name = m.text(name);
        m.lastWork().geometry = KernelGeometry{{blocks, 1, 1}, {256, 1, 1}, 16, 0, 0};
    }
    double share(Ns part) { return static_cast<double>(part) / static_cast<double>(m.ledger().measured); }
    HandMade m;
};

/// Each begins with 32 blocks while the one before has all other places, and has those when that ends.
TEST_F(LeftoverRoom, WaitingForPlacesIsNoWork) {
    kernel(0, {200, 200 + kAlone});
    for (std::uint32_t k = 1; k < 60; ++k)
        kernel(k, {200 + kAlone * (k - 1), 200 + kAlone * (k + 1)});
    const analysis::Ledger ledger = m.ledger();
    EXPECT_LT(std::abs(share(ledger.unexplained)), 0.04);
    EXPECT_GT(share(ledger.ideal), 0.95) << "the device was full all the time";
}

/// The second one begins with the few places that are free, and has the rest only after the third, which is
/// recorded as if all of it ran beside: no stream is faster for being apart.
TEST_F(LeftoverRoom, OfThoseThatFillTheDeviceOneAtATimeMakesProgress) {
    for (std::uint32_t k = 0; k < 60; k += 3) {
        const double begin = 10 + 190.0 * k / 3;
        kernel(k, {begin, begin + 70}, "gemm");
        kernel(k + 1, {begin + 68, begin + 188}, "add", 20 * 1056);
        kernel(k + 2, {begin + 69, begin + 139}, "gemm");
    }
    const analysis::Ledger ledger = m.ledger();
    EXPECT_LT(std::abs(share(ledger.unexplained)), 0.04);
    EXPECT_GT(share(ledger.ideal), 0.92) << "the device was full all the time";
}

/// A kernel with as many blocks for each of its works. Where one follows another, it begins with the blocks
/// that the other's last ones leave room for; each fourth begins alone.
TEST_F(LeftoverRoom, AKernelMayDoWorkOfTwoSizes) {
    double free = 200;
    for (std::uint32_t k = 0; k < 60; ++k) {
        const double tail = k % 4 == 0 ? -5 : 46, own = k % 3 == 0 ? 60 : 180;
        kernel(k, {free - tail, free + own}, "gemm");
        free += own;
    }
    const analysis::Ledger ledger = m.ledger();
    EXPECT_LT(std::abs(share(ledger.unexplained)), 0.04);
    EXPECT_GT(share(ledger.ideal), 0.92) << "the device was full all the time";
}

/// Places are there for two, but one alone keeps the multiprocessors busy: beside another it takes longer.
TEST_F(LeftoverRoom, KernelsThatShareWhatIsComputedWinNothingByMoreAtOnce) {
    for (std::uint32_t k = 0; k < 60; ++k)
        kernel(k, {200 + 455.0 * k, 200 + 455.0 * k + 740 + 10 * (k % 5)}, "mix", 512);
    EXPECT_GT(share(m.ledger().ideal), 0.92) << "the device was busy all the time";
}

/// The same grid beside itself in the same time: no places were waited for.
TEST_F(LeftoverRoom, KernelsThatDidNotWaitShareTheDevice) {
    for (std::uint32_t k = 0; k < 60; ++k) {
        const double begin = 200 + kAlone * (k / 2);
        kernel(k, {begin + k % 2, begin + k % 2 + kAlone - 5});
    }
    EXPECT_LT(share(m.ledger().ideal), 0.6);
}

} // namespace
} // namespace olab::test
