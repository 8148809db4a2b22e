#include "window/side_notes_store.h"

#include "base/plain_text.h"
#include "timeline/bookmarks/bookmark_desk.h"
#include "window/files.h"
#include "window/menus.h"
#include "window/messages/messages.h"
#include "window/runs/run_list.h"
#include "window/runs/runs.h"
#include "window/window_parts.h"

#include <olab/io/side_notes.h>
#include <olab/trace/container.h>
#include <olab/trace/error.h>
#include <olab/trace/input_file.h>
#include <olab/ui/texts.h>
#include <olab/ui/timeline_view.h>

#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QString>

namespace olab::ui {

bool isOfAnotherTool(const QString& path) {
    try {
        return QFileInfo::exists(path) && !sniffContainer(InputFile(path.toStdString()).head());
    } catch (const Error&) {
        return false; // what cannot be read is said when it cannot be written
    }
}

SideNotesStore::SideNotesStore(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts) {
    QMenu& menu = parts.menus.menu(MenuId::File);
    m_action = addEntry(menu, tr("&Keep bookmarks and notes beside the file"), this, [this] { keep(); });
    menu.insertAction(menu.findChild<QAction*>(QStringLiteral("endOfSaving"), Qt::FindDirectChildrenOnly),
                      m_action);
    setTip(*m_action, tr("Writes them to a small file of their own, from which they come back when this "
                         "recording of another tool is opened again; the recording itself stays as it is"));
    connect(&menu, &QMenu::aboutToShow, this, [this] { refresh(); });
    refresh();
}

void SideNotesStore::refresh() {
    const view::ViewDataPtr& shown = m_parts.runs.current();
    m_action->setEnabled(shown && isOfAnotherTool(m_parts.runs.list().pathOf(shown->run)));
}

void SideNotesStore::keep() {
    const view::ViewDataPtr shown = m_parts.runs.current();
    const QString path = shown ? m_parts.runs.list().pathOf(shown->run) : QString();
    if (!shown || !isOfAnotherTool(path))
        return;
    m_parts.files.finishNotes();
    BookmarkDesk& desk = m_parts.timeline.desk();
    try {
        const auto kept = io::keepSideNotes(fileOf(path), {desk.of(shown), shown->label()});
        desk.saveBegins(shown);
        m_parts.runs.list().saveBegins(shown->run);
        desk.saved(shown);
        m_parts.runs.list().markSaved(shown->run, path);
        m_parts.messages.wrote(nameOf(kept));
    } catch (const Error& error) {
        m_parts.messages.caught(error);
    }
}

} // namespace olab::ui
