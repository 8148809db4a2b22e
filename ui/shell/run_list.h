// The recordings of this session, newest first, each with a small picture of its engines and its verdicts.
// One is shown; two that are selected are compared.
#pragma once

#include <olab/ui/shown.h>

#include <QListWidget>

namespace olab {

class RunList final : public QListWidget {
    Q_OBJECT
public:
    explicit RunList(QWidget* parent = nullptr);
    /// Adds and selects it.
    void add(const ShownPtr& shown);
    /// More is known of the same run: its row stays.
    void replace(const ShownPtr& before, const ShownPtr& after);
    void markSaved(const ShownPtr& shown, const QString& path);
    /// Its bookmarks are not all in its file.
    void markChanged(const ShownPtr& shown, bool changed);
    QString pathOf(const ShownPtr& shown) const; ///< read from or saved to; empty: none
    /// Since it was read from there or saved there, another program has written that file.
    bool isOvertaken(const ShownPtr& shown) const;
    int unsavedCount() const;
    ShownPtr current() const;

signals:
    void chosen(const olab::ShownPtr& shown);
    /// Exactly two are selected (Ctrl+click): the older first.
    void pairChosen(const olab::ShownPtr& before, const olab::ShownPtr& after);

private:
    struct Entry {
        ShownPtr shown;
        QString path;    ///< empty: unsaved
        FileStamp stamp; ///< of the file at `path`
        bool changed = false;
        bool unsaved() const { return changed || (path.isEmpty() && shown->recording->live); }
    };
    int rowOf(const ShownPtr& shown) const; ///< -1: none
    void refresh(int row);
    void lookForPair();
    std::vector<Entry> m_entries; ///< in the order of the rows
};

} // namespace olab
