#include "timeline/input/pinch_zoom.h"

#include <QGestureEvent>
#include <QNativeGestureEvent>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr double kMostAtOnce = 4; // what a device says by mistake must not throw the view away

} // namespace

PinchZoom::PinchZoom(TimelineCanvas& canvas, QObject* parent)
    : QObject(parent)
    , m_canvas(canvas) {
    canvas.grabGesture(Qt::PinchGesture); // touch screens; touchpads send native gestures
    canvas.installEventFilter(this);
}

bool PinchZoom::eventFilter(QObject* watched, QEvent* event) {
    const auto zoom = [this](QPointF at, double larger) {
        m_canvas.zoomAt(static_cast<int>(at.x()), 1 / std::clamp(larger, 1 / kMostAtOnce, kMostAtOnce));
        return true;
    };
    if (event->type() == QEvent::NativeGesture) {
        const auto& gesture = static_cast<const QNativeGestureEvent&>(*event);
        if (gesture.gestureType() == Qt::ZoomNativeGesture)
            return zoom(gesture.position(), 1 + gesture.value());
    } else if (event->type() == QEvent::Gesture) {
        auto& gestures = static_cast<QGestureEvent&>(*event);
        if (const auto* pinch = static_cast<QPinchGesture*>(gestures.gesture(Qt::PinchGesture)))
            return zoom(m_canvas.mapFromGlobal(pinch->centerPoint()), pinch->scaleFactor());
    }
    return QObject::eventFilter(watched, event);
}

} // namespace olab::ui
