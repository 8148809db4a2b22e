// What the window tells a person: errors and notices above the view, and lines for the log. GUI thread.
#pragma once

#include <olab/trace/error.h>

#include <QElapsedTimer>
#include <QObject>
#include <QPlainTextEdit>

#include <string_view>

namespace olab::run {
struct RunnerError;
} // namespace olab::run

namespace olab::ui {

class ErrorBar;
class NoticeBar;
class OfferBar;

/// What happened, line by line with its time; the last line is seen, unless somebody has scrolled up.
class LogPage final : public QPlainTextEdit {
    Q_OBJECT
public:
    LogPage();
    void add(const QString& text);
};

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
    /// A file was written.
    void wrote(const QString& path);
    /// The same of a recording: errors that ask for nothing leave.
    void saved(const QString& path);

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
