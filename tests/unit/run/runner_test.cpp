#include <olab/run/programs.h>
#include <olab/run/runner.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <new>
#include <thread>

namespace olab::run {
namespace {

using namespace std::chrono_literals;

/// Notes every call as text and lets the test wait for one.
class Observer {
public:
    RunnerObserver functions() {
        return {
            [this](std::uint64_t job, const std::string& what) { note("started", job, what); },
            [this](std::uint64_t job, double share, const std::string&) {
                note("progress", job, std::to_string(static_cast<int>(share * 100)));
            },
            [this](std::uint64_t job, const recording::RecordingPtr& r) {
                note("finished", job, r ? r->title : "none");
            },
            [this](std::uint64_t job, const RunnerError& e) {
                note("failed", job, e.code);
                error = e;
            },
            [this](std::uint64_t job) { note("cancelled", job, ""); },
            [this](std::uint64_t job, const recording::RecordingPtr& r) { note("preview", job, r->title); },
            [this](std::uint64_t job) { note("yielded", job, ""); }};
    }
    bool waitFor(const std::string& line) {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(
            lock, 300s, [&] { return std::find(m_lines.begin(), m_lines.end(), line) != m_lines.end(); });
    }
    std::vector<std::string> lines() {
        const std::lock_guard lock(m_mutex);
        return m_lines;
    }
    std::function<void(const std::string&)> onLine;
    RunnerError error;

private:
    void note(const std::string& event, std::uint64_t job, const std::string& what) {
        const std::string line = event + " " + std::to_string(job) + (what.empty() ? "" : " " + what);
        if (onLine)
            onLine(line);
        const std::lock_guard lock(m_mutex);
        m_lines.push_back(line);
        m_changed.notify_all();
    }
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::string> m_lines;
};

recording::RecordingPtr named(const std::string& title) {
    auto recording = std::make_shared<recording::Recording>();
    recording->title = title;
    return recording;
}

void waitForStop(const RunControl& control) {
    while (!control.cancelled())
        std::this_thread::sleep_for(1ms);
    control.throwIfCancelled();
}

TEST(Runner, FinishesAJobOnAnotherThread) {
    Observer observer;
    Runner runner(observer.functions());
    std::thread::id where;
    EXPECT_EQ(runner.start("work",
                           [&where](const RunControl&) {
                               where = std::this_thread::get_id();
                               return named("Run 1");
                           }),
              1u);
    ASSERT_TRUE(observer.waitFor("finished 1 Run 1"));
    EXPECT_NE(where, std::this_thread::get_id());
    EXPECT_FALSE(runner.busy());
    EXPECT_EQ(observer.lines(), (std::vector<std::string>{"started 1 work", "finished 1 Run 1"}));
}

TEST(Runner, TakesOneJobAtATime) {
    Observer observer;
    Runner runner(observer.functions());
    std::atomic<bool> go = false;
    EXPECT_EQ(runner.start("first",
                           [&go](const RunControl&) {
                               while (!go)
                                   std::this_thread::sleep_for(1ms);
                               return named("a");
                           }),
              1u);
    EXPECT_TRUE(runner.busy());
    EXPECT_EQ(runner.start("second", [](const RunControl&) { return named("b"); }), 0u);
    go = true;
    ASSERT_TRUE(observer.waitFor("finished 1 a"));
    EXPECT_EQ(runner.start("third", [](const RunControl&) { return recording::RecordingPtr(); }), 2u);
    ASSERT_TRUE(observer.waitFor("finished 2 none"));
}

TEST(Runner, IsFreeWhenItSaysFinished) {
    Observer observer;
    std::unique_ptr<Runner> runner;
    std::atomic<std::uint64_t> second = 0;
    observer.onLine = [&](const std::string& line) {
        if (line == "finished 1 a")
            second = runner->start("next", [](const RunControl&) { return named("b"); });
    };
    runner = std::make_unique<Runner>(observer.functions());
    runner->start("first", [](const RunControl&) { return named("a"); });
    EXPECT_TRUE(observer.waitFor("finished 2 b"));
    EXPECT_EQ(second, 2u);
    runner.reset();
}

TEST(Runner, CancelReachesTheJob) {
    Observer observer;
    Runner runner(observer.functions());
    runner.start("long", [](const RunControl& control) {
        waitForStop(control);
        return recording::RecordingPtr();
    });
    runner.cancel();
    ASSERT_TRUE(observer.waitFor("cancelled 1"));
    EXPECT_FALSE(runner.busy());
    runner.start("next", [](const RunControl& control) {
        EXPECT_FALSE(control.cancelled()) << "an old cancel must not reach the next job";
        return named("b");
    });
    EXPECT_TRUE(observer.waitFor("finished 2 b"));
}

TEST(Runner, CancelWithoutAJobDoesNothing) {
    Observer observer;
    Runner runner(observer.functions());
    runner.cancel();
    runner.start("work", [](const RunControl& control) {
        control.throwIfCancelled();
        return named("a");
    });
    EXPECT_TRUE(observer.waitFor("finished 1 a"));
}

template <typename Thrown>
RunnerError errorOf(Thrown thrown) {
    Observer observer;
    Runner runner(observer.functions());
    runner.start("work", [thrown](const RunControl&) -> recording::RecordingPtr { throw thrown; });
    for (int i = 0; i < 100'000 && observer.lines().size() < 2; ++i)
        std::this_thread::sleep_for(1ms);
    EXPECT_EQ(observer.lines().size(), 2u);
    EXPECT_FALSE(runner.busy());
    return observer.error;
}

TEST(Runner, EveryExceptionBecomesAFailure) {
    const RunnerError ours = errorOf(Error(ErrorKind::DeviceFailed, "sticky", "broken", "replace it"));
    EXPECT_EQ(ours.kind, ErrorKind::DeviceFailed);
    EXPECT_EQ(ours.code, "sticky");
    EXPECT_EQ(ours.message, "broken");
    EXPECT_EQ(ours.hint, "replace it");
    EXPECT_EQ(errorOf(std::bad_alloc()).code, "out-of-memory");
    for (const RunnerError& fault :
         {errorOf(std::bad_alloc()), errorOf(std::logic_error("oops")), errorOf(42)})
        EXPECT_EQ(static_cast<int>(fault.kind), 70) << "1 means that an assertion failed";
    EXPECT_NE(errorOf(std::logic_error("oops")).message.find("oops"), std::string::npos);
    EXPECT_EQ(errorOf(42).code, "unexpected");
}

TEST(Runner, AKindFromAnotherProcessIsOneOfOurs) {
    for (const ErrorKind kind : {ErrorKind::Usage, ErrorKind::NoDevice, ErrorKind::DeviceFailed,
                                 ErrorKind::Cancelled, ErrorKind::Internal})
        EXPECT_EQ(errorKindFrom(static_cast<int>(kind)), kind);
    for (const int number : {-1, 0, 1, 6, 69, 71, 255})
        EXPECT_EQ(errorKindFrom(number), ErrorKind::Internal) << number;
}

TEST(LastWords, AnythingThrownIsSaidAndIs70) {
    static std::string said;
    const auto codeOf = [](auto thrown) {
        try {
            throw thrown;
        } catch (...) {
            return reportCurrentError(
                [](const RunnerError& error) { said = error.message + "|" + error.hint; });
        }
    };
    EXPECT_EQ(codeOf(std::bad_alloc()), 70);
    EXPECT_NE(said.find("not enough memory"), std::string::npos);
    EXPECT_EQ(codeOf(std::logic_error("oops")), 70);
    EXPECT_NE(said.find("oops"), std::string::npos);
    EXPECT_EQ(codeOf(Error(ErrorKind::Usage, "x", "Wrong.", "Do right.")), 2);
    EXPECT_EQ(said, "Wrong.|Do right.");
}

TEST(LastWords, AThreadThatThrowsEndsTheProgramWith70) {
    const auto end = [] {
        useLastWords(
            [](const RunnerError& error) { std::fprintf(stderr, "olab: %s\n", error.message.c_str()); });
        std::thread([] { throw std::bad_alloc(); }).join();
    };
    EXPECT_EXIT(end(), testing::ExitedWithCode(70), "olab: There is not enough memory");
}

TEST(Runner, ReportsProgressAtMostTwentyTimesASecond) {
    Observer observer;
    Runner runner(observer.functions());
    const auto told = [&observer] {
        const auto lines = observer.lines();
        return std::count(lines.begin(), lines.end(), "progress 1 50");
    };
    const auto begin = std::chrono::steady_clock::now();
    runner.start("work", [&](const RunControl& control) {
        while (std::chrono::steady_clock::now() - begin < 300ms || told() < 2)
            control.report(0.5, "counting");
        return named("a");
    });
    ASSERT_TRUE(observer.waitFor("finished 1 a"));
    EXPECT_LE(told(), (std::chrono::steady_clock::now() - begin) / 50ms + 1);
}

/// Posts what it has, then goes on until it is stopped.
recording::RecordingPtr yieldAndWait(const JobControl& control) {
    control.preview(named("first"));
    control.yield();
    waitForStop(control);
    return named("last");
}

TEST(Runner, AJobMayPostWhatItHasAndGoOn) {
    Observer observer;
    Runner runner(observer.functions());
    runner.start("work", [](const JobControl& control) {
        control.preview(named("a"));
        control.preview(named("b"));
        control.yield();
        return named("c");
    });
    ASSERT_TRUE(observer.waitFor("finished 1 c"));
    EXPECT_EQ(observer.lines(), (std::vector<std::string>{"started 1 work", "preview 1 a", "preview 1 b",
                                                          "yielded 1", "finished 1 c"}));
}

TEST(Runner, APreviewAloneLetsNobodyIn) {
    Observer observer;
    Runner runner(observer.functions());
    runner.start("work", [](const JobControl& control) -> recording::RecordingPtr {
        control.preview(named("a"));
        waitForStop(control);
        return nullptr;
    });
    ASSERT_TRUE(observer.waitFor("preview 1 a"));
    EXPECT_TRUE(runner.busy());
    EXPECT_EQ(runner.start("next", [](const JobControl&) { return named("b"); }), 0u);
    runner.cancel();
    EXPECT_TRUE(observer.waitFor("cancelled 1"));
}

TEST(Runner, TheNextJobStopsOneThatHasYielded) {
    Observer observer;
    Runner runner(observer.functions());
    runner.start("work", yieldAndWait);
    ASSERT_TRUE(observer.waitFor("yielded 1"));
    EXPECT_FALSE(runner.busy());
    EXPECT_EQ(runner.start("next", [](const JobControl&) { return named("b"); }), 2u);
    ASSERT_TRUE(observer.waitFor("finished 2 b"));
    EXPECT_EQ(observer.lines(), (std::vector<std::string>{"started 1 work", "preview 1 first", "yielded 1",
                                                          "cancelled 1", "started 2 next", "finished 2 b"}));
}

TEST(Runner, OneJobWaitsForOneThatHasYieldedAndCanBeCancelled) {
    Observer observer;
    Runner runner(observer.functions());
    std::atomic<bool> go = false;
    runner.start("deaf", [&go](const JobControl& control) {
        control.yield();
        while (!go)
            std::this_thread::sleep_for(1ms);
        return named("a");
    });
    ASSERT_TRUE(observer.waitFor("yielded 1"));
    EXPECT_EQ(runner.start("next", [](const JobControl&) { return named("b"); }), 2u);
    EXPECT_TRUE(runner.busy());
    EXPECT_EQ(runner.start("third", [](const JobControl&) { return named("c"); }), 0u);
    runner.cancel();
    go = true;
    ASSERT_TRUE(observer.waitFor("cancelled 2"));
    EXPECT_FALSE(runner.busy());
}

TEST(Runner, WhenNothingIsToDoItSaysSoOnce) {
    std::atomic<int> idle = 0;
    Runner runner({}, {20ms, [&idle] { ++idle; }});
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(idle, 0) << "no job has been there yet";
    runner.start("work", [](const JobControl&) { return recording::RecordingPtr(); });
    for (int i = 0; i < 100'000 && idle == 0; ++i)
        std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(100ms);
    EXPECT_EQ(idle, 1);
}

TEST(Runner, DestructorCancelsAndJoins) {
    std::atomic<bool> begun = false, left = false;
    {
        Runner runner({});
        runner.start("long", [&](const RunControl& control) -> recording::RecordingPtr {
            begun = true;
            while (!control.cancelled())
                std::this_thread::sleep_for(1ms);
            std::this_thread::sleep_for(20ms);
            left = true;
            control.throwIfCancelled();
            return nullptr;
        });
        while (!begun) // one that has not begun is dropped
            std::this_thread::sleep_for(1ms);
    }
    EXPECT_TRUE(left);
}

TEST(Runner, ManyRunnersComeAndGo) {
    for (int i = 0; i < 200; ++i) {
        Runner runner({});
        runner.start("work", [](const RunControl&) { return recording::RecordingPtr(); });
        if (i % 2 == 0)
            runner.cancel();
    }
}

TEST(Runner, RefusesAJobThatIsNone) {
    Runner runner({});
    EXPECT_EQ(runner.start("nothing", Job()), 0u);
    EXPECT_FALSE(runner.busy());
}

} // namespace
} // namespace olab::run
