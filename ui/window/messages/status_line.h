// Where the trace was made, what was read of it, how much tracing disturbed it, and whether it is a
// measurement at all.
#pragma once

#include <olab/view/view_data.h>

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;

namespace olab::ui {

class ElidedLabel;

/// What runs, how far it is and a button that cancels it, in the status bar: while the form, which says the
/// same, is not seen. GUI thread.
class BusyLine final : public QWidget {
    Q_OBJECT
public:
    /// `form`: who else says it.
    explicit BusyLine(const QWidget& form, QWidget* parent = nullptr);
    void start(const QString& what);
    void setProgress(double share, const QString& what);
    void end();

signals:
    void cancelRequested();

private:
    void refresh();
    const QWidget& m_form;
    ElidedLabel* m_what;
    QProgressBar* m_bar;
    QTimer m_soon; ///< what is done at once is not said
    bool m_runs = false;
};

class StatusLine final : public QWidget {
    Q_OBJECT
public:
    explicit StatusLine(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);

private:
    QLabel* addLabel(const QString& name, bool givesWay = false);
    void set(QLabel* label, const QString& text, const QString& tip = {});
    view::ViewDataPtr m_shown;
    QLabel *m_device, *m_driver, *m_records, *m_effect;
};

} // namespace olab::ui
