// The step of the time stamps, found out from stamps as devices give them.
#include "made_trace.h"

#include <cmath>
#include <random>

namespace olab::test {
namespace {

/// Time stamps in steps of `step`, as they reach us: scaled to the host's clock and rounded to 1 ns. An
/// H200's clock runs 12 ns in a millisecond slower than the host's.
class Clock {
public:
    explicit Clock(Ns step)
        : m_step(step) {}
    Ns at(Ns time) const {
        const Ns ticks = time / m_step * m_step;
        return 1'000'000 + static_cast<Ns>(std::llround(static_cast<double>(ticks) * (1 - 1.25e-5)));
    }

private:
    Ns m_step;
};

/// `count` kernels of about `length`, each half covered by a copy of about half of it.
void addWork(Made& m, const Clock& clock, int count, Ns length) {
    std::minstd_rand random(7);
    for (int i = 0; i < count; ++i) {
        const auto some = [&](Ns time) { return time + time * static_cast<Ns>(random() % 1000) / 4000; };
        const Ns begin = 100'000 + Ns{1'000'000} * i + static_cast<Ns>(random() % 5000),
                 end = begin + some(length);
        const Ns copy = begin + some(length / 5);
        m.work(Kernel, clock.at(begin), clock.at(end), 13);
        m.work(MemcpyH2D, clock.at(copy), clock.at(copy + some(length / 2)), 14);
    }
}

Ns resolutionOf(Ns step, int count = 40, Ns length = us(4)) {
    Made m;
    addWork(m, Clock(step), count, length);
    return m.facts().resolution();
}

TEST(TimeStamps, TheStepIsFoundThoughScalingAndRoundingHideIt) {
    EXPECT_EQ(resolutionOf(32), 32);
    EXPECT_EQ(resolutionOf(100), 100);
    EXPECT_EQ(resolutionOf(512, 40, us(15)), 512);
}

TEST(TimeStamps, AClockOfNanosecondsHasNoStep) {
    EXPECT_EQ(resolutionOf(1), 1);
}

TEST(TimeStamps, AFewOperationsTellTheStepOfADeviceAndNoOther) {
    EXPECT_EQ(resolutionOf(32, 3), 32);
    EXPECT_EQ(resolutionOf(100, 3), 1);
    EXPECT_EQ(resolutionOf(1, 3), 1);
}

TEST(TimeStamps, LongOperationsFarApartDoNotTell) {
    EXPECT_EQ(resolutionOf(32, 40, us(400)), 1) << "and nothing is too short for them";
}

TEST(TimeStamps, EachDeviceCountsOnItsOwn) {
    Made m;
    const Clock clock(32);
    std::minstd_rand random(3);
    for (int i = 0; i < 40; ++i)
        for (std::uint8_t device = 0; device < 2; ++device) {
            const Ns begin = 100'000 + Ns{10'000} * i + static_cast<Ns>(random() % 3000);
            auto& work = m.work(Kernel, clock.at(begin) + 13 * device,
                                clock.at(begin + 2000 + static_cast<Ns>(random() % 900)) + 13 * device, 13);
            work.device = device;
        }
    EXPECT_EQ(m.facts().resolution(), 32);
}

/// Copies of `length` as an H200 records them, in kernels of 600 us.
analysis::VerdictKind kindWithCopiesOf(Ns length) {
    Made m;
    const Clock clock(32);
    std::minstd_rand random(5);
    for (Ns i = 1; i <= 20; ++i) {
        const Ns t = i * 1'000'000 + static_cast<Ns>(random() % 9000);
        m.work(Kernel, clock.at(t), clock.at(t + us(600)), 13);
        const Ns begin = t / 32 * 32 + us(10) + 32 * static_cast<Ns>(random() % 100);
        m.work(MemcpyH2D, clock.at(begin), clock.at(begin + length + 32 * (i % 5 - 2)), 14);
    }
    return verdictOf(m.report(), MemcpyH2D, Kernel).kind;
}

TEST(TimeStamps, FiftyStepsOfADeviceDecideWhetherAClassIsTooShort) {
    EXPECT_EQ(kindWithCopiesOf(32 * 45), analysis::VerdictKind::Inconclusive);
    EXPECT_EQ(kindWithCopiesOf(32 * 55), analysis::VerdictKind::Overlapped);
}

} // namespace
} // namespace olab::test
