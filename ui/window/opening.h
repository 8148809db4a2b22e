// Opens files one after the other, each as a run of its own. The first one is shown, the others stand in the
// list. Files that look like ranks of one run are offered as one view. GUI thread.
#pragma once

#include <olab/recording/rank_likeness.h>
#include <olab/view/view_data_ptr.h>

#include <QObject>
#include <QString>
#include <QStringList>

#include <vector>

namespace olab::recording {
struct Recording;
} // namespace olab::recording

namespace olab::ui {

class Messages;
class Session;

/// The files opened last, with what each one is, kept in the settings.
struct RecentFile {
    QString path;
    QString about; ///< "Nsight Systems SQLite export, NVIDIA H200, 2026-01-30"; empty: not known
};
std::vector<RecentFile> recentFiles(); ///< newest first
/// `about` empty: what is known of it stays.
void rememberFile(const QString& path, const QString& about);
void forgetFile(const QString& path);
/// "~/runs/h200"; a long one is cut in the middle.
QString folderOf(const QString& path);
/// Its format, its devices, and when it was recorded.
QString aboutRecording(const recording::Recording& recording);

class Opening final : public QObject {
    Q_OBJECT
public:
    Opening(Session& session, Messages& messages, QObject* owner);
    /// Added to those that are being opened; they wait for the end of what else runs.
    void open(const QStringList& paths);
    /// Of what has just been read. @returns whether another one of these files is shown already
    bool arrived(const view::ViewDataPtr& shown);

signals:
    void waits(); ///< for what else runs: what never ends by itself should end now
    void ended(); ///< all of them are here, or failed, or were cancelled
    /// Two or more that were opened together look like ranks of one run, by rank.
    void ranksFound(const std::vector<olab::view::RunPtr>& runs);

private:
    void hold();
    void next();
    void stepEnded();
    void finish();
    Session& m_session;
    Messages& m_messages;
    QStringList m_waiting;
    bool m_active = false, m_expectsRun = false; ///< the last one: of the file that is being read
    bool m_isHeld = false;                       ///< something else runs, and is not ours to cancel
    int m_asked = 0, m_failed = 0;
    std::vector<view::RunPtr> m_runs; ///< that came
    std::vector<recording::RankSigns> m_signs;
};

} // namespace olab::ui
