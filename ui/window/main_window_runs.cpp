// The runs of this session in the window: named, saved, removed, and asked about before they are lost.
#include <olab/ui/main_window.h>

#include "base/plain_text.h"
#include "charts/charts_page.h"
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
#include "timeline/bookmarks/bookmark_tools.h"
#include "window/own_file.h"
#include "window/run_keeper.h"
#include "window/run_list.h"
#include "window/runs_foot.h"
#include "window/save_all.h"
#include "window/save_name.h"
#include "window/settings_keeper.h"
#include "window/status_line.h"

#include <olab/ui/experiment_form.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/verdict_text.h>

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace olab {

namespace {

const auto kEnding = QStringLiteral(".olab");

} // namespace

QWidget* MainWindow::buildRuns() {
    m_runKeeper = new RunKeeper(m_options.runMemory, m_options.runFolder, this);
    m_runs = new RunList(*m_runKeeper);
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_runs, 1);
    column->addWidget(new RunsFoot(*m_runKeeper));
    return box;
}

void MainWindow::connectRuns() {
    connect(m_runs, &RunList::labelChanged, this, &MainWindow::labelChanged);
    connect(m_runs, &RunList::removeRequested, this, &MainWindow::removeRun);
    connect(m_runs, &RunList::saveRequested, this, &MainWindow::saveRun);
    connect(m_runs, &RunList::mergeRequested, this, &MainWindow::mergeRuns);
    connect(m_runs, &RunList::emptied, this, &MainWindow::showNothing);
    connect(m_runs, &RunList::dropped, this, [this](const RunPtr& run) { m_timeline->desk().forget(run); });
    connect(m_runKeeper, &RunKeeper::failed, this, [this](const RunnerError& error) { showError(error); });
    connect(m_runKeeper, &RunKeeper::changed, this,
            [this] { m_cancelAction->setEnabled(m_session.busy() || m_runKeeper->fetching()); });
    connect(&m_session, &Session::ended, m_runKeeper, &RunKeeper::balanceSoon);
    m_saveAll = new SaveAll(
        m_session, *m_runKeeper,
        [this](const ViewDataPtr& shown, const QString& path) {
            saveTo(shown, path);
            return m_session.busy();
        },
        this);
    connect(m_saveAll, &SaveAll::done, this, [this] {
        m_closing = true;
        close();
        m_closing = false;
    });
    connect(m_saveAll, &SaveAll::stopped, this,
            [this] { log(tr("The window stays open: not all recordings are saved.")); });
}

/// Everything that shows a name says the new one.
void MainWindow::labelChanged(const RunPtr& run) {
    if (m_shown && run == m_shown->run) {
        setTitle(*this, tr("%1 - Overlap Lab").arg(cutText(titleText(*run), kLongestLine - 20)));
        selectionChanged();
    }
    if (!m_compare->empty() && (m_compare->before()->run == run || m_compare->after()->run == run))
        m_compare->compare(m_compare->before(), m_compare->after());
}

void MainWindow::removeRun(const RunPtr& run) {
    if (m_options.askBeforeClose && m_runs->isUnsaved(run)) {
        const auto answer =
            askPlain(this, tr("%1 is not saved. Remove it from the list?").arg(titleText(*run)),
                     tr("Ctrl+Z in the list of runs brings it back until the window closes."),
                     QMessageBox::Discard | QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel);
        if (answer == QMessageBox::Save)
            return saveRun(run, false); // it stays until it is in a file
        if (answer != QMessageBox::Discard)
            return;
    }
    m_runs->remove(run);
    log(tr("%1 is out of the list; Ctrl+Z there brings it back.").arg(titleText(*run)));
}

/// As when the window was opened.
void MainWindow::showNothing() {
    m_shown = nullptr;
    m_race->setShown(nullptr);
    m_verdicts->setShown(nullptr);
    m_trust->setShown(nullptr);
    m_timeline->setShown(nullptr);
    showLedger();
    m_findings->setShown(nullptr);
    m_matrix->setShown(nullptr);
    m_activities->setShown(nullptr);
    m_charts->setShown(nullptr);
    m_contents->setShown(nullptr);
    m_code->setShown(nullptr);
    m_status->setShown(nullptr);
    m_inspector->showActivity(nullptr, {});
    m_pages->setTabText(0, tr("Findings"));
    m_saveAction->setEnabled(false);
    refreshUseSettings();
    setTitle(*this, tr("Overlap Lab"));
    showGallery();
}

QString MainWindow::askFileFor(const RunPtr& run) {
    return askSaveName(*this, {tr("Save %1").arg(titleText(*run)), plainFileName(titleText(*run)) + kEnding,
                               tr("Overlap Lab recording (*.olab)")})
        .path;
}

void MainWindow::saveRun(const RunPtr& run, bool askName) {
    m_timeline->bookmarks().finishEditing();
    QString path = m_runs->pathOf(run);
    if (!askName && !path.isEmpty() && isOfAnotherTool(path))
        askName = true; // theirs stays as it is
    if (!askName && !path.isEmpty())
        if (const QString why = whyNotInto(run, path); !why.isEmpty())
            return showError({ErrorKind::Usage, "not-into-this-file", why.toStdString(),
                              "Use File, Save recording as, to keep what you added in a file of its own."});
    if (askName || path.isEmpty())
        path = askFileFor(run);
    if (path.isEmpty())
        return;
    m_runKeeper->fetch({run}, [this, path](const std::vector<ViewDataPtr>& came) {
        if (!came.empty())
            saveTo(came.front(), path);
    });
}

/// A name for each: of one a person chooses it, of several the folder. Empty: cancelled.
QStringList MainWindow::askFilesFor(const std::vector<RunPtr>& runs, const QStringList& taken) {
    QStringList paths;
    if (runs.size() > 1) {
        const QString folder = QFileDialog::getExistingDirectory(
            this, tr("Save %1 recordings into this folder").arg(runs.size()));
        for (const RunPtr& run : runs)
            if (!folder.isEmpty())
                paths << freeFileName(folder, plainFileName(titleText(*run)), kEnding, taken + paths);
        return paths;
    }
    for (const RunPtr& run : runs) {
        QString path = askFileFor(run);
        while (taken.contains(path)) {
            warnPlain(this, tr("Another run goes into this file. Choose a name of its own."));
            path = askFileFor(run);
        }
        if (!path.isEmpty())
            paths << path;
    }
    return paths;
}

/// Asks for all names first: who cancels keeps the window, and nothing is half done.
bool MainWindow::saveBeforeClose() {
    SaveAll::Jobs jobs;
    QStringList taken;
    std::vector<RunPtr> nameless;
    for (const RunPtr& run : m_runs->unsaved()) {
        const QString path = m_runs->pathOf(run);
        if (path.isEmpty() || !whyNotInto(run, path).isEmpty()) {
            nameless.push_back(run);
            continue;
        }
        jobs.emplace_back(run, path);
        taken << path;
    }
    const QStringList paths = askFilesFor(nameless, taken);
    if (paths.size() != static_cast<qsizetype>(nameless.size())) {
        log(tr("Nothing was saved: the window stays open."));
        return false;
    }
    for (qsizetype i = 0; i < paths.size(); ++i)
        jobs.emplace_back(nameless[static_cast<std::size_t>(i)], paths[i]);
    m_session.cancel();
    m_saveAll->start(std::move(jobs));
    return true;
}

bool MainWindow::mayClose() {
    m_timeline->bookmarks().finishEditing();
    if (m_closing)
        return true;
    const int unsaved = m_runs->unsavedCount();
    if (m_saveAll->active())
        return false; // it closes by itself when all is saved
    if (!m_options.askBeforeClose || unsaved == 0)
        return true;
    const auto answer = askPlain(
        this,
        unsaved == 1 ? tr("%1 is not saved. Save it before closing?").arg(titleText(*m_runs->unsaved()[0]))
                     : tr("%1 recordings are not saved. Save them before closing?").arg(unsaved),
        tr("This cannot be undone."), QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel,
        QMessageBox::Save);
    if (answer == QMessageBox::Save)
        saveBeforeClose();
    return answer == QMessageBox::Discard;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayClose())
        return event->ignore();
    if (m_keeper)
        m_keeper->keepNow();
    m_session.cancel();
    event->accept();
}

/// From now on; what was restored is no change.
void MainWindow::keepSettings() {
    if (!m_options.remember)
        return;
    m_keeper = new SettingsKeeper(*this, [this] { storeSettings(); });
    connect(&form(), &ExperimentForm::edited, m_keeper, &SettingsKeeper::changed);
    for (QSplitter* splitter : {m_columns, m_middle, m_right})
        connect(splitter, &QSplitter::splitterMoved, m_keeper, &SettingsKeeper::changed);
    connect(&m_timeline->canvas(), &TimelineCanvas::scrollRangeChanged, m_keeper, &SettingsKeeper::changed);
}

} // namespace olab
