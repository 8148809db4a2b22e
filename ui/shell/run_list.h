// The recordings of this session, newest first, each with a small picture of its engines and its verdicts.
// One is shown; two that are selected are compared. A person names, notes, saves and removes them here.
#pragma once

#include <olab/ui/shown.h>

#include <QListWidget>

class QMenu;

namespace olab {

class RunList final : public QListWidget {
    Q_OBJECT
public:
    explicit RunList(QWidget* parent = nullptr);
    /// Adds and selects it.
    void add(const ShownPtr& shown);
    /// More is known of the same run: its row stays.
    void replace(const ShownPtr& before, const ShownPtr& after);
    /// What is changed while it is written is not in the file.
    void saveBegins(const ShownPtr& shown);
    void markSaved(const ShownPtr& shown, const QString& path);
    /// Its bookmarks are not all in its file.
    void markChanged(const ShownPtr& shown, bool changed);
    QString pathOf(const ShownPtr& shown) const; ///< read from or saved to; empty: none
    /// Since it was read from there or saved there, another program has written that file.
    bool isOvertaken(const ShownPtr& shown) const;
    bool isUnsaved(const ShownPtr& shown) const;
    std::vector<ShownPtr> unsaved() const; ///< newest first
    int unsavedCount() const;
    ShownPtr current() const;
    ShownPtr at(int row) const; ///< null: there is no such row

    void rename(const ShownPtr& shown, const QString& title);
    void setNote(const ShownPtr& shown, const QString& note);
    /// Opens an editor in the row, or in a dialog.
    void editName(const ShownPtr& shown);
    void editNote(const ShownPtr& shown);
    /// Out of the list; its file stays. The next one is shown, or emptied() says that there is none.
    void remove(const ShownPtr& shown);
    QString removedTitle() const; ///< what bringBack() would bring; empty: nothing
    void bringBack();
    /// What can be done with this row and those selected.
    void fillMenu(QMenu& menu, const ShownPtr& shown);

signals:
    void chosen(const olab::ShownPtr& shown);
    /// Exactly two are selected (Ctrl+click): the older first.
    void pairChosen(const olab::ShownPtr& before, const olab::ShownPtr& after);
    void labelChanged(const olab::ShownPtr& shown);
    void saveRequested(const olab::ShownPtr& shown, bool askName);
    void removeRequested(const olab::ShownPtr& shown); ///< it may be unsaved
    void emptied();
    void dropped(const olab::ShownPtr& shown); ///< it cannot be brought back any more

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Entry {
        ShownPtr shown;
        QString path;    ///< empty: unsaved
        FileStamp stamp; ///< of the file at `path`
        bool changed = false;
        RunLabel inFile, beingSaved;
        bool unsaved() const;
    };
    int rowOf(const ShownPtr& shown) const; ///< -1: none
    void refresh(int row);
    void lookForPair();
    void setLabel(const ShownPtr& shown, RunLabel label);
    void insert(int row, Entry entry);
    void select(int row);
    std::vector<Entry> m_entries;                 ///< in the order of the rows
    std::vector<std::pair<int, Entry>> m_removed; ///< with their rows, last one last
};

} // namespace olab
