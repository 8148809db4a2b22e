// The bar that scrolls the rows of a canvas, and is there only while some of them are out of sight. GUI
// thread.
#pragma once

class QScrollBar;
class QWidget;

namespace olab::ui {

class TimelineCanvas;

QScrollBar* makeScrollBar(TimelineCanvas& canvas, QWidget* parent);

} // namespace olab::ui
