// Files in the window: what is opened, saved and remembered as recent, and what is asked of a person for
// that. A file of another tool is never written over. GUI thread.
#pragma once

#include "window/opening.h"

#include <olab/view/view_data_ptr.h>

#include <QObject>
#include <QStringList>

#include <vector>

namespace olab::ui {

struct WindowParts;

class Files final : public QObject {
    Q_OBJECT
public:
    explicit Files(const WindowParts& parts);

    /// Each file becomes a run of its own. A folder is a sweep, or with all else of `paths` a table of
    /// recordings, as more files are than anybody wants in the list of runs.
    void openAll(const QStringList& paths) { openAsRuns(paths, kMostRuns); }
    /// The same of what was dropped on the window: several files are a table.
    void openDropped(const QStringList& paths) { openAsRuns(paths, kMostDropped); }
    void openEach(const QStringList& files) { m_opening->open(files); } ///< as runs, however many
    void open(const QString& path) { openAll({path}); }
    /// One of recent(); a missing one is said and is recent no more.
    void openRecent(const QString& path);
    void chooseToOpen();
    void chooseFolder();
    /// What has been read is remembered. @returns whether another file opened with it is shown already
    bool arrived(const view::ViewDataPtr& shown);

    /// Into the file it came from or was saved to last; without one a person is asked for its name.
    void save();
    void saveAs();
    /// Begins to write. @returns false: something else is running, which has been said
    bool saveTo(const view::ViewDataPtr& shown, const QString& path);
    /// Why it cannot be written there without a loss; empty: nothing is lost.
    QString whyNotInto(const view::RunPtr& run, const QString& path) const;
    QString askFileFor(const view::RunPtr& run); ///< empty: cancelled
    void saveText(const QString& text);          ///< a CUDA program
    /// A note that is being written belongs to what is saved.
    void finishNotes();

    void remember(const QString& path, const QString& about = {});
    std::vector<RecentFile> recent() const;
    QString lastFolder() const; ///< in which dialogs begin

signals:
    void waits();  ///< to open, for what else runs: what never ends by itself should end now
    void opened(); ///< all that were to be opened are here, or failed
    void recentChanged();
    void sweepAsked(const QString& folder);     ///< one that holds a sweep was to be opened
    void tableAsked(const QStringList& places); ///< folders and files
    void nothingToSave(const QString& text);

private:
    /// Files that become runs; more are a table. Few that are dropped are to be compared, or ranks of a run.
    static constexpr qsizetype kMostRuns = 32, kMostDropped = 3;
    void openAsRuns(const QStringList& paths, qsizetype most);
    void connectRuns();
    void saveRun(const view::RunPtr& run, bool askName);
    void remove(const view::RunPtr& run);
    void merge(const std::vector<view::RunPtr>& runs, bool isOffered);
    void offerOneView(const std::vector<view::RunPtr>& runs);
    bool mayMerge(const std::vector<view::ViewDataPtr>& runs) const;
    void saved(const view::ViewDataPtr& shown, const QString& path);
    const WindowParts& m_parts;
    Opening* m_opening;
};

} // namespace olab::ui
