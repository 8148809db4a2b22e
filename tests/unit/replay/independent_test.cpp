// Kernels in a row that leave room for more of their kind: told as a condition, never as a cause.
#include "hand_made.h"

namespace olab::test {
namespace {

using analysis::LossCause;

class InARow : public testing::Test {
protected:
    InARow() {
        m.device.smCount = 100, m.device.maxThreadsPerSm = 2048, m.device.registersPerSm = 65'536;
        m.device.sharedPerSm = 233'472;
        m.stream(8, StreamKind::NonBlocking);
        m.stream(9, StreamKind::NonBlocking);
    }
    /// Issued long before it can run.
    void work(ActivityClass cls, double length, std::uint32_t stream = 8) {
        m.call("cudaLaunchKernel", {issued, issued + 2}).work(cls, stream, {now, now + length}, 4 << 20);
        issued += 3;
        now += length + 1;
    }
    void kernel(const char* name, double length, std::uint32_t blocks, std::uint32_t stream = 8) {
        work(Kernel, length, stream);
        m.lastWork().name = m.text(name);
        m.lastWork().bytes = 0;
        m.lastWork().geometry = KernelGeometry{{blocks, 1, 1}, {256, 1, 1}, 32, 0, 0};
    }
    /// 1 ms with a full device, then five kernels of 200 us of so many blocks.
    void prices(std::uint32_t blocks) {
        for (int i = 0; i < 4; ++i) {
            kernel("void price<float>()", 1'000, 800);
            for (int k = 0; k < 5; ++k)
                kernel("void change<float>()", 200, blocks);
        }
    }
    double gain() { return static_cast<double>(m.ledger().ifIndependent.gain) / 1000; }

    HandMade m;
    double issued = 0, now = 10;
};

TEST_F(InARow, SmallGridsAreToldByWhatTheyWouldSaveBesideEachOther) {
    prices(16);
    const analysis::Ledger ledger = m.ledger();
    const analysis::IfIndependent& told = ledger.ifIndependent;
    EXPECT_NEAR(static_cast<double>(told.gain) / 1000, 4 * 4 * 200, 40) << "all five at once";
    EXPECT_EQ(told.kernels, 20u);
    EXPECT_NEAR(told.share, 0.16, 0.001) << "16 blocks, 100 multiprocessors";
    EXPECT_EQ(told.activities.size(), 20u);
    EXPECT_THAT(told.text, testing::HasSubstr("most of the time: change)"));
    EXPECT_THAT(told.text, testing::HasSubstr("1.7x faster"));
    EXPECT_THAT(ledger.headline,
                testing::StartsWith("At the limit: kernels run one after the "
                                    "other and leave room on the device. If kernels in a "
                                    "row do not need each other's results: up to 1.7x faster"));
}

TEST_F(InARow, ItIsNoCauseAndChangesNoNumberOfTheAccount) {
    prices(16);
    const analysis::Ledger ledger = m.ledger();
    EXPECT_EQ(firstCauseOf(ledger), "");
    EXPECT_EQ(sumOf(ledger), ledger.measured);
    EXPECT_NEAR(static_cast<double>(ledger.ideal), static_cast<double>(ledger.measured), 2'000);
}

TEST_F(InARow, AsManyRunAtOnceAsThereIsRoomFor) {
    prices(40);
    EXPECT_NEAR(gain(), 4 * 2 * 200, 40) << "two at once: three turns of five";
}

TEST_F(InARow, GridsOfMoreThanHalfTheDeviceLeaveNoRoomForTheirLike) {
    prices(60);
    EXPECT_EQ(gain(), 0);
    EXPECT_THAT(m.ledger().headline, testing::Not(testing::HasSubstr("If kernels")));
}

TEST_F(InARow, ShortOnesTakeTheRoomThatTheirBlocksNeed) {
    for (int i = 0; i < 60; ++i)
        kernel("copy", 4, 200); // of 800 that the device holds
    EXPECT_NEAR(gain(), 60 * 5 * 0.75, 12) << "four at once";
}

TEST_F(InARow, WithoutTheSizeOfTheDeviceNothingIsSaid) {
    m.device.smCount = 0;
    prices(16);
    EXPECT_EQ(gain(), 0);
}

TEST_F(InARow, AnotherKindBetweenThemIsAChainAsFarAsAnybodyKnows) {
    for (int i = 0; i < 20; ++i) {
        kernel("product", 200, 16);
        kernel("sum", 200, 16);
    }
    EXPECT_EQ(gain(), 0);
}

TEST_F(InARow, SequencesThatRepeatWithinAnIterationAreToldToo) {
    for (int picture = 0; picture < 4; ++picture) {
        kernel("picture", 500, 800);
        for (int antenna = 0; antenna < 6; ++antenna) {
            kernel("spectrum", 100, 16);
            kernel("delay", 50, 16);
            kernel("restore", 100, 16);
        }
    }
    const analysis::IfIndependent told = m.ledger().ifIndependent;
    EXPECT_NEAR(static_cast<double>(told.gain) / 1000, 4 * 5 * 250, 100)
        << "all six at once, each in its order";
    EXPECT_EQ(told.kernels, 72u);
    EXPECT_EQ(told.sequence, 3u);
    EXPECT_THAT(told.text, testing::HasSubstr("in sequences of 3 kernels that repeat, and each takes about"));
}

TEST_F(InARow, SequencesThatRepeatForLongAreStepsInTime) {
    for (int picture = 0; picture < 3; ++picture) {
        kernel("picture", 500, 800);
        for (int moment = 0; moment < 20; ++moment) {
            kernel("force", 100, 16);
            kernel("move", 50, 16);
        }
    }
    EXPECT_EQ(gain(), 0);
}

/// The host is so far ahead that each launch waits, by CUPTI's word, until one of 270 launches before has
/// ended.
TEST_F(InARow, WaitingForRoomInTheQueueEndsNoRow) {
    constexpr int kHeld = 270;
    const auto endOf = [](int k) { return 10 + k * 41 + 40; };
    for (int k = 0; k < 600; ++k) {
        const double before = issued;
        issued = k < 300 ? issued + 3 : endOf(k - kHeld) + 3;
        m.call("cudaLaunchKernel", {before, issued - 0.5})
            .work(Kernel, 8, {endOf(k) - 40.0, double(endOf(k))});
        m.lastWork().name = m.text("void change<float>()");
        m.lastWork().geometry = KernelGeometry{{16, 1, 1}, {256, 1, 1}, 32, 0, 0};
        if (k >= 300)
            m.overhead("command buffer full", {before + 1, issued - 1});
    }
    const analysis::IfIndependent told = m.ledger().ifIndependent;
    EXPECT_EQ(told.kernels, 600u);
    EXPECT_GT(static_cast<double>(told.gain) / 1000, 600 * 41 * 0.6)
        << "six at once, as fast as they are issued";
}

TEST_F(InARow, SequencesLongerThanEightAreNoInnerLoop) {
    const char* const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    for (int step = 0; step < 3; ++step) {
        kernel("picture", 500, 800);
        for (int twice = 0; twice < 2; ++twice)
            for (const char* name : names)
                kernel(name, 100, 16);
    }
    EXPECT_EQ(gain(), 0);
}

TEST_F(InARow, SoAreKernelsOfWhichEachResultLeaves) {
    for (int i = 0; i < 20; ++i) {
        kernel("change", 200, 16);
        work(MemcpyD2H, 100);
    }
    EXPECT_EQ(gain(), 0);
}

TEST_F(InARow, WhatAnotherStreamWaitsForEndsARow) {
    for (std::uint32_t i = 0; i < 20; ++i) {
        kernel("change", 200, 16);
        m.call("cudaEventRecord", {issued, issued + 1}).says(StreamCallKind::EventRecord, 8, i, i + 1);
        m.call("cudaStreamWaitEvent", {issued + 1, issued + 2}).says(StreamCallKind::StreamWait, 9, i, i + 1);
        issued += 3;
        kernel("look", 5, 16, 9);
        now -= 6; // beside the next one
    }
    EXPECT_EQ(gain(), 0);
}

TEST_F(InARow, LittleToGainIsNotTold) {
    kernel("price", 20'000, 800);
    for (int k = 0; k < 5; ++k)
        kernel("change", 100, 16);
    EXPECT_EQ(gain(), 0);
}

TEST_F(InARow, ThePlanOfARunOfTheLabSaysWhatItsDataNeeds) {
    prices(16);
    m.window = WindowRecord{0, us(now + 10), true, 0};
    EXPECT_EQ(gain(), 0);
}

/// Six small kernels beside each other in streams of their own, which wait for a full grid, and the next full
/// grid for all of them.
void addBesideEachOther(HandMade& m, std::uint32_t blocksOfLarge, bool alsoLarge) {
    for (std::uint32_t s = 20; s < 26; ++s)
        m.stream(s, StreamKind::NonBlocking);
    double issued = 0, now = 10;
    std::uint32_t events = 0;
    const auto kernel = [&](std::uint32_t stream, std::uint32_t blocks, double from, double length) {
        m.call("cudaLaunchKernel", {issued, issued + 2}).work(Kernel, stream, {from, from + length});
        m.lastWork().geometry = KernelGeometry{{blocks, 1, 1}, {256, 1, 1}, 32, 0, 0};
        issued += 3;
    };
    const auto order = [&](std::uint32_t from, std::uint32_t to) {
        const std::uint32_t event = events++;
        m.call("cudaEventRecord", {issued, issued + 1})
            .says(StreamCallKind::EventRecord, from, event, event + 1);
        m.call("cudaStreamWaitEvent", {issued + 1, issued + 2})
            .says(StreamCallKind::StreamWait, to, event, event + 1);
        issued += 3;
    };
    for (int i = 0; i < 5; ++i) {
        kernel(8, blocksOfLarge, now, 1'000);
        if (alsoLarge)
            kernel(9, blocksOfLarge, now + 10, 1'000);
        now += 1'012;
        for (std::uint32_t s = 20; s < 26; ++s) {
            order(8, s);
            kernel(s, 15, now + s - 20, 200);
            order(s, 8);
            if (alsoLarge)
                order(s, 9);
        }
        now += 212;
    }
}

double costOfEvents(HandMade& m) {
    const analysis::Ledger ledger = m.ledger();
    const analysis::LedgerEntry* const entry = entryOf(ledger, LossCause::EventOrder);
    return entry ? static_cast<double>(entry->cost) / static_cast<double>(ledger.measured) : 0;
}

TEST_F(InARow, SmallKernelsBesideEachOtherDoNotShowThatAFullGridLetsThemIn) {
    addBesideEachOther(m, 800, false);
    EXPECT_LT(costOfEvents(m), 0.03);
}

TEST_F(InARow, FullGridsThatRanBesideEachOtherDo) {
    addBesideEachOther(m, 800, true);
    EXPECT_GT(costOfEvents(m), 0.1);
}

} // namespace
} // namespace olab::test
