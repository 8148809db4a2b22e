// How long the window did not answer, whatever else the machine was doing: the longest time between two turns
// of the event loop, less what this thread was ready to run in and did not get a processor. What it waits for
// by itself (a lock, a file, another thread) counts in full. Of the GUI thread.
#pragma once

#include <QTimer>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <utility>

namespace olab::test {

class Pulse {
public:
    using Time = std::chrono::nanoseconds;
    /// Of the clock on the wall, and of this thread in the queue for a processor (0 where Linux does not
    /// say).
    struct Moment {
        Time wall, queued;
    };
    explicit Pulse(std::function<Moment()> clock = now)
        : m_now(std::move(clock))
        , m_last(m_now()) {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { beat(); });
        m_timer.start(10);
    }
    /// Until now.
    Time longest() {
        beat();
        return m_longest;
    }

    static Moment now() {
        std::ifstream file("/proc/thread-self/schedstat");
        std::int64_t ran = 0, queued = 0;
        file >> ran >> queued;
        return {std::chrono::steady_clock::now().time_since_epoch(), Time(queued)};
    }

private:
    void beat() {
        const Moment next = m_now();
        m_longest = std::max(m_longest, (next.wall - m_last.wall) - (next.queued - m_last.queued));
        m_last = next;
    }
    QTimer m_timer;
    std::function<Moment()> m_now;
    Moment m_last;
    Time m_longest{0};
};

} // namespace olab::test
