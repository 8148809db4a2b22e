// A barrier for issuing threads: each arrives, one opens. Every wait ends on a stop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace olab::cuda {

class Rendezvous {
public:
    explicit Rendezvous(std::size_t expected)
        : m_expected(expected) {}
    void arrive() {
        const std::lock_guard lock(m_mutex);
        ++m_arrived;
        m_changed.notify_all();
    }
    void open() {
        const std::lock_guard lock(m_mutex);
        m_open = true;
        m_changed.notify_all();
    }
    /// Whether all have arrived, after at most `patience` or a stop.
    bool awaitAll(std::chrono::milliseconds patience, const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, stop, patience, [this] { return m_arrived >= m_expected; });
    }
    /// False: stopped.
    bool awaitOpen(const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        return m_changed.wait(lock, stop, [this] { return m_open; });
    }

private:
    std::size_t m_expected, m_arrived = 0;
    bool m_open = false;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
};

} // namespace olab::cuda
