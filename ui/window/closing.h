// Whether the window may close: what is not saved is asked about, and saved first where a person wants that.
// GUI thread.
#pragma once

#include "window/runs/run_store.h"

#include <olab/ui/session.h>
#include <olab/view/run_ptr.h>

#include <QObject>
#include <QStringList>

#include <functional>
#include <utility>
#include <vector>

class QWidget;

namespace olab::ui {

class Files;
class Messages;
class Runs;
class Session;
struct WindowOptions;

/// Saves several recordings, one after the other: a session has one job at a time, and of those that are on
/// disk only one is in memory at a time. GUI thread.
class SaveAll final : public QObject {
    Q_OBJECT
public:
    using Save = std::function<bool(const view::ViewDataPtr&, const QString& path)>;
    using Jobs = std::vector<std::pair<view::RunPtr, QString>>;
    /// `save` starts one, and says whether it could.
    SaveAll(Session& session, RunStore& store, Save save, QObject* parent);
    /// Waits for the job that the session may still be at.
    void start(Jobs jobs);
    bool active() const { return !m_jobs.empty(); }

signals:
    void done();    ///< all of them are in their files
    void stopped(); ///< one could not be saved, or was cancelled: the others were not tried

private:
    void next();
    void stop();
    void lookAfterEnd();
    enum class Step : std::uint8_t { Waiting, Fetching, Saving };
    Session& m_session;
    RunStore& m_store;
    Save m_save;
    Jobs m_jobs;
    Step m_step = Step::Waiting; ///< of the first one
};

class Closing final : public QObject {
public:
    struct Uses {
        QWidget& window; ///< closed when all is saved
        Session& session;
        Runs& runs;
        Files& files;
        Messages& messages;
    };
    Closing(const Uses& uses, const WindowOptions& options);
    /// Now, or it closes by itself later, or not.
    bool mayClose();

private:
    void saveAll();
    QStringList askFilesFor(const std::vector<view::RunPtr>& runs, const QStringList& taken);
    Uses m_uses;
    const WindowOptions& m_options;
    SaveAll* m_saveAll;
    bool m_isSaved = false; ///< what was unsaved is saved
};

} // namespace olab::ui
