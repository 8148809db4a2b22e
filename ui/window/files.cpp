#include "window/files.h"

#include "base/plain_text.h"
#include "timeline/bookmarks/bookmark_tools.h"
#include "window/messages/message_bars.h"
#include "window/messages/messages.h"
#include "window/opening.h"
#include "window/remembered.h"
#include "window/runs/run_store.h"
#include "window/runs/runs.h"
#include "window/runs/save_name.h"
#include "window/window_parts.h"

#include <olab/io/formats.h>
#include <olab/recording/merged_recording.h>
#include <olab/sweep/sweep_store.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/window_options.h>

#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>

#include <algorithm>

namespace olab::ui {

namespace {

/// "All traces (*.olab *.sqlite);;Overlap Lab recording (*.olab);;All files (*)".
QString openFilter() {
    QStringList patterns, filters;
    for (const io::Importer& row : io::importers()) {
        patterns << fromText(row.pattern);
        filters << QStringLiteral("%1 (%2)").arg(fromText(row.name), fromText(row.pattern));
    }
    filters.prepend(QObject::tr("All traces (%1)").arg(patterns.join(QLatin1Char(' '))));
    return (filters << QObject::tr("All files (*)")).join(QStringLiteral(";;"));
}

/// Their names, the first ones of many.
QString namesOfRuns(const std::vector<view::RunPtr>& runs) {
    constexpr std::size_t kNamed = 2;
    QStringList names;
    for (std::size_t i = 0; i < std::min(runs.size(), kNamed); ++i)
        names << titleText(*runs[i]);
    const QString text = names.join(QStringLiteral(", "));
    return runs.size() <= kNamed ? text : QObject::tr("%1 and %2 more").arg(text).arg(runs.size() - kNamed);
}

} // namespace

Files::Files(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_opening(new Opening(parts.session, parts.messages, this)) {
    connectRuns();
    connect(m_opening, &Opening::waits, this, &Files::waits);
    connect(m_opening, &Opening::ended, this, &Files::opened);
    connect(m_opening, &Opening::ranksFound, this, &Files::offerOneView);
    connect(&parts.session, &Session::saved, this, &Files::saved);
}

void Files::connectRuns() {
    const Runs& list = m_parts.runs;
    connect(&list, &Runs::removeRequested, this, &Files::remove);
    connect(&list, &Runs::saveRequested, this, &Files::saveRun);
    connect(&list, &Runs::mergeRequested, this,
            [this](const std::vector<view::RunPtr>& runs) { merge(runs, false); });
    connect(&list, &Runs::dropped, this,
            [this](const view::RunPtr& run) { m_parts.timeline.desk().forget(run); });
    connect(&m_parts.runs, &Runs::refined, this,
            [this](const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
                m_parts.timeline.desk().replace(before, after);
            });
    BookmarkDesk& desk = m_parts.timeline.desk();
    connect(&desk, &BookmarkDesk::changedChanged, this, [this, &desk](const view::ViewDataPtr& shown) {
        m_parts.runs.markChanged(shown->run, desk.isChanged(shown));
    });
}

// --- opening

void Files::openAsRuns(const QStringList& paths, qsizetype most) {
    QStringList others;
    for (const QString& path : paths)
        if (sweep::SweepStore::isSweep(fileOf(path)))
            emit sweepAsked(path);
        else
            others << path;
    const bool isAnyFolder =
        std::ranges::any_of(others, [](const QString& path) { return QFileInfo(path).isDir(); });
    isAnyFolder || others.size() > most ? emit tableAsked(others) : m_opening->open(others);
}

void Files::openRecent(const QString& path) {
    if (QFileInfo::exists(path))
        return open(path);
    forgetFile(path);
    emit recentChanged();
    m_parts.messages.error({ErrorKind::Usage, "file-is-gone",
                            tr("%1 is not there any more.").arg(shownText(path)).toStdString(),
                            tr("It is out of the list of recent files.").toStdString()});
}

bool Files::arrived(const view::ViewDataPtr& shown) {
    if (!shown->recording->file.empty())
        remember(nameOf(shown->recording->file), aboutRecording(*shown->recording));
    return m_opening->arrived(shown);
}

void Files::chooseToOpen() {
    const QStringList paths = QFileDialog::getOpenFileNames(&m_parts.window, tr("Open recordings and traces"),
                                                            lastFolder(), openFilter());
    if (paths.isEmpty())
        return;
    m_parts.messages.errors().settle();
    openAll(paths);
}

void Files::chooseFolder() {
    const QString folder = QFileDialog::getExistingDirectory(
        &m_parts.window, tr("Open a folder of recordings, or of a sweep"), lastFolder());
    if (folder.isEmpty())
        return;
    m_parts.messages.errors().settle();
    open(folder);
}

// --- several as one view

void Files::offerOneView(const std::vector<view::RunPtr>& runs) {
    m_parts.messages.offers().add({counted("%n recordings look like ranks of one run: %1.",
                                           "%n recording looks like a rank of a run: %1.", runs.size())
                                       .arg(namesOfRuns(runs)),
                                   tr("Show as one view"), [this, runs] { merge(runs, true); }});
}

void Files::merge(const std::vector<view::RunPtr>& runs, bool isOffered) {
    m_parts.runs.store().fetch(runs, [this, wanted = runs.size(),
                                      isOffered](const std::vector<view::ViewDataPtr>& came) {
        if (came.size() != wanted || (!isOffered && !mayMerge(came)))
            return;
        std::vector<recording::RecordingPtr> recordings;
        for (const view::ViewDataPtr& run : came)
            recordings.push_back(run->recording);
        const auto work = [recordings](const JobTools& tools, JobResult& out) {
            out.shown = std::make_shared<const view::ViewData>(recording::mergeOf(recordings, tools.control),
                                                               tools.control);
        };
        if (!m_parts.session.start(*this, {counted("Merging %n runs", "Merging %n run", came.size()), work}))
            m_parts.messages.busy(tr("merge them"));
    });
}

/// Runs that do not look like ranks of one are not merged without a question.
bool Files::mayMerge(const std::vector<view::ViewDataPtr>& runs) const {
    std::vector<recording::RankSigns> signs;
    for (const view::ViewDataPtr& run : runs)
        signs.push_back(recording::rankSigns(*run->recording));
    const auto groups = recording::likelyRanks(signs);
    if (!m_parts.options.askBeforeClose || (groups.size() == 1 && groups.front().size() == runs.size()))
        return true;
    return askPlain(&m_parts.window, tr("These do not look like ranks of one run. Merge them all the same?"),
                    tr("Their formats, names or times do not fit together. In one view each keeps its own "
                       "rows, and what was recorded at another time stands far away."),
                    QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel) == QMessageBox::Yes;
}

// --- saving

void Files::save() {
    const view::ViewDataPtr& shown = m_parts.runs.current();
    if (!shown)
        return;
    finishNotes();
    const QString path = m_parts.runs.pathOf(shown->run);
    if (!path.isEmpty() && !m_parts.runs.isUnsaved(shown->run)) {
        emit nothingToSave(tr("Nothing to save: all of it is in %1.").arg(shownText(path)));
        return;
    }
    saveRun(shown->run, false);
}

void Files::saveAs() {
    if (m_parts.runs.current())
        saveRun(m_parts.runs.current()->run, true);
}

QString Files::whyNotInto(const view::RunPtr& run, const QString& path) const {
    const QString name = shownText(QFileInfo(path).fileName());
    if (isOfAnotherTool(path))
        return tr("%1 was written by another tool and stays as it is.").arg(name);
    if (m_parts.runs.isOvertaken(run))
        return tr("Another program has written %1 since it was read.").arg(name);
    if (m_parts.runs.isPartOf(run, path))
        return tr("%1 holds parts that this program cannot keep: they are damaged, or newer than it.")
            .arg(name);
    return {};
}

QString Files::askFileFor(const view::RunPtr& run) {
    return askSaveName(m_parts.window, {tr("Save %1").arg(titleText(*run)),
                                        plainFileName(titleText(*run)) + QStringLiteral(".olab"),
                                        tr("Overlap Lab recording (*.olab)")})
        .path;
}

void Files::saveRun(const view::RunPtr& run, bool askName) {
    finishNotes();
    QString path = m_parts.runs.pathOf(run);
    if (!askName && !path.isEmpty() && isOfAnotherTool(path))
        askName = true; // theirs stays as it is
    if (!askName && !path.isEmpty())
        if (const QString why = whyNotInto(run, path); !why.isEmpty())
            return m_parts.messages.error(
                {ErrorKind::Usage, "not-into-this-file", why.toStdString(),
                 tr("Use File, Save recording as, to keep what you added in a file of its own.")
                     .toStdString()});
    if (askName || path.isEmpty())
        path = askFileFor(run);
    if (path.isEmpty())
        return;
    m_parts.runs.store().fetch({run}, [this, path](const std::vector<view::ViewDataPtr>& came) {
        if (!came.empty())
            saveTo(came.front(), path);
    });
}

bool Files::saveTo(const view::ViewDataPtr& shown, const QString& path) {
    BookmarkDesk& desk = m_parts.timeline.desk();
    finishNotes();
    if (!m_parts.session.save(shown, path, {desk.of(shown), shown->label()})) {
        m_parts.messages.busy(tr("save"));
        return false;
    }
    desk.saveBegins(shown); // its end comes later, by a queued call
    m_parts.runs.saveBegins(shown->run);
    return true;
}

void Files::saved(const view::ViewDataPtr& shown, const QString& path) {
    m_parts.runs.markSaved(shown->run, path);
    m_parts.timeline.desk().saved(shown);
    remember(path);
    m_parts.messages.errors().settle();
    m_parts.messages.wrote(path);
}

void Files::finishNotes() {
    m_parts.timeline.bookmarks().finishEditing();
}

void Files::saveText(const QString& text) {
    const view::ViewDataPtr& shown = m_parts.runs.current();
    const QString proposed = shown ? plainFileName(titleText(*shown)) : QStringLiteral("experiment");
    saveFileAs(
        m_parts.window,
        {tr("Save the CUDA program"), proposed + QStringLiteral(".cu"), tr("CUDA program (*.cu)")},
        [&text](const QString&) { return text.toUtf8(); }, m_parts.messages);
}

/// It may be unsaved.
void Files::remove(const view::RunPtr& run) {
    if (m_parts.options.askBeforeClose && m_parts.runs.isUnsaved(run)) {
        const auto answer =
            askPlain(&m_parts.window, tr("%1 is not saved. Remove it from the list?").arg(titleText(*run)),
                     tr("Ctrl+Z in the list of runs brings it back until the window closes."),
                     QMessageBox::Discard | QMessageBox::Save | QMessageBox::Cancel, QMessageBox::Cancel);
        if (answer == QMessageBox::Save)
            return saveRun(run, false); // it stays until it is in a file
        if (answer != QMessageBox::Discard)
            return;
    }
    m_parts.runs.remove(run);
    m_parts.messages.log(tr("%1 is out of the list; Ctrl+Z there brings it back.").arg(titleText(*run)));
}

// --- those opened last

void Files::remember(const QString& path, const QString& about) {
    if (!m_parts.options.remember)
        return;
    rememberFile(path, about);
    emit recentChanged();
}

/// Of the file that was opened or saved last; empty: where the program was started.
QString Files::lastFolder() const {
    const std::vector<RecentFile> all = recent();
    return all.empty() ? QString() : QFileInfo(all.front().path).absolutePath();
}

std::vector<RecentFile> Files::recent() const {
    return m_parts.options.remember ? recentFiles() : std::vector<RecentFile>();
}

} // namespace olab::ui
