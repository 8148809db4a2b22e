// The driver's lock: calls of several host threads pass it one at a time, in order of arrival.
#pragma once

#include "program.h"

#include <deque>

namespace olab::sim {

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

} // namespace olab::sim
