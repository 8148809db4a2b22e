#include "pump.h"

#include "other_client.h"

#include <olab/cupti/quiet_thread.h>
#include <olab/trace/error.h>

#include <pthread.h>

#include <cstdlib>
#include <memory>
#include <utility>

namespace olab::cupti {
namespace {

std::atomic<Callbacks*> g_callbacks{nullptr};

} // namespace

void installCallbacks(const Callbacks& callbacks) {
    auto kept = std::make_unique<Callbacks>(callbacks);
    Callbacks* none = nullptr;
    if (!g_callbacks.compare_exchange_strong(none, kept.get()))
        throw Error(ErrorKind::Internal, "second-collector", "A process can have one CUPTI capture only.");
    (void)kept.release();
}

void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) noexcept {
    Callbacks& c = *g_callbacks.load();
    if (const auto other = c.yielded ? otherRequested() : nullptr)
        return other(buffer, size, maxRecords);
    // A forked child must not touch anything that may have been locked at the fork, and its records are never
    // read.
    void* const memory = c.owner.isThis() ? c.pool.request() : std::calloc(BufferPool::kBufferBytes, 1);
    *buffer = static_cast<std::uint8_t*>(memory);
    *size = memory ? BufferPool::kBufferBytes : 0;
    *maxRecords = 0; // as many as fit
}

void CUPTIAPI bufferCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                              std::size_t valid) noexcept {
    Callbacks& c = *g_callbacks.load();
    auto* const bytes = reinterpret_cast<std::byte*>(buffer);
    const bool isThis = c.owner.isThis();
    if (isThis && (!bytes || c.pool.owns(bytes)))
        c.pump.noteWaiting(c.pool.complete(bytes, valid));
    else if (const auto other = isThis || c.yielded ? otherCompleted() : nullptr)
        other(context, stream, buffer, size, valid);
    else
        std::free(buffer);
}

Pump::Pump(BufferPool& pool, PumpRhythm rhythm, Work work)
    : m_pool(pool)
    , m_rhythm(rhythm)
    , m_work(std::move(work)) {
    m_thread = quietThread([this] { run(); });
    pthread_setname_np(m_thread.native_handle(), "olab-capture");
}

Pump::~Pump() {
    end();
}

void Pump::noteWaiting(std::size_t bytes) noexcept {
    if (bytes < m_rhythm.startAt && (m_hurried == 0 || bytes == 0))
        return;
    const std::lock_guard lock(m_mutex);
    m_due = true;
    m_changed.notify_all();
}

void Pump::start() {
    const std::lock_guard lock(m_mutex);
    m_failure = nullptr;
    m_interrupted = false;
    m_started = true;
    if (m_due || m_rhythm.every.count() > 0) // otherwise no thread wakes up just before the measurement
        m_changed.notify_all();
}

void Pump::finish() {
    std::unique_lock lock(m_mutex);
    const std::uint64_t mine = ++m_asked;
    m_started = false;
    m_changed.notify_all();
    m_changed.wait(lock, [this, mine] { return m_done >= mine; });
    if (const auto failure = std::exchange(m_failure, nullptr))
        std::rethrow_exception(failure);
}

void Pump::stop() noexcept {
    m_interrupted = true;
    std::unique_lock lock(m_mutex);
    m_started = false;
    m_changed.wait(lock, [this] { return !m_working; });
    m_failure = nullptr;
}

void Pump::end() noexcept {
    stop();
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        m_changed.notify_all();
    }
    if (m_thread.joinable())
        m_thread.join();
}

void Pump::run() noexcept {
    std::unique_lock lock(m_mutex);
    while (true) {
        const bool timeIsUp = !sleep(lock);
        if (m_ending)
            return;
        const std::uint64_t asked = m_asked;
        const bool inHurry = m_due && m_hurried > 0;
        if (inHurry)
            --m_hurried;
        m_due = false;
        m_working = true;
        lock.unlock();
        turn(timeIsUp || inHurry);
        lock.lock();
        m_working = false;
        m_done = asked;
        m_changed.notify_all();
    }
}

/// Waits for work. @returns false on timeout
bool Pump::sleep(std::unique_lock<std::mutex>& lock) {
    const auto isWanted = [this] { return m_ending || m_done < m_asked || (m_started && m_due); };
    while (!isWanted()) {
        if (!m_started || m_rhythm.every.count() == 0)
            m_changed.wait(lock);
        else if (m_changed.wait_for(lock, m_rhythm.every) == std::cv_status::timeout && m_started &&
                 !isWanted())
            return false;
    }
    return true;
}

void Pump::turn(bool flush) noexcept {
    try {
        if (flush)
            m_work.flush();
        deliverAll();
        if (m_work.delivered && !m_interrupted && !m_failure)
            m_work.delivered();
    } catch (...) {
        m_failure = std::current_exception();
    }
}

/// Delivers what waits now; later arrivals get their own turn. After a failure it is discarded, because the
/// delivery can no longer be complete.
void Pump::deliverAll() {
    for (std::size_t left = m_pool.waitingBuffers(); left > 0 && !m_interrupted; --left) {
        ActivityBuffer buffer = m_pool.take();
        if (!buffer)
            return;
        try {
            if (!m_failure)
                m_work.deliver(buffer.records());
        } catch (...) {
            m_failure = std::current_exception();
        }
        m_pool.recycle(std::move(buffer));
    }
}

} // namespace olab::cupti
