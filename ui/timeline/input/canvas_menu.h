// The menu of the canvas: what is under the pointer, and its row. GUI thread.
#pragma once

#include <QPointer>

class QContextMenuEvent;
class QMenu;
class QPoint;

namespace olab::ui {

class TimelineCanvas;

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
