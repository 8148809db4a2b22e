// Noticing that a program issues device work by calls that are not recorded.
#include "call_choice.h"
#include "decode_state.h"

#include <gtest/gtest.h>

namespace olab::cupti {
namespace {

class DriverWorkTest : public testing::Test {
protected:
    void works(std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            work.noteWork(first + i);
    }
    void calls(std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
            work.noteCall(first + i);
    }
    void turns(int count) {
        for (int i = 0; i < count; ++i)
            work.nextTurn();
    }
    int told = 0;
    DriverWork work{[this](bool) { return ++told > 0; }};
};

constexpr std::uint32_t kFew = DriverWork::kEnough - 1, kEnough = DriverWork::kEnough;

TEST_F(DriverWorkTest, WorkWithoutCallsIsToldOnceItsCallsWouldHaveCome) {
    works(100, kEnough);
    turns(1);
    EXPECT_EQ(told, 0) << "its calls may be what comes now";
    turns(1);
    EXPECT_EQ(told, 1);
    works(1'000, kEnough);
    turns(5);
    EXPECT_EQ(told, 1) << "once";
}

TEST_F(DriverWorkTest, AFewMayBeAnAccident) {
    works(100, kFew);
    turns(10);
    EXPECT_EQ(told, 0);
    works(200, 1);
    turns(2);
    EXPECT_EQ(told, 1) << "but not forever";
}

TEST_F(DriverWorkTest, CallsMayComeBeforeTheirWorkAndAfterIt) {
    for (std::uint32_t first = 1; first < 200'000; first += 100) {
        calls(first, 50);
        works(first, 100);
        calls(first + 50, 50);
        turns(1);
    }
    turns(3);
    EXPECT_EQ(told, 0);
}

TEST_F(DriverWorkTest, CallsThatComeLateAreNoDriverCalls) {
    for (std::uint32_t first = 1; first < 100'000; first += kFew) {
        works(first, kFew);
        turns(1);
        calls(first, kFew);
        turns(3);
    }
    works(200'000, 5 * kEnough);
    turns(1);
    calls(200'000, 5 * kEnough); // from another thread's buffer, one turn later
    turns(5);
    EXPECT_EQ(told, 0);
}

TEST_F(DriverWorkTest, VeryLateCallsTakeBackWhatWasCounted) {
    works(1, kFew);
    turns(5);
    calls(1, kFew);
    works(100, kFew);
    turns(5);
    EXPECT_EQ(told, 0);
}

TEST_F(DriverWorkTest, WorkWhoseCallWasTooLongAgoIsNotJudged) {
    calls(1, 1'000);
    calls(65'537, 1'000); // these take the places of the former
    works(1, 1'000);
    turns(5);
    EXPECT_EQ(told, 0);
}

TEST_F(DriverWorkTest, OneCallWithMuchWorkCountsOnce) {
    for (int i = 0; i < 100; ++i)
        work.noteWork(7);
    works(0, 1); // no correlation
    turns(5);
    EXPECT_EQ(told, 0);
}

TEST_F(DriverWorkTest, IdsMayStartAgain) {
    const std::uint32_t last = ~0u - 50;
    calls(last, 100); // over 0
    works(last, 100);
    turns(5);
    EXPECT_EQ(told, 0);
    works(1'000, kEnough);
    turns(2);
    EXPECT_EQ(told, 1);
}

TEST_F(DriverWorkTest, KnowsTheLastCalls) {
    EXPECT_FALSE(work.isRuntimeCall(0)) << "no id";
    calls(5, 1);
    EXPECT_TRUE(work.isRuntimeCall(5));
    EXPECT_FALSE(work.isRuntimeCall(6));
    calls(5 + 65'536, 1);
    EXPECT_FALSE(work.isRuntimeCall(5)) << "too long ago";
}

TEST(DriverWorkRecordedFirst, IsGivenUpOnceTheRuntimeAloneProvesToBeUsed) {
    std::vector<bool> told;
    DriverWork work([&](bool record) { return told.push_back(record), true; }, true);
    std::uint32_t next = 1;
    const auto byRuntime = [&](std::uint32_t count) {
        for (; count > 0; --count, ++next)
            work.noteCall(next), work.noteWork(next);
    };
    byRuntime(DriverWork::kTried - 1);
    for (std::uint32_t turn = 0; turn < 2 * DriverWork::kTurns; ++turn)
        work.nextTurn();
    EXPECT_TRUE(told.empty()) << "too few to be sure";
    byRuntime(1);
    work.nextTurn();
    EXPECT_EQ(told, std::vector{false});
    for (std::uint32_t i = 0; i < DriverWork::kEnough; ++i)
        work.noteWork(next++);
    work.nextTurn();
    work.nextTurn();
    EXPECT_EQ(told, (std::vector{false, true})) << "it came to use the driver's later";
}

TEST(DriverWorkRecordedFirst, IsGivenUpAsSoonAsWhatWasGivenOutHasCome) {
    std::vector<bool> told;
    DriverWork work([&](bool record) { return told.push_back(record), true; }, true);
    work.turnHasCome();
    for (std::uint32_t i = 1; i <= DriverWork::kTried; ++i)
        work.noteCall(i), work.noteWork(i);
    EXPECT_TRUE(work.isOpen());
    work.turnHasCome();
    EXPECT_EQ(told, std::vector{false});
    EXPECT_FALSE(work.isOpen());
}

TEST(DriverWorkRecordedFirst, StaysWhereItIsNeededLater) {
    std::vector<bool> told;
    DriverWork work([&](bool record) { return told.push_back(record), false; }, true);
    for (std::uint32_t i = 1; i <= DriverWork::kTried; ++i)
        work.noteCall(i), work.noteWork(i);
    for (int turn = 0; turn < 5; ++turn)
        work.nextTurn(), work.turnHasCome();
    EXPECT_EQ(told, std::vector{false}) << "asked once";
    EXPECT_FALSE(work.isOpen());
}

TEST(DriverWorkRecordedFirst, IsNeededByLibrariesThatLaunchByTheDriver) {
    EXPECT_TRUE(callsDriverItself("/usr/lib/libcublasLt.so.13"));
    EXPECT_TRUE(callsDriverItself("/opt/cudnn/libcudnn_graph.so.9"));
    EXPECT_FALSE(callsDriverItself("/opt/libcudnn/libcudart.so.13"));
}

TEST(DriverWork, ProgramsOfXlaAreNotAskedForBuffers) {
    EXPECT_TRUE(failsWhenAsked("/lib/python3/jax_plugins/xla_cuda13/xla_cuda_plugin.so"));
    EXPECT_FALSE(failsWhenAsked("/lib/python3/xla_cuda13/libcudart.so.13"));
}

TEST(DriverWorkRecordedFirst, WaitsWhileWorkHasNoCall) {
    std::vector<bool> told;
    DriverWork work([&](bool record) { return told.push_back(record), true; }, true);
    const std::uint32_t late = 10'000;
    for (std::uint32_t i = 1; i <= DriverWork::kTried; ++i)
        work.noteCall(i), work.noteWork(i);
    for (std::uint32_t i = 0; i < DriverWork::kEnough; ++i)
        work.noteWork(late + i);
    work.turnHasCome();
    EXPECT_TRUE(told.empty()) << "their calls may still come";
    work.noteCall(late);
    work.turnHasCome();
    EXPECT_EQ(told, std::vector{false});
}

TEST(DriverWorkRecordedFirst, StaysWhereTheDriverIsUsed) {
    std::vector<bool> told;
    DriverWork work([&](bool record) { return told.push_back(record), true; }, true);
    for (std::uint32_t i = 1; i <= DriverWork::kEnough; ++i)
        work.noteWork(i);
    for (std::uint32_t i = 1'000; i < 1'000 + 2 * DriverWork::kTried; ++i)
        work.noteCall(i), work.noteWork(i);
    for (std::uint32_t turn = 0; turn < 2 * DriverWork::kTurns; ++turn)
        work.nextTurn();
    EXPECT_TRUE(told.empty());
}

} // namespace
} // namespace olab::cupti
