#include "shell/save_all.h"

namespace olab {

SaveAll::SaveAll(Session& session, Save save, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_save(std::move(save)) {
    connect(&session, &Session::saved, this, [this](const ShownPtr& shown) {
        if (!m_working || m_jobs.front().first != shown)
            return;
        m_jobs.erase(m_jobs.begin());
        m_working = false;
        next();
    });
    // saved() follows ended() in the same call: after that it is known how it went.
    connect(&session, &Session::ended, this, &SaveAll::lookAfterEnd, Qt::QueuedConnection);
}

void SaveAll::start(Jobs jobs) {
    m_jobs = std::move(jobs);
    m_working = false;
    if (!m_session.busy())
        next();
}

void SaveAll::next() {
    if (m_jobs.empty())
        return emit done();
    m_working = true;
    const auto [shown, path] = m_jobs.front();
    if (!m_save(shown, path))
        stop();
}

void SaveAll::stop() {
    m_jobs.clear();
    m_working = false;
    emit stopped();
}

void SaveAll::lookAfterEnd() {
    if (!active() || m_session.busy())
        return;
    if (m_working)
        stop(); // it ended, and was not saved
    else
        next();
}

} // namespace olab
