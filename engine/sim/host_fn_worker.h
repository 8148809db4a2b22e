// The one thread per device that runs host functions, in the order in which they become ready, whatever
// stream they are in. Functions of cudaStreamAddCallback run with the driver's lock held.
#pragma once

#include "driver_lock.h"
#include "scaled.h"

#include <deque>

namespace olab::sim {

class HostFnWorker {
public:
    HostFnWorker(Context& context, DriverLock& lock, std::uint32_t device)
        : m_context(context)
        , m_lock(lock)
        , m_name(context.program.threads + device)
        , m_idleSince(context.now()) {}
    /// A function is on its way. @returns how long it takes until submit()
    Ns call() {
        const Ns time = delay();
        ++m_called;
        return time;
    }
    void submit(std::uint32_t op) {
        m_waiting.push_back(op);
        if (!m_busy)
            startNext();
    }
    /// Handles LockGranted for this worker.
    void lockGranted() { begin(); }
    /// Handles HostFnDone.
    void done(std::uint32_t op) {
        if (locks(op))
            m_lock.release();
        m_busy = false;
        m_idleSince = m_context.now();
        --m_called;
        if (!m_waiting.empty())
            startNext();
    }

    /// From the end of what is before a function to its begin. A thread that has just worked is there at
    /// once, one that has slept for long must be woken, and so must its processor. Measured on an H200: mean
    /// 55 us up to 50 us of idleness, 109 up to 0.5 ms, 137 up to 1 ms, 232 up to 5 ms, 282 beyond.
    Ns delay() const {
        constexpr Ns kHalfway = 1'000'000;
        const Ns usual = m_context.model.callbackIn, soon = usual / 2, late = scaled(usual, 10, 3);
        const Ns idle = m_busy || m_called > 0 ? 0 : m_context.now() - m_idleSince;
        return soon + scaled(late - soon, idle, idle + kHalfway);
    }

private:
    bool locks(std::uint32_t op) const { return m_context.op(op).callback == CallbackMethod::StreamCallback; }
    void startNext() {
        m_busy = true;
        if (!locks(m_waiting.front()) || m_lock.acquire(m_name))
            begin();
    }
    void begin() {
        const std::uint32_t op = m_waiting.front();
        m_waiting.pop_front();
        m_context.op(op).begin = m_context.now();
        m_context.events.at(m_context.now(), EventKind::Dispatched, op);
        const Ns work = m_context.latency(m_context.model.callbackWork) + m_context.program.hostWork;
        m_context.events.at(m_context.now() + work, EventKind::HostFnDone, op);
    }
    Context& m_context;
    DriverLock& m_lock;
    std::uint32_t m_name; ///< for the lock, behind those of the issuing threads
    std::deque<std::uint32_t> m_waiting;
    bool m_busy = false;
    std::uint32_t m_called = 0; ///< functions on their way to it, or in it
    Ns m_idleSince;
};

} // namespace olab::sim
