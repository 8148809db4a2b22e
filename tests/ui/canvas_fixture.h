// A canvas with a recording, and a hand.
#pragma once

#include "shown_fixture.h"

#include <olab/ui/timeline_canvas.h>

#include <timeline/accessibility/accessible_timeline.h>
#include <timeline/input/canvas_input.h>

#include <QMouseEvent>
#include <QTest>

namespace olab::test {

/// A canvas on screen, wide enough for labels and tall enough for all lanes.
struct CanvasOnScreen {
    explicit CanvasOnScreen(view::ViewDataPtr recording) {
        ui::makeAccessible(canvas);
        canvas.resize(1000, 520);
        canvas.show();
        canvas.setShown(std::move(recording));
        QCoreApplication::processEvents();
    }
    /// As a hand does it: press, a few moves, release.
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys = {}) {
        QTest::mousePress(&canvas, Qt::LeftButton, keys, from);
        for (int i = 1; i <= 10; ++i) {
            const QPoint at = from + (to - from) * i / 10;
            QMouseEvent move(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                             keys);
            QCoreApplication::sendEvent(&canvas, &move);
        }
        QTest::mouseRelease(&canvas, Qt::LeftButton, keys, to);
    }
    /// The column of the view in the middle of a pixel of the widget.
    int column(int x) const {
        const double ratio = canvas.devicePixelRatioF();
        return static_cast<int>((x + 0.5) * ratio) - qRound(canvas.gutter() * ratio);
    }
    ui::TimelineCanvas canvas;
    ui::CanvasInput* input = new ui::CanvasInput(canvas); ///< owned by it
};

/// Of a picture of a widget, at a place in the widget.
inline QColor colourAt(const QImage& picture, QPoint point) {
    const double ratio = picture.devicePixelRatio();
    return picture.pixelColor(static_cast<int>((point.x() + 0.5) * ratio),
                              static_cast<int>((point.y() + 0.5) * ratio));
}

} // namespace olab::test
