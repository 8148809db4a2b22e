// Where a window goes that is to lie within the room a screen has. Logical pixels; any thread.
#pragma once

#include <QRect>

#include <algorithm>

namespace olab::ui {

/// Smaller where it is larger than the room, and moved as little as that takes.
inline QRect keptInside(QRect window, const QRect& room) {
    window.setSize(window.size().boundedTo(room.size()));
    window.moveTo(std::clamp(window.x(), room.x(), room.x() + room.width() - window.width()),
                  std::clamp(window.y(), room.y(), room.y() + room.height() - window.height()));
    return window;
}

} // namespace olab::ui
