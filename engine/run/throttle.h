// Progress for people: each new step is reported, otherwise at most 20 reports per second, however often work
// reports. One thread at a time.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace olab::run {

class Throttle {
public:
    /// True if enough time has passed since the last true, or `what` is a new step.
    bool due(std::string_view what) {
        const auto now = Clock::now();
        if (m_any && now - m_last < kPause && what == m_step)
            return false;
        m_any = true;
        m_last = now;
        m_step = what;
        return true;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kPause{50};
    bool m_any = false;
    Clock::time_point m_last;
    std::string m_step;
};

} // namespace olab::run
