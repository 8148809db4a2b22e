// The window: experiment on the left, verdicts, timeline and pages in the middle, inspector and runs on the
// right.
#pragma once

#include <olab/experiment/option_changes.h>
#include <olab/ui/session.h>
#include <olab/ui/theme.h>

#include <QMainWindow>

#include <filesystem>
#include <map>

class QAction;
class QMenu;
class QPlainTextEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace olab {

class ActivitiesPage;
class BookmarksPage;
class ChartsPage;
class CodePage;
class ContentsPage;
class ComparePage;
class ErrorBar;
class FrameProbe;
class ExperimentForm;
class ExperimentPanel;
class FindingsPage;
class FixPage;
class GalleryPage;
class HeadlineLine;
class Inspector;
class LedgerPage;
class MatrixPage;
class NoticeBar;
class PictureWriter;
enum class PictureShape : std::uint8_t;
struct PictureRequest;
class RunKeeper;
class RunList;
class SaveAll;
class SettingsKeeper;
class StatusLine;
class TimelineView;
class RaceLine;
class TrustLine;
class VerdictStrip;

inline constexpr std::uint64_t kRunMemory = std::uint64_t{256} << 20;

struct WindowOptions {
    bool remember = true;       ///< window, splitters, theme, experiment, recent files: QSettings
    bool askBeforeClose = true; ///< about unsaved recordings
    bool keepToScreen = true;   ///< not larger than its screen at the start; false: it is for a picture
    QString recordings{};       ///< the folder of those that come with the program; empty: none are here
    std::uint64_t runMemory = kRunMemory; ///< bytes of recordings; runs beyond it are put on disk
    std::filesystem::path runFolder{};    ///< where; empty: the usual place for large temporary files
};

enum class PicturePart : std::uint8_t { View, WholeRun };

class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Session& session, WindowOptions options = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    void run();
    void open(const QString& path);
    void showError(const RunnerError& error, bool wasRun = false);
    void setTheme(ThemeChoice choice);
    /// Type of 18 pt or more, thick lines and high contrast, and the form out of the way.
    void setProjector(bool on);
    bool projector() const;
    /// Shows both one above the other, on a page of its own.
    void compare(const ViewDataPtr& before, const ViewDataPtr& after);
    /// findings, ledger, matrix, activities, bookmarks, charts, code, contents, log, compare once two runs
    /// are, and claims, which is a page of its own.
    /// @returns false for another name.
    bool showPage(const QString& name);

    /// The recordings that come with the program, and the presets; what the window shows first.
    void showGallery();
    bool galleryShown() const;

    /// Into the file it came from or was saved to last; without one a person is asked for its name.
    void save();

    /// The path's ending decides (picture.h); what goes wrong is shown as an error.
    void exportPicture(const QString& path, PicturePart part);
    void copyPicture(PicturePart part);

    ExperimentForm& form();
    TimelineView& timeline() { return *m_timeline; }
    const ViewDataPtr& shown() const { return m_shown; }
    const ErrorBar& errors() const { return *m_errors; }
    const ComparePage& comparison() const { return *m_compare; }
    const RunKeeper& runKeeper() const { return *m_runKeeper; }

signals:
    /// A recording is on the screen.
    void recordingShown();
    void noted(const QString& text); ///< for the log
    void pictureMade();              ///< in its file, or in the clipboard
    void errorShown(int exitCode);   ///< 1 to 5, as the programs exit with

protected:
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // main_window_build.cpp
    QWidget* buildMiddle();
    QWidget* buildPages();
    QWidget* buildRight();
    void buildMenus();
    void buildFileMenu();
    void buildExperimentMenu();
    void buildHelpMenu();
    void connectSession();
    void connectParts();

    // main_window_view.cpp
    void buildViewMenu();
    void addThemeActions(QMenu& menu);
    void addPartActions(QMenu& menu);
    void addFrameAction(QMenu& menu, FrameProbe& probe);

    // main_window_room.cpp
    void keepToScreen();
    void partToggled(QWidget& part, bool on);
    void shareRoom();
    void sharePages();

    // main_window_files.cpp
    void chooseFileToOpen();
    void openTogether(const QStringList& paths); ///< one: as open()
    void mergeRuns(const std::vector<RunPtr>& runs);
    void chooseFileToSave();
    void saveTo(const ViewDataPtr& shown, const QString& path);
    void remember(const QString& path);
    void refreshRecent();
    void restoreSettings();
    void storeSettings() const;

    // main_window_gallery.cpp
    QWidget* buildGallery(QWidget* work);
    void addGalleryActions(QMenu& menu);
    void showWork();
    void choosePreset(const Experiment& experiment);
    void machineChanged();

    // main_window_runs.cpp
    void connectRuns();
    QWidget* buildRuns();
    void labelChanged(const RunPtr& run);
    void removeRun(const RunPtr& run);
    void showNothing();
    void saveRun(const RunPtr& run, bool askName);
    QString askFileFor(const RunPtr& run);
    QStringList askFilesFor(const std::vector<RunPtr>& runs, const QStringList& taken);
    bool mayClose();
    bool saveBeforeClose();
    void keepSettings();

    // main_window_bookmarks.cpp
    void buildBookmarkMenu(QMenu& view);
    void connectBookmarks();
    QString whyNotInto(const RunPtr& run, const QString& path) const;

    // main_window_ledger.cpp
    QWidget* buildLedger();
    void addGhostActions(QMenu& menu);
    void connectLedger();
    void connectSteadyState();
    void showLedger();
    void showFindings();

    // main_window_code.cpp
    QWidget* buildCode();
    void connectCode();
    void saveCode(const QString& text);

    // main_window_pictures.cpp
    void addPictureActions(QMenu& menu);
    void choosePicture(PicturePart part);
    PictureRequest pictureRequest(PicturePart part) const;
    static void shapeAs(PictureRequest& request, PictureShape shape);
    PictureWriter& pictures();
    void writeShown(const ViewDataPtr& shown, const PictureRequest& request, const QString& path);

    void showRecording(const ViewDataPtr& shown);
    void selectionChanged();
    void recordingReady(const ViewDataPtr& shown);

    // main_window_refine.cpp
    void connectRefining();
    void refined(const ViewDataPtr& before, const ViewDataPtr& after);
    void showRefined(const ViewDataPtr& after);
    void noteEffect(const ViewDataPtr& shown, const QString& text);
    void showEffect();

    // main_window_proofs.cpp
    void buildProofs();
    void addFixAction(QMenu& menu);
    void findFix();
    void connectClaims();
    void proofCame(const ProofNews& news);
    void fixCame(const FixPtr& fix);

    void takeSettingsOf(const Recording& opened);
    void useShownSettings();
    void refreshUseSettings();
    void startRun(const ViewDataPtr& before);
    void runAgain();
    void tryChanges(const OptionChanges& changes);
    void jobStarted(const QString& what);
    void jobEnded(const QString& outcome);
    void gpuKnown();
    void log(const QString& text);

    Session& m_session;
    WindowOptions m_options;
    ViewDataPtr m_shown;
    struct LastRun {
        HeldExperiment experiment;
        RunPtr before; ///< what it is compared with; null: nothing
    } m_lastRun;       ///< the one started last, to run again what failed
    /// What is said of runs of which something is missing: its tool effect, its repeats.
    std::map<std::weak_ptr<const Run>, QString, std::owner_less<>> m_effectNotes;
    HeldExperiment m_formUntouched; ///< of the form when the person last ran it, or the program filled it
    ThemeChoice m_theme = ThemeChoice::System;
    ExperimentPanel* m_panel = nullptr;
    ErrorBar* m_errors = nullptr;
    NoticeBar* m_notice = nullptr;
    VerdictStrip* m_verdicts = nullptr;
    RaceLine* m_race = nullptr;
    TrustLine* m_trust = nullptr;
    TimelineView* m_timeline = nullptr;
    FindingsPage* m_findings = nullptr;
    MatrixPage* m_matrix = nullptr;
    ActivitiesPage* m_activities = nullptr;
    BookmarksPage* m_bookmarks = nullptr;
    ChartsPage* m_charts = nullptr;
    CodePage* m_code = nullptr;
    ContentsPage* m_contents = nullptr;
    LedgerPage* m_ledger = nullptr;
    HeadlineLine* m_headline = nullptr;
    ComparePage* m_compare = nullptr;
    FixPage* m_fix = nullptr;
    QPlainTextEdit* m_log = nullptr;
    Inspector* m_inspector = nullptr;
    QPushButton* m_useSettings = nullptr;
    RunList* m_runs = nullptr;
    StatusLine* m_status = nullptr;
    QTabWidget* m_pages = nullptr;
    QSplitter *m_columns = nullptr, *m_middle = nullptr, *m_right = nullptr;
    PictureWriter* m_pictures = nullptr;
    GalleryPage* m_gallery = nullptr;
    QStackedWidget* m_centre = nullptr; ///< the gallery, or the recording that is shown
    SaveAll* m_saveAll = nullptr;
    SettingsKeeper* m_keeper = nullptr;
    RunKeeper* m_runKeeper = nullptr;
    bool m_closing = false; ///< what was unsaved is saved, or may be lost
    QMenu* m_recent = nullptr;
    QAction *m_runAction = nullptr, *m_cancelAction = nullptr, *m_saveAction = nullptr;
    QAction* m_fixAction = nullptr;
    QList<QAction*> m_themeActions;
    QAction *m_projectorAction = nullptr, *m_panelAction = nullptr, *m_pagesAction = nullptr;
    QAction* m_rightAction = nullptr;
    QAction *m_waitsAction = nullptr, *m_idealAction = nullptr;
    bool m_isForProjector = false;
    bool m_rightMadeRoom = false; ///< for the form, in large type
    QByteArray m_deskColumns;     ///< of the splitter, while it is for a projector
};

} // namespace olab
