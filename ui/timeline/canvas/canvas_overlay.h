// What the canvas paints over the lanes: what is selected or under the pointer, places, arrows, the rulers
// with their numbers, the badge; and what stands there while there are none. GUI thread.
#pragma once

#include "timeline/canvas/canvas_marks.h"

#include <olab/ui/timeline_canvas.h>
#include <olab/view/colouring.h>
#include <olab/view/links.h>
#include <olab/view/view_data_ptr.h>

#include <QLineF>
#include <QRect>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

class QColor;
class QPainter;

namespace olab {
enum class LaneKind : std::uint8_t;
} // namespace olab

namespace olab::ui {

struct Theme;

/// An activity with an outline of its own colour.
struct OutlinedActivity {
    ActivityIndex activity;
    view::ColourNumber colour;
};

class CanvasOverlay {
public:
    /// Of this one, which it repaints.
    explicit CanvasOverlay(TimelineCanvas& canvas);
    void setShowsBadge(bool shows) { m_showsBadge = shows; } ///< false: who shows the canvas says it
    void paint(QPainter& painter) const;
    /// Where there are no lanes.
    void paintEmpty(QPainter& painter) const;
    void forget(); ///< another recording

    /// What is under the pointer.
    void setHover(std::optional<ActivityIndex> activity);
    /// A range that is being drawn beside the canvas: shown over the lanes.
    void setBand(std::optional<Interval> band);
    void toggleArrows();
    /// In the order of their begins, until another recording is shown.
    void setOutlined(std::vector<OutlinedActivity> outlined);
    const std::vector<OutlinedActivity>& outlined() const { return m_outlined; }
    /// Arrows to and from the selected activity, as drawn: start and end, in pixels of the canvas.
    std::vector<std::pair<view::Link, QLineF>> arrows() const;
    std::vector<SeenEvent> seenEvents() const;
    QString eventText(QPoint point) const; ///< of the one that is drawn there; empty: none
    /// What stands there while nothing is shown; empty: what a person can do.
    void setEmptyText(const QString& text);
    QString emptyText() const;

private:
    void paintOutlined(QPainter& painter) const;
    void paintRows(QPainter& painter) const;
    void paintSelection(QPainter& painter) const;
    void paintGap(QPainter& painter) const;
    void paintArrows(QPainter& painter) const;
    void paintRange(QPainter& painter, Interval range) const;
    void paintShares(QPainter& painter, Interval range) const;
    void paintCulprit(QPainter& painter) const;
    void paintWait(QPainter& painter, Interval wait, ActivityIndex op) const;
    void paintBand(QPainter& painter) const;
    void paintBadge(QPainter& painter) const;
    void outline(QPainter& painter, const QRect& rect, const QColor& colour) const;
    std::optional<int> middleOf(ActivityIndex index, LaneKind wanted) const;
    const Theme& theme() const;
    TimelineCanvas& m_canvas;
    CanvasMap m_map;
    std::optional<ActivityIndex> m_hover;
    std::optional<Interval> m_band;
    bool m_showsArrows = true;
    std::vector<OutlinedActivity> m_outlined;
    QString m_emptyText;
    mutable view::ViewDataPtr m_marksOf; ///< what m_marks are of: found when they are first drawn
    mutable std::vector<view::EventMark> m_marks;
    bool m_showsBadge = true;
};

} // namespace olab::ui
