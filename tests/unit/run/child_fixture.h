// What the tests of child processes share: real ones, `olab engine --sim`.
#pragma once

#include "test_places.h"

#include <olab/experiment/plan.h>
#include <olab/run/child_backend.h>
#include <olab/trace/trace_builder.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <thread>

namespace olab::test {

using namespace std::chrono_literals;

inline constexpr int kTurns = 30'000; ///< of 10 ms: ends only a test that hangs, however busy the machine

inline run::ChildConfig simConfig(run::ChildKind kind) {
    run::ChildConfig config;
    config.program = OLAB_PROGRAM;
    config.kind = kind;
    config.extraArguments = {"--sim"};
    return config;
}

/// Not compared with other runs, unless `trace` says so: a plain child may then be reused.
inline experiment::Plan smallSchedule(std::string_view trace = "trace=on") {
    return experiment::plan(experiment::HeldExperiment{"iterations=2", trace});
}

/// Keeps a child busy for long: the largest plan there is.
inline experiment::Plan hugeSchedule() {
    return experiment::plan(experiment::HeldExperiment{"streams=128", "iterations=3000"});
}

inline Trace runOn(experiment::Backend& backend, const experiment::Plan& schedule,
                   const RunControl& control = {}) {
    TraceBuilder builder;
    backend.run(schedule, {}, builder, control);
    return builder.finish();
}

/// Children of this process that still exist, dead or alive; waits a little for the background to reap them.
inline bool noChildLeft() {
    for (int i = 0; i < kTurns; ++i) {
        siginfo_t info{};
        if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
            return errno == ECHILD;
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

/// A number of 0 would mean this whole process group.
inline void killOne(int pid, int signal = SIGKILL) {
    ASSERT_GT(pid, 0);
    ::kill(pid, signal);
}

inline std::string errorCodeOf(const std::function<void()>& action, std::string* message = nullptr) {
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
    InMidRun(const run::ChildBackend& backend, std::function<void(int)> what)
        : m_backend(backend)
        , m_what(std::move(what)) {}
    RunControl control() {
        RunControl control;
        control.stop = m_stop.get_token();
        control.progress = [this](double, std::string_view) {
            m_later += m_done ? 1 : 0;
            if (!m_done && m_backend.pid() > 0 && ++m_reports >= 2) {
                m_done = true;
                m_what(m_backend.pid());
            }
        };
        return control;
    }
    std::stop_source& stop() { return m_stop; }
    bool isDone() const { return m_done; }
    int reportsAfterwards() const { return m_later; }

private:
    const run::ChildBackend& m_backend;
    std::function<void(int)> m_what;
    std::stop_source m_stop;
    int m_reports = 0, m_later = 0;
    std::atomic<bool> m_done = false;
};

inline bool environmentHas(int pid, const std::string& entry) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
    for (std::string found; std::getline(file, found, '\0');)
        if (found == entry)
            return true;
    return false;
}

inline experiment::Plan withOption(std::string_view assignment) {
    experiment::HeldExperiment e = smallSchedule().experiment;
    experiment::setOption(e, assignment);
    return experiment::plan(e);
}

/// A zombie is not: it waits for its parent, or for init if there is one.
inline bool isAlive(int pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    stat >> number >> name >> state;
    return !state.empty() && state != "Z";
}

} // namespace olab::test
