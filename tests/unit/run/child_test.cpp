// Real child processes: `olab engine --sim`.
#include "test_places.h"

#include <olab/run/child_backend.h>
#include <olab/run/experiment_job.h>
#include <olab/run/programs.h>
#include <olab/run/temporary_folder.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/trace_builder.h>

#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace olab {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using testing::HasSubstr;

// Sanitizers slow everything down, the machine they share with other work included.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr auto kPromptly = 1000ms;
#else
constexpr auto kPromptly = 200ms;
#endif

ChildConfig simConfig(ChildKind kind) {
    ChildConfig config;
    config.program = OLAB_PROGRAM;
    config.kind = kind;
    config.extraArguments = {"--sim"};
    return config;
}

/// Not compared with other runs, unless `trace` says so: a plain child may then be reused.
Schedule smallSchedule(TraceMode trace = TraceMode::On) {
    Experiment e;
    e.iterations = 2;
    e.trace = trace;
    return plan(e);
}

/// Keeps a child busy for long: the largest plan there is.
Schedule hugeSchedule() {
    Experiment e;
    e.streams = 128;
    e.iterations = 3000;
    return plan(e);
}

Trace runOn(Backend& backend, const Schedule& schedule, const RunControl& control = {}) {
    TraceBuilder builder;
    backend.run(schedule, {}, builder, control);
    return builder.finish();
}

std::size_t openDescriptors() {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd"))
        count += entry.path().empty() ? 0u : 1u;
    return count;
}

/// Children of this process that still exist, dead or alive; waits a little for the background to reap them.
bool noChildLeft() {
    for (int i = 0; i < 500; ++i) {
        siginfo_t info{};
        if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
            return errno == ECHILD;
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

/// A number of 0 would mean this whole process group.
void killOne(int pid, int signal = SIGKILL) {
    ASSERT_GT(pid, 0);
    ::kill(pid, signal);
}

std::string errorCodeOf(const std::function<void()>& action, std::string* message = nullptr) {
    try {
        action();
    } catch (const Error& e) {
        if (message)
            *message = std::string(e.what()) + "|" + e.hint();
        return e.code();
    }
    return "no error";
}

/// Does `what` to the child as soon as it reports progress, which proves that it is in the middle of a run.
class InMidRun {
public:
    InMidRun(const ChildBackend& backend, std::function<void(int)> what)
        : m_backend(backend)
        , m_what(std::move(what)) {}
    RunControl control() {
        RunControl control;
        control.stop = m_stop.get_token();
        control.progress = [this](double, std::string_view) {
            if (!m_done && m_backend.pid() > 0 && ++m_reports >= 2) {
                m_done = true;
                m_what(m_backend.pid());
            }
        };
        return control;
    }
    std::stop_source& stop() { return m_stop; }

private:
    const ChildBackend& m_backend;
    std::function<void(int)> m_what;
    std::stop_source m_stop;
    int m_reports = 0;
    bool m_done = false;
};

bool environmentHas(int pid, const std::string& entry) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
    for (std::string found; std::getline(file, found, '\0');)
        if (found == entry)
            return true;
    return false;
}

Schedule withOption(std::string_view assignment) {
    Experiment e = smallSchedule().experiment;
    setOption(e, assignment);
    return plan(e);
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
    SimBackend here;
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
    runOn(plain, smallSchedule(TraceMode::Both));
    EXPECT_EQ(plain.pid(), 0);
}

TEST(ChildBackend, ExperimentsRunThroughBothKinds) {
    ChildBackend plain(simConfig(ChildKind::Plain)), traced(simConfig(ChildKind::Traced));
    Experiment e;
    e.iterations = 2;
    const RecordingPtr r = runExperiment(e, {&traced, &plain}, "Run", {});
    ASSERT_TRUE(r->report.toolEffect);
    EXPECT_EQ(r->report.toolEffect->runs, kToolEffectRuns);
    EXPECT_EQ(r->badge(), "SIMULATED");
}

bool isAlive(int pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    stat >> number >> name >> state;
    return !state.empty() && state != "Z";
}

bool endsSoon(int pid) {
    for (int i = 0; i < 500 && isAlive(pid); ++i)
        std::this_thread::sleep_for(10ms);
    return !isAlive(pid);
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
    std::this_thread::sleep_for(1500ms); // it has started
    const long before = ticksOf(traced.pid());
    std::this_thread::sleep_for(1s);
    EXPECT_LE(ticksOf(traced.pid()) - before, 1);
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
    const Schedule wanted = withOption("env.max_connections=3");
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
    const Schedule first = withOption("interfere=first-launch");
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
        runOn(traced, smallSchedule(TraceMode::Both), note);
        ASSERT_GT(first, 0);
        runOn(plain, smallSchedule(TraceMode::Both), look);
        EXPECT_FALSE(overlapped);
    }
}

TEST(ChildBackend, ADeathInMidRunIsAnErrorAndTheNextRunWorks) {
    for (const ChildKind kind : {ChildKind::Plain, ChildKind::Traced}) {
        ChildBackend child(simConfig(kind));
        InMidRun killer(child, [](int pid) { killOne(pid); });
        std::string message;
        EXPECT_EQ(errorCodeOf([&] { runOn(child, hugeSchedule(), killer.control()); }, &message),
                  "child-died");
        EXPECT_THAT(message, HasSubstr("signal 9"));
        EXPECT_THAT(message, HasSubstr("the next run starts a fresh child"));
        EXPECT_EQ(child.pid(), 0);
        EXPECT_GT(runOn(child, smallSchedule()).size(), 0u);
    }
    EXPECT_TRUE(noChildLeft());
}

TEST(ChildBackend, ADeathBetweenRunsIsNotNoticed) {
    ChildBackend child(simConfig(ChildKind::Plain));
    runOn(child, smallSchedule());
    const int first = child.pid();
    ASSERT_NO_FATAL_FAILURE(killOne(first));
    std::this_thread::sleep_for(50ms);
    EXPECT_GT(runOn(child, smallSchedule()).size(), 0u);
    EXPECT_NE(child.pid(), first);
}

TEST(ChildBackend, CancelIsAnsweredWithin200Milliseconds) {
    for (int i = 0; i < 3; ++i) {
        ChildBackend child(simConfig(ChildKind::Traced));
        Clock::time_point asked;
        InMidRun* self = nullptr;
        InMidRun canceller(child, [&](int) {
            asked = Clock::now();
            self->stop().request_stop();
        });
        self = &canceller;
        EXPECT_EQ(errorCodeOf([&] { runOn(child, hugeSchedule(), canceller.control()); }), "cancelled");
        EXPECT_LT(Clock::now() - asked, kPromptly);
        EXPECT_EQ(child.pid(), 0);
        EXPECT_GT(runOn(child, smallSchedule()).size(), 0u);
    }
    EXPECT_TRUE(noChildLeft());
}

TEST(ChildBackend, CancelIsAnsweredWhileTheChildHangs) {
    ChildBackend child(simConfig(ChildKind::Plain));
    InMidRun stopper(child, [](int pid) { killOne(pid, SIGSTOP); });
    std::stop_source& stop = stopper.stop();
    Clock::time_point asked;
    std::jthread later([&] {
        std::this_thread::sleep_for(700ms);
        asked = Clock::now();
        stop.request_stop();
    });
    EXPECT_EQ(errorCodeOf([&] { runOn(child, hugeSchedule(), stopper.control()); }), "cancelled");
    EXPECT_LT(Clock::now() - asked, kPromptly);
    EXPECT_TRUE(noChildLeft());
}

TEST(ChildBackend, AChildThatSaysNothingIsHung) {
    ChildConfig config = simConfig(ChildKind::Plain);
    config.silenceLimit = 4s; // longer than any step of the simulation takes in a sanitizer
    ChildBackend child(config);
    InMidRun stopper(child, [](int pid) { killOne(pid, SIGSTOP); });
    std::string message;
    EXPECT_EQ(errorCodeOf([&] { runOn(child, hugeSchedule(), stopper.control()); }, &message), "child-hung");
    EXPECT_EQ(child.pid(), 0);
    EXPECT_GT(runOn(child, smallSchedule()).size(), 0u);
}

TEST(ChildBackend, TheChildsOwnErrorComesThrough) {
    ChildBackend child(simConfig(ChildKind::Plain));
    Schedule schedule = smallSchedule();
    schedule.experiment.streams = 0; // what plan() would never have made: the child refuses it
    TraceBuilder builder;
    EXPECT_THROW(
        {
            try {
                child.run(schedule, {}, builder, {});
            } catch (const Error& e) {
                EXPECT_EQ(e.kind(), ErrorKind::Usage);
                throw;
            }
        },
        Error);
    EXPECT_GT(runOn(child, smallSchedule()).size(), 0u);
}

TEST(ChildBackend, AProgramThatIsNotThereIsAnError) {
    ChildConfig config = simConfig(ChildKind::Plain);
    config.program = "/no/such/olab";
    ChildBackend child(config);
    EXPECT_EQ(errorCodeOf([&] { runOn(child, smallSchedule()); }), "no-engine");
}

class Script {
public:
    explicit Script(const std::string& body) {
        std::string name = (fs::temp_directory_path() / "olab-script-XXXXXX").string();
        ::close(::mkstemp(name.data()));
        m_path = name;
        std::ofstream(m_path) << "#!/bin/sh\n" << body << "\n";
        fs::permissions(m_path, fs::perms::owner_all);
    }
    ~Script() { fs::remove(m_path); }
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

std::string errorOfScript(const std::string& body, std::string* message = nullptr) {
    const Script script(body);
    ChildConfig config = simConfig(ChildKind::Plain);
    config.program = script.path();
    config.silenceLimit = 1s;
    ChildBackend child(config);
    return errorCodeOf([&] { runOn(child, smallSchedule()); }, message);
}

TEST(ChildBackend, AProgramThatIsNoEngineIsAnError) {
    std::string message;
    EXPECT_EQ(errorOfScript("echo 'no libfoo here' >&2; exit 127", &message), "child-died");
    EXPECT_THAT(message, HasSubstr("exit code 127"));
    EXPECT_THAT(message, HasSubstr("no libfoo here"));
    EXPECT_EQ(errorOfScript("echo hello >&3; sleep 5"), "bad-protocol");
    EXPECT_EQ(errorOfScript("exec 3>&-; sleep 30"), "child-died");
    EXPECT_EQ(errorOfScript("exec sleep 30"), "child-hung");
    EXPECT_EQ(errorOfScript("exec head -c 2000000 /dev/zero >&3"), "bad-protocol");
}

TEST(ChildBackend, OnlyTheEndOfAChildsOutputIsKept) {
    std::string message;
    errorOfScript("head -c 1000000 /dev/zero | tr '\\0' 'x' ; echo the last words; exit 3", &message);
    EXPECT_LT(message.size(), 6000u);
    EXPECT_THAT(message, HasSubstr("the last words"));
    EXPECT_THAT(message, HasSubstr("exit code 3"));
}

TEST(ChildBackend, AFaultOfTheEngineIsNoFailureOfTheDevice) {
    const auto kindOf = [](const std::string& body) {
        const Script script(body);
        ChildConfig config = simConfig(ChildKind::Plain);
        config.program = script.path();
        ChildBackend child(config);
        try {
            runOn(child, smallSchedule());
        } catch (const Error& error) {
            return error.exitCode();
        }
        return 0;
    };
    EXPECT_EQ(kindOf("exit 70"), 70);
    EXPECT_EQ(kindOf("exit 3"), 4);
    const auto said = [](int kind) {
        return R"(echo '{"event":"failed","job":0,"kind":)" + std::to_string(kind) +
               R"(,"code":"c","message":"m","hint":"h"}' >&3; sleep 5)";
    };
    EXPECT_EQ(kindOf(said(70)), 70);
    EXPECT_EQ(kindOf(said(1)), 70) << "an older engine's fault";
    EXPECT_EQ(kindOf(said(3)), 3);
}

TEST(ChildBackend, AFailureBeforeReadyIsReported) {
    std::string message;
    EXPECT_EQ(
        errorOfScript(
            R"(echo '{"event":"failed","job":0,"kind":3,"code":"no-driver","message":"no driver","hint":"get one"}' >&3; sleep 5)",
            &message),
        "no-driver");
    EXPECT_EQ(message, "no driver|get one");
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
    ASSERT_NO_FATAL_FAILURE(killOne(plain.pid()));
    std::this_thread::sleep_for(20ms);
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
    const auto stillThere = [pid] {
        std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
        std::string number, name, state;
        stat >> number >> name >> state;
        return !state.empty() && state != "Z"; // a zombie waits for init, if there is one
    };
    for (int i = 0; i < 300 && stillThere(); ++i)
        std::this_thread::sleep_for(10ms);
    EXPECT_FALSE(stillThere());
}

TEST(ProbeEngine, AnswersWithoutThrowing) {
    const EngineProbe none = probeEngine("/no/such/olab");
    EXPECT_FALSE(none.usable);
    EXPECT_FALSE(none.why.empty());
    const EngineProbe real = probeEngine(OLAB_PROGRAM);
    EXPECT_EQ(real.usable, real.why.empty());
    EXPECT_EQ(real.usable, !real.what.empty());
}

TEST(FindOlab, LooksOnPath) {
    const fs::path folder = fs::path(OLAB_PROGRAM).parent_path();
    const std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
    ::setenv("PATH", ("/nowhere::" + folder.string()).c_str(), 1);
    EXPECT_TRUE(fs::equivalent(findOlab(), OLAB_PROGRAM));
    ::setenv("PATH", before.c_str(), 1);
}

/// A program in the folder one happens to be in.
class FindProgram : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "programs-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        m_folder = name;
        fs::create_directory(m_folder / "bin");
        for (const char* file : {"somebodys", "bin/somebodys"}) {
            std::ofstream(m_folder / file) << "#!/bin/sh\n";
            fs::permissions(m_folder / file, fs::perms::owner_all);
        }
        m_before = fs::current_path();
        fs::current_path(m_folder);
    }
    void TearDown() override {
        fs::current_path(m_before);
        ::setenv("PATH", m_path.c_str(), 1);
        fs::remove_all(m_folder);
    }
    static fs::path foundOn(const std::string& path) {
        ::setenv("PATH", path.c_str(), 1);
        return findProgram("somebodys");
    }
    fs::path m_folder, m_before;
    std::string m_path = std::getenv("PATH") ? std::getenv("PATH") : "";
};

TEST_F(FindProgram, IsOnlyLookedForInAbsoluteFolders) {
    for (const char* path : {"", ".", "bin", "./bin", ":", "/nowhere:bin", "/nowhere::/nowhere", "/nowhere:"})
        EXPECT_EQ(foundOn(path), "") << path;
    EXPECT_EQ(foundOn("bin:" + (m_folder / "bin").string()), m_folder / "bin/somebodys");
}

TEST(AbsoluteFolders, KeepsTheirOrderAndDropsTheRest) {
    EXPECT_EQ(absoluteFolders("/a:b::/c:./d:"), "/a:/c");
    EXPECT_EQ(absoluteFolders(""), "");
    EXPECT_EQ(absoluteFolders("."), "");
}

TEST(TemporaryFolderTest, WhatTheDeadLeftIsSweptByTheNext) {
    std::string name = (fs::temp_directory_path() / "parent-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    const std::string before = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "";
    ::setenv("TMPDIR", name.c_str(), 1);
    const auto count = [&] { return std::distance(fs::directory_iterator(name), {}); };
    int ready[2]{};
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const TemporaryFolder folder;
        (void)!::write(ready[1], "x", 1);
        for (;;)
            ::pause();
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    {
        const TemporaryFolder mine;
        EXPECT_EQ(count(), 2) << "the living keep theirs";
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(count(), 1);
    fs::create_directory(fs::path(name) / "olab-person");
    {
        const TemporaryFolder mine;
        EXPECT_EQ(count(), 2) << "the dead one's is gone; what is no lock's is a person's";
    }
    EXPECT_EQ(count(), 1);
    before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
    fs::remove_all(name);
    ::close(ready[0]);
    ::close(ready[1]);
}

} // namespace
} // namespace olab
