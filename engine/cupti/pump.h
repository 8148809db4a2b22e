// The thread of a capture: forwards filled buffers during the run, so that they never need more memory than
// the pool's cap. It sleeps until enough are waiting, blocks all signals, and lets no exception out: errors
// are reported when the delivery ends. Private to cupti.
#pragma once

#include "records.h"

#include <olab/cupti/buffer_pool.h>
#include <olab/cupti/host_process.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace olab::cupti {

/// When the pump starts to work.
struct PumpRhythm {
    std::size_t startAt = 0;            ///< bytes that wait
    std::chrono::milliseconds every{0}; ///< also after this time, with a flush before; 0: never
};

class Pump {
public:
    struct Work {
        std::function<void(std::span<std::byte>)> deliver; ///< one buffer
        std::function<void()> flush;                       ///< asks CUPTI for what is complete
        std::function<void()> delivered; ///< called after the last waiting buffer; may be empty
    };
    /// Starts the thread. @throws Error if the system has none
    Pump(BufferPool& pool, PumpRhythm rhythm, Work work);
    ~Pump();
    Pump(const Pump&) = delete;
    Pump& operator=(const Pump&) = delete;

    /// Called from CUPTI's callbacks: the number of bytes waiting now.
    void noteWaiting(std::size_t bytes) noexcept;
    /// The next `turns` turns begin as soon as one buffer is full, with a flush before. Any thread.
    void hurry(int turns) noexcept { m_hurried = turns; }
    /// From now on buffers are delivered.
    void start();
    /// Delivers everything that waits now, and then no more. @throws the first error since start()
    void finish();
    /// No more deliveries; returns when none is in progress. Waiting buffers stay in the pool.
    void stop() noexcept;
    /// stop(), and ends the thread. The rest stays callable.
    void end() noexcept;

private:
    void run() noexcept;
    bool sleep(std::unique_lock<std::mutex>& lock);
    void turn(bool flush) noexcept;
    void deliverAll();

    BufferPool& m_pool;
    const PumpRhythm m_rhythm;
    const Work m_work;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_started = false, m_due = false, m_ending = false, m_working = false;
    std::uint64_t m_asked = 0, m_done = 0; ///< turns that a caller waits for
    std::atomic<bool> m_interrupted{false};
    std::atomic<int> m_hurried{0}; ///< remaining turns of those
    std::exception_ptr m_failure;  ///< of the pump's thread while it works, else under the lock
    std::thread m_thread;          ///< last: it uses all of the above
};

/// What CUPTI calls for its buffers. They carry no data of ours: the one capture of the process is found
/// here.
struct Callbacks {
    OwnProcess owner;
    BufferPool& pool;
    Pump& pump;
    const std::atomic<bool>& yielded; ///< another client records
};
/// For good: CUPTI may still call back while the process ends. @throws Error if there is a capture already
void installCallbacks(const Callbacks& callbacks);

void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) noexcept;
/// Returns a buffer to its owner, even while another client records.
void CUPTIAPI bufferCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                              std::size_t valid) noexcept;

} // namespace olab::cupti
