#include "window/closing.h"

#include "base/plain_text.h"
#include "window/files.h"
#include "window/messages/messages.h"
#include "window/runs/run_store.h"
#include "window/runs/runs.h"
#include "window/runs/save_name.h"
#include "window/window_parts.h"

#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>
#include <olab/ui/window_options.h>

#include <QFileDialog>
#include <QMainWindow>

namespace olab::ui {

Closing::Closing(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts) {
    connect(&parts.session, &Session::saved, this, [this](const view::ViewDataPtr& shown) {
        if (m_step != Step::Saving || m_toSave.front().first != shown->run)
            return;
        m_toSave.erase(m_toSave.begin());
        saveNext();
    });
    // saved() follows ended() in the same call: after that it is known how it went.
    connect(&parts.session, &Session::ended, this, &Closing::lookAfterEnd, Qt::QueuedConnection);
}

bool Closing::mayClose() {
    m_parts.files.finishNotes();
    if (m_isSaved)
        return true;
    const std::vector<view::RunPtr> unsaved = m_parts.runs.unsaved();
    if (!m_toSave.empty())
        return false; // it closes by itself when all is saved
    if (!m_parts.options.askBeforeClose || unsaved.empty())
        return true;
    const auto answer = askPlain(
        &m_parts.window,
        unsaved.size() == 1 ? tr("%1 is not saved. Save it before closing?").arg(titleText(*unsaved[0]))
                            : counted("%n recordings are not saved. Save them before closing?",
                                      "%n recording is not saved. Save it before closing?", unsaved.size()),
        tr("This cannot be undone."), QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel,
        QMessageBox::Save);
    if (answer == QMessageBox::Save)
        saveAll();
    return answer == QMessageBox::Discard;
}

/// Asks for all names first: who cancels keeps the window, and nothing is half done.
void Closing::saveAll() {
    std::vector<File> files;
    QStringList taken;
    std::vector<view::RunPtr> nameless;
    for (const view::RunPtr& run : m_parts.runs.unsaved()) {
        const QString path = m_parts.runs.pathOf(run);
        if (path.isEmpty() || !m_parts.files.whyNotInto(run, path).isEmpty()) {
            nameless.push_back(run);
            continue;
        }
        files.emplace_back(run, path);
        taken << path;
    }
    const QStringList paths = askFilesFor(nameless, taken);
    if (paths.size() != static_cast<qsizetype>(nameless.size())) {
        m_parts.messages.log(tr("Nothing was saved: the window stays open."));
        return;
    }
    for (qsizetype i = 0; i < paths.size(); ++i)
        files.emplace_back(nameless[static_cast<std::size_t>(i)], paths[i]);
    m_parts.session.cancel();
    m_toSave = std::move(files);
    if (!m_parts.session.busy()) // else once that has ended
        saveNext();
}

void Closing::saveNext() {
    if (m_toSave.empty()) {
        m_step = Step::Waiting;
        m_isSaved = true;
        m_parts.window.close();
        m_isSaved = false;
        return;
    }
    m_step = Step::Fetching;
    m_parts.runs.store().fetch({m_toSave.front().first}, [this](const std::vector<view::ViewDataPtr>& came) {
        m_step = Step::Saving;
        const QString path = m_toSave.front().second;
        if (came.empty() || !m_parts.files.saveTo(came.front(), path))
            stopSaving();
    });
}

void Closing::stopSaving() {
    m_toSave.clear();
    m_step = Step::Waiting;
    m_parts.messages.log(tr("The window stays open: not all recordings are saved."));
}

void Closing::lookAfterEnd() {
    if (m_toSave.empty() || m_parts.session.busy() || m_step == Step::Fetching)
        return;
    if (m_step == Step::Saving)
        stopSaving(); // it ended, and was not saved
    else
        saveNext();
}

/// A name for each: of one a person chooses it, of several the folder. Empty: cancelled.
QStringList Closing::askFilesFor(const std::vector<view::RunPtr>& runs, const QStringList& taken) {
    QStringList paths;
    if (runs.size() > 1) {
        const QString folder = QFileDialog::getExistingDirectory(
            &m_parts.window, counted("Save %n recordings into this folder",
                                     "Save %n recording into this folder", runs.size()));
        for (const view::RunPtr& run : runs)
            if (!folder.isEmpty())
                paths << freeFileName(folder, plainFileName(titleText(*run)), QStringLiteral(".olab"),
                                      taken + paths);
        return paths;
    }
    for (const view::RunPtr& run : runs) {
        QString path = m_parts.files.askFileFor(run);
        while (taken.contains(path)) {
            warnPlain(&m_parts.window, tr("Another run goes into this file. Choose a name of its own."));
            path = m_parts.files.askFileFor(run);
        }
        if (!path.isEmpty())
            paths << path;
    }
    return paths;
}

} // namespace olab::ui
