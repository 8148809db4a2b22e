// The runs of this session, newest first, each with a small picture of its engines and its verdicts. One is
// shown; two that are selected are compared. A person names, notes, saves and removes them here. A row needs
// nothing of its recording, which may be on disk (RunStore): who chooses it is told when it is here.
#pragma once

#include "timeline/canvas/small_picture.h"
#include "window/run_store.h"

#include <QListWidget>
#include <QMenu>
#include <QPointer>

namespace olab {

class RunList final : public QListWidget {
    Q_OBJECT
public:
    explicit RunList(RunStore& store, QWidget* parent = nullptr);
    /// Adds and selects it.
    void add(const ViewDataPtr& shown);
    /// More is known of a run that is here: its row stays.
    void replace(const ViewDataPtr& after);
    /// What is changed while it is written is not in the file.
    void saveBegins(const RunPtr& run);
    void markSaved(const RunPtr& run, const QString& path);
    /// Its bookmarks are not all in its file.
    void markChanged(const RunPtr& run, bool changed);
    QString pathOf(const RunPtr& run) const; ///< read from or saved to; empty: none
    /// Since it was read from there or saved there, another program has written that file.
    bool isOvertaken(const RunPtr& run) const;
    /// Written into this file, something that it holds would be lost.
    bool isPartOf(const RunPtr& run, const QString& path) const;
    bool isUnsaved(const RunPtr& run) const;
    std::vector<RunPtr> unsaved() const; ///< newest first
    int unsavedCount() const;
    RunPtr runAt(int row) const;   ///< null: there is no such row
    ViewDataPtr current() const;   ///< as at()
    ViewDataPtr at(int row) const; ///< null: there is no such row, or it is on disk

    void rename(const RunPtr& run, const QString& title);
    void setNote(const RunPtr& run, const QString& note);
    /// Opens an editor in the row, or in a dialog.
    void editName(const RunPtr& run);
    void editNote(const RunPtr& run);
    /// Out of the list; its file stays. The next one is shown, or emptied() says that there is none.
    void remove(const RunPtr& run);
    QString removedTitle() const; ///< what bringBack() would bring; empty: nothing
    void bringBack();
    std::vector<RunPtr> selectedRuns() const; ///< the oldest first
    /// What can be done with this row and those selected.
    void fillMenu(QMenu& menu, const RunPtr& run);

signals:
    void chosen(const olab::ViewDataPtr& shown);
    /// Exactly two are selected (Ctrl+click): the older first.
    void pairChosen(const olab::ViewDataPtr& before, const olab::ViewDataPtr& after);
    void labelChanged(const olab::RunPtr& run);
    void saveRequested(const olab::RunPtr& run, bool askName);
    void removeRequested(const olab::RunPtr& run);              ///< it may be unsaved
    void mergeRequested(const std::vector<olab::RunPtr>& runs); ///< the oldest first
    void emptied();
    void dropped(const olab::RunPtr& run); ///< it cannot be brought back any more

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Entry {
        RunPtr run;
        SmallPicture picture;
        QString measured, verdicts; ///< in words
        QString path;               ///< empty: unsaved
        FileStamp stamp;            ///< of the file at `path`
        bool changed = false;
        RunLabel inFile, beingSaved;
        QString file;          ///< it was read from this one ...
        bool heldMore = false; ///< ... which held more than was read
        bool unsaved() const;
    };
    static void describe(Entry& entry, const ViewData& shown);
    int rowOf(const RunPtr& run) const; ///< -1: none
    Entry* entryOf(const RunPtr& run);
    const Entry* entryOf(const RunPtr& run) const;
    void refresh(int row);
    QString tipOf(const Entry& entry) const;
    void show(int row);
    void showCame(const ViewDataPtr& shown);
    void selectShown();
    void lookForPair();
    void comparePair(const RunPtr& before, const RunPtr& after);
    void setLabel(const RunPtr& run, RunLabel label);
    void addOthers(QMenu& menu, const RunPtr& run);
    void insert(int row, Entry entry);
    void select(int row);
    RunStore& m_store;
    std::vector<Entry> m_entries;                 ///< in the order of the rows
    QPointer<QMenu> m_menu;                       ///< the last one that was asked for
    std::vector<std::pair<int, Entry>> m_removed; ///< with their rows, last one last
    RunPtr m_shown;                               ///< chosen last, and here
    std::uint64_t m_asked = 0;                    ///< how often something was asked of the store
};

} // namespace olab
