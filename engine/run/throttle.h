// Progress for people: at most 20 reports a second leave, however often work reports. One thread at a time.
#pragma once

#include <chrono>

namespace olab {

class Throttle {
public:
    /// True if enough time has passed since the last true.
    bool due() {
        const auto now = Clock::now();
        if (m_any && now - m_last < kPause)
            return false;
        m_any = true;
        m_last = now;
        return true;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kPause{50};
    bool m_any = false;
    Clock::time_point m_last;
};

} // namespace olab
