// The window: experiment on the left, verdicts, timeline and pages in the middle, inspector and runs on the
// right. It makes its parts (window/window_parts.h) and shows in them what Runs says; all else they do.
#pragma once

#include <olab/ui/choices.h>
#include <olab/ui/window_options.h>
#include <olab/view/view_data_ptr.h>

#include <QMainWindow>

#include <memory>

namespace olab::run {
struct RunnerError;
} // namespace olab::run

namespace olab::ui {

class ClaimsRoom;
class Closing;
class ComparePage;
class ErrorBar;
class ExperimentForm;
class LessonRoom;
class Session;
class SettingsStore;
class TimelineView;
struct WindowParts;

class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Session& session, WindowOptions options = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    void run();
    void open(const QString& path);
    /// Each as a run of its own; the first is shown. A folder is a sweep, or a table of the recordings in it.
    void open(const QStringList& paths);
    void showError(const run::RunnerError& error);
    void setTheme(ThemeChoice choice);
    /// Type of 18 pt or more, thick lines and high contrast, and the form out of the way.
    void setProjector(bool on);
    /// By its id in the table of pages (window/page_table.cpp), or claims, which is a page of its own.
    /// @returns false for another name, or a page that has nothing to show yet.
    bool showPage(const QString& name);
    /// The recordings that come with the program, and the presets; what the window shows first.
    void showGallery();

    ExperimentForm& form();
    TimelineView& timeline();
    const view::ViewDataPtr& shown() const; ///< null: nothing
    const ErrorBar& errors() const;
    const ComparePage& comparison() const;
    LessonRoom& lessons();
    ClaimsRoom& claims();
    const WindowParts& parts() const { return *m_parts; }

signals:
    /// A recording is on the screen.
    void recordingShown();
    void sweepShown();             ///< one that was opened
    void tableShown();             ///< of the recordings of a folder, with all its rows
    void opened();                 ///< all that open() was to open are in the list, or failed
    void pictureMade();            ///< in its file, or in the clipboard
    void errorShown(int exitCode); ///< 1 to 5, as the programs exit with

protected:
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    WindowOptions m_options;
    std::unique_ptr<WindowParts> m_parts;
    Closing* m_closing = nullptr;
    SettingsStore* m_settings = nullptr; ///< null: nothing is remembered
};

} // namespace olab::ui
