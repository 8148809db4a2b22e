// Places of the canvas: an op shown with its wait and its culprit, all that are alike.
#include <olab/trace/lanes.h>
#include <olab/ui/timeline_canvas.h>

#include "base/plain_text.h"
#include "timeline/rows/timeline_rows.h"
#include <olab/view/place.h>

#include <olab/ui/format.h>
#include <olab/view/drawn_lanes.h>

#include <algorithm>
#include <cstdlib>

namespace olab::ui {

namespace {

constexpr Ns kLeastAir = 200; // on both sides of a place

std::vector<const Row*> rowsWith(const TimelineRows& rows, ActivityIndex index) {
    std::vector<const Row*> found;
    for (const view::Strip* strip : rows.drawn().stripsWith(index))
        if (const Row* row = rows.layout().of(strip->lane->id))
            found.push_back(row);
    return found;
}

/// Scrolls to the two rows that lie nearest to each other, if they are not in view.
void showRowsOf(TimelineCanvas& canvas, ActivityIndex first, ActivityIndex second) {
    if (second == kNoActivity)
        return canvas.bringIntoView(first);
    std::pair<const Row*, const Row*> best{};
    const auto distance = [](const Row* a, const Row* b) { return std::abs(a->top - b->top); };
    for (const Row* a : rowsWith(canvas.rows(), first))
        for (const Row* b : rowsWith(canvas.rows(), second)) {
            if (canvas.rows().isSeen(*a) && canvas.rows().isSeen(*b))
                return;
            if (!best.first || distance(a, b) < distance(best.first, best.second))
                best = {a, b};
        }
    if (!best.first) // the culprit's rows are hidden
        return canvas.bringIntoView(first);
    const int top = std::min(best.first->top, best.second->top);
    const int bottom = std::max(best.first->top + best.first->height, best.second->top + best.second->height);
    if (bottom - top > canvas.height() - canvas.rows().layout().pinnedHeight)
        return canvas.bringIntoView(first);
    canvas.rows().setScroll((top + bottom) / 2 - (canvas.height() + canvas.rows().layout().pinnedHeight) / 2);
}

} // namespace

void TimelineCanvas::showPlace(const view::Place& place) {
    if (!m_shown || place.op >= m_shown->trace().size())
        return;
    m_selection.showPlace(place);
    update();
    emit selectionChanged();
    const Ns air = std::max(place.time.length() / 10, kLeastAir);
    showRange({place.time.begin - air, place.time.end + air});
    showRowsOf(*this, place.op, place.culprit);
}

void TimelineCanvas::selectAll(std::vector<ActivityIndex> activities) {
    m_selection.selectAll(std::move(activities));
    update();
    emit selectionChanged();
}

void TimelineCanvas::selectAlike(ActivityIndex index) {
    if (!m_shown || index >= m_shown->trace().size())
        return;
    const view::Selection::Alike alike = m_selection.selectAlike(index);
    update();
    emit selectionChanged();
    showTip(mapToGlobal(QPoint(gutter(), 0)),
            tr("%1 like this, %2 in all").arg(countText(alike.count), durationText(alike.sum)), this);
}

} // namespace olab::ui
