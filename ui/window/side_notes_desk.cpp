#include "window/side_notes_desk.h"

#include "base/plain_text.h"
#include "timeline/bookmarks/bookmark_desk.h"
#include "timeline/bookmarks/bookmark_tools.h"
#include "window/notice_bar.h"
#include "window/own_file.h"
#include "window/run_list.h"

#include <olab/io/side_notes.h>
#include <olab/ui/file_name.h>
#include <olab/ui/timeline_view.h>

#include <QMenu>

namespace olab {

SideNotesDesk::SideNotesDesk(MainWindow& window, NoticeBar& notice, RunList& runs)
    : QObject(&window)
    , m_window(window)
    , m_notice(notice)
    , m_runs(runs) {
    setObjectName(QStringLiteral("sideNotes"));
    auto* menu = window.findChild<QMenu*>(QStringLiteral("fileMenu"));
    m_action = addEntry(*menu, tr("&Keep bookmarks and notes beside the file"), this, [this] { keep(); });
    setTip(*m_action, tr("Writes them to a small file of their own, from which they come back when this "
                         "recording of another tool is opened again; the recording itself stays as it is"));
    connect(menu, &QMenu::aboutToShow, this, [this] { refresh(); });
    refresh();
}

void SideNotesDesk::refresh() {
    const ViewDataPtr& shown = m_window.shown();
    m_action->setEnabled(shown && isOfAnotherTool(m_runs.pathOf(shown->run)));
}

void SideNotesDesk::keep() {
    const ViewDataPtr shown = m_window.shown();
    const QString path = shown ? m_runs.pathOf(shown->run) : QString();
    if (!shown || !isOfAnotherTool(path))
        return;
    m_window.timeline().bookmarks().finishEditing();
    BookmarkDesk& desk = m_window.timeline().desk();
    try {
        const auto kept = keepSideNotes(fileOf(path), {desk.of(shown), shown->label()});
        desk.saveBegins(shown);
        m_runs.saveBegins(shown->run);
        desk.saved(shown);
        m_runs.markSaved(shown->run, path);
        m_notice.showSaved(nameOf(kept), NoticeBar::Kind::Recording);
    } catch (const Error& error) {
        m_window.showError({error.kind(), error.code(), error.what(), error.hint()});
    }
}

} // namespace olab
