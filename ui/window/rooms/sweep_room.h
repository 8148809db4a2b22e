// Sweeps in the window: the settings of the form with one option or two varied. What is measured is kept in a
// folder, so that it goes on after the window was closed. Owned by the window. GUI thread.
#pragma once

#include "sweep/sweep_page.h"

#include <olab/trace/temporary_folder.h>

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>

namespace olab::ui {

class Session;
enum class BackendChoice : std::uint8_t;
struct JobTools;
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
    /// A sweep as it is asked for.
    struct Wish {
        sweep::Grid grid;
        int repeats = 1;
        /// Where runs are kept, and what is there is taken from. Empty: nothing is measured.
        std::filesystem::path folder;
        bool measures = true; ///< false: only what is there is shown, and predicted
    };

signals:
    void shown(); ///< a folder that was opened is on the screen

private:
    void start();
    /// Engine thread.
    static void runSweep(const Wish& wish, BackendChoice choice, const JobTools& tools,
                         const std::function<void(const SweepNewsPtr&)>& told);
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
