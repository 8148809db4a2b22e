#include "window/menus.h"

#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "timeline/bookmarks/bookmark_tools.h"
#include "timeline/canvas/bar_colouring.h"
#include "timeline/input/canvas_input.h"
#include "timeline/view_history.h"
#include "window/files.h"
#include "window/help.h"
#include "window/jobs.h"
#include "window/messages/message_bars.h"
#include "window/messages/messages.h"
#include "window/pages.h"
#include "window/picture_export.h"
#include "window/rooms/compare_room.h"
#include "window/rooms/gallery_room.h"
#include "window/rooms/lesson_room.h"
#include "window/rooms/recordings_room.h"
#include "window/runs/runs.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/experiment/presets.h>
#include <olab/ui/format.h>
#include <olab/ui/frame_probe.h>
#include <olab/ui/picture.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>

namespace olab::ui {

namespace {

/// Its first letter chooses it.
EntryText withMnemonic(const std::string& text) {
    return {QStringLiteral("&%1"), {fromText(text)}};
}

/// From the first recording that is shown on.
void enableOnceShown(QAction* action, const Runs& runs) {
    action->setEnabled(false);
    QObject::connect(&runs, &Runs::shownChanged, action, [action, &runs] {
        if (runs.current())
            action->setEnabled(true);
    });
}

/// Beside a run whose settings they are not, settings that nobody sees are shown first.
void runAsked(const WindowParts& parts) {
    const view::ViewDataPtr& shown = parts.runs.current();
    if (!shown || parts.lessons->shown() || !parts.layout.isFolded(Part::Form) || parts.jobs.formIsOfShown())
        return parts.jobs.run();
    parts.layout.show(Part::Form, true);
    parts.messages.notice().say(
        !shown->recording->experiment
            ? Menus::tr("F5 runs the settings on the left, not the run shown: press it again to run them. "
                        "Ctrl+E makes an experiment of the run shown.")
            : Menus::tr("F5 runs the settings on the left: press it again to run them."));
}

} // namespace

Menus::Menus(QMenuBar& bar)
    : QObject(&bar) {
    m_menus = {bar.addMenu(tr("&File")),       bar.addMenu(tr("&Edit")),  bar.addMenu(tr("&View")),
               bar.addMenu(tr("E&xperiment")), bar.addMenu(tr("&Learn")), bar.addMenu(tr("&Help"))};
}

void Menus::build(const WindowParts& parts) {
    buildFile(parts);
    buildEdit(parts);
    buildExperiment(parts);
    buildView(parts);
    buildHelp(parts);
}

// --- File

void Menus::buildFile(const WindowParts& parts) {
    QMenu& file = menu(MenuId::File);
    file.addAction(tr("&Open recordings..."), QKeySequence::Open, &parts.files, &Files::chooseToOpen)
        ->setObjectName(QStringLiteral("openRecordings"));
    file.addAction(tr("Open fol&der..."), &parts.files, &Files::chooseFolder);
    buildRecent(parts);
    buildTable(parts);
    file.addAction(tr("Recordings and presets (&gallery)"), QKeySequence(Qt::CTRL | Qt::Key_G),
                   &parts.gallery, &GalleryRoom::enter)
        ->setObjectName(QStringLiteral("gallery"));
    QAction* save = file.addAction(tr("&Save recording"), QKeySequence::Save, &parts.files, &Files::save);
    save->setEnabled(false);
    QObject::connect(&parts.runs, &Runs::shownChanged, save,
                     [save, &runs = parts.runs] { save->setEnabled(runs.current() != nullptr); });
    enableOnceShown(file.addAction(tr("Save recording &as..."), &parts.files, &Files::saveAs), parts.runs);
    file.addSeparator()->setObjectName(QStringLiteral("endOfSaving"));
    buildPictures(parts);
    file.addSeparator();
    file.addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), &parts.window, &QWidget::close);
}

void Menus::buildRecent(const WindowParts& parts) {
    QMenu* menu = this->menu(MenuId::File).addMenu(tr("Open &recent"));
    const auto refresh = [menu, &files = parts.files] {
        menu->clear();
        const std::vector<RecentFile> recent = files.recent();
        for (const auto& [path, about] : recent) {
            const QString name = shownText(QFileInfo(path).fileName());
            const QString what = about.isEmpty() ? QString() : QStringLiteral("   ") + shownText(about);
            QAction* entry = addEntry(*menu, {QStringLiteral("&%1   %2%3"), {name, folderOf(path), what}},
                                      &files, [&files, path = path] { files.openRecent(path); });
            setTip(*entry, shownText(path));
        }
        menu->setToolTipsVisible(true);
        menu->setEnabled(!recent.empty());
    };
    QObject::connect(&parts.files, &Files::recentChanged, menu, refresh);
    refresh();
}

void Menus::buildTable(const WindowParts& parts) {
    QMenu& file = menu(MenuId::File);
    m_tableActions = {file.addAction(tr("&Table of recordings"), QKeySequence(Qt::CTRL | Qt::Key_R),
                                     &parts.window, [&parts] { parts.recordings->showPage(); }),
                      file.addAction(tr("Previous in the ta&ble"), QKeySequence(Qt::ALT | Qt::Key_PageUp),
                                     &parts.window, [&parts] { parts.recordings->step(-1); }),
                      file.addAction(tr("&Next in the table"), QKeySequence(Qt::ALT | Qt::Key_PageDown),
                                     &parts.window, [&parts] { parts.recordings->step(1); })};
    for (QAction* action : m_tableActions)
        action->setEnabled(false);
    setTip(*m_tableActions.front(), tr("The table of the folder that was opened last, as it was left"));
}

void Menus::buildPictures(const WindowParts& parts) {
    QMenu& file = menu(MenuId::File);
    PictureExport& pictures = parts.pictures;
    const QList<QAction*> actions{
        file.addAction(tr("Export picture of the &view..."), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
                       &pictures, [&pictures] { pictures.choose(PicturePart::View); }),
        file.addAction(tr("Export picture of the &whole run..."),
                       QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_S), &pictures,
                       [&pictures] { pictures.choose(PicturePart::WholeRun); }),
        file.addAction(tr("&Copy picture of the view"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                       &pictures, [&pictures] { pictures.copy(PicturePart::View); }),
    };
    for (QAction* action : actions)
        enableOnceShown(action, parts.runs);
}

// --- Edit

/// Keys of the timeline are named, not taken: in fields and tables they mean what they mean there.
void Menus::buildEdit(const WindowParts& parts) {
    QMenu& edit = menu(MenuId::Edit);
    TimelineView& timeline = parts.timeline;
    QAction* undoAction = parts.panel.undoAction();
    edit.addAction(undoAction);
    edit.addSeparator();
    enableOnceShown(addEntry(edit, tr("&Copy what is selected\tCtrl+C"), &timeline,
                             [&timeline] {
                                 timeline.canvas().setFocus(Qt::OtherFocusReason);
                                 timeline.canvas().findChild<CanvasInput*>()->copyPicked(false);
                             }),
                    parts.runs);
    enableOnceShown(addEntry(edit, tr("&Find...\tCtrl+F"), &timeline, [&timeline] { timeline.openSearch(); }),
                    parts.runs);
}

// --- Experiment

void Menus::buildExperiment(const WindowParts& parts) {
    QMenu& menu = this->menu(MenuId::Experiment);
    Jobs& jobs = parts.jobs;
    QAction* run = menu.addAction(tr("&Run"), QKeySequence(Qt::Key_F5), &jobs, [&parts] { runAsked(parts); });
    const auto refresh = [run, &jobs] { run->setEnabled(jobs.canRun()); };
    QObject::connect(&jobs, &Jobs::changed, run, refresh);
    refresh();
    addCancel(parts);
    QAction* fix =
        menu.addAction(tr("&Find the fix"), QKeySequence(Qt::CTRL | Qt::Key_Return), &jobs, &Jobs::findFix);
    fix->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    setTip(*fix, tr("Predicts what every change of one option would bring to the run that is shown, and "
                    "measures the best in runs interleaved with it. While nothing is shown: to the settings "
                    "in the form"));
    menu.addSeparator();
    buildPresets(parts);
    menu.addAction(tr("C&hoose a preset..."), &parts.panel, &ExperimentPanel::openChooser);
    menu.addAction(tr("&Default settings"), &parts.panel,
                   [&panel = parts.panel] { panel.choose(experiment::HeldExperiment{}); });
}

/// Esc: what runs, else what is said above the view.
void Menus::addCancel(const WindowParts& parts) {
    Jobs& jobs = parts.jobs;
    Messages& messages = parts.messages;
    QAction* cancel = menu(MenuId::Experiment)
                          .addAction(tr("&Cancel"), QKeySequence(Qt::Key_Escape), &jobs, [&jobs, &messages] {
                              jobs.canCancel() ? jobs.cancel() : messages.dismiss();
                          });
    const auto refresh = [cancel, &jobs, &messages] {
        cancel->setText(jobs.canCancel() || !messages.canDismiss() ? tr("&Cancel")
                                                                   : tr("&Close the message"));
        cancel->setEnabled(jobs.canCancel() || messages.canDismiss());
    };
    QObject::connect(&jobs, &Jobs::changed, cancel, refresh);
    QObject::connect(&messages, &Messages::barsChanged, cancel, refresh);
    refresh();
}

void Menus::buildPresets(const WindowParts& parts) {
    QMenu* all = menu(MenuId::Experiment).addMenu(tr("&Presets"));
    std::string group;
    QMenu* groupMenu = nullptr;
    for (const experiment::Preset& preset : experiment::presets()) {
        if (preset.group != group) {
            groupMenu = addSubmenu(*all, withMnemonic(preset.group));
            groupMenu->setToolTipsVisible(true);
            group = preset.group;
        }
        QAction* entry = addEntry(*groupMenu, withMnemonic(preset.title), &parts.jobs,
                                  [&jobs = parts.jobs, &preset] { jobs.choosePreset(preset.experiment); });
        setTip(*entry, sentence(preset.text));
    }
}

// --- View

void Menus::buildView(const WindowParts& parts) {
    QMenu& view = menu(MenuId::View);
    parts.layout.addThemeActions(view);
    view.addSeparator();
    parts.layout.addPartActions(view);
    buildGhosts(parts);
    QMenu* colours = view.addMenu(tr("Colou&r by"));
    colours->setToolTipsVisible(true);
    colours->addActions(parts.timeline.colourActions().actions());
    setTip(*addEntry(view, tr("&File details"), &parts.pages,
                     [&pages = parts.pages] { pages.open(QStringLiteral("contents")); }),
           tr("What was found in the recording and what was not, and what can therefore not be judged"));
    setTip(*view.addAction(tr("Compare at full si&ze"), QKeySequence(Qt::CTRL | Qt::Key_D), &parts.window,
                           [&parts] { parts.compare->showChosen(); }),
           tr("The runs that are selected in the list, or the two that were compared last, on one axis"));
    view.addSeparator();
    buildZoom(parts);
    buildBookmarks(parts);
    view.addSeparator();
    TimelineCanvas& canvas = parts.timeline.canvas();
    view.addAction(tr("&Go to the timeline"), QKeySequence(Qt::Key_F6), &canvas,
                   [&canvas] { canvas.setFocus(Qt::ShortcutFocusReason); });
    if (auto* application = qobject_cast<ProbedApplication*>(qApp))
        addFrames(*parts.window.statusBar(), application->probe());
}

void Menus::addFrames(QStatusBar& status, FrameProbe& probe) {
    QAction* action = menu(MenuId::View).addAction(tr("Frame ti&mes"), &status, [&status, &probe](bool on) {
        probe.setShown(on);
        on ? status.showMessage(tr("Frame times: shown with the next click, key or turn of the wheel."))
           : status.clearMessage();
    });
    action->setCheckable(true);
    setTip(*action, tr("How long the window takes to paint, for a report of what was slow. OLAB_FRAME_LOG "
                       "writes a line for each frame."));
    connect(&probe, &FrameProbe::news, &status, [&status](const QString& text) { status.showMessage(text); });
}

void Menus::buildGhosts(const WindowParts& parts) {
    QMenu& view = menu(MenuId::View);
    TimelineCanvas& canvas = parts.timeline.canvas();
    QAction* waits = addEntry(view, tr("&Waits before operations\tG"), &canvas,
                              [&canvas](bool on) { canvas.ghosts().setShowsWaits(on); });
    QAction* ideal = addEntry(view, tr("I&deal run under the bars\tShift+G"), &canvas,
                              [&canvas](bool on) { canvas.ghosts().setShowsIdeal(on); });
    setTip(*waits, tr("Before each operation of a stream how long it was held back, in the colour and hatch "
                      "of the cause"));
    setTip(*ideal, tr("Where the same work would be if nothing had held it back"));
    for (QAction* action : {waits, ideal})
        action->setCheckable(true);
    const auto tell = [waits, ideal, &canvas] {
        waits->setChecked(canvas.ghosts().showsWaits());
        ideal->setChecked(canvas.ghosts().showsIdeal());
    };
    QObject::connect(&canvas, &TimelineCanvas::ghostsChanged, waits, tell);
    tell();
}

void Menus::buildZoom(const WindowParts& parts) {
    QMenu& view = menu(MenuId::View);
    TimelineCanvas& canvas = parts.timeline.canvas();
    const auto middle = [&canvas] { return (canvas.gutter() + canvas.width()) / 2; };
    view.addAction(tr("Zoom &in"), QKeySequence::ZoomIn, &canvas,
                   [&canvas, middle] { canvas.zoomAt(middle(), 0.5); });
    view.addAction(tr("Zoom &out"), QKeySequence::ZoomOut, &canvas,
                   [&canvas, middle] { canvas.zoomAt(middle(), 2); });
    view.addAction(tr("&Whole run"), QKeySequence(Qt::CTRL | Qt::Key_0), &canvas, &TimelineCanvas::fit);
}

void Menus::buildBookmarks(const WindowParts& parts) {
    QMenu& view = menu(MenuId::View);
    ViewHistory& history = parts.timeline.history();
    view.addSeparator();
    QAction* back = view.addAction(tr("&Previous view"), QKeySequence(Qt::ALT | Qt::Key_Left), &history,
                                   &ViewHistory::back);
    QAction* forth = view.addAction(tr("&Next view"), QKeySequence(Qt::ALT | Qt::Key_Right), &history,
                                    &ViewHistory::forth);
    const auto refresh = [back, forth, &history] {
        back->setEnabled(history.canGo(-1));
        forth->setEnabled(history.canGo(+1));
    };
    QObject::connect(&history, &ViewHistory::changed, back, refresh);
    refresh();
    view.addSeparator();
    QMenu* menu = view.addMenu(tr("Boo&kmarks"));
    menu->addActions(parts.timeline.bookmarks().actions());
}

// --- Help

void Menus::buildHelp(const WindowParts& parts) {
    QMenu& help = menu(MenuId::Help);
    QMainWindow& window = parts.window;
    // Where text is typed the field takes the "?" before the window does.
    help.addAction(tr("&Keys"), &window, [&window] { showKeys(&window); })
        ->setShortcuts({QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question),
                        QKeySequence(Qt::SHIFT | Qt::Key_Question)});
    help.addAction(tr("G&lossary"), &window, [&window] { showGlossary(&window); })
        ->setObjectName(QStringLiteral("showGlossary"));
    help.addAction(tr("&Gallery of recordings and presets"), &parts.gallery, &GalleryRoom::enter);
    help.addAction(tr("&About Overlap Lab"), &window, [&window] { showAbout(&window); });
}

} // namespace olab::ui
