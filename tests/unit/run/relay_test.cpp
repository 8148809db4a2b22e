// A child behind a relay, as one on another machine is, without a network: the command that would go through
// ssh runs here.
#include "child_fixture.h"

#include <olab/run/relay.h>
#include <olab/trace/container.h>

namespace olab::test {
namespace {

using run::ChildBackend;
using run::ChildConfig;
using run::ChildKind;

ChildConfig relayedTo(std::vector<std::string> words) {
    ChildConfig config;
    config.program = OLAB_PROGRAM;
    config.kind = ChildKind::Plain;
    config.extraArguments = {"--relay", "gpu1", "--"};
    config.extraArguments.insert(config.extraArguments.end(), words.begin(), words.end());
    return config;
}

ChildConfig relayedEngine(const std::string& before = "") {
    return relayedTo({"/bin/sh", "-c", before + "exec \"$@\"", "sh", OLAB_PROGRAM, "engine", "--kind",
                      "traced", "--sim", "--stream"});
}

std::string failureOf(const ChildConfig& config, std::string& message) {
    ChildBackend child(config);
    return errorCodeOf([&] { runOn(child, smallSchedule()); }, &message);
}

TEST(Relay, BringsTheSameTraceAsAChildHere) {
    ChildBackend here(simConfig(ChildKind::Plain)), there(relayedEngine());
    const Trace a = runOn(here, smallSchedule()), b = runOn(there, smallSchedule());
    EXPECT_GT(a.size(), 0u);
    EXPECT_EQ(a.size(), b.size());
    EXPECT_EQ(a.deviceSpan().length(), b.deviceSpan().length());
    EXPECT_EQ(a.environment(), b.environment());
}

TEST(Relay, ServesOneRunAfterTheOther) {
    ChildBackend there(relayedEngine());
    const Trace first = runOn(there, smallSchedule());
    const int pid = there.pid();
    EXPECT_EQ(runOn(there, smallSchedule()).size(), first.size());
    EXPECT_EQ(there.pid(), pid);
}

TEST(Relay, PassesOnALargeRecording) {
    ChildBackend here(simConfig(ChildKind::Plain)), there(relayedEngine());
    const experiment::Plan large = experiment::plan(experiment::HeldExperiment{
        "streams=16", "iterations=3000", "trace=on", "kernel.us=1", "h2d.bytes=1KiB"});
    EXPECT_EQ(runOn(here, large).size(), runOn(there, large).size());
}

TEST(Relay, SkipsWhatIsPrintedBeforeAndBetween) {
    ChildBackend there(relayedEngine("echo Welcome; echo '{\"event\":\"ready\"}'; echo olab; "));
    EXPECT_GT(runOn(there, smallSchedule()).size(), 0u);
}

TEST(Relay, LeavesNothingWhenItGoes) {
    {
        ChildBackend there(relayedEngine());
        runOn(there, smallSchedule());
    }
    EXPECT_TRUE(noChildLeft());
}

TEST(Relay, TellsALostConnectionFromOneThatNeverWas) {
    std::string message;
    EXPECT_EQ(failureOf(relayedTo({"/bin/sh", "-c", "echo 'ssh: no route' >&2; exit 255"}), message),
              "no-connection");
    EXPECT_EQ(message.find("Cannot connect to gpu1: ssh: no route|"), 0u) << message;
    const std::string greeting = std::string(run::kStreamGreeting) + OLAB_VERSION;
    EXPECT_EQ(failureOf(relayedTo({"/bin/sh", "-c",
                                   "echo " + greeting +
                                       "; echo '{\"event\":\"ready\"}'; read job; echo reset >&2; exit 255"}),
                        message),
              "connection-lost");
    EXPECT_EQ(message.find("The connection to gpu1 was lost: reset|"), 0u) << message;
}

TEST(Relay, RefusesAnotherVersionAndNoProgram) {
    std::string message;
    EXPECT_EQ(failureOf(relayedTo({"/bin/sh", "-c", "echo olab-stream 2 9.9"}), message), "other-version");
    EXPECT_EQ(failureOf(relayedTo({"/bin/sh", "-c", "echo \"There is no option '--stream'\" >&2; exit 2"}),
                        message),
              "other-version");
    EXPECT_EQ(failureOf(relayedTo({"/bin/sh", "-c", "exec /no/such/olab"}), message), "no-olab-there");
    EXPECT_NE(message.find("olab setup-host gpu1"), message.npos) << message;
}

TEST(Relay, AFullDiskThereIsNotOneHere) {
    std::string message;
    EXPECT_EQ(failureOf(relayedEngine("trap '' XFSZ; ulimit -f 1; "), message), "cannot-write-there");
    EXPECT_EQ(message.find("On gpu1: Cannot write"), 0u) << message;
    EXPECT_NE(message.find("|Free some space on gpu1"), message.npos) << message;
}

TEST(Relay, NonsenseFromThereIsAnError) {
    const std::string greeting = std::string(run::kStreamGreeting) + OLAB_VERSION;
    for (const char* nonsense : {"file 7 12", "file", "file 1 -2", "no json", "{\"event\":\"what\"}"}) {
        std::string message;
        EXPECT_EQ(failureOf(relayedTo({"/bin/sh", "-c",
                                       "printf '%s\\n' '" + greeting + "' '" + nonsense + "'; sleep 5"}),
                            message),
                  "bad-protocol")
            << nonsense;
    }
}

} // namespace
} // namespace olab::test
