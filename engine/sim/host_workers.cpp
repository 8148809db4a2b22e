#include "host_workers.h"

#include <algorithm>

namespace olab::sim {

void Watcher::watch(std::uint32_t op) {
    m_watched.push_back(op);
    if (m_watched.size() == 1 && !m_busy)
        m_since = m_context.now();
    look();
}

void Watcher::reached(std::uint32_t op) {
    m_reached[op] = true;
    look();
}

void Watcher::look() {
    if (m_busy || m_watched.empty() || !m_reached[m_watched.front()])
        return;
    m_busy = true;
    m_context.events.at(noticeTime(), EventKind::Watched, m_watched.front());
}

Ns Watcher::noticeTime() const {
    const DeviceModel& model = m_context.model;
    const Ns now = m_context.now(), asked = m_context.latency(model.callQuery);
    if (now <= m_since) // it was reached before the thread got to it
        return now + asked;
    if (m_context.op(m_watched.front()).callback == experiment::CallbackMethod::BlockingEvent)
        return now + m_context.latency(model.blockingWake);
    const Ns interval = std::max<Ns>(model.pollInterval, 1);
    return m_since + (now - m_since + interval - 1) / interval * interval + asked;
}

void Watcher::noticed(std::uint32_t op) {
    m_watched.pop_front();
    m_context.op(op).begin = m_context.now();
    const Ns work = m_context.latency(m_context.model.callbackWork) + m_context.program.hostWork;
    m_context.events.at(m_context.now() + work, EventKind::WatchDone, op);
}

void Watcher::done() {
    m_busy = false;
    m_since = m_context.now();
    look();
}

} // namespace olab::sim
