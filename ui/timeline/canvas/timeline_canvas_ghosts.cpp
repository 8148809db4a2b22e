// Ghosts of the canvas: waits before ops, the ideal run. Which are shown, and what is under the pointer.
#include <olab/ui/timeline_canvas.h>

#include "timeline/rows/timeline_rows.h"

#include <olab/trace/lanes.h>

#include <QKeyEvent>

#include <utility>

namespace olab {

void TimelineCanvas::setShowsWaits(bool on) {
    const bool kept = std::exchange(m_keepsAnswer, false);
    if (std::exchange(m_showsWaits, on) != on || kept)
        accountChanged();
}

void TimelineCanvas::setKeepsAnswer(bool on) {
    if (std::exchange(m_keepsAnswer, on) != on)
        accountChanged();
}

void TimelineCanvas::setShowsIdeal(bool on) {
    if (std::exchange(m_showsIdeal, on) != on)
        accountChanged();
}

void TimelineCanvas::accountChanged() {
    m_imageValid = false;
    update();
    emit ghostsChanged();
}

std::optional<ExplainedWait> TimelineCanvas::waitAt(QPoint point) const {
    const Strip* strip = showsWaits() ? stripAt(point) : nullptr;
    const AccountPtr account = strip && strip->lane->kind == LaneKind::Stream ? m_shown->account() : nullptr;
    const auto wait = account ? account->waitAt(*strip, m_view.timeAt(toColumn(point.x()))) : std::nullopt;
    // What is too short to be drawn is not under the pointer either.
    const bool isDrawn = wait && wait->drawn.length() >= m_view.lengthOf(Account::kLeastColumns);
    return isDrawn ? std::optional(wait->wait) : std::nullopt;
}

bool TimelineCanvas::ghostKey(QKeyEvent* event) {
    const auto keys = event->modifiers() & ~Qt::KeypadModifier;
    if (event->key() != Qt::Key_G || (keys != Qt::NoModifier && keys != Qt::ShiftModifier))
        return false;
    keys == Qt::ShiftModifier ? setShowsIdeal(!m_showsIdeal) : setShowsWaits(!showsWaits());
    return true;
}

} // namespace olab
