// The whole run in a narrow strip, the part that is seen as a frame. GUI thread.
#pragma once

#include "timeline/canvas/ruler.h"

#include <olab/ui/timeline_canvas.h>

#include <QImage>

class QScrollBar;
class QWidget;

namespace olab::ui {

class TimelineCanvas;

// The bar that scrolls the rows of a canvas, and is there only while some of them are out of sight. GUI
// thread.
QScrollBar* makeScrollBar(TimelineCanvas& canvas, QWidget* parent);

class Minimap final : public QWidget {
    Q_OBJECT
public:
    Minimap(TimelineCanvas& canvas, QWidget* parent);
    void forget(); ///< another recording is shown
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void moveTo(int x);
    view::Viewport whole() const; ///< in this widget's pixels
    bool isInFrame(int x) const;
    TimelineCanvas& m_canvas;
    QImage m_image;
    TimeBand m_band; ///< begun outside the frame
};

} // namespace olab::ui
