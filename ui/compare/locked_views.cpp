#include "compare/locked_views.h"

#include <QScopedValueRollback>

namespace olab::ui {

void LockedViews::lock(std::vector<TimelineCanvas*> canvases, PartnerOf partnerOf) {
    for (TimelineCanvas* canvas : m_canvases)
        disconnect(canvas, nullptr, this, nullptr);
    m_canvases = std::move(canvases);
    m_partnerOf = std::move(partnerOf);
    for (std::size_t i = 0; i < m_canvases.size(); ++i) {
        connect(m_canvases[i], &TimelineCanvas::viewportChanged, this, [this, i] { follow(i); });
        connect(m_canvases[i], &TimelineCanvas::selectionChanged, this, [this, i] { select(i); });
    }
}

void LockedViews::setAxis(Interval limits, Interval shown, const std::vector<Ns>& zeros) {
    {
        const QScopedValueRollback guard(m_following, true);
        for (std::size_t i = 0; i < m_canvases.size(); ++i)
            m_canvases[i]->setAxis({limits.begin + zeros[i], limits.end + zeros[i]}, zeros[i]);
    }
    show(shown);
}

Interval LockedViews::visible() const {
    if (m_canvases.empty())
        return {};
    const Interval seen = m_canvases.front()->viewport().visible();
    const Ns zero = m_canvases.front()->zero();
    return {seen.begin - zero, seen.end - zero};
}

void LockedViews::show(Interval range) {
    if (m_canvases.empty())
        return;
    const Ns zero = m_canvases.front()->zero();
    m_canvases.front()->showRange({range.begin + zero, range.end + zero}); // the others follow
}

void LockedViews::follow(std::size_t canvas) {
    if (m_following)
        return;
    const QScopedValueRollback guard(m_following, true);
    const Interval seen = m_canvases[canvas]->viewport().visible();
    const Ns zero = m_canvases[canvas]->zero();
    for (TimelineCanvas* other : m_canvases) {
        const Interval there{seen.begin - zero + other->zero(), seen.end - zero + other->zero()};
        if (other != m_canvases[canvas] && other->viewport().visible() != there)
            other->showRange(there);
    }
}

void LockedViews::select(std::size_t canvas) {
    if (m_following)
        return;
    const QScopedValueRollback guard(m_following, true);
    const auto activity = m_canvases[canvas]->selection().activity();
    for (std::size_t i = 0; i < m_canvases.size(); ++i)
        if (i != canvas)
            m_canvases[i]->select(activity ? m_partnerOf(canvas, *activity, i) : std::nullopt);
    emit selected(canvas);
}

} // namespace olab::ui
