// The menu of the canvas: what is under the pointer, and its row. GUI thread.
#pragma once

#include <olab/ui/timeline_canvas.h>

#include <QPointer>

class QContextMenuEvent;
class QMenu;
class QPoint;

namespace olab::ui {

class TimelineCanvas;

// What one can do with the op, or the gap, that is picked: the entries of the canvas's context menu.

/// Of the selected activity.
void addOpActions(QMenu& menu, TimelineCanvas& canvas, ActivityIndex op);
/// Of the selected gap.
void addGapActions(QMenu& menu, TimelineCanvas& canvas);

class CanvasMenu {
public:
    explicit CanvasMenu(TimelineCanvas& canvas)
        : m_canvas(canvas) {}
    void open(const QContextMenuEvent& event);

private:
    QPoint pick(const QContextMenuEvent& event);
    void fill(QMenu& menu, QPoint point, bool isKey);
    TimelineCanvas& m_canvas;
    QPointer<QMenu> m_menu; ///< the last one that was asked for
};

} // namespace olab::ui
