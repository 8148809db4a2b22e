#include "recordings/table_worker.h"

#include "base/call_later.h"

#include <olab/trace/helper_thread.h>

#include <utility>

namespace olab::ui {

TableWorker::TableWorker(QObject* parent)
    : QObject(parent) {}

TableWorker::~TableWorker() {
    m_thread.request_stop(); // wakes it, too
    if (m_thread.joinable())
        m_thread.join();
}

void TableWorker::ask(Work work) {
    ++m_open;
    if (!m_thread.joinable())
        m_thread = tryStart([this](const std::stop_token& stop) { this->work(stop); });
    if (!m_thread.joinable()) // the window waits, and all is done all the same
        return callLater(this, [this, done = work()] { finished(done); });
    {
        const std::lock_guard lock(m_mutex);
        m_work.push_back(std::move(work));
    }
    m_wake.notify_one();
}

void TableWorker::wait() {
    std::unique_lock lock(m_mutex);
    m_rest.wait(lock, [this] { return m_work.empty() && !m_isWorking; });
}

void TableWorker::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Work next;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return !m_work.empty(); }))
                return;
            next = std::move(m_work.front());
            m_work.pop_front();
            m_isWorking = true;
        }
        Done done = next();
        {
            const std::lock_guard lock(m_mutex);
            m_isWorking = false;
        }
        m_rest.notify_all();
        callLater(this, [this, done = std::move(done)] { finished(done); });
    }
}

void TableWorker::finished(const Done& done) {
    --m_open;
    if (done)
        done();
    if (m_open == 0)
        emit idle();
}

} // namespace olab::ui
