// State shared by the issuing threads of a run and their leader. However it ends, the threads are told to
// stop before anything waits for them. Makes no CUDA call.
#pragma once

#include "rendezvous.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace olab::cuda {

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
