// How the window looks: theme, projector, which of its parts are seen.
#include <olab/ui/main_window.h>

#include "experiment/experiment_panel.h"
#include "results/findings_page.h"
#include "results/matrix_page.h"
#include "results/trust_line.h"
#include "results/verdict_strip.h"
#include "shell/status_line.h"

#include <olab/ui/timeline_view.h>

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>

namespace olab {

namespace {

constexpr int kTallEnough = 900; // for the pages below the timeline, in large type
constexpr int kSideWidth = 175;  // of inspector and runs beside a projector's view, in usual type

void showPart(QAction& action, QWidget& part, bool on) {
    action.setChecked(on);
    part.setVisible(on);
}

} // namespace

void MainWindow::buildViewMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    addThemeActions(*menu);
    menu->addSeparator();
    addPartActions(*menu);
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
}

void MainWindow::addThemeActions(QMenu& menu) {
    auto* group = new QActionGroup(this);
    for (const auto& [text, choice] : {std::pair{tr("Theme: &system"), ThemeChoice::System},
                                       std::pair{tr("Theme: &light"), ThemeChoice::Light},
                                       std::pair{tr("Theme: &dark"), ThemeChoice::Dark}}) {
        QAction* action = menu.addAction(text, this, [this, choice = choice] { setTheme(choice); });
        action->setCheckable(true);
        group->addAction(action);
        m_themeActions << action;
    }
    m_projectorAction =
        menu.addAction(tr("&Projector: large type"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), this,
                       [this](bool on) { setProjector(on); });
    m_projectorAction->setCheckable(true);
    m_projectorAction->setToolTip(tr("Type, lines and contrast that are read across a room"));
}

void MainWindow::addPartActions(QMenu& menu) {
    const auto add = [&](const QString& text, Qt::Key key, QWidget* part) {
        QAction* action = menu.addAction(text, QKeySequence(Qt::CTRL | key), this,
                                         [part](bool on) { part->setVisible(on); });
        action->setCheckable(true);
        action->setChecked(true);
        return action;
    };
    m_panelAction = add(tr("&Experiment panel"), Qt::Key_1, m_panel);
    add(tr("I&nspector and runs"), Qt::Key_2, m_right);
    m_pagesAction = add(tr("Pages &below the timeline"), Qt::Key_3, m_pages);
}

void MainWindow::setTheme(ThemeChoice choice) {
    m_theme = choice;
    m_themeActions[static_cast<int>(choice)]->setChecked(true);
    applyTheme(choice, m_projectorAction->isChecked());
    // What was built with colours or sizes of its own is built again.
    if (m_shown) {
        m_verdicts->setShown(m_shown);
        m_trust->setShown(m_shown);
        m_findings->setShown(m_shown);
        m_matrix->setShown(m_shown);
        m_status->setShown(m_shown);
    }
}

bool MainWindow::projector() const {
    return m_projectorAction->isChecked();
}

/// The form is made for one person at a desk: it makes room for the view, as do the pages in a low window;
/// each is a key away.
void MainWindow::setProjector(bool on) {
    if (on != m_isForProjector) {
        m_isForProjector = on;
        if (on)
            m_deskColumns = m_columns->saveState();
        m_projectorAction->setChecked(on);
        showPart(*m_panelAction, *m_panel, !on);
        showPart(*m_pagesAction, *m_pages, !on || height() >= kTallEnough);
    }
    setTheme(m_theme);
    if (!on)
        return QTimer::singleShot(
            0, this, [this] { m_columns->restoreState(m_deskColumns); }); // when the type is small again
    const int side = ViewStyle::of(font()).scaled(kSideWidth);
    m_columns->setSizes({0, std::max(width() - side, side), side});
}

} // namespace olab
