#include "base/background.h"

#include <olab/trace/side_by_side.h>

#include <utility>

namespace olab::ui {

Background::~Background() {
    m_thread.request_stop(); // wakes it, too
    {
        const std::lock_guard lock(m_mutex);
        m_current.request_stop();
    }
    if (m_thread.joinable())
        m_thread.join();
}

std::stop_source Background::post(Job job) {
    std::stop_source stop;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_thread.joinable())
            m_thread = tryStart([this](const std::stop_token& ending) { work(ending); });
        if (m_thread.joinable())
            m_waiting.push_back({std::exchange(job, nullptr), stop});
    }
    if (job)
        job(stop.get_token());
    m_wake.notify_one();
    return stop;
}

void Background::drop() {
    const std::lock_guard lock(m_mutex);
    m_waiting.clear();
}

void Background::work(const std::stop_token& ending) {
    for (;;) {
        Waiting next;
        {
            std::unique_lock lock(m_mutex);
            m_current = std::stop_source(std::nostopstate);
            if (!m_wake.wait(lock, ending, [this] { return !m_waiting.empty(); }) || ending.stop_requested())
                return;
            next = std::move(m_waiting.front());
            m_waiting.pop_front();
            m_current = next.stop;
        }
        next.job(next.stop.get_token());
    }
}

} // namespace olab::ui
