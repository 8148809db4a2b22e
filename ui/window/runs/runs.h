// The runs of this session, newest first, each with a small picture of its engines and its verdicts. One is
// shown, and everybody who shows a run listens here; two that are selected are compared. A person names,
// notes, saves and removes them here. A row needs nothing of its recording, which may be on disk (RunStore).
#pragma once

#include "timeline/canvas/small_picture.h"
#include "window/runs/run_store.h"

#include <QListWidget>
#include <QMenu>
#include <QPointer>

namespace olab::ui {

class Messages;
class Session;
struct WindowOptions;

class Runs final : public QListWidget {
    Q_OBJECT
public:
    Runs(Session& session, const WindowOptions& options, Messages& messages);

    const view::ViewDataPtr& current() const { return m_current; } ///< the one that is shown; null: none
    bool isCurrent(const view::ViewDataPtr& shown) const { return shown && shown == m_current; }
    RunStore& store() const { return *m_store; }
    /// Where the time of the current one went, which says nothing of it yet: accounted() follows.
    /// @returns false: something else runs
    bool account();
    /// The same of its repeating iteration: steadyStateFound() follows.
    bool findSteadyState();
    /// Adds and selects it.
    void add(const view::ViewDataPtr& shown);
    /// The run that was read from this file, if it is here and the file is still the same. @returns whether
    /// it is
    bool chooseFile(const QString& path);
    /// All of them stay in the list.
    void showNone();
    /// Adds it; what is shown stays.
    void addUnseen(const view::ViewDataPtr& shown);
    /// What is changed while it is written is not in the file.
    void saveBegins(const view::RunPtr& run);
    void markSaved(const view::RunPtr& run, const QString& path);
    /// Its bookmarks are not all in its file.
    void markChanged(const view::RunPtr& run, bool changed);
    bool holds(const view::RunPtr& run) const { return rowOf(run) >= 0; }
    QString pathOf(const view::RunPtr& run) const; ///< read from or saved to; empty: none
    /// Since it was read from there or saved there, another program has written that file.
    bool isOvertaken(const view::RunPtr& run) const;
    /// Written into this file, something that it holds would be lost.
    bool isPartOf(const view::RunPtr& run, const QString& path) const;
    bool isUnsaved(const view::RunPtr& run) const;
    std::vector<view::RunPtr> unsaved() const; ///< newest first
    int unsavedCount() const { return static_cast<int>(unsaved().size()); }
    view::RunPtr runAt(int row) const; ///< null: there is no such row
    /// null: there is no such row, or it is on disk
    view::ViewDataPtr at(int row) const { return m_store->inMemory(runAt(row)); }

    void rename(const view::RunPtr& run, const QString& title);
    void setNote(const view::RunPtr& run, const QString& note);
    /// Opens an editor in the row, or in a dialog.
    void editName(const view::RunPtr& run);
    void editNote(const view::RunPtr& run);
    /// Out of the list; its file stays. The next one is shown, or none.
    void remove(const view::RunPtr& run);
    QString removedTitle() const; ///< what bringBack() would bring; empty: nothing
    void bringBack();
    std::vector<view::RunPtr> selectedRuns() const; ///< the oldest first
    /// What can be done with this row and those selected.
    void fillMenu(QMenu& menu, const view::RunPtr& run);

signals:
    void chosen();       ///< by a person; also the one that is current
    void shownChanged(); ///< to another run, or to none
    /// More is known of a run: `after` stands in for `before`.
    void refined(const olab::view::ViewDataPtr& before, const olab::view::ViewDataPtr& after);
    /// After refined(), of the current one.
    void currentRefined(const olab::view::ViewDataPtr& before);
    /// Where the time of the current one went, and its findings, which follow that.
    void accounted();
    void steadyStateFound(); ///< of the current one
    /// Both are to be shown one above the other: the older first.
    void compared(const olab::view::ViewDataPtr& before, const olab::view::ViewDataPtr& after);
    void labelChanged(const olab::view::RunPtr& run);
    void saveRequested(const olab::view::RunPtr& run, bool askName);
    void removeRequested(const olab::view::RunPtr& run); ///< it may be unsaved
    /// The oldest first.
    void fullSizeRequested(const std::vector<olab::view::RunPtr>& runs);
    void mergeRequested(const std::vector<olab::view::RunPtr>& runs); ///< the oldest first
    void dropped(const olab::view::RunPtr& run);                      ///< it cannot be brought back any more

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Entry {
        view::RunPtr run;
        SmallPicture picture;
        QString measured, verdicts; ///< in words
        QString settings;           ///< by which a run that was made here is told from others
        Ns length = 0;              ///< 0: not known
        SourceKind source{};
        QString path;               ///< empty: unsaved
        recording::FileStamp stamp; ///< of the file at `path`
        bool changed = false;
        io::RunLabel inFile, beingSaved;
        QString file;          ///< it was read from this one ...
        bool heldMore = false; ///< ... which held more than was read
        bool unsaved() const;
    };
    QAbstractItemDelegate* makeNameDelegate();
    QString textOf(int row) const;
    static void describe(Entry& entry, const view::ViewData& shown);
    int rowOf(const view::RunPtr& run) const;            ///< -1: none
    const Entry* entryOf(const view::RunPtr& run) const; ///< null: none
    Entry* entryOf(const view::RunPtr& run) { return const_cast<Entry*>(std::as_const(*this).entryOf(run)); }
    void refresh(int row);
    QString tipOf(const Entry& entry) const;
    void setCurrent(const view::ViewDataPtr& shown);
    void refine(const view::ViewDataPtr& before, const view::ViewDataPtr& after);
    void replace(const view::ViewDataPtr& after);
    void show(int row);
    void showCame(const view::ViewDataPtr& shown);
    void selectShown();
    void lookForPair();
    void comparePair(const view::RunPtr& before, const view::RunPtr& after);
    void setLabel(const view::RunPtr& run, io::RunLabel label);
    void addOthers(QMenu& menu, const view::RunPtr& run);
    void insert(int row, Entry entry);
    void select(int row);
    Session& m_session;
    RunStore* m_store;
    view::ViewDataPtr m_current;
    std::vector<Entry> m_entries;                 ///< in the order of the rows
    QPointer<QMenu> m_menu;                       ///< the last one that was asked for
    std::vector<std::pair<int, Entry>> m_removed; ///< with their rows, last one last
    std::uint64_t m_asked = 0;                    ///< how often something was asked of the store
};

} // namespace olab::ui
