#include <olab/ui/session.h>

#include "base/call_later.h"
#include "base/plain_text.h"
#include "window/runs/engines.h"

#include <olab/experiment/held_experiment.h>
#include <olab/recording/merged_recording.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <utility>

namespace olab::ui {

namespace {

constexpr int kAbandonMs = 120; // of the 200 ms a cancel may take
constexpr int kRetryMs = 20;

} // namespace

Session::Session(SessionBackends backends, QObject* parent)
    : QObject(parent)
    , m_backends(std::move(backends))
    , m_engines(std::make_unique<Engines>(m_backends))
    , m_runner(std::make_unique<run::Runner>(
          observer(),
          run::RunnerIdle{m_backends.idle, [engines = m_engines.get()] { engines->giveBack(); }})) {
    qRegisterMetaType<olab::run::RunnerError>();
    qRegisterMetaType<olab::view::ViewDataPtr>();
    m_abandonTimer.setSingleShot(true);
    m_abandonTimer.setInterval(kAbandonMs);
    m_retryTimer.setInterval(kRetryMs);
    connect(&m_abandonTimer, &QTimer::timeout, this, &Session::abandon);
    connect(&m_retryTimer, &QTimer::timeout, this, &Session::launch);
}

Session::~Session() = default;

run::RunnerObserver Session::observer() {
    // Each call is posted: the engine thread never waits for the window, and the window never locks.
    const auto post = [this](auto call) { callLater(this, std::move(call)); };
    run::RunnerObserver o;
    o.progress = [this, post](std::uint64_t job, double share, std::string what) {
        post([this, job, share, text = sentence(what)] {
            if (job != m_job)
                return;
            emit progressed(share, text);
            if (m_current.owner && m_current.job.progressed)
                m_current.job.progressed(share, text);
        });
    };
    o.finished = [this, post](std::uint64_t job, const recording::RecordingPtr&) {
        post([this, job] { finish(job, JobEnd::Done, {}); });
    };
    o.cancelled = [this, post](std::uint64_t job) {
        post([this, job] {
            finish(job, JobEnd::Stopped,
                   job != m_job && busy() ? tr("something else was started first") : tr("it was stopped"));
        });
    };
    o.failed = [this, post](std::uint64_t job, const run::RunnerError& error) {
        post([this, job, error] {
            if (job == m_job)
                emit failed(error, m_current.job.isRun);
            finish(job, JobEnd::Failed, sentence(error.message));
        });
    };
    o.preview = [this, post](std::uint64_t job, const recording::RecordingPtr&) {
        post([this, job, shown = std::exchange(m_preview, nullptr)] { preview(job, shown); });
    };
    o.yielded = [this, post](std::uint64_t job) { post([this, job] { yielded(job); }); };
    return o;
}

bool Session::start(QObject& owner, Job job) {
    if (busy())
        return false;
    m_current = {std::move(job), &owner, std::make_shared<JobResult>()};
    m_waiting = true;
    emit started(m_current.job.what);
    launch();
    return true;
}

void Session::launch() {
    const auto tell = [this, result = m_current.result](std::function<void()> call) {
        callLater(this, [this, result, call = std::move(call)] {
            if (result == m_current.result && m_current.owner)
                call();
        });
    };
    const std::uint64_t job = m_runner->start(
        m_current.job.what.toStdString(),
        [engines = m_engines.get(), host = m_host.toStdString(), work = m_current.job.work, tell,
         result = m_current.result](const run::JobControl& control) -> recording::RecordingPtr {
            engines->useHost(host);
            work({control, *engines, tell}, *result);
            return nullptr;
        });
    if (job == 0) { // an abandoned job has not ended yet
        m_retryTimer.start();
        return;
    }
    m_retryTimer.stop();
    m_waiting = false;
    m_current.job.work = nullptr; // it may hold a recording
    m_job = job;
}

/// The first one is shown; later ones stand in for it.
void Session::preview(std::uint64_t job, const view::ViewDataPtr& shown) {
    if (m_refining.job == job && m_refining.shown)
        return refine(shown);
    if (job != m_job)
        return; // abandoned
    m_refining = {job, shown, nullptr};
    deliver({shown, m_current.result->before, {}});
    emit refines(shown);
}

/// Nobody waits for it any more.
Session::Current Session::leave(JobEnd how, const QString& why) {
    m_job = 0;
    m_waiting = false;
    m_abandonTimer.stop();
    m_retryTimer.stop();
    Current left = std::exchange(m_current, {});
    emit ended(how == JobEnd::Done ? tr("Done.") : how == JobEnd::Stopped ? tr("Cancelled.") : tr("Failed."));
    if (left.owner && left.job.ended)
        left.job.ended(how, why);
    return left;
}

void Session::yielded(std::uint64_t job) {
    if (job != m_job)
        return;
    m_refining.result = m_current.result;
    leave(JobEnd::Done, {});
}

/// `why` there is no more of the run that it refined; empty: it is all there.
void Session::finish(std::uint64_t job, JobEnd how, const QString& why) {
    const bool isRefined = job == m_refining.job;
    std::shared_ptr<JobResult> left = isRefined ? m_refining.result : nullptr;
    if (job == m_job) {
        const Current was = leave(how, why);
        left = was.owner ? was.result : nullptr;
    }
    if (isRefined && left && left->shown && left->shown != m_refining.shown)
        refine(left->shown);
    else if (!isRefined && left)
        deliver(*left);
    if (isRefined)
        endRefining(left && left->shown ? QString() : why);
}

void Session::deliver(const JobResult& left) {
    if (left.then)
        left.then();
    if (left.shown)
        emit ready(left.shown);
    if (left.shown && left.before)
        emit readyToCompare(left.before, left.shown);
}

void Session::refine(const view::ViewDataPtr& after) {
    const view::ViewDataPtr before = std::exchange(m_refining.shown, after);
    emit refined(before, after);
}

/// `why` empty: it is all there.
void Session::endRefining(const QString& why) {
    const Refining ended = std::exchange(m_refining, {});
    if (!why.isEmpty())
        emit notRefined(ended.shown, why);
}

void Session::cancel() {
    if (busy())
        emit cancelRequested();
    if (m_waiting) {
        leave(JobEnd::Stopped, tr("it was stopped"));
    } else if (m_job != 0) {
        m_runner->cancel();
        m_abandonTimer.start();
    } else if (m_refining.job != 0) {
        m_runner->cancel();
    }
}

void Session::abandon() {
    // The engine thread is still on its way out; nobody waits for it, and what it posts for this job is
    // dropped.
    const bool wasShown = m_job == m_refining.job;
    leave(JobEnd::Stopped, tr("it was stopped"));
    if (wasShown)
        endRefining(tr("it was stopped"));
}

BackendChoice Session::backendFor(const experiment::Experiment& experiment) const {
    return experiment::simulatorOnly(experiment).empty() ? m_backend : BackendChoice::Simulator;
}

bool Session::open(const QString& path, const QString& what, const view::ViewDataPtr& before) {
    return start(*this, {what.isEmpty() ? tr("Opening %1").arg(path) : what,
                         [file = fileOf(path), before](const JobTools& tools, JobResult& out) {
                             out.before = before;
                             out.shown = std::make_shared<const view::ViewData>(
                                 recording::openRecording(file, tools.control), tools.control);
                         }});
}

bool Session::openMerged(const QStringList& paths) {
    std::vector<std::filesystem::path> files;
    for (const QString& path : paths)
        files.push_back(fileOf(path));
    return start(*this, {counted("Opening %n recordings as one", "Opening %n recording as one",
                                 static_cast<std::uint64_t>(paths.size())),
                         [files](const JobTools& tools, JobResult& out) {
                             out.shown = std::make_shared<const view::ViewData>(
                                 olab::recording::openMerged(files, tools.control), tools.control);
                         }});
}

bool Session::save(const view::ViewDataPtr& shown, const QString& path) {
    return save(shown, path, io::Annotations{shown->recording->bookmarks, shown->label()});
}

bool Session::save(const view::ViewDataPtr& shown, const QString& path, const io::Annotations& added) {
    return start(
        *this, {tr("Saving %1").arg(path), [this, shown, path, added](const JobTools& tools, JobResult& out) {
                    recording::saveRecording(*shown->recording, fileOf(path), added, tools.control);
                    out.then = [this, shown, path] { emit saved(shown, path); };
                }});
}

void Session::setBackend(BackendChoice choice) {
    m_backend = choice;
    emit backendChanged();
}

} // namespace olab::ui
