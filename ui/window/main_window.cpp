#include <olab/experiment/held_experiment.h>
#include <olab/ui/main_window.h>

#include "base/focus_ring.h"
#include "base/plain_text.h"
#include "charts/charts_page.h"
#include "experiment/experiment_panel.h"
#include "results/activities_page.h"
#include "results/code_page.h"
#include "results/compare_page.h"
#include "results/contents_page.h"
#include "results/findings_page.h"
#include "results/inspector.h"
#include "results/matrix_page.h"
#include "results/race_line.h"
#include "results/trust_line.h"
#include "results/verdict_strip.h"
#include "window/claims_room.h"
#include "window/error_bar.h"
#include "window/help.h"
#include "window/lesson_room.h"
#include "window/like_room.h"
#include "window/notice_bar.h"
#include "window/run_keeper.h"
#include "window/run_list.h"
#include "window/side_notes_desk.h"
#include "window/status_line.h"

#include <olab/ui/file_name.h>
#include <olab/ui/format.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/verdict_text.h>

#include <QAbstractButton>
#include <QAction>
#include <QKeyEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStatusBar>
#include <QTabWidget>
#include <QTime>

#include <algorithm>

namespace olab {

namespace {

constexpr int kPanelWidth = 262, kRightWidth = 250;
constexpr int kLeastHeight = 320; // of all between the menu and the status line, whatever is shown there

} // namespace

MainWindow::MainWindow(Session& session, WindowOptions options, QWidget* parent)
    : QMainWindow(parent)
    , m_session(session)
    , m_options(options) {
    setTitle(*this, tr("Overlap Lab"));
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    resize(1440, 860);
    m_panel = new ExperimentPanel;
    m_columns = new QSplitter(Qt::Horizontal);
    m_columns->setObjectName(QStringLiteral("columns"));
    m_columns->addWidget(m_panel);
    auto* room = new LessonRoom(*this, session, m_options); // owned by the window
    m_columns->addWidget(room->beside(buildMiddle()));
    m_columns->addWidget(buildRight());
    m_columns->setSizes({kPanelWidth, 1440 - kPanelWidth - kRightWidth, kRightWidth});
    m_columns->setStretchFactor(0, 0);
    m_columns->setStretchFactor(1, 1);
    m_columns->setStretchFactor(2, 0);
    m_columns->setChildrenCollapsible(false);
    m_columns->setMinimumHeight(kLeastHeight);
    setCentralWidget(m_columns);
    m_status = new StatusLine;
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_status, 1);
    buildMenus();
    new FocusRing(*this); // owned by the window
    connectParts();
    connectSession();
    restoreSettings();
    room->join();
    new ClaimsRoom(*this, session);          // owned by the window
    new LikeRoom(*this, session, *m_notice); // and so are these
    new SideNotesDesk(*this, *m_notice, *m_runs);
    connectClaims();
    connect(this, &MainWindow::noted, this, &MainWindow::log);
    keepToScreen();
    keepSettings();
    m_formUntouched = form().experiment();
    gpuKnown();
    jobEnded({});
}

MainWindow::~MainWindow() = default;

ExperimentForm& MainWindow::form() {
    return m_panel->form();
}

void MainWindow::run() {
    startRun(nullptr);
}

void MainWindow::startRun(const ViewDataPtr& before) {
    if (!form().valid() || m_session.busy())
        return;
    m_errors->clear();
    m_formUntouched = form().experiment(); // kept with the run: nothing is lost when the form changes
    m_lastRun = {form().experiment(), before ? before->run : nullptr};
    m_session.run(form().experiment(), before);
}

/// A try that failed is tried again, unless the form says something else by now.
void MainWindow::runAgain() {
    if (!m_lastRun.before || form().experiment() != m_lastRun.experiment)
        return startRun(nullptr);
    m_runKeeper->fetch({m_lastRun.before}, [this](const std::vector<ViewDataPtr>& came) {
        if (!came.empty()) // else it has been said why
            startRun(came.front());
    });
}

void MainWindow::open(const QString& path) {
    if (!m_session.open(path))
        showError(
            {ErrorKind::Usage, "busy", "Something else is running.", "Cancel it (Esc), then open the file."});
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
    else if (m_shown && (event->key() == Qt::Key_Slash || event->matches(QKeySequence::Find)))
        emit m_timeline->canvas().searchRequested();
    else
        QMainWindow::keyPressEvent(event);
}

void MainWindow::showError(const RunnerError& error, bool wasRun) {
    m_errors->add(error, wasRun);
    log(tr("Error %1: %2 %3").arg(fromText(error.code), sentence(error.message), sentence(error.hint)));
    emit errorShown(static_cast<int>(error.kind));
}

void MainWindow::showRecording(const ViewDataPtr& shown) {
    if (shown == m_shown)
        return;
    m_shown = shown;
    m_notice->hide(); // it was about what was shown before
    m_race->setShown(shown);
    m_verdicts->setShown(shown);
    m_trust->setShown(shown);
    showEffect();
    m_timeline->setShown(shown);
    showLedger();
    showFindings();
    m_matrix->setShown(shown);
    m_activities->setShown(shown);
    m_charts->setShown(shown);
    m_contents->setShown(shown);
    m_status->setShown(shown);
    m_inspector->showActivity(shown, {});
    refreshUseSettings();
    m_saveAction->setEnabled(true);
    setTitle(*this, tr("%1 - Overlap Lab").arg(cutText(titleText(*shown), kLongestLine - 20)));
    emit recordingShown();
}

void MainWindow::selectionChanged() {
    const TimelineCanvas& canvas = m_timeline->canvas();
    if (canvas.selection().picked() == Selection::Picked::Range && canvas.selection().range())
        m_inspector->showRange(m_shown, *canvas.selection().range());
    else if (canvas.selection().picked() == Selection::Picked::Gap && canvas.selection().gap())
        m_inspector->showGap(m_shown, *canvas.selection().gap());
    else
        m_inspector->showActivity(m_shown, canvas.selection().activity());
}

void MainWindow::recordingReady(const ViewDataPtr& shown) {
    if (!shown->recording->file.empty()) {
        remember(nameOf(shown->recording->file));
        takeSettingsOf(*shown->recording);
    }
    m_runs->add(shown);
}

void MainWindow::takeSettingsOf(const Recording& opened) {
    if (!opened.experiment || *opened.experiment == form().experiment())
        return;
    const QString title = fromText(opened.title);
    if (form().experiment() != m_formUntouched)
        return log(
            tr("The form keeps your settings, which differ from those of %1. \"Use these settings\" takes "
               "them over.")
                .arg(title));
    form().setExperiment(*opened.experiment);
    m_formUntouched = form().experiment();
    log(tr("The form shows the settings of %1.").arg(title));
}

void MainWindow::useShownSettings() {
    if (!m_shown || !m_shown->recording->experiment)
        return;
    form().setExperiment(*m_shown->recording->experiment);
    m_formUntouched = form().experiment();
    log(tr("The form shows the settings of %1.").arg(titleText(*m_shown)));
}

void MainWindow::refreshUseSettings() {
    const bool has = m_shown && m_shown->recording->experiment != nullptr;
    const bool same = has && form().valid() && *m_shown->recording->experiment == form().experiment();
    m_useSettings->setVisible(has);
    m_useSettings->setEnabled(has && !same);
    m_useSettings->setText(same ? tr("Settings loaded") : tr("Use these settings"));
    setTip(*m_useSettings, same ? tr("The form on the left shows what this recording was made with")
                                : tr("Fills the form on the left with what this recording was made with"));
}

void MainWindow::compare(const ViewDataPtr& before, const ViewDataPtr& after) {
    m_compare->compare(before, after);
    m_code->setCompared(before, after);
    m_pages->setTabVisible(m_pages->indexOf(m_compare), true);
    showPage(QStringLiteral("compare"));
    // Made to be looked at: it gets the height it needs, up to half of what there is.
    const int all = m_middle->height(), tabs = m_pages->height() - m_compare->height();
    const int wanted = std::min(m_compare->wantedHeight() + tabs, all / 2);
    if (m_pages->height() < wanted)
        m_middle->setSizes({all - wanted, wanted});
}

void MainWindow::tryChanges(const OptionChanges& changes) {
    if (m_session.busy())
        return showError(
            {ErrorKind::Usage, "busy", "Something else is running.", "Cancel it (Esc), then try it."});
    const bool known = m_shown && m_shown->recording->experiment;
    try {
        form().setExperiment(withChanges(
            known ? HeldExperiment(*m_shown->recording->experiment) : form().experiment(), changes));
    } catch (const Error& error) { // the form keeps what is in it
        return showError({error.kind(), error.code(), error.what(), error.hint()});
    }
    startRun(m_shown);
}

void MainWindow::connectClaims() {
    connect(m_findings, &FindingsPage::claimsRequested, this, [this](const QStringList& ids) {
        std::vector<std::string> claims;
        for (const QString& id : ids)
            claims.push_back(id.toStdString());
        ClaimsRoom::of(*this).showClaims(claims);
    });
}

void MainWindow::jobStarted(const QString& what) {
    log(what);
    m_panel->setRunning(true);
    m_runAction->setEnabled(false);
    m_cancelAction->setEnabled(true);
}

void MainWindow::jobEnded(const QString& outcome) {
    if (!outcome.isEmpty())
        log(outcome);
    m_panel->setRunning(m_session.busy());
    m_runAction->setEnabled(!m_session.busy() && form().valid());
    m_cancelAction->setEnabled(m_session.busy() || m_runKeeper->fetching());
}

void MainWindow::gpuKnown() {
    const GpuState& gpu = m_session.gpu();
    m_panel->setGpu(gpu.name, gpu.usable ? QString() : gpu.known ? gpu.why : tr("Looking for a GPU..."));
    machineChanged();
    if (gpu.known)
        log(gpu.usable ? tr("GPU: %1").arg(gpu.name) : tr("No GPU: %1").arg(gpu.why));
}

void MainWindow::log(const QString& text) {
    m_log->appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss.zzz  ")) + shownText(text));
}

bool MainWindow::showPage(const QString& name) {
    if (name == QLatin1String("claims")) {
        ClaimsRoom::of(*this).showPage();
        return true;
    }
    for (int i = 0; i < m_pages->count(); ++i)
        if (m_pages->widget(i)->objectName() == name && m_pages->isTabVisible(i)) {
            showWork();
            m_pages->setCurrentIndex(i);
            m_pagesAction->setChecked(true); // a projector may have put them away
            m_pages->setVisible(true);
            return true;
        }
    return false;
}

} // namespace olab
