// How long a run may go without a sign of life. Private to run.
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

namespace olab {

/// Of OLAB_TIME_LIMIT in seconds, read anew each time; nullopt when unset. @throws Error (bad-time-limit)
std::optional<std::chrono::seconds> wantedTimeLimit();

/// What no step of a run of `schedule` takes when all is well: 60 s and four times what its work should take
/// one after the other on a slow machine.
std::chrono::seconds timeLimitOf(const Schedule& schedule);

/// Calls `onHang` with the last step's name, on a thread of its own, when no step has begun for `limit`.
/// Sleeps until then: nothing may wake up while a job measures.
class Watchdog {
public:
    using OnHang = std::function<void(const std::string& step)>;
    Watchdog(std::chrono::seconds limit, OnHang onHang); ///< a limit of 0: never
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog() = default; ///< no call after it
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

} // namespace olab
