// Mouse and keys of the canvas: what is under the pointer is told and selected, the view and the rulers are
// dragged, keys step and choose rows. Its menu is canvas_menu.h. GUI thread.
#pragma once

#include "timeline/input/canvas_menu.h"

#include <olab/ui/timeline_canvas.h>

#include <QPoint>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace olab::ui {

class CanvasInput final : public QObject {
    Q_OBJECT
public:
    /// Owned by the canvas, which has one.
    explicit CanvasInput(TimelineCanvas& canvas);
    /// What is measured or selected, to the clipboard; as a table, else as text.
    void copyPicked(bool table);
    void copyLink();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // canvas_mouse.cpp
    void move(const QMouseEvent& event);
    void press(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    void doubleClick(QPoint point);
    void wheel(QWheelEvent& event);
    void click(QPoint point);
    void dragRow(QPoint point);
    void hover(QPoint point);
    QString textAt(QPoint point) const;
    Ns snapped(QPoint point, bool snaps) const;
    std::optional<Ns> rulerNear(QPoint point) const;
    bool isAtNames(QPoint point) const; ///< at the edge of the names
    // canvas_keys.cpp
    bool key(const QKeyEvent& event);
    bool ghostKey(const QKeyEvent& event);
    bool rowKey(const QKeyEvent& event);
    bool rowShapeKey(const QKeyEvent& event, const Row& row);
    bool pickKey(const QKeyEvent& event);
    bool viewKey(const QKeyEvent& event);
    void toggleMeasuring();
    void moveRuler(bool first, int direction);

    void undo();
    bool leave();

    const view::Selection& selection() const { return m_canvas.selection(); }
    TimelineCanvas& m_canvas;
    CanvasMap m_map;
    CanvasMenu m_menu;
    QPoint m_pressed, m_last;
    enum class Drag : std::uint8_t { None, View, Ruler, Row, Names } m_drag{};
    Ns m_anchor = 0; ///< the ruler that stays while the other one is dragged
};

} // namespace olab::ui
