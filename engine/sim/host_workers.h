// What else runs on the host: the driver's lock, the thread of host functions, the one that watches events.
#pragma once

#include "program.h"

#include <deque>

namespace olab::sim {

/// The driver's lock: calls of several host threads pass it one at a time, in order of arrival.
class DriverLock {
public:
    explicit DriverLock(Context& context)
        : m_context(context) {}
    /// True: `who` has it. False: an event LockGranted follows.
    bool acquire(std::uint32_t who) {
        if (m_held) {
            m_waiting.push_back(who);
            return false;
        }
        m_held = true;
        return true;
    }
    void release() {
        m_held = !m_waiting.empty();
        if (!m_held)
            return;
        m_context.events.at(m_context.now(), EventKind::LockGranted, m_waiting.front());
        m_waiting.pop_front();
    }

private:
    Context& m_context;
    std::deque<std::uint32_t> m_waiting;
    bool m_held = false;
};

/// The single thread per device that runs host functions, in the order in which they become ready, regardless
/// of stream. Functions of cudaStreamAddCallback run with the driver's lock held.
class HostFnWorker {
public:
    HostFnWorker(Context& context, DriverLock& lock, std::uint32_t device)
        : m_context(context)
        , m_lock(lock)
        , m_name(context.program.threads + device)
        , m_idleSince(context.now()) {}
    /// A function is about to be called. @returns how long it takes until submit()
    Ns call() {
        const Ns idle = m_busy || m_called > 0 ? 0 : m_context.now() - m_idleSince;
        ++m_called;
        return callbackDelay(m_context.model, idle);
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

private:
    bool locks(std::uint32_t op) const {
        return m_context.op(op).callback == experiment::CallbackMethod::StreamCallback;
    }
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
        const Ns work = m_context.latency(m_context.model.callbackWork) + m_context.program.hostWork +
                        m_context.op(op).bytes; // duration of a recorded one
        m_context.events.at(m_context.now() + work, EventKind::HostFnDone, op);
    }
    Context& m_context;
    DriverLock& m_lock;
    std::uint32_t m_name; ///< for the lock, after those of the issuing threads
    std::deque<std::uint32_t> m_waiting;
    bool m_busy = false;
    std::uint32_t m_called = 0; ///< functions submitted to it, or running
    Ns m_idleSince;
};

/// The thread that watches events (callback.method poll and blocking-event): it takes them in issue order,
/// notices each some time after it is reached, and then does the host work of the pass. The streams continue
/// meanwhile.
class Watcher {
public:
    explicit Watcher(Context& context)
        : m_context(context)
        , m_reached(context.program.ops.size())
        , m_since(context.now()) {}
    /// The call that records the event of `op` has returned.
    void watch(std::uint32_t op);
    /// The event of `op` is reached.
    void reached(std::uint32_t op);
    /// Handles Watched and WatchDone.
    void noticed(std::uint32_t op);
    void done();

private:
    void look();
    Ns noticeTime() const;
    Context& m_context;
    std::deque<std::uint32_t> m_watched;
    std::vector<bool> m_reached;
    Ns m_since; ///< since when it waits for the first of them
    bool m_busy = false;
};

} // namespace olab::sim
