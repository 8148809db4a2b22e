// How the window looks: theme, which of its parts are seen.
#include <olab/ui/main_window.h>

#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "window/settings_keeper.h"

#include <olab/ui/frame_probe.h>
#include <olab/ui/timeline_view.h>

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QSplitter>
#include <QStatusBar>
#include <QTabWidget>

namespace olab {

void MainWindow::buildViewMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    addThemeActions(*menu);
    menu->addSeparator();
    addPartActions(*menu);
    addGhostActions(*menu);
    setTip(*addEntry(*menu, tr("&File details"), this, [this] { showPage(QStringLiteral("contents")); }),
           tr("What was found in the recording and what was not, and what can therefore not be judged"));
    menu->addSeparator();
    TimelineCanvas& canvas = m_timeline->canvas();
    const auto middle = [&canvas] { return (canvas.gutter() + canvas.width()) / 2; };
    menu->addAction(tr("Zoom &in"), QKeySequence::ZoomIn, &canvas,
                    [&canvas, middle] { canvas.zoomAt(middle(), 0.5); });
    menu->addAction(tr("Zoom &out"), QKeySequence::ZoomOut, &canvas,
                    [&canvas, middle] { canvas.zoomAt(middle(), 2); });
    menu->addAction(tr("&Whole run"), QKeySequence(Qt::CTRL | Qt::Key_0), &canvas, &TimelineCanvas::fit);
    buildBookmarkMenu(*menu);
    menu->addSeparator();
    menu->addAction(tr("&Go to the timeline"), QKeySequence(Qt::Key_F6), &canvas,
                    [&canvas] { canvas.setFocus(Qt::ShortcutFocusReason); });
    if (auto* application = qobject_cast<ProbedApplication*>(qApp))
        addFrameAction(*menu, application->probe());
}

void MainWindow::addFrameAction(QMenu& menu, FrameProbe& probe) {
    QAction* action = menu.addAction(tr("Frame ti&mes"), this, [this, &probe](bool on) {
        probe.setShown(on);
        on ? statusBar()->showMessage(tr("Frame times: shown with the next click, key or turn of the wheel."))
           : statusBar()->clearMessage();
    });
    action->setCheckable(true);
    setTip(
        *action,
        tr("How long the window takes to paint, for a report of what was slow. OLAB_FRAME_LOG writes a line "
           "for each frame."));
    connect(&probe, &FrameProbe::news, this, [this](const QString& text) { statusBar()->showMessage(text); });
}

void MainWindow::addThemeActions(QMenu& menu) {
    auto* group = new QActionGroup(this);
    for (const auto& [text, choice] : {std::pair{tr("Theme: &system"), ThemeChoice::System},
                                       std::pair{tr("Theme: &light"), ThemeChoice::Light},
                                       std::pair{tr("Theme: &dark"), ThemeChoice::Dark}}) {
        QAction* action = addEntry(menu, text, this, [this, choice = choice] { setTheme(choice); });
        action->setCheckable(true);
        group->addAction(action);
        m_themeActions << action;
    }
    m_projectorAction =
        menu.addAction(tr("&Projector: large type"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), this,
                       [this](bool on) { setProjector(on); });
    m_projectorAction->setCheckable(true);
    setTip(*m_projectorAction, tr("Type, lines and contrast that are read across a room"));
}

void MainWindow::addPartActions(QMenu& menu) {
    const auto add = [&](const QString& text, Qt::Key key, QWidget* part) {
        QAction* action = addEntry(menu, text, this, [this, part](bool on) { partToggled(*part, on); });
        action->setShortcut(QKeySequence(Qt::CTRL | key));
        action->setCheckable(true);
        action->setChecked(true);
        return action;
    };
    m_panelAction = add(tr("&Experiment panel"), Qt::Key_1, m_panel);
    m_rightAction = add(tr("I&nspector and runs"), Qt::Key_2, m_right);
    m_pagesAction = add(tr("Pages &below the timeline"), Qt::Key_3, m_pages);
}

void MainWindow::setTheme(ThemeChoice choice) {
    m_theme = choice;
    m_themeActions[static_cast<int>(choice)]->setChecked(true);
    if (m_keeper)
        m_keeper->changed(); // of the projector too, which comes here
    applyTheme(choice,
               m_projectorAction->isChecked()); // each part hears of it and sees to itself (LookWatch)
}

bool MainWindow::projector() const {
    return m_projectorAction->isChecked();
}

} // namespace olab
