#include <olab/experiment/held_experiment.h>
#include <olab/ui/session.h>

#include "base/call_later.h"
#include "base/plain_text.h"

#include <olab/comparison/comparison.h>
#include <olab/intervention/find_fix.h>
#include <olab/intervention/prove.h>
#include <olab/io/folder_traces.h>
#include <olab/io/formats.h>
#include <olab/recording/experiment_job.h>
#include <olab/recording/live_run.h>
#include <olab/recording/merged_recording.h>
#include <olab/recording/tool_effect_memory.h>
#include <olab/run/child_backend.h>
#include <olab/ui/file_name.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <atomic>
#include <optional>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kAbandonMs = 120; // of the 200 ms a cancel may take
constexpr int kRetryMs = 20;
constexpr int kProbeMs = 20'000; // a driver that says nothing for so long is no driver

GpuState noGpu(const QString& why) {
    return {true, false, {}, why, 0};
}

/// The answer of `olab devices --json`: {"usable": true, "devices": [{"name": ...}], "missing": "..."}.
GpuState readDevices(const QByteArray& json) {
    const QJsonObject answer = QJsonDocument::fromJson(json).object();
    const QJsonArray devices = answer[QStringLiteral("devices")].toArray();
    const QString name =
        devices.isEmpty() ? QString() : devices[0].toObject()[QStringLiteral("name")].toString();
    if (answer[QStringLiteral("usable")].toBool())
        return {true, true, name, {}, static_cast<int>(devices.size())};
    const QString why = answer[QStringLiteral("missing")].toString();
    return noGpu(why.isEmpty() ? Session::tr("No GPU to run on was found; olab devices says what is missing.")
                               : why);
}

Error noTraceIn(const QString& folder, const io::FolderTraces& found) {
    std::string patterns;
    for (const io::Importer& row : io::importers())
        patterns += (patterns.empty() ? "" : " ") + std::string(row.pattern);
    return {ErrorKind::Usage, "no-trace-in-folder",
            (found.stopped ? tr("No trace was found among the first files of %1.")
                           : tr("No trace was found in %1."))
                .arg(folder)
                .toStdString(),
            tr("Files with these names are looked for, three folders deep: %1.")
                .arg(fromText(patterns))
                .toStdString()};
}

QStringList namesOf(const std::vector<std::filesystem::path>& files) {
    QStringList names;
    for (const std::filesystem::path& file : files)
        names << nameOf(file);
    return names;
}

/// What of a folder is not opened; empty: all is.
QString leftOutText(const QString& folder, const io::FolderTraces& found) {
    QStringList texts;
    if (found.more > 0)
        texts << Session::tr("%1 has %2 more traces than are opened at once (%3): use File, Open for them.")
                     .arg(folder)
                     .arg(found.more)
                     .arg(found.files.size());
    if (found.stopped)
        texts << Session::tr("%1 has too many files to look at all of them.").arg(folder);
    return texts.join(QLatin1Char(' '));
}

} // namespace

/// Backends that live from run to run. Only the engine thread uses them once a job runs.
struct Session::Engines {
    std::unique_ptr<experiment::Backend> simulator;
    std::unique_ptr<run::ChildBackend> traced, plain;
    recording::ToolEffectMemory memory;
    view::ViewDataPtr preview; ///< on its way through the runner to the window

    recording::BackendPair pair(BackendChoice choice, const SessionBackends& backends) {
        if (choice == BackendChoice::Simulator) {
            if (!simulator)
                simulator = backends.simulator();
            return {simulator.get(), nullptr};
        }
        if (!traced || !plain) { // the second may have failed where the first did not
            const std::shared_ptr<run::Departure> departure = run::makeDeparture();
            traced = makeChild(backends, run::ChildKind::Traced, departure);
            plain = makeChild(backends, run::ChildKind::Plain, departure);
        }
        return {traced.get(), plain.get()};
    }

    static std::unique_ptr<run::ChildBackend> makeChild(const SessionBackends& backends, run::ChildKind kind,
                                                        const std::shared_ptr<run::Departure>& departure,
                                                        bool serialKernels = false) {
        run::ChildConfig config;
        config.program = backends.olab;
        config.kind = kind;
        config.extraArguments = backends.engineArguments;
        if (serialKernels)
            config.extraArguments.emplace_back("--serial-kernels");
        config.departure = departure;
        return std::make_unique<run::ChildBackend>(std::move(config));
    }

    /// For the next run, which will most likely be of the same kind.
    void makeReady(const experiment::Experiment& experiment, BackendChoice choice) {
        if (choice == BackendChoice::Gpu && traced && experiment::optionText(experiment, "trace") != "off")
            traced->makeReady(experiment);
    }

    void giveBack() {
        for (run::ChildBackend* child : {traced.get(), plain.get()})
            if (child)
                child->giveBack();
    }
};

/// What a job leaves for the GUI thread beside the recording; written before the runner posts it.
struct Session::Outcome {
    view::ViewDataPtr shown;
    view::ViewDataPtr before; ///< to compare with; lost with the job when it is cancelled or fails
    QString savedTo;
    FixPtr fix{};
    view::ViewDataPtr accounted{}, steady{};
    ClaimsNewsPtr claims{};
    std::optional<io::FolderTraces> found{};
    QString folder{}; ///< that they were found in
};

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
                        [work = m_work, outcome](const run::JobControl& control) -> recording::RecordingPtr {
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
    if (left.found)
        emit tracesFound(namesOf(left.found->files), leftOutText(left.folder, *left.found));
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

bool Session::run(const experiment::Experiment& experiment, const view::ViewDataPtr& before) {
    if (busy())
        return false;
    const std::string title = tr("Run %1").arg(++m_runs).toStdString();
    // What no GPU can be is never measured on one: the run is simulated, and marked so.
    const BackendChoice chosen =
        experiment::simulatorOnly(experiment).empty() ? m_backend : BackendChoice::Simulator;
    return start(chosen == m_backend ? tr("Running the experiment") : tr("Simulating what no GPU can be"),
                 true,
                 [this, experiment = experiment::HeldExperiment(experiment), title, before,
                  chosen](const run::JobControl& control, Outcome& out) {
                     out.before = before;
                     measure(experiment, title, chosen, control, out);
                 });
}

/// On the engine thread.
void Session::measure(const experiment::Experiment& experiment, const std::string& title,
                      BackendChoice choice, const run::JobControl& control, Outcome& out) {
    recording::ExperimentHooks hooks;
    view::RunPtr run; // one, however often more of it is known
    hooks.preview = [&](recording::RecordingPtr recording) {
        control.report(-1, tr("preparing the view").toStdString());
        m_engines->preview = std::make_shared<const view::ViewData>(std::move(recording), control, run);
        run = m_engines->preview->run;
        control.preview(m_engines->preview->recording);
    };
    bool hasYielded = false;
    hooks.yield = [&] {
        hasYielded = true;
        control.yield();
    };
    hooks.memory = &m_engines->memory;
    if (choice == BackendChoice::Gpu)
        hooks.place = recording::ToolEffectMemory::placeOf(m_backends.olab);
    recording::RecordingPtr recording =
        recording::runExperiment(experiment, m_engines->pair(choice, m_backends), title, control, hooks);
    control.report(-1, tr("preparing the view").toStdString());
    out.shown = std::make_shared<const view::ViewData>(std::move(recording), control, run);
    if (out.before && out.before->recording->experiment) {
        callLater(this, [this] { m_proving = true; });
        m_engines->preview = out.shown;
        control.preview(out.shown->recording);
        if (!hasYielded)
            control.yield();
        proveChange(choice, control, out);
        if (control.cancelled())
            return;
    }
    m_engines->makeReady(experiment, choice);
}

void Session::tellProof(ProofNews news) {
    callLater(this, [this, news = std::move(news)] {
        if (news.done)
            m_proving = false;
        emit proofNews(news);
    });
}

/// On the engine thread, behind the run that is shown: without and with the change, by turns. How it ends
/// takes nothing from the run.
void Session::proveChange(BackendChoice choice, const run::JobControl& control, Outcome& out) {
    const recording::Recording &before = *out.before->recording, &after = *out.shown->recording;
    ProofNews news{out.before, out.shown, {}, comparison::kFewestPairs};
    RunControl quiet;
    quiet.stop = control.stop;
    quiet.progress = control.progress;
    intervention::ProveOptions options;
    options.pairDone = [&](const comparison::Proof& soFar) {
        news.proof = soFar;
        tellProof(news);
    };
    try {
        intervention::Claim claim;
        for (const comparison::OptionDifference& change :
             comparison::optionDifferences(*before.experiment, *after.experiment))
            claim.changes.emplace_back(change.key, change.after);
        claim.finding = intervention::findingThatOffers(before.report, claim.changes);
        const std::unique_ptr<experiment::Backend> simulator = m_backends.simulator();
        news.proof.finding = claim.finding;
        news.proof.changes = claim.changes;
        tellProof(news);
        news.proof = intervention::prove(before, claim, m_engines->pair(choice, m_backends),
                                         {simulator.get(), intervention::timeWithout}, quiet, options);
        if (!claim.finding.empty()) {
            auto proved = std::make_shared<const view::ViewData>(
                intervention::withProofs(before, {news.proof}, quiet), quiet, out.before->run);
            callLater(this, [this, was = out.before, proved] { emit refined(was, proved); });
            news.before = proved;
        }
    } catch (const Error& error) {
        news.stopped = error.kind() == ErrorKind::Cancelled ? tr("it was stopped") : sentence(error.what());
    }
    news.done = true;
    tellProof(news);
}

bool Session::findFix(const experiment::Experiment& experiment, const QString& title) {
    const BackendChoice chosen =
        experiment::simulatorOnly(experiment).empty() ? m_backend : BackendChoice::Simulator;
    return start(
        tr("Searching for the fix"), true,
        [this, experiment = experiment::HeldExperiment(experiment), chosen, title = title.toStdString(),
         device = m_gpu.name.toStdString()](const run::JobControl& control, Outcome& out) {
            const std::unique_ptr<experiment::Backend> simulator = m_backends.simulator();
            intervention::FixOptions options;
            options.model =
                chosen == BackendChoice::Simulator
                    ? intervention::ChosenModel{experiment::optionText(experiment, "sim.device"),
                                                tr("the model that is simulated").toStdString()}
                    : intervention::nearestModel(device, experiment::optionText(experiment, "sim.device"));
            out.fix = std::make_shared<const comparison::Fix>(
                olab::intervention::findFix(experiment, title, m_engines->pair(chosen, m_backends),
                                            {simulator.get(), {}}, control, options));
        });
}

bool Session::live(const std::shared_ptr<const recording::LiveWish>& wish) {
    const BackendChoice chosen =
        experiment::simulatorOnly(wish->get()).empty() ? m_backend : BackendChoice::Simulator;
    return start(tr("Running live"), true, [this, wish, chosen](const run::JobControl& control, Outcome&) {
        runLive(*wish, chosen, control);
    });
}

/// On the engine thread. Where the window does not come to it, a pass is left out, not kept waiting.
void Session::runLive(const recording::LiveWish& wish, BackendChoice choice, const run::JobControl& control) {
    m_engines->giveBack();
    const std::unique_ptr<experiment::Backend> backend =
        choice == BackendChoice::Simulator
            ? m_backends.simulator()
            : Engines::makeChild(m_backends, run::ChildKind::Traced, run::makeDeparture());
    const auto waiting = std::make_shared<std::atomic<int>>(0);
    recording::LiveHooks hooks;
    hooks.onDevice = choice == BackendChoice::Gpu;
    hooks.passed = [&](recording::LivePass pass) {
        if (pass.changed.empty() && *waiting > 1)
            return;
        auto news = std::make_shared<LiveNews>();
        RunControl quiet;
        quiet.stop = control.stop;
        news->shown = std::make_shared<const view::ViewData>(pass.recording, quiet);
        news->pass = std::move(pass);
        ++*waiting;
        callLater(this, [this, news, waiting] {
            --*waiting;
            emit livePassed(news);
        });
    };
    hooks.refused = [&](const experiment::HeldExperiment&, const std::string& why) {
        callLater(this, [this, text = sentence(why)] { emit liveRefused(text); });
    };
    recording::runLive(wish, *backend, control, hooks);
}

bool Session::judgeClaims(const claims::ClaimsJob& job) {
    const BackendChoice chosen = m_backend;
    return start(tr("Measuring what decides the claims"), false,
                 [this, job, chosen](const run::JobControl& control, Outcome& out) {
                     measureClaims(job, chosen, control, out);
                 });
}

/// On the engine thread.
void Session::measureClaims(const claims::ClaimsJob& job, BackendChoice choice,
                            const run::JobControl& control, Outcome& out) {
    auto news = std::make_shared<ClaimsNews>();
    claims::ClaimsJob told = job;
    RunControl quiet;
    quiet.stop = control.stop;
    told.recorded = [&](const std::string& run, const recording::RecordingPtr& recording) {
        news->runs[run] = std::make_shared<const view::ViewData>(recording, quiet);
    };
    const recording::BackendPair pair = m_engines->pair(choice, m_backends);
    if (choice == BackendChoice::Simulator) {
        news->results = claims::runClaims(told, {pair.traced, nullptr, nullptr, true}, control);
    } else {
        const auto serial =
            Engines::makeChild(m_backends, run::ChildKind::Traced, run::makeDeparture(), true);
        news->results = claims::runClaims(told, {pair.traced, serial.get(), pair.plain, false}, control);
        serial->settle(control);
    }
    out.claims = std::move(news);
}

bool Session::open(const QString& path, const QString& what, const view::ViewDataPtr& before) {
    return start(what.isEmpty() ? tr("Opening %1").arg(path) : what, false,
                 [file = fileOf(path), before](const run::JobControl& control, Outcome& out) {
                     out.before = before;
                     out.shown = std::make_shared<const view::ViewData>(
                         recording::openRecording(file, control), control);
                 });
}

bool Session::lookIn(const QString& folder) {
    return start(tr("Looking for traces in %1").arg(folder), false,
                 [folder](const run::JobControl& control, Outcome& out) {
                     out.found = io::tracesIn(fileOf(folder), control);
                     if (out.found->files.empty())
                         throw noTraceIn(folder, *out.found);
                     out.folder = folder;
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

void Session::setGpu(GpuState state) {
    m_gpu = std::move(state);
    emit gpuProbed();
}

void Session::probeGpu() {
    if (m_backends.olab.empty()) {
        const auto absent = [this] {
            setGpu(noGpu(tr("The program olab, which runs experiments on the GPU, was not found beside this "
                            "one. Build or install it, or use the simulator.")));
        };
        QMetaObject::invokeMethod(this, absent, Qt::QueuedConnection);
        return;
    }
    auto* process = new QProcess(this);
    connect(process, &QProcess::finished, this, [this, process] { readProbe(*process); });
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            readProbe(*process);
    });
    QTimer::singleShot(kProbeMs, process, &QProcess::kill);
    process->start(exactText(m_backends.olab.string()),
                   {QStringLiteral("devices"), QStringLiteral("--json")});
}

void Session::readProbe(QProcess& process) {
    const bool answered =
        process.exitStatus() == QProcess::NormalExit && process.error() != QProcess::FailedToStart;
    setGpu(answered ? readDevices(process.readAllStandardOutput())
                    : noGpu(tr("olab devices could not be asked: %1").arg(process.errorString())));
    process.deleteLater();
}

} // namespace olab::ui
