#include <olab/ui/session.h>

#include <olab/run/child_backend.h>
#include <olab/run/experiment_job.h>
#include <olab/ui/file_name.h>
#include <olab/ui/format.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

namespace olab {

namespace {

constexpr int kAbandonMs = 120; // of the 200 ms a cancel may take
constexpr int kRetryMs = 20;
constexpr int kProbeMs = 20'000; // a driver that says nothing for so long is no driver

GpuState noGpu(const QString& why) {
    return {true, false, {}, why};
}

/// The answer of `olab devices --json`: {"usable": true, "devices": [{"name": ...}], "missing": "..."}.
GpuState readDevices(const QByteArray& json) {
    const QJsonObject answer = QJsonDocument::fromJson(json).object();
    const QJsonArray devices = answer[QStringLiteral("devices")].toArray();
    const QString name =
        devices.isEmpty() ? QString() : devices[0].toObject()[QStringLiteral("name")].toString();
    if (answer[QStringLiteral("usable")].toBool())
        return {true, true, name, {}};
    const QString why = answer[QStringLiteral("missing")].toString();
    return noGpu(why.isEmpty() ? Session::tr("No GPU to run on was found; olab devices says what is missing.")
                               : why);
}

} // namespace

/// Backends that live from run to run. Only the engine thread uses them once a job runs.
struct Session::Engines {
    std::unique_ptr<Backend> simulator;
    std::unique_ptr<ChildBackend> traced, plain;

    BackendPair pair(BackendChoice choice, const SessionBackends& backends) {
        if (choice == BackendChoice::Simulator) {
            if (!simulator)
                simulator = backends.simulator();
            return {simulator.get(), nullptr};
        }
        if (!traced || !plain) { // the second may have failed where the first did not
            traced = makeChild(backends, ChildKind::Traced);
            plain = makeChild(backends, ChildKind::Plain);
        }
        return {traced.get(), plain.get()};
    }

    static std::unique_ptr<ChildBackend> makeChild(const SessionBackends& backends, ChildKind kind) {
        ChildConfig config;
        config.program = backends.olab;
        config.kind = kind;
        return std::make_unique<ChildBackend>(std::move(config));
    }
};

/// What a job leaves for the GUI thread beside the recording; written before the runner posts its end.
struct Session::Outcome {
    ShownPtr shown;
    ShownPtr before; ///< to compare with; lost with the job when it is cancelled or fails
    QString savedTo;
};

Session::Session(SessionBackends backends, QObject* parent)
    : QObject(parent)
    , m_backends(std::move(backends))
    , m_engines(std::make_unique<Engines>())
    , m_runner(std::make_unique<Runner>(observer())) {
    qRegisterMetaType<olab::RunnerError>();
    qRegisterMetaType<olab::ShownPtr>();
    m_abandonTimer.setSingleShot(true);
    m_abandonTimer.setInterval(kAbandonMs);
    m_retryTimer.setInterval(kRetryMs);
    connect(&m_abandonTimer, &QTimer::timeout, this, &Session::abandon);
    connect(&m_retryTimer, &QTimer::timeout, this, &Session::launch);
}

Session::~Session() = default;

RunnerObserver Session::observer() {
    // Each call is posted: the engine thread never waits for the window, and the window never locks.
    const auto post = [this](auto call) {
        QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
    };
    RunnerObserver o;
    o.progress = [this, post](std::uint64_t job, double share, std::string what) {
        post([this, job, share, text = sentence(what)] {
            if (job == m_job)
                emit progressed(share, text);
        });
    };
    o.finished = [this, post](std::uint64_t job, const RecordingPtr&) {
        post([this, job] { finish(job, tr("Done.")); });
    };
    o.cancelled = [this, post](std::uint64_t job) { post([this, job] { finish(job, tr("Cancelled.")); }); };
    o.failed = [this, post](std::uint64_t job, const RunnerError& error) {
        post([this, job, error] {
            if (job == m_job)
                emit failed(error, m_jobIsRun);
            finish(job, tr("Failed."));
        });
    };
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
    const std::uint64_t job = m_runner->start(
        m_what.toStdString(), [work = m_work, outcome](const RunControl& control) -> RecordingPtr {
            work(control, *outcome);
            return outcome->shown ? outcome->shown->recording : nullptr;
        });
    if (job == 0) { // an abandoned job has not ended yet
        m_retryTimer.start();
        return;
    }
    m_retryTimer.stop();
    m_waiting = false;
    m_job = job;
    m_outcome = std::move(outcome);
}

void Session::finish(std::uint64_t job, const QString& outcome) {
    if (job != m_job || job == 0)
        return;
    m_job = 0;
    m_abandonTimer.stop();
    const std::shared_ptr<Outcome> left = std::move(m_outcome);
    emit ended(outcome);
    if (left->shown && !left->savedTo.isEmpty())
        emit saved(left->shown, left->savedTo);
    else if (left->shown)
        emit ready(left->shown);
    if (left->shown && left->before)
        emit readyToCompare(left->before, left->shown);
}

void Session::cancel() {
    if (m_waiting) {
        m_waiting = false;
        m_retryTimer.stop();
        emit ended(tr("Cancelled."));
    } else if (m_job != 0) {
        m_runner->cancel();
        m_abandonTimer.start();
    }
}

void Session::abandon() {
    // The engine thread is still on its way out; nobody waits for it, and what it posts for this job is
    // dropped.
    m_job = 0;
    m_outcome.reset();
    emit ended(tr("Cancelled."));
}

bool Session::run(const Experiment& experiment, const ShownPtr& before) {
    if (busy())
        return false;
    const std::string title = tr("Run %1").arg(++m_runs).toStdString();
    // What no GPU can be is never measured on one: the run is simulated, and marked so.
    const BackendChoice chosen = simulatorOnly(experiment).empty() ? m_backend : BackendChoice::Simulator;
    return start(chosen == m_backend ? tr("Running the experiment") : tr("Simulating what no GPU can be"),
                 true,
                 [this, experiment, title, before, choice = chosen](const RunControl& control, Outcome& out) {
                     RecordingPtr recording =
                         runExperiment(experiment, m_engines->pair(choice, m_backends), title, control);
                     control.report(-1, "preparing the view");
                     out.shown = std::make_shared<const Shown>(std::move(recording));
                     out.before = before;
                 });
}

bool Session::open(const QString& path) {
    return start(tr("Opening %1").arg(path), false,
                 [file = fileOf(path)](const RunControl& control, Outcome& out) {
                     out.shown = std::make_shared<const Shown>(openRecording(file, control));
                 });
}

bool Session::save(const ShownPtr& shown, const QString& path) {
    return save(shown, path, shown->recording->bookmarks);
}

bool Session::save(const ShownPtr& shown, const QString& path, const std::vector<Bookmark>& bookmarks) {
    return start(tr("Saving %1").arg(path), false,
                 [shown, path, bookmarks](const RunControl& control, Outcome& out) {
                     saveRecording(*shown->recording, fileOf(path), bookmarks, control);
                     out.shown = shown;
                     out.savedTo = path;
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
    process->start(QString::fromStdString(m_backends.olab.string()),
                   {QStringLiteral("devices"), QStringLiteral("--json")});
}

void Session::readProbe(QProcess& process) {
    const bool answered =
        process.exitStatus() == QProcess::NormalExit && process.error() != QProcess::FailedToStart;
    setGpu(answered ? readDevices(process.readAllStandardOutput())
                    : noGpu(tr("olab devices could not be asked: %1").arg(process.errorString())));
    process.deleteLater();
}

} // namespace olab
