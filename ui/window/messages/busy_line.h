// What runs, how far it is and a button that cancels it, in the status bar: while the form, which says the
// same, is not seen. GUI thread.
#pragma once

#include <QTimer>
#include <QWidget>

class QProgressBar;

namespace olab::ui {

class ElidedLabel;

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

} // namespace olab::ui
