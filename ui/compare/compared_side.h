// One run of a comparison: what it is and how long it took, what became of its operations, its lanes. GUI
// thread.
#pragma once

#include <olab/ui/timeline_canvas.h>

#include <QWidget>

class QLabel;

namespace olab::ui {

class ElidedLabel;

class ComparedSide final : public QWidget {
    Q_OBJECT
public:
    explicit ComparedSide(QWidget* parent = nullptr);
    /// `role`: "before".
    void setShown(const view::ViewDataPtr& shown, const QString& role);
    /// What it differs by from the first run, and why both must not be held against each other; empty:
    /// nothing.
    void tell(const QString& changes, const QString& warning);
    TimelineCanvas& canvas() { return *m_canvas; }
    QString words() const; ///< all that stands above the lanes

private:
    ElidedLabel* m_title;
    QLabel *m_changes, *m_warning;
    TimelineCanvas* m_canvas;
};

} // namespace olab::ui
