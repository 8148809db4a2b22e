#include "timeline/view_history.h"

#include "timeline/rows/timeline_rows.h"

namespace olab::ui {

ViewHistory::ViewHistory(TimelineCanvas& canvas, QObject* parent)
    : QObject(parent)
    , m_canvas(canvas) {
    m_moment.setSingleShot(true);
    m_moment.setInterval(kMoment);
    connect(&m_moment, &QTimer::timeout, this, &ViewHistory::note);
    const auto moved = [this] {
        if (m_going)
            return;
        m_moment.start();
        emit changed();
    };
    connect(&canvas, &TimelineCanvas::viewportChanged, this, moved);
    connect(&canvas, &TimelineCanvas::scrollRangeChanged, this, moved);
}

void ViewHistory::forget() {
    m_moment.stop();
    m_views.clear();
    m_at = 0;
    note();
}

/// What lay before this view stays, what one had gone back from goes.
void ViewHistory::note() {
    m_moment.stop();
    if (!m_canvas.shown())
        return;
    if (!m_views.empty() && m_views[m_at] == now())
        return;
    if (!m_views.empty())
        m_views.resize(m_at + 1);
    m_views.push_back(now());
    if (m_views.size() > kMost)
        m_views.erase(m_views.begin());
    m_at = m_views.size() - 1;
    emit changed();
}

bool ViewHistory::canGo(int direction) const {
    if (m_views.empty() || !m_canvas.shown())
        return false;
    if (m_views[m_at] != now()) // has not been looked at for long: it will be the newest one
        return direction < 0;
    return direction < 0 ? m_at > 0 : m_at + 1 < m_views.size();
}

void ViewHistory::go(int direction) {
    note();
    if (!canGo(direction))
        return;
    m_at = direction < 0 ? m_at - 1 : m_at + 1;
    m_going = true;
    m_canvas.showRange(m_views[m_at].time);
    m_canvas.rows().setScroll(m_views[m_at].scroll);
    m_going = false;
    m_views[m_at] = now(); // rows may have gone since: else it would never be reached
    m_moment.stop();
    emit changed();
}

} // namespace olab::ui
