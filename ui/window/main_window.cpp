#include <olab/ui/main_window.h>

#include "base/focus_ring.h"
#include "experiment/experiment_panel.h"
#include "results/compare_page.h"
#include "window/closing.h"
#include "window/display.h"
#include "window/files.h"
#include "window/help.h"
#include "window/jobs.h"
#include "window/make_parts.h"
#include "window/messages/messages.h"
#include "window/pages.h"
#include "window/picture_export.h"
#include "window/remembered.h"
#include "window/rooms/claims_room.h"
#include "window/rooms/gallery_room.h"
#include "window/rooms/recordings_room.h"
#include "window/rooms/sweep_room.h"
#include "window/runs/runs.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/ui/session.h>
#include <olab/ui/timeline_view.h>

#include <QAbstractButton>
#include <QKeyEvent>
#include <QMimeData>

namespace olab::ui {

MainWindow::MainWindow(Session& session, WindowOptions options, QWidget* parent)
    : QMainWindow(parent)
    , m_options(std::move(options))
    , m_parts(std::make_unique<WindowParts>(*this, session, m_options)) {
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    resize(1440, 860);
    setCentralWidget(arrangeParts(*m_parts));
    auto* display = new Display(*m_parts); // owned by the window, as all of these
    connect(display, &Display::shown, this, &MainWindow::recordingShown);
    connect(&m_parts->pictures, &PictureExport::made, this, &MainWindow::pictureMade);
    connect(&m_parts->files, &Files::opened, this, &MainWindow::opened);
    connect(&m_parts->messages, &Messages::errorShown, this, &MainWindow::errorShown);
    new FocusRing(*this);
    m_closing = new Closing(*m_parts);
    const Remembered remembered{*this, m_parts->layout, m_parts->timeline, m_parts->panel};
    m_options.remember ? remembered.restore() : setTheme(ThemeChoice::System);
    addRooms(*m_parts);
    connect(m_parts->sweep, &SweepRoom::shown, this, &MainWindow::sweepShown);
    connect(m_parts->recordings, &RecordingsRoom::shown, this, &MainWindow::tableShown);
    if (m_options.keepToScreen)
        m_parts->layout.keepToScreen();
    if (m_options.remember) // from now on; what was restored is no change
        m_settings = remembered.keep();
    m_parts->jobs.settle();
    m_parts->jobs.tellMachine();
}

/// The widgets go before the parts that they call; the list of runs is both.
MainWindow::~MainWindow() {
    m_parts->runs.setParent(this);
    delete takeCentralWidget();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_closing->mayClose())
        return event->ignore();
    if (m_settings)
        m_settings->keepNow();
    m_parts->session.cancel();
    event->accept();
}

/// What no widget took: Enter presses the button that has the focus, as a space does; search, wherever the
/// focus is; Esc brings back what made room for the timeline.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    auto* button = enter && !(event->modifiers() & ~Qt::KeypadModifier)
                       ? qobject_cast<QAbstractButton*>(focusWidget())
                       : nullptr;
    if (button && button->isEnabled() && !event->isAutoRepeat())
        button->click();
    else if (shown() && (event->key() == Qt::Key_Slash || event->matches(QKeySequence::Find)))
        m_parts->timeline.openSearch();
    else if (event->key() == Qt::Key_Escape && m_parts->layout.alone())
        m_parts->layout.setAlone(false);
    else
        QMainWindow::keyPressEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    if (!paths.isEmpty())
        m_parts->files.openDropped(paths);
}

// --- what its parts do

void MainWindow::run() {
    m_parts->jobs.run();
}

void MainWindow::open(const QString& path) {
    m_parts->files.open(path);
}

void MainWindow::open(const QStringList& paths) {
    m_parts->files.openAll(paths);
}

void MainWindow::showError(const run::RunnerError& error) {
    m_parts->messages.error(error);
}

void MainWindow::setTheme(ThemeChoice choice) {
    m_parts->layout.setTheme(choice);
}

void MainWindow::setProjector(bool on) {
    m_parts->layout.setProjector(on);
}

bool MainWindow::showPage(const QString& name) {
    if (name != QLatin1String("claims"))
        return m_parts->pages.open(name);
    m_parts->claims->showPage();
    return true;
}

void MainWindow::showGallery() {
    m_parts->gallery.enter();
}

LessonRoom& MainWindow::lessons() {
    return *m_parts->lessons;
}

ClaimsRoom& MainWindow::claims() {
    return *m_parts->claims;
}

ExperimentForm& MainWindow::form() {
    return m_parts->panel.form();
}

TimelineView& MainWindow::timeline() {
    return m_parts->timeline;
}

const view::ViewDataPtr& MainWindow::shown() const {
    return m_parts->runs.current();
}

const ErrorBar& MainWindow::errors() const {
    return m_parts->messages.errors();
}

const ComparePage& MainWindow::comparison() const {
    return static_cast<const ComparePage&>(m_parts->pages.page("compare"));
}

} // namespace olab::ui
