// Real child processes: `olab engine --sim`. Which child a run gets, and that none, and nothing of it, stays
// behind.
#include "child_fixture.h"

#include <olab/experiment/held_experiment.h>
#include <olab/recording/experiment_job.h>
#include <olab/sim/sim_backend.h>

#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

namespace olab::run {
namespace {

namespace fs = std::filesystem;
using namespace test;

std::size_t openDescriptors() {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd"))
        count += entry.path().empty() ? 0u : 1u;
    return count;
}

TEST(ChildBackend, EnvironmentOptionsReachAFreshChildOnlyWhenTheyChange) {
    ChildBackend backend(simConfig(ChildKind::Plain));
    runOn(backend, smallSchedule());
    const int first = backend.pid();
    EXPECT_FALSE(environmentHas(first, "CUDA_DEVICE_MAX_CONNECTIONS=3"));
    runOn(backend, withOption("env.max_connections=3"));
    const int second = backend.pid();
    EXPECT_NE(first, second);
    EXPECT_TRUE(environmentHas(second, "CUDA_DEVICE_MAX_CONNECTIONS=3"));
    runOn(backend, withOption("env.max_connections=3"));
    EXPECT_EQ(backend.pid(), second) << "nothing changed";
    runOn(backend, smallSchedule());
    EXPECT_FALSE(environmentHas(backend.pid(), "CUDA_DEVICE_MAX_CONNECTIONS=3"));
}

TEST(ChildBackend, AFirstLaunchNeedsAProcessThatHasLaunchedNothing) {
    ChildBackend backend(simConfig(ChildKind::Plain));
    runOn(backend, withOption("interfere=first-launch"));
    const int first = backend.pid();
    runOn(backend, withOption("interfere=first-launch"));
    EXPECT_NE(backend.pid(), first);
}

TEST(ChildBackend, GivesTheSameTraceAsInThisProcess) {
    sim::SimBackend here;
    const Trace expected = runOn(here, smallSchedule());
    ASSERT_GT(expected.size(), 0u);
    for (const ChildKind kind : {ChildKind::Plain, ChildKind::Traced}) {
        ChildBackend child(simConfig(kind));
        const Trace found = runOn(child, smallSchedule());
        EXPECT_EQ(found.size(), expected.size());
        EXPECT_EQ(found.counts(), expected.counts());
        EXPECT_EQ(found.deviceSpan(), expected.deviceSpan());
        EXPECT_EQ(found.provenance().source, SourceKind::Simulated);
    }
    EXPECT_TRUE(noChildLeft());
}

TEST(ChildBackend, PlainChildIsReusedTracedIsFresh) {
    ChildBackend plain(simConfig(ChildKind::Plain));
    EXPECT_EQ(plain.pid(), 0);
    runOn(plain, smallSchedule());
    const int first = plain.pid();
    EXPECT_GT(first, 0);
    runOn(plain, smallSchedule());
    EXPECT_EQ(plain.pid(), first);
    ChildBackend traced(simConfig(ChildKind::Traced));
    runOn(traced, smallSchedule());
    EXPECT_EQ(traced.pid(), 0) << "gone before the next child measures";
}

TEST(ChildBackend, RunsToBeComparedComeFromFreshChildren) {
    ChildBackend plain(simConfig(ChildKind::Plain));
    runOn(plain, smallSchedule("trace=both"));
    EXPECT_EQ(plain.pid(), 0);
}

TEST(ChildBackend, ExperimentsRunThroughBothKinds) {
    ChildBackend plain(simConfig(ChildKind::Plain)), traced(simConfig(ChildKind::Traced));
    experiment::HeldExperiment e;
    experiment::setOption(e, "iterations=2");
    const recording::RecordingPtr r = recording::runExperiment(e, {&traced, &plain}, "Run", {});
    ASSERT_TRUE(r->report.toolEffect);
    EXPECT_EQ(r->report.toolEffect->runs, recording::kToolEffectRuns);
    EXPECT_EQ(r->badge(), "SIMULATED");
}

TEST(ChildBackend, NoneStartsWhileOneOfTheOtherKindIsOnItsWayOut) {
    ChildConfig config = simConfig(ChildKind::Plain);
    config.departure = makeDeparture();
    ChildBackend plain(config);
    config.kind = ChildKind::Traced;
    ChildBackend traced(config);
    for (int i = 0; i < 5; ++i) {
        int first = 0;
        RunControl note, look;
        note.progress = [&](double, std::string_view) { first = traced.pid() > 0 ? traced.pid() : first; };
        bool overlapped = false;
        look.progress = [&](double, std::string_view what) {
            overlapped = overlapped || (what == "starting the engine process" && isAlive(first));
        };
        runOn(traced, smallSchedule("trace=both"), note);
        ASSERT_GT(first, 0);
        runOn(plain, smallSchedule("trace=both"), look);
        EXPECT_FALSE(overlapped);
    }
}

TEST(ChildBackend, TwoHundredRunsLeakNothing) {
    runOn(*std::make_unique<ChildBackend>(simConfig(ChildKind::Plain)), smallSchedule());
    ASSERT_TRUE(noChildLeft());
    const std::size_t before = openDescriptors();
    ChildBackend plain(simConfig(ChildKind::Plain));
    for (int i = 0; i < 100; ++i)
        runOn(plain, smallSchedule());
    EXPECT_EQ(openDescriptors(), before + 4) << "one child: its three pipes, and the lock of its folder";
    {
        ChildBackend traced(simConfig(ChildKind::Traced));
        for (int i = 0; i < 100; ++i)
            runOn(traced, smallSchedule());
        traced.settle({});
        EXPECT_EQ(openDescriptors(), before + 5) << "the other's folder, too";
    }
    const pid_t gone = plain.pid();
    ASSERT_NO_FATAL_FAILURE(killOne(gone));
    siginfo_t dead{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(gone), &dead, WEXITED | WNOWAIT), 0); // it takes its time
    runOn(plain, smallSchedule());
    EXPECT_EQ(openDescriptors(), before + 4);
}

TEST(ChildBackend, NothingStaysBehindWhenItGoes) {
    const std::size_t before = openDescriptors();
    {
        ChildBackend plain(simConfig(ChildKind::Plain));
        runOn(plain, smallSchedule());
    }
    EXPECT_TRUE(noChildLeft());
    EXPECT_EQ(openDescriptors(), before);
}

TEST(ChildBackend, TheChildEndsWhenItsParentDies) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t parent = ::fork();
    if (parent == 0) {
        ChildBackend child(simConfig(ChildKind::Plain));
        runOn(child, smallSchedule());
        const int pid = child.pid();
        ::_exit(::write(ends[1], &pid, sizeof pid) == sizeof pid ? 0 : 1); // no destructor, as after a crash
    }
    int pid = 0;
    ASSERT_EQ(::read(ends[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
    ::waitpid(parent, nullptr, 0);
    ::close(ends[0]);
    ::close(ends[1]);
    for (int i = 0; i < kTurns && isAlive(pid); ++i)
        std::this_thread::sleep_for(10ms);
    EXPECT_FALSE(isAlive(pid));
}

} // namespace
} // namespace olab::run
