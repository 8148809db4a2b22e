// Shows in all parts of the window which run is current, and what more is known of it. GUI thread.
#pragma once

#include <olab/view/view_data_ptr.h>

#include <QObject>
#include <QWidget>

namespace olab::ui {

class Inspector;
class StatusLine;
struct WindowParts;

/// The upper right of the window: what is selected in the timeline. GUI thread.
class InspectorSide final : public QWidget {
    Q_OBJECT
public:
    explicit InspectorSide(const WindowParts& parts);
    void showCurrent();   ///< another recording: nothing of it is selected
    void showSelection(); ///< or what it is called

private:
    const WindowParts& m_parts;
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
