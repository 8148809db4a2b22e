// What the window tells a person: errors and notices above the view, lines for the log, and what its last
// line says. GUI thread.
#pragma once

#include <olab/trace/error.h>
#include <olab/view/view_data.h>

#include <QElapsedTimer>
#include <QObject>
#include <QPlainTextEdit>
#include <QTimer>
#include <QWidget>

#include <string_view>

class QLabel;
class QProgressBar;

namespace olab::run {
struct RunnerError;
} // namespace olab::run

namespace olab::ui {

class ElidedLabel;
class ErrorBar;
class NoticeBar;
class OfferBar;

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

/// Where the trace was made, what was read of it, how much tracing disturbed it, and whether it is a
/// measurement at all.
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

/// What happened, line by line with its time; the last line is seen, unless somebody has scrolled up.
class LogPage final : public QPlainTextEdit {
    Q_OBJECT
public:
    LogPage();
    void add(const QString& text);
};

/// Errors, notices and lines of the log, told by whoever has them.
class Messages final : public QObject {
    Q_OBJECT
public:
    explicit Messages(QObject& owner);
    /// Their parent is who shows them.
    ErrorBar& errors() const { return *m_errors; }
    NoticeBar& notice() const { return *m_notice; }
    OfferBar& offers() const { return *m_offers; }

    /// An error or a notice stands above the view.
    bool canDismiss() const;
    /// Errors, else the notice: what was said last is in the log.
    void dismiss();

    /// Another page is in front: what was said of the one before goes with it, unless nobody can have read
    /// it.
    void turnPage();

    void log(const QString& text) { emit logged(text); }
    /// `wasRun`: it can be run again.
    void error(const olab::run::RunnerError& error, bool wasRun = false);
    void caught(const Error& error);
    /// What was asked for cannot begin. `next`: "open the file".
    void busy(const QString& next);
    void wrote(const QString& path); ///< a file

signals:
    void logged(const QString& text);
    void errorShown(int exitCode);
    void runAgainRequested();
    void barsChanged(); ///< canDismiss() may have another answer

private:
    ErrorBar* m_errors;
    NoticeBar* m_notice;
    OfferBar* m_offers;
    QElapsedTimer m_said; ///< since the last of them
};

} // namespace olab::ui
