// Shows in all parts of the window which run is current, and what more is known of it. GUI thread.
#pragma once

#include <olab/view/view_data_ptr.h>

#include <QObject>

namespace olab::ui {

class StatusLine;
struct WindowParts;

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
