// Failures of engine processes, rehearsed by OLAB_FAULT, driven as the window does it: a Runner with two
// ChildBackends that live from run to run. With `--gpu OLAB` the children run on the device and the failures
// are real ones; without, they run the simulator. A machine without a device is skipped (77).
#include "test_places.h"

#include <olab/experiment/plan.h>
#include <olab/recording/experiment_job.h>
#include <olab/run/child_backend.h>
#include <olab/run/runner.h>
#include <olab/trace/trace_builder.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace olab::run {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using testing::EndsWith;
using testing::HasSubstr;

std::string g_program = OLAB_PROGRAM;
bool g_onGpu = false;
const char* g_shortLimit = "1"; // seconds

struct Expected {
    experiment::Fault fault;
    const char* code;
    ErrorKind kind;
};
constexpr Expected kExpected[] = {
    {experiment::Fault::IllegalAddress, "kernel-fault", ErrorKind::DeviceFailed},
    {experiment::Fault::Hang, "run-hung", ErrorKind::DeviceFailed},
    {experiment::Fault::DeviceMemory, "out-of-device-memory", ErrorKind::DeviceFailed},
    {experiment::Fault::PinnedMemory, "out-of-pinned-memory", ErrorKind::DeviceFailed},
    {experiment::Fault::Die, "child-died", ErrorKind::DeviceFailed},
    {experiment::Fault::Silent, "child-hung", ErrorKind::DeviceFailed},
    {experiment::Fault::DiskFull, "cannot-write", ErrorKind::Usage}};

/// How one job of the Runner ended.
struct Ending {
    recording::RecordingPtr recording;
    std::optional<RunnerError> error;
};

/// What the window has behind it, without the window.
class Machine {
public:
    Machine()
        : m_runner(observer())
        , m_traced(std::make_unique<ChildBackend>(configOf(ChildKind::Traced)))
        , m_plain(std::make_unique<ChildBackend>(configOf(ChildKind::Plain))) {}

    /// `patience`: seconds, for faults that are known by nothing happening; no other may run into it.
    Ending run(const experiment::Experiment& experiment, experiment::Fault fault = experiment::Fault::None,
               const char* patience = nullptr) {
        const bool isKnownByTime = fault == experiment::Fault::Hang || fault == experiment::Fault::Silent;
        ::setenv("OLAB_TIME_LIMIT", patience ? patience : isKnownByTime ? g_shortLimit : "600", 1);
        fault == experiment::Fault::None
            ? ::unsetenv("OLAB_FAULT")
            : ::setenv("OLAB_FAULT", std::string(experiment::faultName(fault)).c_str(), 1);
        {
            const std::lock_guard lock(m_mutex);
            m_ending = {};
            m_ended = false;
        }
        EXPECT_NE(m_runner.start("test",
                                 [&](const RunControl& control) {
                                     return recording::runExperiment(
                                         experiment, {m_traced.get(), m_plain.get()}, "Run", control);
                                 }),
                  0u);
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_ended; });
        return m_ending;
    }

private:
    static ChildConfig configOf(ChildKind kind) {
        ChildConfig config;
        config.program = g_program;
        config.kind = kind;
        if (!g_onGpu)
            config.extraArguments = {"--sim"};
        return config;
    }
    RunnerObserver observer() {
        RunnerObserver o;
        o.finished = [this](std::uint64_t, recording::RecordingPtr recording) {
            end({std::move(recording), {}});
        };
        o.failed = [this](std::uint64_t, RunnerError error) { end({nullptr, std::move(error)}); };
        return o;
    }
    void end(Ending ending) {
        const std::lock_guard lock(m_mutex);
        m_ending = std::move(ending);
        m_ended = true;
        m_changed.notify_all();
    }
    std::mutex m_mutex;
    std::condition_variable m_changed;
    Ending m_ending;
    bool m_ended = false;
    Runner m_runner;
    std::unique_ptr<ChildBackend> m_traced, m_plain;
};

/// Small, and told apart by its number of streams. Odd ones go to a fresh traced child, even ones to the
/// plain child that is reused.
experiment::HeldExperiment experimentOf(int number) {
    experiment::HeldExperiment e;
    experiment::setOption(e, "streams=2");
    experiment::setOption(e, "iterations=4");
    experiment::setOption(e, number % 2 ? "trace=on" : "trace=off");
    return e;
}

std::size_t entriesOf(const fs::path& folder) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder))
        count += entry.path().empty() ? 0u : 1u;
    return count;
}

bool noChildLeft() {
    for (int i = 0; i < 30'000; ++i) {
        siginfo_t info{};
        if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
            return errno == ECHILD;
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

/// Temporary files in a folder of the test's own, so that what is left can be seen.
class Faults : public testing::Test {
protected:
    Faults() {
        std::string name = (fs::temp_directory_path() / "olab-faults-XXXXXX").string();
        m_folder = ::mkdtemp(name.data());
        m_before = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "";
        ::setenv("TMPDIR", m_folder.c_str(), 1);
    }
    ~Faults() override {
        m_before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", m_before.c_str(), 1);
        ::unsetenv("OLAB_TIME_LIMIT");
        ::unsetenv("OLAB_FAULT");
        fs::remove_all(m_folder);
    }
    static void expectRehearsed(const Ending& ending, const Expected& expected) {
        ASSERT_TRUE(ending.error) << experiment::faultName(expected.fault) << " went well";
        EXPECT_EQ(ending.error->code, expected.code) << ending.error->message;
        EXPECT_EQ(ending.error->kind, expected.kind) << ending.error->message;
        EXPECT_THAT(
            ending.error->message,
            EndsWith("OLAB_FAULT=" + std::string(experiment::faultName(expected.fault)) + " asked for it."));
        EXPECT_FALSE(ending.error->hint.empty()) << ending.error->message;
    }
    fs::path m_folder;
    std::string m_before;
};

void expectRight(const Ending& ending, const experiment::Experiment& experiment) {
    ASSERT_TRUE(ending.recording) << ending.error->message;
    const recording::Recording& r = *ending.recording;
    EXPECT_EQ(experiment::HeldExperiment(*r.experiment), experiment);
    ASSERT_EQ(r.trace.windows().size(), 1u);
    for (const Defect& defect : r.trace.defects())
        EXPECT_NE(defect.severity(), Severity::Error) << defect.detail;
    if (experiment::optionText(experiment, "trace") == "off")
        return;
    const std::uint64_t kernels = r.schedule->expected[static_cast<std::size_t>(ActivityClass::Kernel)];
    std::uint64_t found = 0;
    for (ActivityIndex i = 0; i < r.trace.size(); ++i)
        found += r.trace.cls(i) == ActivityClass::Kernel;
    EXPECT_EQ(found, kernels);
    EXPECT_GT(kernels, 0u);
}

/// The system lists a thread a moment longer than it takes to join it. The limit ends a hang only.
bool threadsComeDownTo(std::size_t most) {
    const auto limit = Clock::now() + std::chrono::minutes(1);
    while (entriesOf("/proc/self/task") > most && Clock::now() < limit)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return entriesOf("/proc/self/task") <= most;
}

TEST_F(Faults, EachIsToldAndTheNextRunIsRight) {
    Machine machine;
    int number = 0;
    for (const Expected& expected : kExpected) {
        const auto begin = Clock::now();
        const Ending failed = machine.run(experimentOf(number), expected.fault);
        expectRehearsed(failed, expected);
        const auto middle = Clock::now();
        expectRight(machine.run(experimentOf(number)), experimentOf(number));
        const auto ms = [](auto span) {
            return static_cast<long>(std::chrono::duration_cast<std::chrono::milliseconds>(span).count());
        };
        std::printf("%-15s %6ld ms, next run %6ld ms: %s\n",
                    std::string(experiment::faultName(expected.fault)).c_str(), ms(middle - begin),
                    ms(Clock::now() - middle), failed.error ? failed.error->message.c_str() : "");
        ++number;
    }
}

TEST_F(Faults, AfterFiftyInARowTheNextRunIsRightAndNothingIsLeft) {
    constexpr int kFaults = 50;
    {
        Machine first; // what a process opens once and keeps is open before it is counted
        expectRight(first.run(experimentOf(1)), experimentOf(1));
    }
    ASSERT_TRUE(noChildLeft());
    const std::size_t descriptors = entriesOf("/proc/self/fd"), threads = entriesOf("/proc/self/task");
    {
        Machine machine;
        for (int i = 0; i < kFaults; ++i) {
            SCOPED_TRACE(i);
            const Expected& expected = kExpected[static_cast<std::size_t>(i) % std::size(kExpected)];
            expectRehearsed(machine.run(experimentOf(i), expected.fault), expected);
        }
        experiment::HeldExperiment both = experimentOf(0);
        experiment::setOption(both, "trace=both");
        for (const experiment::Experiment& e : {experimentOf(1), experimentOf(0), both})
            expectRight(machine.run(e), e);
    }
    EXPECT_TRUE(noChildLeft());
    EXPECT_EQ(entriesOf("/proc/self/fd"), descriptors);
    EXPECT_TRUE(threadsComeDownTo(threads));
    EXPECT_EQ(entriesOf(m_folder), 0u) << "temporary files";
}

TEST_F(Faults, AnUnknownOneIsAnErrorOfUse) {
    Machine machine;
    ::setenv("OLAB_FAULT", "earthquake", 1);
    ChildConfig config;
    config.program = g_program;
    config.extraArguments = {"--sim"};
    ChildBackend child(config);
    TraceBuilder builder;
    try {
        child.run(experiment::plan(experimentOf(0)), {}, builder, {});
        FAIL() << "an earthquake was rehearsed";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_EQ(error.code(), "bad-fault");
        EXPECT_THAT(error.what(), HasSubstr("earthquake"));
        EXPECT_THAT(error.hint(), HasSubstr("illegal-address"));
        EXPECT_EQ(child.pid(), 0) << "nothing was started";
    }
}

TEST_F(Faults, ATimeLimitThatIsNoNumberIsAnErrorOfUse) {
    for (const char* wrong : {"0", "-3", "soon", "5s", "99999999999999999999"}) {
        Machine machine;
        const Ending ending = machine.run(experimentOf(0), experiment::Fault::None, wrong);
        ASSERT_TRUE(ending.error) << wrong;
        EXPECT_EQ(ending.error->code, "bad-time-limit");
        EXPECT_EQ(ending.error->kind, ErrorKind::Usage);
        EXPECT_THAT(ending.error->message, HasSubstr(wrong));
    }
}

TEST_F(Faults, TheSignalOfADeadChildIsNamed) {
    Machine machine;
    const Ending ending = machine.run(experimentOf(0), experiment::Fault::Die);
    ASSERT_TRUE(ending.error);
    EXPECT_THAT(ending.error->message, HasSubstr("signal 6 (Aborted)"));
}

TEST_F(Faults, AFullDiskNamesTheFolderAndTmpdir) {
    Machine machine;
    const Ending ending = machine.run(experimentOf(0), experiment::Fault::DiskFull);
    ASSERT_TRUE(ending.error);
    EXPECT_THAT(ending.error->message, HasSubstr(m_folder.string()));
    EXPECT_THAT(ending.error->hint, HasSubstr("TMPDIR"));
}

TEST_F(Faults, AHangSaysAtWhichStep) {
    Machine machine;
    const Ending ending =
        machine.run(experimentOf(0), experiment::Fault::Hang, "8"); // all steps before it take less
    ASSERT_TRUE(ending.error);
    EXPECT_THAT(ending.error->message, HasSubstr(g_onGpu ? "last step: running" : "last step: simulat"));
    EXPECT_THAT(ending.error->hint, HasSubstr("OLAB_TIME_LIMIT"));
}

TEST_F(Faults, WithoutAPlaceForTemporaryFilesNothingStarts) {
    ::setenv("TMPDIR", "/proc", 1);
    try {
        ChildBackend child({g_program, ChildKind::Plain, {}, {}, {"--sim"}});
        FAIL() << "a folder was made in /proc";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Usage);
        EXPECT_EQ(error.code(), "no-temp");
        EXPECT_THAT(error.what(), HasSubstr("/proc"));
        EXPECT_THAT(error.hint(), HasSubstr("TMPDIR"));
    }
}

} // namespace
} // namespace olab::run

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    olab::run::g_onGpu = argc > 1 && std::string(argv[1]) == "--gpu";
    if (olab::run::g_onGpu)
        olab::run::g_shortLimit = "8";
    if (olab::run::g_onGpu && argc > 2)
        olab::run::g_program = argv[2];
    if (olab::run::g_onGpu) {
        const olab::run::EngineProbe probe = olab::run::probeEngine(olab::run::g_program);
        std::printf("%s\n", probe.usable ? probe.what.c_str() : ("SKIPPED: " + probe.why).c_str());
        if (!probe.usable)
            return 77;
    }
    return RUN_ALL_TESTS();
}
