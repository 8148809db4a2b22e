#include <olab/ui/main_window.h>

#include "base/focus_ring.h"
#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "results/compare_page.h"
#include "window/claims_room.h"
#include "window/closing.h"
#include "window/files.h"
#include "window/gallery_room.h"
#include "window/help.h"
#include "window/inspector_side.h"
#include "window/jobs.h"
#include "window/lesson_room.h"
#include "window/like_room.h"
#include "window/menus.h"
#include "window/messages.h"
#include "window/notice_bar.h"
#include "window/pages.h"
#include "window/picture_export.h"
#include "window/refinement.h"
#include "window/remembered.h"
#include "window/run_list.h"
#include "window/runs.h"
#include "window/settings_store.h"
#include "window/side_notes_store.h"
#include "window/status_line.h"
#include "window/summary.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/ui/file_name.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/verdict_text.h>

#include <QAbstractButton>
#include <QKeyEvent>
#include <QMimeData>
#include <QStatusBar>

namespace olab {

namespace {

constexpr int kMessageMs = 5000;

QString windowTitleOf(const ViewDataPtr& shown) {
    return shown ? MainWindow::tr("%1 - Overlap Lab").arg(cutText(titleText(*shown), kLongestLine - 20))
                 : MainWindow::tr("Overlap Lab");
}

} // namespace

MainWindow::MainWindow(Session& session, WindowOptions options, QWidget* parent)
    : QMainWindow(parent)
    , m_options(std::move(options))
    , m_parts(makeParts(*this, session, m_options)) {
    setTitle(*this, windowTitleOf(nullptr));
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    resize(1440, 860);
    m_lessons = new LessonRoom(*m_parts);
    setCentralWidget(arrangeParts(*m_parts, *m_lessons));
    m_status = new StatusLine;
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_status, 1);
    m_parts->menus.build(*m_parts);
    new FocusRing(*this); // owned by the window, as all of these
    m_closing = new Closing({*this, session, m_parts->runs, m_parts->files, m_parts->messages}, m_options);
    connectParts();
    const Remembered remembered{*this, m_parts->layout, m_parts->timeline.canvas(), form()};
    m_options.remember ? remembered.restore() : setTheme(ThemeChoice::System);
    m_lessons->join();
    m_claims = new ClaimsRoom(*m_parts);
    m_parts->showClaims = [this](const auto& ids) { m_claims->showClaims(ids); };
    m_parts->showClaim = [this](const auto& id) { m_claims->showClaim(id); };
    new LikeRoom(*m_parts);
    new SideNotesStore(*m_parts);
    if (m_options.keepToScreen)
        m_parts->layout.keepToScreen();
    keepSettings();
    m_parts->jobs.settle();
    m_parts->jobs.tellMachine();
}

/// The widgets go before the parts that they call.
MainWindow::~MainWindow() {
    delete takeCentralWidget();
}

void MainWindow::connectParts() {
    const WindowParts& parts = *m_parts;
    connect(&parts.session, &Session::ready, this, [&parts](const ViewDataPtr& shown) {
        if (!shown->recording->file.empty()) {
            parts.files.remember(nameOf(shown->recording->file));
            parts.jobs.takeSettingsOf(*shown->recording);
        }
        parts.runs.list().add(shown);
    });
    connect(&parts.runs, &Runs::currentChanged, this, &MainWindow::showCurrent);
    connect(&parts.runs, &Runs::currentRefined, this, &MainWindow::showRefined);
    connect(&parts.runs.list(), &RunList::labelChanged, this, [this](const RunPtr& run) {
        if (!shown() || run != shown()->run)
            return;
        setTitle(*this, windowTitleOf(shown()));
        m_parts->inspector.showSelection();
    });
    connect(&parts.files, &Files::nothingToSave, this,
            [this](const QString& text) { statusBar()->showMessage(text, kMessageMs); });
    connect(&parts.pictures, &PictureExport::made, this, &MainWindow::pictureMade);
    connect(&parts.messages, &Messages::errorShown, this, &MainWindow::errorShown);
}

/// Another run, or none: as when the window was opened.
void MainWindow::showCurrent() {
    const ViewDataPtr shown = this->shown();
    if (shown)
        m_parts->messages.notice().hide(); // it was about what was shown before
    m_parts->summary.setShown(shown);
    m_parts->timeline.setShown(shown);
    m_parts->timeline.canvas().accountChanged();
    m_parts->pages.setShown(shown);
    m_status->setShown(shown);
    m_parts->inspector.showCurrent();
    setTitle(*this, windowTitleOf(shown));
    if (shown)
        emit recordingShown();
    else
        showGallery();
}

/// What did not change is left alone: selection, view, what is folded or scrolled.
void MainWindow::showRefined(const ViewDataPtr& before) {
    const ViewDataPtr after = shown();
    TimelineCanvas& canvas = m_parts->timeline.canvas();
    if (!isSameRun(*before->recording, *after->recording)) { // the median of several
        const Interval view = canvas.viewport().visible();
        const bool whole = canvas.viewport().isFit();
        showCurrent();
        return whole ? void() : canvas.showRange(view);
    }
    const bool judged = judgementDiffers(*before->recording, *after->recording);
    m_parts->timeline.refine(after);
    canvas.accountChanged();
    m_parts->summary.refine(before, after, judged);
    m_parts->pages.refine(after, judged);
    m_status->setShown(after);
    m_parts->inspector.showSelection();
}

/// From now on; what was restored is no change.
void MainWindow::keepSettings() {
    if (!m_options.remember)
        return;
    const Remembered remembered{*this, m_parts->layout, m_parts->timeline.canvas(), form()};
    m_settings = new SettingsStore(*this, [remembered] { remembered.store(); });
    connect(&form(), &ExperimentForm::edited, m_settings, &SettingsStore::changed);
    connect(&m_parts->layout, &WindowLayout::changed, m_settings, &SettingsStore::changed);
    for (const auto news : {&TimelineCanvas::scrollRangeChanged, &TimelineCanvas::ghostsChanged})
        connect(&m_parts->timeline.canvas(), news, m_settings, &SettingsStore::changed);
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
/// focus is.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    auto* button = enter && !(event->modifiers() & ~Qt::KeypadModifier)
                       ? qobject_cast<QAbstractButton*>(focusWidget())
                       : nullptr;
    if (button && button->isEnabled() && !event->isAutoRepeat())
        button->click();
    else if (shown() && (event->key() == Qt::Key_Slash || event->matches(QKeySequence::Find)))
        emit m_parts->timeline.canvas().searchRequested();
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
        m_parts->files.openTogether(paths);
}

// --- what its parts do

void MainWindow::run() {
    m_parts->jobs.run();
}

void MainWindow::open(const QString& path) {
    m_parts->files.open(path);
}

void MainWindow::showError(const RunnerError& error) {
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
    m_claims->showPage();
    return true;
}

void MainWindow::showGallery() {
    m_parts->gallery.enter();
}

ExperimentForm& MainWindow::form() {
    return m_parts->panel.form();
}

TimelineView& MainWindow::timeline() {
    return m_parts->timeline;
}

const ViewDataPtr& MainWindow::shown() const {
    return m_parts->runs.current();
}

const ErrorBar& MainWindow::errors() const {
    return m_parts->messages.errors();
}

const ComparePage& MainWindow::comparison() const {
    return static_cast<const ComparePage&>(m_parts->pages.page("compare"));
}

} // namespace olab
