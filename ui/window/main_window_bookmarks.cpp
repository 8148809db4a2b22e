// Bookmarks and views in the menu, and saving: bookmarks are what a person adds to a recording.
#include <olab/ui/main_window.h>

#include "base/plain_text.h"
#include "results/bookmarks_page.h"
#include "timeline/bookmarks/bookmark_tools.h"
#include "timeline/view_history.h"
#include "window/own_file.h"
#include "window/run_list.h"

#include <olab/ui/file_name.h>
#include <olab/ui/timeline_view.h>

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QStatusBar>
#include <QTabWidget>

#include <algorithm>

namespace olab {

namespace {

constexpr int kMessageMs = 5000;

} // namespace

void MainWindow::buildBookmarkMenu(QMenu& view) {
    ViewHistory& history = m_timeline->history();
    view.addSeparator();
    QAction* back = view.addAction(tr("&Previous view"), QKeySequence(Qt::ALT | Qt::Key_Left), &history,
                                   &ViewHistory::back);
    QAction* forth = view.addAction(tr("&Next view"), QKeySequence(Qt::ALT | Qt::Key_Right), &history,
                                    &ViewHistory::forth);
    const auto refresh = [back, forth, &history] {
        back->setEnabled(history.canGo(-1));
        forth->setEnabled(history.canGo(+1));
    };
    connect(&history, &ViewHistory::changed, this, refresh);
    refresh();
    view.addSeparator();
    QMenu* menu = view.addMenu(tr("Boo&kmarks"));
    menu->addActions(m_timeline->bookmarks().actions());
}

void MainWindow::connectBookmarks() {
    BookmarkDesk& desk = m_timeline->desk();
    connect(&desk, &BookmarkDesk::listChanged, this, [this, &desk] {
        const auto count = desk.list().size();
        m_pages->setTabText(m_pages->indexOf(m_bookmarks),
                            count > 0 ? tr("Bookmarks (%1)").arg(count) : tr("Bookmarks"));
    });
    connect(&desk, &BookmarkDesk::changedChanged, this, [this, &desk](const ViewDataPtr& shown) {
        m_runs->markChanged(shown->run, desk.isChanged(shown));
    });
}

/// Empty: nothing is lost when the recording is written there.
QString MainWindow::whyNotInto(const RunPtr& run, const QString& path) const {
    const QString name = shownText(QFileInfo(path).fileName());
    if (isOfAnotherTool(path))
        return tr("%1 was written by another tool and stays as it is.").arg(name);
    if (m_runs->isOvertaken(run))
        return tr("Another program has written %1 since it was read.").arg(name);
    if (m_runs->isPartOf(run, path))
        return tr("%1 holds parts that this program cannot keep: they are damaged, or newer than it.")
            .arg(name);
    return {};
}

void MainWindow::save() {
    if (!m_shown)
        return;
    m_timeline->bookmarks().finishEditing();
    const QString path = m_runs->pathOf(m_shown->run);
    if (!path.isEmpty() && !m_runs->isUnsaved(m_shown->run))
        return statusBar()->showMessage(tr("Nothing to save: all of it is in %1.").arg(shownText(path)),
                                        kMessageMs);
    saveRun(m_shown->run, false);
}

} // namespace olab
