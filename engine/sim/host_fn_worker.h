// The one thread that runs host functions, in the order in which they become ready, whatever stream they are
// in.
#pragma once

#include "program.h"

#include <deque>

namespace olab::sim {

class HostFnWorker {
public:
    explicit HostFnWorker(Context& context)
        : m_context(context) {}
    void submit(std::uint32_t op) {
        m_waiting.push_back(op);
        if (!m_busy)
            startNext();
    }
    /// Handles HostFnDone.
    void done() {
        m_busy = false;
        if (!m_waiting.empty())
            startNext();
    }

private:
    void startNext() {
        const std::uint32_t op = m_waiting.front();
        m_waiting.pop_front();
        m_busy = true;
        m_context.op(op).begin = m_context.now();
        m_context.events.at(m_context.now(), EventKind::Dispatched, op);
        m_context.events.at(m_context.now() + m_context.latency(m_context.model.callbackWork),
                            EventKind::HostFnDone, op);
    }
    Context& m_context;
    std::deque<std::uint32_t> m_waiting;
    bool m_busy = false;
};

} // namespace olab::sim
