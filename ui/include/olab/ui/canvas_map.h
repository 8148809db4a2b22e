// Where things are drawn on the canvas, and what is drawn where. Logical pixels of the widget, but for
// columns, which are device pixels of the lanes. Looks at the canvas each time and keeps nothing.
#pragma once

#include <olab/view/account.h>
#include <olab/view/timeline_index.h>

#include <QPoint>
#include <QRect>

#include <optional>
#include <vector>

namespace olab::ui {

class TimelineCanvas;
struct Row;

class CanvasMap {
public:
    explicit CanvasMap(const TimelineCanvas& canvas)
        : m_canvas(canvas) {}
    int device(int logical) const;
    int columnAt(int x) const;
    int xOf(Ns time) const;
    /// What is drawn at a point, or nearest to it within a few pixels.
    std::optional<ActivityIndex> activityAt(QPoint point) const;
    /// The wait that is drawn there.
    std::optional<analysis::ExplainedWait> waitAt(QPoint point) const;
    const view::Strip* stripAt(QPoint point) const; ///< null: none, or a value
    /// Where an activity is drawn: one rectangle per lane.
    std::vector<QRect> rectsOf(ActivityIndex index) const;
    /// Where a row or a range of time is; it may lie outside.
    QRect rectOf(const Row& row) const;
    QRect rectOf(Interval time) const;

private:
    std::vector<QRect> rectsIn(const view::Strip& strip, ActivityIndex index) const;
    const TimelineCanvas& m_canvas;
};

} // namespace olab::ui
