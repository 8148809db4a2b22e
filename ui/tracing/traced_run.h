// A program of the user's under `olab trace`, in a session of its own: what it says, how long it runs, the
// recording that it leaves. The window never holds a CUDA context and never loads the library that records:
// the command line does. GUI thread.
#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QStringDecoder>
#include <QStringList>

namespace olab::ui {

/// What a person asked for; a field that is empty asks for nothing.
struct TraceWish {
    QString program;   ///< a file, or a name that PATH knows
    QString arguments; ///< as in a shell: quotes hold words together
    QString folder;    ///< where it runs, and where the recording goes; empty: where the window runs
    QString delay, duration, last; ///< "5s", "300ms"
    QString options;               ///< further ones of `olab trace`
    bool whenTold = false;         ///< it is recorded from record(true) on; `delay` then means nothing
    friend bool operator==(const TraceWish&, const TraceWish&) = default;
};

/// Of `olab trace`, for a recording in `file`.
QStringList traceArguments(const TraceWish& wish, const QString& file);
/// Named after the program, as the command line does ("python3 train.py": train); of none that exists.
QString freeRecordingName(const TraceWish& wish);

class TracedRun final : public QObject {
    Q_OBJECT
public:
    /// `olab`: the command line.
    explicit TracedRun(QString olab, QObject* parent = nullptr);
    ~TracedRun() override; ///< what still runs is killed: ask stop() before
    void start(const TraceWish& wish);
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    /// As Ctrl+C in a terminal would; where that was asked before, at once.
    void stop();
    bool isStopping() const { return m_isStopping; }
    /// Of a program that waits to be recorded: on (for as long as was wished), or off.
    void record(bool on);
    bool isRecording() const { return m_isRecording; } ///< as far as is known
    const QString& file() const { return m_file; }     ///< of the recording, which may not be there (yet)
    /// Those that are there: file(), then those of processes that it started (--children), oldest first.
    QStringList files() const;
    const TraceWish& wish() const { return m_wish; } ///< of what runs, or ran last
    qint64 elapsedMs() const { return m_since.isValid() ? m_since.elapsed() : 0; }

signals:
    void told(const QString& text); ///< by the program, or of it by the command line
    void recordingChanged();
    void ended(int exitCode); ///< the program's; -1: it was not started, and told() said why

private:
    void read();
    void end(int exitCode);
    qint64 program() const;
    void ordered(QProcess& order, bool on, bool bounded);
    TraceWish m_wish;
    QString m_olab, m_file;
    QProcess m_process;
    QStringDecoder m_decoder;
    QElapsedTimer m_since;
    QDateTime m_started;
    bool m_isStopping = false, m_isRecording = false;
};

} // namespace olab::ui
