// How the window keeps to its screen, and how its parts share it when the type is large for it.
#include <olab/ui/main_window.h>

#include "base/kept_inside.h"
#include "experiment/experiment_panel.h"
#include "results/headline_line.h"
#include "results/trust_line.h"

#include <olab/ui/timeline_view.h>

#include <QAction>
#include <QGuiApplication>
#include <QScreen>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>

#include <algorithm>

namespace olab {

namespace {

constexpr QMargins kFrame(2, 32, 2, 2); // about: a window has none before it is shown
constexpr int kTallEnough = 900;        // for the pages below the timeline, in large type
// In usual type:
constexpr int kFormWidth = 190, kRightWidth = 175; // beside a projector's view
constexpr int kBothSides = 720;                    // from here on there is room for both
constexpr int kLeastPages = 65;                    // their tabs and the first lines

void showPart(QAction& action, QWidget& part, bool on) {
    action.setChecked(on);
    part.setVisible(on);
}

} // namespace

void MainWindow::keepToScreen() {
    if (!m_options.keepToScreen || isMaximized() || isFullScreen())
        return;
    const QScreen* at = QGuiApplication::screenAt(geometry().center());
    const QRect room = (at ? at : screen())->availableGeometry().marginsRemoved(kFrame);
    const QRect inside = keptInside(geometry(), room);
    testAttribute(Qt::WA_Moved) ? setGeometry(inside) : resize(inside.size());
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
        if (!on && m_rightMadeRoom)
            showPart(*m_rightAction, *m_right, true);
        m_rightMadeRoom = false;
    }
    setTheme(m_theme);
    QTimer::singleShot(0, this, &MainWindow::shareRoom); // when the type has its new size
}

/// Beside a projector's view there is room for one side only, unless the window is wide.
void MainWindow::partToggled(QWidget& part, bool on) {
    part.setVisible(on);
    if (!projector())
        return;
    const bool narrow = width() < ViewStyle::of(font()).scaled(kBothSides);
    if (on && narrow && &part == m_panel) {
        m_rightMadeRoom = m_rightMadeRoom || !m_right->isHidden();
        showPart(*m_rightAction, *m_right, false);
    } else if (on && narrow && &part == m_right) {
        showPart(*m_panelAction, *m_panel, false);
    }
    shareRoom();
}

void MainWindow::shareRoom() {
    // What it says is also said by the badge of what is shown, when pointed at.
    const bool isLow = projector() && !m_pages->isHidden() && height() < kTallEnough;
    m_trust->setMakesRoom(isLow);
    m_headline->setMakesRoom(isLow && !m_panel->isHidden()); // four lanes and the top finding come first
    if (!projector()) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // all know how narrow they can be
        m_columns->restoreState(m_deskColumns);
        return;
    }
    const ViewStyle sizes = ViewStyle::of(font());
    const int left = m_panel->isHidden() ? 0 : sizes.scaled(kFormWidth);
    const int right = m_right->isHidden() ? 0 : sizes.scaled(kRightWidth);
    m_columns->setSizes({left, std::max(width() - left - right, 1), right});
    QTimer::singleShot(0, this, &MainWindow::sharePages); // the verdicts may wrap otherwise now
}

/// The lanes first: the pages get a quarter, at least so much that the top finding is seen.
void MainWindow::sharePages() {
    if (!projector() || m_pages->isHidden())
        return;
    const int all = m_middle->height();
    const int pages = std::max(ViewStyle::of(font()).scaled(kLeastPages), all / 4);
    m_middle->setSizes({std::max(all - pages, pages), pages});
}

} // namespace olab
