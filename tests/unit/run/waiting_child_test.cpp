// A child that waits ready for the next run.
#include "child_fixture.h"

#include <olab/experiment/plan.h>

namespace olab::run {
namespace {

using namespace test;

bool endsSoon(int pid) {
    for (int i = 0; i < kTurns && isAlive(pid); ++i)
        std::this_thread::sleep_for(10ms);
    return !isAlive(pid);
}

/// "S": asleep.
std::string stateOf(int pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    stat >> number >> name >> state;
    return state;
}

/// CPU time of a process in ticks.
long ticksOf(int pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string word;
    for (int i = 0; i < 13; ++i)
        stat >> word;
    long user = 0, system = 0;
    stat >> user >> system;
    return user + system;
}

TEST(WaitingChild, TakesTheNextRun) {
    ChildBackend traced(simConfig(ChildKind::Traced));
    traced.makeReady(smallSchedule().experiment);
    const int waiting = traced.pid();
    ASSERT_GT(waiting, 0);
    traced.makeReady(smallSchedule().experiment);
    EXPECT_EQ(traced.pid(), waiting) << "one is enough";
    int ran = 0;
    RunControl control; // the child has gone when its file is read
    control.progress = [&](double, std::string_view) { ran = traced.pid() > 0 ? traced.pid() : ran; };
    EXPECT_GT(runOn(traced, smallSchedule(), control).size(), 0u);
    EXPECT_EQ(ran, waiting);
    EXPECT_EQ(traced.pid(), 0) << "a traced child runs one job";
    EXPECT_TRUE(noChildLeft());
}

TEST(WaitingChild, SleepsWhileItWaits) {
    ChildBackend traced(simConfig(ChildKind::Traced));
    traced.makeReady(smallSchedule().experiment);
    const auto ticksOfASecond = [&traced] {
        const long before = ticksOf(traced.pid());
        std::this_thread::sleep_for(1s);
        return ticksOf(traced.pid()) - before;
    };
    std::this_thread::sleep_for(500ms);
    long ticks = ticksOfASecond();
    for (int i = 0; i < 300 && (ticks > 1 || stateOf(traced.pid()) != "S"); ++i) // it may still be starting
        ticks = ticksOfASecond();
    EXPECT_LE(ticks, 1);
    EXPECT_EQ(stateOf(traced.pid()), "S");
}

TEST(WaitingChild, OneThatDiedIsReplacedWithoutAWord) {
    for (const bool atOnce : {true, false}) {
        ChildBackend traced(simConfig(ChildKind::Traced));
        traced.makeReady(smallSchedule().experiment);
        const int waiting = traced.pid();
        ASSERT_NO_FATAL_FAILURE(killOne(waiting));
        if (!atOnce)
            std::this_thread::sleep_for(50ms);
        EXPECT_GT(runOn(traced, smallSchedule()).size(), 0u);
    }
    EXPECT_TRUE(noChildLeft());
}

TEST(WaitingChild, OneWithAnotherEnvironmentIsReplaced) {
    ChildBackend traced(simConfig(ChildKind::Traced));
    const experiment::Plan wanted = withOption("env.max_connections=3");
    traced.makeReady(smallSchedule().experiment);
    const int waiting = traced.pid();
    EXPECT_FALSE(environmentHas(waiting, "CUDA_DEVICE_MAX_CONNECTIONS=3"));
    bool right = false;
    RunControl control;
    control.progress = [&](double, std::string_view) {
        right = right || environmentHas(traced.pid(), "CUDA_DEVICE_MAX_CONNECTIONS=3");
    };
    EXPECT_GT(runOn(traced, wanted, control).size(), 0u);
    EXPECT_TRUE(right);
    EXPECT_TRUE(endsSoon(waiting));
    traced.makeReady(wanted.experiment);
    EXPECT_TRUE(endsSoon(waiting));
    const int second = traced.pid();
    std::this_thread::sleep_for(100ms);
    EXPECT_TRUE(environmentHas(second, "CUDA_DEVICE_MAX_CONNECTIONS=3"));
}

TEST(WaitingChild, MayTakeARunThatNeedsAFreshProcess) {
    ChildBackend traced(simConfig(ChildKind::Traced));
    const experiment::Plan first = withOption("interfere=first-launch");
    traced.makeReady(first.experiment);
    const int waiting = traced.pid();
    int ran = 0;
    RunControl control;
    control.progress = [&](double, std::string_view) { ran = traced.pid() > 0 ? traced.pid() : ran; };
    runOn(traced, first, control);
    EXPECT_EQ(ran, waiting) << "it has launched nothing";
}

TEST(WaitingChild, IsGivenBack) {
    ChildBackend traced(simConfig(ChildKind::Traced));
    traced.giveBack(); // none there
    traced.makeReady(smallSchedule().experiment);
    const int waiting = traced.pid();
    traced.giveBack();
    EXPECT_EQ(traced.pid(), 0);
    EXPECT_TRUE(endsSoon(waiting));
    EXPECT_GT(runOn(traced, smallSchedule()).size(), 0u);
    EXPECT_TRUE(noChildLeft());
}

TEST(WaitingChild, AProgramThatIsNotThereIsNoErrorYet) {
    ChildConfig config = simConfig(ChildKind::Traced);
    config.program = "/no/such/olab";
    ChildBackend child(config);
    child.makeReady(smallSchedule().experiment);
    EXPECT_EQ(child.pid(), 0);
    EXPECT_EQ(errorCodeOf([&] { runOn(child, smallSchedule()); }), "no-engine");
}

} // namespace
} // namespace olab::run
