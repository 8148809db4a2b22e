// The one bridge between the engine thread and the window. Owns the Runner; turns its calls, made on the
// engine thread, into queued calls on the GUI thread; knows the backends. It never touches CUDA: a GPU is
// asked for by a child process, and runs in children. GUI thread only.
#pragma once

#include <olab/comparison/proof.h>
#include <olab/experiment/backend.h>
#include <olab/run/runner.h>
#include <olab/ui/choices.h>
#include <olab/view/view_data.h>

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

class QProcess;

namespace olab::ui {

/// What the program was built with. `simulator` makes a fresh one; `olab` is empty when there is none to
/// start.
struct SessionBackends {
    std::function<std::unique_ptr<experiment::Backend>()> simulator;
    std::filesystem::path olab;
    std::vector<std::string> engineArguments{}; ///< for its children; {"--sim"} in tests
    std::chrono::milliseconds idle{60'000};     ///< after so long the child that waits is given back
};

struct GpuState {
    bool known = false; ///< the child has answered
    bool usable = false;
    QString name, why; ///< the device's name; why there is none to run on
    int count = 0;     ///< how many devices can be used
};

/// How far the proof of a change has come, or that it ended.
struct ProofNews {
    view::ViewDataPtr before, after; ///< the runs it began with
    comparison::Proof proof;         ///< of the pairs so far; judged at the end only
    int pairs = 0;                   ///< how many there will be
    bool done = false;               ///< judged, or ended before
    QString stopped{};               ///< why it ended before; empty: it did not
};

class Engines;

/// How a job went. Failed: it has been said why (Session::failed).
enum class JobEnd : std::uint8_t { Done, Stopped, Failed };

/// What a job leaves for the window; lost when it is stopped or fails.
struct JobResult {
    view::ViewDataPtr shown;    ///< is a run of the list now (Session::ready)
    view::ViewDataPtr before;   ///< what it is to be compared with (Session::readyToCompare)
    std::function<void()> then; ///< called on the GUI thread
};

/// What a job has to work with. Engine thread.
struct JobTools {
    const run::JobControl& control;
    Engines& engines;
    /// Calls it on the GUI thread, unless the job is over by then.
    std::function<void(std::function<void()>)> tell;
};

/// Something that the engine thread does: what is said meanwhile, the work, and who follows it.
struct Job {
    QString what;
    std::function<void(const JobTools&, JobResult&)> work; ///< engine thread
    bool isRun = false;                                    ///< one that failed can be run again
    std::function<void(double share, const QString& what)> progressed{};
    /// Before what it left. `why`: in words, unless it is done.
    std::function<void(JobEnd how, const QString& why)> ended{};
};

class Session final : public QObject {
    Q_OBJECT
public:
    explicit Session(SessionBackends backends, QObject* parent = nullptr);
    ~Session() override;

    /// Starts `olab devices --json`; gpuProbed() follows, also when there is nothing to start.
    void probeGpu();
    const GpuState& gpu() const { return m_gpu; }
    /// The command line; empty: there is none.
    const std::filesystem::path& olab() const { return m_backends.olab; }
    BackendChoice backend() const { return m_backend; }
    void setBackend(BackendChoice choice);
    /// Where this would run now: what no GPU can be is simulated.
    BackendChoice backendFor(const experiment::Experiment& experiment) const;
    /// The machine that is meant by the GPU: what one writes behind ssh; empty: this one. Its GPU is looked
    /// for (gpuProbed); until then the simulator is chosen. Nothing happens while something runs.
    void setHost(const QString& host);
    const QString& host() const { return m_host; }

    /// Something runs that a person waits for. What is only measured behind a run that is shown does not
    /// count: the next job stops it.
    bool busy() const { return m_job != 0 || m_waiting; }
    /// The run whose tool effect is being measured; null: none.
    const view::ViewDataPtr& refining() const { return m_refining.shown; }
    /// One job at a time: @returns false while another runs. What it calls on the GUI thread is not called
    /// once `owner` is gone.
    bool start(QObject& owner, Job job);
    /// `before`: what the run was started to be compared with, kept with this job alone.
    bool run(const experiment::Experiment& experiment, const view::ViewDataPtr& before = nullptr);
    /// `what` is said meanwhile; empty: that it is opened.
    bool open(const QString& path, const QString& what = {}, const view::ViewDataPtr& before = nullptr);
    /// Several files as one view, aligned in time (io/merge.h).
    bool openMerged(const QStringList& paths);
    bool save(const view::ViewDataPtr& shown, const QString& path);
    /// With these bookmarks and this name and note instead of those it came with.
    bool save(const view::ViewDataPtr& shown, const QString& path, const io::Annotations& added);
    /// What is in memory already is shown as a run that has just been made.
    void offer(const view::ViewDataPtr& shown) { emit ready(shown); }
    /// ended() follows within 200 ms, even if the engine thread needs longer to stop. Where nobody waits for
    /// anything it stops what is measured behind the run that is shown.
    void cancel();
    /// The two runs that are run alternately behind the one that is shown.
    bool proving() const { return m_proving; }

signals:
    void gpuProbed();
    void backendChanged();
    void started(const QString& what);
    void progressed(double share, const QString& what);
    void ready(const olab::view::ViewDataPtr& shown);
    /// After ready(), of a run that was started with `before`.
    void readyToCompare(const olab::view::ViewDataPtr& before, const olab::view::ViewDataPtr& shown);
    /// Of a run that is ready there will be more: refined() or notRefined() follows.
    void refines(const olab::view::ViewDataPtr& shown);
    /// `after` stands in for `before`: the same run, of which more is known.
    void refined(const olab::view::ViewDataPtr& before, const olab::view::ViewDataPtr& after);
    /// What was to come will not: why, in a few words. The run stays as it is.
    void notRefined(const olab::view::ViewDataPtr& shown, const QString& why);
    /// Of a run that was started to be compared: both are run alternately behind it.
    void proofNews(const olab::ui::ProofNews& news);
    void saved(const olab::view::ViewDataPtr& shown, const QString& path);
    void failed(const olab::run::RunnerError& error, bool wasRun);
    /// Of the job that somebody waits for: it ends soon, also if it has just been done.
    void cancelRequested();
    /// Of every job, however it went; what it left follows.
    void ended(const QString& outcome);

private:
    /// The job that somebody waits for.
    struct Current {
        Job job;
        QPointer<QObject> owner;
        std::shared_ptr<JobResult> result; ///< written before the runner posts its end
    };
    void launch();
    run::RunnerObserver observer();
    void preview(std::uint64_t job, const view::ViewDataPtr& shown);
    Current leave(JobEnd how, const QString& why);
    void yielded(std::uint64_t job);
    void finish(std::uint64_t job, JobEnd how, const QString& why);
    void deliver(const JobResult& left);
    void refine(const view::ViewDataPtr& after);
    void endRefining(const QString& why);
    void abandon();
    void measure(const experiment::Experiment& experiment, const std::string& title, BackendChoice choice,
                 const JobTools& tools, JobResult& out);
    void proveChange(BackendChoice choice, const JobTools& tools, const JobResult& out);
    void tellProof(ProofNews news);
    void readProbe(QProcess& process, const QString& host);
    void setGpu(GpuState state);

    SessionBackends m_backends;
    BackendChoice m_backend = BackendChoice::Simulator;
    GpuState m_gpu;
    QString m_host;
    int m_runs = 0;
    std::uint64_t m_job = 0; ///< the number of the current one; 0: none whose end is awaited
    bool m_waiting = false, m_proving = false;
    Current m_current;
    /// A run that is shown while its job goes on. Its job is m_job until it has yielded.
    struct Refining {
        std::uint64_t job = 0;
        view::ViewDataPtr shown;
        std::shared_ptr<JobResult> result;
    } m_refining;
    QTimer m_abandonTimer, m_retryTimer;
    view::ViewDataPtr m_preview;        ///< on its way through the engine thread to the window
    std::unique_ptr<Engines> m_engines; ///< outlives the runner, whose jobs use it
    std::unique_ptr<run::Runner> m_runner;
};

} // namespace olab::ui
