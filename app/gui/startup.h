// Carries out what the command line asked for once the window stands: chooses the backend, opens, runs, takes
// the picture.
#pragma once

#include "run_timer.h"
#include "start_options.h"

#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <QObject>

#include <memory>

namespace olab::gui {

/// Where the recordings are that come with the program; empty: nowhere.
QString recordingsFolder();

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
