// A program of the user's is recorded from the window: which one, how, what it says meanwhile, and Stop. The
// recording is opened when the program has ended. It stands beside the window, which goes on. GUI thread.
#pragma once

#include "tracing/traced_run.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace olab::ui {

class TraceDialog final : public QDialog {
    Q_OBJECT
public:
    /// `olab`: the command line.
    TraceDialog(const QString& olab, QWidget* parent);
    TraceWish wish() const;
    void setWish(const TraceWish& wish);
    void start();
    void record(bool on) { m_run.record(on); }
    void stop() { m_run.stop(); }
    bool isRunning() const { return m_run.isRunning(); }
    const TracedRun& run() const { return m_run; }
    bool waits() const;   ///< it is recorded only when told
    QString said() const; ///< in one line: what runs, or how it ended

signals:
    void wished();  ///< wish() was started: it can be kept
    void changed(); ///< said(), or what run() is: once a second while it runs
    /// It has ended: its recordings, that of the program itself first.
    void recorded(const QStringList& files);
    void endedWithout(); ///< any recording: said() tells why

private:
    QLineEdit* addField(QGridLayout& grid, const QString& name, const QString& hint, const QString& tip);
    void addWhen(QGridLayout& grid);
    void addBrowse(QGridLayout& grid, QLineEdit& field, bool isFolder);
    void buildFields(QGridLayout& grid);
    void browse(QLineEdit& field, bool isFolder);
    void append(const QString& text);
    void end(int exitCode);
    void refresh();
    QString runningText() const;
    TracedRun m_run;
    QLineEdit *m_program = nullptr, *m_arguments = nullptr, *m_folder = nullptr, *m_delay = nullptr,
              *m_duration = nullptr, *m_last = nullptr, *m_options = nullptr;
    QPlainTextEdit* m_output;
    QLabel* m_said;
    QComboBox* m_when = nullptr;
    QPushButton *m_start = nullptr, *m_record = nullptr, *m_stop = nullptr;
    QTimer m_clock;    ///< while something runs
    QString m_outcome; ///< of the last one
};

} // namespace olab::ui
