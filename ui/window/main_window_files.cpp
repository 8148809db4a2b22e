// Files, and what the window remembers from one start to the next.
#include <olab/experiment/held_experiment.h>
#include <olab/experiment/recorded_work.h>
#include <olab/ui/main_window.h>

#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "timeline/bookmarks/bookmark_tools.h"
#include "timeline/rows/timeline_rows.h"
#include "window/error_bar.h"
#include "window/run_keeper.h"
#include "window/run_list.h"

#include <olab/io/formats.h>
#include <olab/ui/format.h>
#include <olab/ui/row_choices.h>
#include <olab/ui/timeline_view.h>

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QSplitter>

namespace olab {

namespace {

constexpr qsizetype kMaxRecent = 10;
const auto kRecentKey = QStringLiteral("recent");

/// "Overlap Lab recording (*.olab);;All files (*)".
QString openFilter() {
    QStringList filters;
    for (const Importer& row : importers())
        filters << QStringLiteral("%1 (%2)").arg(fromText(row.name), fromText(row.pattern));
    return (filters << QObject::tr("All files (*)")).join(QStringLiteral(";;"));
}

} // namespace

void MainWindow::chooseFileToOpen() {
    const QStringList paths =
        QFileDialog::getOpenFileNames(this, tr("Open a recording, or several as one view"), {}, openFilter());
    if (paths.isEmpty())
        return;
    m_errors->settle();
    openTogether(paths);
}

void MainWindow::chooseFileToSave() {
    if (m_shown)
        saveRun(m_shown->run, true);
}

void MainWindow::saveTo(const ViewDataPtr& shown, const QString& path) {
    BookmarkDesk& desk = m_timeline->desk();
    m_timeline->bookmarks().finishEditing();
    if (m_session.save(shown, path, {desk.of(shown), shown->label()})) {
        desk.saveBegins(shown); // its end comes later, by a queued call
        m_runs->saveBegins(shown->run);
    } else {
        showError({ErrorKind::Usage, "busy", "Something else is running.", "Cancel it (Esc), then save."});
    }
}

void MainWindow::remember(const QString& path) {
    if (!m_options.remember)
        return;
    QSettings settings;
    QStringList recent = settings.value(kRecentKey).toStringList();
    const QString whole = QFileInfo(path).absoluteFilePath();
    recent.removeAll(whole);
    recent.prepend(whole);
    settings.setValue(kRecentKey, recent.mid(0, kMaxRecent));
    refreshRecent();
}

void MainWindow::refreshRecent() {
    m_recent->clear();
    const QStringList recent =
        m_options.remember ? QSettings().value(kRecentKey).toStringList() : QStringList();
    for (const QString& path : recent) {
        QAction* entry = addEntry(*m_recent, {QStringLiteral("&%1"), {shownText(QFileInfo(path).fileName())}},
                                  this, [this, path] { open(path); });
        setTip(*entry, shownText(path));
    }
    m_recent->setToolTipsVisible(true);
    m_recent->setEnabled(!recent.isEmpty());
}

void MainWindow::restoreSettings() {
    if (!m_options.remember)
        return setTheme(ThemeChoice::System);
    const QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    m_columns->restoreState(settings.value(QStringLiteral("columns")).toByteArray());
    m_middle->restoreState(settings.value(QStringLiteral("middle")).toByteArray());
    m_right->restoreState(settings.value(QStringLiteral("right")).toByteArray());
    const int theme = settings.value(QStringLiteral("theme"), 0).toInt();
    m_theme = theme == 1 ? ThemeChoice::Light : theme == 2 ? ThemeChoice::Dark : ThemeChoice::System;
    setProjector(settings.value(QStringLiteral("projector")).toBool());
    m_timeline->canvas().rows().setChoices(
        RowChoices::fromJson(settings.value(QStringLiteral("rows")).toByteArray()));
    m_timeline->canvas().setShowsWaits(settings.value(QStringLiteral("waits"), true).toBool());
    m_timeline->canvas().setShowsIdeal(settings.value(QStringLiteral("ideal")).toBool());
    const std::string json = settings.value(QStringLiteral("experiment")).toString().toStdString();
    try {
        if (!json.empty())
            form().setExperiment(experimentFromJson(json));
    } catch (const Error&) {
        form().setExperiment(HeldExperiment{}); // written by another version: the defaults are always good
    }
    form().forgetFormer();
}

void MainWindow::storeSettings() const {
    if (!m_options.remember)
        return;
    QSettings settings;
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("columns"), projector() ? m_deskColumns : m_columns->saveState());
    settings.setValue(QStringLiteral("middle"), m_middle->saveState());
    settings.setValue(QStringLiteral("right"), m_right->saveState());
    settings.setValue(QStringLiteral("theme"), static_cast<int>(m_theme));
    settings.setValue(QStringLiteral("projector"), projector());
    settings.setValue(QStringLiteral("rows"), m_timeline->canvas().rows().choices().toJson());
    settings.setValue(QStringLiteral("waits"), m_timeline->canvas().wantsWaits());
    settings.setValue(QStringLiteral("ideal"), m_timeline->canvas().showsIdeal());
    HeldExperiment kept = m_panel->form().experiment();
    if (recordedWorkOf(kept)) // it is of a recording, and as large as one
        kept = {};
    settings.setValue(QStringLiteral("experiment"), exactText(experimentToJson(kept)));
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
        openTogether(paths);
}

/// Several that a person takes at once are one view; one by one they are apart.
void MainWindow::openTogether(const QStringList& paths) {
    if (paths.size() == 1)
        return open(paths.front());
    if (!m_session.openMerged(paths))
        return showError(
            {ErrorKind::Usage, "busy", "Something else is running.", "Cancel it (Esc), then open them."});
    log(tr("%1 recordings are put together into one view. Open them one by one to have them apart.")
            .arg(paths.size()));
}

void MainWindow::mergeRuns(const std::vector<RunPtr>& runs) {
    m_runKeeper->fetch(runs, [this, wanted = runs.size()](const std::vector<ViewDataPtr>& came) {
        if (came.size() == wanted && !m_session.merge(came))
            showError({ErrorKind::Usage, "busy", "Something else is running.",
                       "Cancel it (Esc), then merge them."});
    });
}

} // namespace olab
