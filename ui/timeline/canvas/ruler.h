// The ruler above the lanes. GUI thread.
#pragma once

#include "timeline/canvas/time_band.h"

#include <olab/ui/timeline_canvas.h>

namespace olab::ui {

/// What is dragged over it fills the view.
class Ruler final : public QWidget {
    Q_OBJECT
public:
    Ruler(TimelineCanvas& canvas, QWidget* parent);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    std::optional<Interval> drawn() const;
    TimelineCanvas& m_canvas;
    TimeBand m_band;
};

} // namespace olab::ui
