// The upper right of the window: what is selected in the timeline. GUI thread.
#pragma once

#include <QWidget>

namespace olab::ui {

class Inspector;
class Runs;
class TimelineCanvas;

class InspectorSide final : public QWidget {
    Q_OBJECT
public:
    struct Uses {
        const Runs& runs;
        TimelineCanvas& canvas;
    };
    explicit InspectorSide(const Uses& uses);
    void showCurrent();   ///< another recording: nothing of it is selected
    void showSelection(); ///< or what it is called

private:
    Uses m_uses;
    Inspector* m_inspector;
};

} // namespace olab::ui
