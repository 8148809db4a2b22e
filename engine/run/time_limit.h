// How long a run may take without a sign of life. Private to run.
#pragma once

#include <olab/experiment/schedule.h>
#include <olab/trace/error.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace olab::run {

/// From OLAB_TIME_LIMIT in seconds, read each time; nullopt if unset. @throws Error (bad-time-limit)
std::optional<std::chrono::seconds> wantedTimeLimit();

/// An upper limit for any step of a healthy run of `schedule`: 60 s plus four times the serial time of its
/// work on a slow machine.
std::chrono::seconds timeLimitOf(const experiment::Schedule& schedule);

/// Calls `onHang` with the last step's name, on its own thread, if no step has begun for `limit`. Sleeps
/// until then: no thread may wake up while a job measures.
class Watchdog {
public:
    using OnHang = std::function<void(const std::string& step)>;
    Watchdog(std::chrono::seconds limit, OnHang onHang); ///< a limit of 0: never
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog() = default; ///< no call afterwards
    void step(std::string_view what);

private:
    using Clock = std::chrono::steady_clock;
    void watch(const std::stop_token& stop);
    std::chrono::seconds m_limit;
    OnHang m_onHang;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::string m_step = "starting";
    Clock::time_point m_since = Clock::now();
    std::jthread m_thread; ///< last: it uses all of the above
};

} // namespace olab::run
