#include <olab/ui/session.h>

#include "base/call_later.h"
#include "base/plain_text.h"
#include "window/runs/session_engines.h"

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
    , m_engines(std::make_unique<Engines>())
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
            if (job == m_job)
                emit progressed(share, text);
        });
    };
    o.finished = [this, post](std::uint64_t job, const recording::RecordingPtr&) {
        post([this, job] { finish(job, tr("Done."), {}); });
    };
    o.cancelled = [this, post](std::uint64_t job) {
        post([this, job] {
            finish(job, tr("Cancelled."),
                   job != m_job && busy() ? tr("something else was started first") : tr("it was stopped"));
        });
    };
    o.failed = [this, post](std::uint64_t job, const run::RunnerError& error) {
        post([this, job, error] {
            if (job == m_job)
                emit failed(error, m_jobIsRun);
            finish(job, tr("Failed."), sentence(error.message));
        });
    };
    o.preview = [this, post](std::uint64_t job, const recording::RecordingPtr&) {
        post([this, job, shown = std::exchange(m_engines->preview, nullptr)] { preview(job, shown); });
    };
    o.yielded = [this, post](std::uint64_t job) { post([this, job] { yielded(job); }); };
    return o;
}

bool Session::start(const QString& what, bool isRun, Work work) {
    if (busy())
        return false;
    m_what = what;
    m_jobIsRun = isRun;
    m_work = std::move(work);
    m_waiting = true;
    emit started(what);
    launch();
    return true;
}

void Session::launch() {
    auto outcome = std::make_shared<Outcome>();
    const std::uint64_t job =
        m_runner->start(m_what.toStdString(),
                        [engines = m_engines.get(), host = m_host.toStdString(), work = m_work,
                         outcome](const run::JobControl& control) -> recording::RecordingPtr {
                            engines->useHost(host);
                            work(control, *outcome);
                            return outcome->shown ? outcome->shown->recording : nullptr;
                        });
    if (job == 0) { // an abandoned job has not ended yet
        m_retryTimer.start();
        return;
    }
    m_retryTimer.stop();
    m_waiting = false;
    m_work = nullptr; // it may hold a recording
    m_job = job;
    m_outcome = std::move(outcome);
}

/// The first one is shown; later ones stand in for it.
void Session::preview(std::uint64_t job, const view::ViewDataPtr& shown) {
    if (m_refining.job == job && m_refining.shown)
        return refine(shown);
    if (job != m_job)
        return; // abandoned
    m_refining = {job, shown, nullptr};
    deliver({shown, m_outcome ? m_outcome->before : nullptr, {}, nullptr});
    emit refines(shown);
}

/// From here on nobody waits for it.
void Session::yielded(std::uint64_t job) {
    if (job != m_job)
        return;
    m_job = 0;
    m_abandonTimer.stop();
    m_refining.outcome = std::move(m_outcome);
    emit ended(tr("Done."));
}

void Session::finish(std::uint64_t job, const QString& outcome, const QString& whyNotRefined) {
    const bool waitedFor = job == m_job && job != 0, isRefined = job == m_refining.job && job != 0;
    std::shared_ptr<Outcome> left;
    if (waitedFor) {
        m_job = 0;
        m_abandonTimer.stop();
        left = std::move(m_outcome);
    } else if (isRefined)
        left = m_refining.outcome;
    if (waitedFor)
        emit ended(outcome);
    if (isRefined && left && left->shown && left->shown != m_refining.shown)
        refine(left->shown);
    else if (!isRefined && left)
        deliver(*left);
    if (isRefined)
        endRefining(left && left->shown ? QString() : whyNotRefined);
}

void Session::deliver(const Outcome& left) {
    if (left.fix)
        emit fixFound(left.fix);
    if (left.shown && !left.savedTo.isEmpty())
        emit saved(left.shown, left.savedTo);
    else if (left.shown)
        emit ready(left.shown);
    if (left.shown && left.before)
        emit readyToCompare(left.before, left.shown);
    if (left.accounted)
        emit accounted(left.accounted);
    if (left.steady)
        emit steadyStateFound(left.steady);
    if (left.claims)
        emit claimsJudged(left.claims);
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
        m_waiting = false;
        m_retryTimer.stop();
        emit ended(tr("Cancelled."));
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
    m_job = 0;
    m_outcome.reset();
    emit ended(tr("Cancelled."));
    if (wasShown)
        endRefining(tr("it was stopped"));
}

bool Session::open(const QString& path, const QString& what, const view::ViewDataPtr& before) {
    return start(what.isEmpty() ? tr("Opening %1").arg(path) : what, false,
                 [file = fileOf(path), before](const run::JobControl& control, Outcome& out) {
                     out.before = before;
                     out.shown = std::make_shared<const view::ViewData>(
                         recording::openRecording(file, control), control);
                 });
}

bool Session::openMerged(const QStringList& paths) {
    std::vector<std::filesystem::path> files;
    for (const QString& path : paths)
        files.push_back(fileOf(path));
    return start(counted("Opening %n recordings as one", "Opening %n recording as one",
                         static_cast<std::uint64_t>(paths.size())),
                 false, [files](const run::JobControl& control, Outcome& out) {
                     out.shown = std::make_shared<const view::ViewData>(
                         olab::recording::openMerged(files, control), control);
                 });
}

bool Session::merge(const std::vector<view::ViewDataPtr>& runs) {
    std::vector<recording::RecordingPtr> recordings;
    for (const view::ViewDataPtr& run : runs)
        recordings.push_back(run->recording);
    return start(counted("Merging %n runs", "Merging %n run", runs.size()), false,
                 [recordings](const run::JobControl& control, Outcome& out) {
                     out.shown = std::make_shared<const view::ViewData>(
                         recording::mergeOf(recordings, control), control);
                 });
}

bool Session::save(const view::ViewDataPtr& shown, const QString& path) {
    return save(shown, path, io::Annotations{shown->recording->bookmarks, shown->label()});
}

bool Session::save(const view::ViewDataPtr& shown, const QString& path, const io::Annotations& added) {
    return start(tr("Saving %1").arg(path), false,
                 [shown, path, added](const run::JobControl& control, Outcome& out) {
                     recording::saveRecording(*shown->recording, fileOf(path), added, control);
                     out.shown = shown;
                     out.savedTo = path;
                 });
}

bool Session::account(const view::ViewDataPtr& shown) {
    return start(tr("Working out where the time went"), false,
                 [shown](const run::JobControl& control, Outcome& out) {
                     shown->setAccount(std::make_shared<const view::Account>(
                         shown->facts, *shown->recording->lanes,
                         recording::accountFor(*shown->recording, control), control));
                     out.accounted = shown;
                 });
}

bool Session::findSteadyState(const view::ViewDataPtr& shown) {
    return start(tr("Finding the repeating iteration"), false,
                 [shown](const run::JobControl& control, Outcome& out) {
                     const view::AccountPtr account = shown->account();
                     shown->setSteadyState(recording::steadyStateFor(
                         *shown->recording, account ? account->sharedLedger() : nullptr, control));
                     out.steady = shown;
                 });
}

void Session::setBackend(BackendChoice choice) {
    m_backend = choice;
    emit backendChanged();
}

} // namespace olab::ui
