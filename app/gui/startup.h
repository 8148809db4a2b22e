// The start of the window: its fonts and language, and what the command line asked for.
#pragma once

#include "start_options.h"

#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <QElapsedTimer>
#include <QObject>

#include <memory>

class QCoreApplication;

namespace olab::gui {

/// An archive brings a font and a configuration for it, since it may be unpacked where there is none. To be
/// called before QApplication; does nothing in other installations or when the person set fontconfig up.
void useBundledFonts();

/// Installs the translations of the person's language, where there are any: ours from
/// share/overlap-lab/translations (overlap-lab_de.qm), and Qt's own for its dialogs. Else the window speaks
/// English, as its sources do.
void useTranslations(QCoreApplication& application);

/// How long a person waits: from F5 to the verdict on the screen, and to its tool effect. For the
/// measurements of the program itself (overlap-lab --time-runs), also where there is no display.
class RunTimer final : public QObject {
    Q_OBJECT
public:
    /// `changing`: each run is of another experiment, whose tool effect is not known yet.
    RunTimer(int count, bool changing, ui::Session& session, ui::MainWindow& window);
    void start();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void next();
    void step(const QString& what);
    void painted();
    void complete(const QString& effect);
    int m_count, m_number = 0;
    bool m_changing, m_wantsPaint = false, m_complete = false;
    ui::Session& m_session;
    ui::MainWindow& m_window;
    QElapsedTimer m_clock;
    QString m_lastStep;
};

/// Where the recordings are that come with the program; empty: nowhere.
QString recordingsFolder();

/// Carries out what the command line asked for once the window stands: chooses the backend, opens, runs,
/// takes the picture.
class Startup final : public QObject {
    Q_OBJECT
public:
    Startup(StartOptions options, ui::Session& session, ui::MainWindow& window);
    /// @throws Error for an unknown preset
    void begin();

private:
    void gpuKnown();
    void startWork();
    void demo();
    void showPart();
    void takePicture(int exitCode);
    void printVerdicts() const;

    StartOptions m_options;
    ui::Session& m_session;
    ui::MainWindow& m_window;
    std::unique_ptr<RunTimer> m_timer;
    bool m_started = false, m_pictured = false;
};

} // namespace olab::gui
