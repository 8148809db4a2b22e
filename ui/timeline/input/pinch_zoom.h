// Two fingers on a touchpad or a touch screen zoom the timeline where they are.
#pragma once

#include <olab/ui/timeline_canvas.h>

namespace olab::ui {

class PinchZoom final : public QObject {
    Q_OBJECT
public:
    PinchZoom(TimelineCanvas& canvas, QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    TimelineCanvas& m_canvas;
};

} // namespace olab::ui
