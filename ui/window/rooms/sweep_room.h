// Sweeps in the window: the settings of the form with one option or two varied. What is measured is kept in a
// folder, so that it goes on after the window was closed. Owned by the window. GUI thread.
#pragma once

#include "sweep/sweep_page.h"

#include <olab/trace/temporary_folder.h>

#include <QObject>

#include <memory>

namespace olab::ui {

class Session;
struct WindowParts;

class SweepRoom final : public QObject {
    Q_OBJECT
public:
    /// `parts` must outlive it.
    explicit SweepRoom(const WindowParts& parts);
    void showPage();
    /// The folder of a sweep (olab sweep -o): what is in it, and predictions beside it.
    void openFolder(const QString& folder);
    bool isRunning() const { return m_running; }
    SweepPage& page();
    /// By the ending of the name: csv, json or png. @throws Error
    QByteArray fileOfSweep(const QString& path) const;

signals:
    void shown(); ///< a folder that was opened is on the screen

private:
    void connectSession();
    void start();
    void begin(const sweep::Grid& grid, const std::filesystem::path& folder, bool measures);
    void ended();
    void chooseFolder();
    void openCell(std::size_t cell);
    void save();
    void back();
    QString whereText() const;
    std::filesystem::path folderFor(const sweep::Grid& grid);

    const WindowParts& m_parts;
    Session& m_session;
    SweepPage* m_page = nullptr; ///< null until somebody wants it
    bool m_running = false, m_opening = false, m_opensRun = false;
    std::filesystem::path m_opened; ///< the folder that a person opened, and what is swept there
    sweep::Grid m_openedGrid;
    std::unique_ptr<TemporaryFolder> m_temporary; ///< where nothing is to be remembered
};

} // namespace olab::ui
