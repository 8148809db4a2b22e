#include "window/runs/save_all.h"

namespace olab::ui {

SaveAll::SaveAll(Session& session, RunStore& store, Save save, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_store(store)
    , m_save(std::move(save)) {
    connect(&session, &Session::saved, this, [this](const view::ViewDataPtr& shown) {
        if (m_step != Step::Saving || m_jobs.front().first != shown->run)
            return;
        m_jobs.erase(m_jobs.begin());
        m_step = Step::Waiting;
        next();
    });
    // saved() follows ended() in the same call: after that it is known how it went.
    connect(&session, &Session::ended, this, &SaveAll::lookAfterEnd, Qt::QueuedConnection);
}

void SaveAll::start(Jobs jobs) {
    m_jobs = std::move(jobs);
    m_step = Step::Waiting;
    if (!m_session.busy())
        next();
}

void SaveAll::next() {
    if (m_jobs.empty())
        return emit done();
    m_step = Step::Fetching;
    m_store.fetch({m_jobs.front().first}, [this](const std::vector<view::ViewDataPtr>& came) {
        if (m_step != Step::Fetching)
            return;
        m_step = Step::Saving;
        const QString path = m_jobs.front().second; // the job may have gone when it returns
        if (came.empty() || !m_save(came.front(), path))
            stop();
    });
}

void SaveAll::stop() {
    m_jobs.clear();
    m_step = Step::Waiting;
    emit stopped();
}

void SaveAll::lookAfterEnd() {
    if (!active() || m_session.busy() || m_step == Step::Fetching)
        return;
    if (m_step == Step::Saving)
        stop(); // it ended, and was not saved
    else
        next();
}

} // namespace olab::ui
