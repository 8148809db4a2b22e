// The issuing threads of a run, and where they wait for each other.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <numeric>
#include <stop_token>
#include <thread>
#include <vector>

namespace olab::cuda {

/// A barrier for issuing threads: each arrives, one opens. Every wait ends on a stop.
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

/// State shared by the issuing threads of a run and their leader. However it ends, the threads are told to
/// stop before anything waits for them. Makes no CUDA call.
struct Crew {
    explicit Crew(std::int32_t count)
        : ready(static_cast<std::size_t>(count))
        , issued(static_cast<std::size_t>(count))
        , done(static_cast<std::size_t>(count))
        , counts(static_cast<std::size_t>(count)) {}
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    ~Crew() { dismiss(); }

    /// Adds a thread. @throws std::system_error if none is available
    template <typename Work>
    void hire(Work work) {
        threads.emplace_back(std::move(work));
    }
    /// Returns when all have ended. Threads that wait for each other or for the leader give up.
    void dismiss() {
        stop.request_stop();
        threads.clear();
    }
    void fail(std::exception_ptr error) {
        {
            const std::lock_guard lock(mutex);
            if (!failure)
                failure = std::move(error);
        }
        stop.request_stop();
    }
    std::uint64_t progress() const {
        return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0},
                               [](std::uint64_t sum, const auto& c) { return sum + c.load(); });
    }

    Rendezvous ready, issued, done;
    std::vector<std::atomic<std::uint64_t>> counts; ///< ops issued so far, per thread
    std::stop_source stop;
    std::mutex mutex;
    std::exception_ptr failure;        ///< the first one; those of threads told to stop come later
    std::vector<std::jthread> threads; ///< last: they use all of the above
};

} // namespace olab::cuda
