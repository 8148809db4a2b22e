// What a run says when its child dies, hangs, is cancelled or is no engine at all; and that the next run
// works.
#include "child_fixture.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>

#include <filesystem>
#include <gmock/gmock.h>
#include <unistd.h>

namespace olab::run {
namespace {

namespace fs = std::filesystem;
using namespace test;
using testing::HasSubstr;

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

TEST(ChildBackend, CancelIsAnsweredBeforeAnythingElseTheChildSays) {
    for (int i = 0; i < 3; ++i) {
        ChildBackend child(simConfig(ChildKind::Traced));
        InMidRun* self = nullptr;
        InMidRun canceller(child, [&](int) { self->stop().request_stop(); });
        self = &canceller;
        EXPECT_EQ(errorCodeOf([&] { runOn(child, hugeSchedule(), canceller.control()); }), "cancelled");
        EXPECT_EQ(canceller.reportsAfterwards(), 0);
        EXPECT_EQ(child.pid(), 0);
        EXPECT_GT(runOn(child, smallSchedule()).size(), 0u);
    }
    EXPECT_TRUE(noChildLeft());
}

TEST(ChildBackend, CancelIsAnsweredWhileTheChildHangs) {
    ChildBackend child(simConfig(ChildKind::Plain));
    InMidRun stopper(child, [](int pid) { killOne(pid, SIGSTOP); });
    std::stop_source& stop = stopper.stop();
    std::jthread later([&] {
        while (!stopper.isDone())
            std::this_thread::sleep_for(10ms);
        std::this_thread::sleep_for(100ms); // it is waited for
        stop.request_stop();
    });
    EXPECT_EQ(errorCodeOf([&] { runOn(child, hugeSchedule(), stopper.control()); }), "cancelled")
        << "and not hung, which it would be only after a minute and more";
    EXPECT_TRUE(noChildLeft());
}

TEST(ChildBackend, AChildThatSaysNothingIsHung) {
    ::setenv("OLAB_TIME_LIMIT", "8", 1); // longer than any step of the simulation takes in a sanitizer
    ChildBackend child(simConfig(ChildKind::Plain));
    InMidRun stopper(child, [](int pid) { killOne(pid, SIGSTOP); });
    std::string message;
    EXPECT_EQ(errorCodeOf([&] { runOn(child, hugeSchedule(), stopper.control()); }, &message), "child-hung");
    ::unsetenv("OLAB_TIME_LIMIT");
    EXPECT_EQ(child.pid(), 0);
    EXPECT_GT(runOn(child, smallSchedule()).size(), 0u);
}

TEST(ChildBackend, TheChildsOwnErrorComesThrough) {
    ChildBackend child(simConfig(ChildKind::Plain));
    experiment::Plan schedule = smallSchedule();
    schedule.experiment->streams = 0; // what plan() would never have made: the child refuses it
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

std::string errorOfScript(const std::string& body, std::string* message = nullptr,
                          std::chrono::seconds silenceLimit = 300s) {
    const Script script(body);
    ChildConfig config = simConfig(ChildKind::Plain);
    config.program = script.path();
    config.silenceLimit = silenceLimit;
    ChildBackend child(config);
    return errorCodeOf([&] { runOn(child, smallSchedule()); }, message);
}

TEST(ChildBackend, AProgramThatIsNoEngineIsAnError) {
    std::string message;
    EXPECT_EQ(errorOfScript("echo 'no libfoo here' >&2; exit 127", &message), "child-died");
    EXPECT_THAT(message, HasSubstr("exit code 127"));
    EXPECT_THAT(message, HasSubstr("no libfoo here"));
    EXPECT_EQ(errorOfScript("echo hello >&3; exec sleep 300"), "bad-protocol");
    EXPECT_EQ(errorOfScript("exec 3>&-; exec sleep 300"), "child-died");
    EXPECT_EQ(errorOfScript("exec sleep 300", nullptr, 1s), "child-hung");
    EXPECT_EQ(errorOfScript("exec head -c 20000000 /dev/zero >&3"), "bad-protocol");
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
               R"(,"code":"c","message":"m","hint":"h"}' >&3; exec sleep 300)";
    };
    EXPECT_EQ(kindOf(said(70)), 70);
    EXPECT_EQ(kindOf(said(1)), 70) << "an older engine's fault";
    EXPECT_EQ(kindOf(said(3)), 3);
}

TEST(ChildBackend, AFailureBeforeReadyIsReported) {
    std::string message;
    EXPECT_EQ(
        errorOfScript(
            R"(echo '{"event":"failed","job":0,"kind":3,"code":"no-driver","message":"no driver","hint":"get one"}' >&3; exec sleep 300)",
            &message),
        "no-driver");
    EXPECT_EQ(message, "no driver|get one");
}

} // namespace
} // namespace olab::run
