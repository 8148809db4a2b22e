// The pixels of a window that a widget is about to paint: to write them directly saves a copy of the whole
// view, which costs as much as painting it.
#pragma once

#include <QImage>

class QPainter;
class QPaintEvent;
class QWidget;

namespace olab::ui {

/// The part of the window's image that `widget` covers, in device pixels, while `painter` is at work in its
/// paintEvent. Null when there is none (a screenshot, a printer, another format) or when not all of the
/// widget is to be painted: what covers it would be painted over.
QImage windowPixels(QPainter& painter, const QPaintEvent& event, const QWidget& widget);

} // namespace olab::ui
