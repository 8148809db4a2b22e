// Shows in all parts of the window which run is current, and what more is known of it. GUI thread.
#pragma once

#include <olab/view/view_data_ptr.h>

#include <QObject>
#include <QWidget>

namespace olab::ui {

class Inspector;
class Runs;
class TimelineCanvas;
class StatusLine;
struct WindowParts;

/// The upper right of the window: what is selected in the timeline. GUI thread.
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

class Display final : public QObject {
    Q_OBJECT
public:
    /// `parts` must outlive it.
    explicit Display(const WindowParts& parts);

signals:
    void shown(); ///< a recording is on the screen

private:
    void connectParts();
    void showWhatRuns();
    void showCurrent();
    void showRefined(const view::ViewDataPtr& before);
    void showTitle();
    const WindowParts& m_parts;
    StatusLine* m_status;
};

} // namespace olab::ui
