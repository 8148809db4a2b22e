// The one bridge between the engine thread and the window. Owns the Runner; turns its calls, made on the
// engine thread, into queued calls on the GUI thread; knows the backends. It never touches CUDA: a GPU is
// asked for by a child process, and runs in children. GUI thread only.
#pragma once

#include <olab/comparison/fix.h>
#include <olab/experiment/backend.h>
#include <olab/run/runner.h>
#include <olab/ui/choices.h>
#include <olab/ui/news.h>
#include <olab/view/view_data.h>

#include <QObject>
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
    /// The machine that is meant by the GPU: what one writes behind ssh; empty: this one. Its GPU is looked
    /// for (gpuProbed); until then the simulator is chosen. Nothing happens while something runs.
    void setHost(const QString& host);
    const QString& host() const { return m_host; }

    /// Something runs that a person waits for. What is only measured behind a run that is shown does not
    /// count: the next job stops it.
    bool busy() const { return m_job != 0 || m_waiting; }
    /// The run whose tool effect is being measured; null: none.
    const view::ViewDataPtr& refining() const { return m_refining.shown; }
    /// One job at a time: @returns false while another runs. `before`: what the run was started to be
    /// compared with, kept with this job alone (readyToCompare).
    bool run(const experiment::Experiment& experiment, const view::ViewDataPtr& before = nullptr);
    /// Searches for options that make it faster (fixFound). `title`: what it is of.
    bool findFix(const experiment::Experiment& experiment, const QString& title);
    /// `what` is said meanwhile; empty: that it is opened.
    /// `before`: what it is to be compared with (readyToCompare).
    bool open(const QString& path, const QString& what = {}, const view::ViewDataPtr& before = nullptr);
    /// Several files as one view, aligned in time (io/merge.h).
    bool openMerged(const QStringList& paths);
    /// The same of runs that are here; they stay.
    bool merge(const std::vector<view::ViewDataPtr>& runs);
    bool save(const view::ViewDataPtr& shown, const QString& path);
    /// With these bookmarks and this name and note instead of those it came with.
    bool save(const view::ViewDataPtr& shown, const QString& path, const io::Annotations& added);
    /// Where the time went, of a recording that says nothing of it yet: accounted() follows.
    bool account(const view::ViewDataPtr& shown);
    /// The repeating iteration, of a recording in which nobody has looked for it: steadyStateFound() follows.
    bool findSteadyState(const view::ViewDataPtr& shown);
    /// Measures what decides these claims, where runs are measured now: claimsJudged() follows.
    bool judgeClaims(const claims::ClaimsJob& job);
    /// Runs what is wished over and over, until cancel(): livePassed() follows for each pass.
    bool live(const std::shared_ptr<const recording::LiveWish>& wish);
    /// Looks once a second at a recording that is being written, until it has its end or cancel(): watched()
    /// follows for each look. `seconds` keeps what the next watch may begin with.
    bool watch(const std::shared_ptr<recording::LastSeconds>& seconds);
    /// Predicts the cells of a sweep and, on a GPU, measures them: sweepTold() follows for each change.
    bool sweep(const SweepJobPtr& job);
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
    void fixFound(const olab::ui::FixPtr& fix);
    void claimsJudged(const olab::ui::ClaimsNewsPtr& news);
    void livePassed(const olab::ui::LiveNewsPtr& news);
    void watched(const olab::ui::TraceNewsPtr& news);
    /// Options that were wished cannot be run: why. The former ones run on.
    void liveRefused(const QString& why);
    void sweepTold(const olab::ui::SweepNewsPtr& news);
    void saved(const olab::view::ViewDataPtr& shown, const QString& path);
    void accounted(const olab::view::ViewDataPtr& shown);        ///< shown->account() is there now
    void steadyStateFound(const olab::view::ViewDataPtr& shown); ///< shown->steadyState() is
    void failed(const olab::run::RunnerError& error, bool wasRun);
    /// Of the job that somebody waits for: it ends soon, also if it has just been done.
    void cancelRequested();
    /// Last of every job, however it went.
    void ended(const QString& outcome);

private:
    struct Engines;
    struct Outcome;
    using Work = std::function<void(const run::JobControl&, Outcome&)>;
    bool start(const QString& what, bool isRun, Work work);
    void launch();
    run::RunnerObserver observer();
    void preview(std::uint64_t job, const view::ViewDataPtr& shown);
    void yielded(std::uint64_t job);
    void finish(std::uint64_t job, const QString& outcome, const QString& whyNotRefined);
    void deliver(const Outcome& left);
    void refine(const view::ViewDataPtr& after);
    void endRefining(const QString& why);
    void abandon();
    void measure(const experiment::Experiment& experiment, const std::string& title, BackendChoice choice,
                 const run::JobControl& control, Outcome& out);
    void measureClaims(const claims::ClaimsJob& job, BackendChoice choice, const run::JobControl& control,
                       Outcome& out);
    void runLive(const recording::LiveWish& wish, BackendChoice choice, const run::JobControl& control);
    void runWatch(recording::LastSeconds& seconds, const run::JobControl& control);
    void runSweep(const SweepJob& job, BackendChoice choice, const run::JobControl& control);
    std::string machineOf(const RunControl& control) const;
    void proveChange(BackendChoice choice, const run::JobControl& control, Outcome& out);
    void tellProof(ProofNews news);
    void readProbe(QProcess& process, const QString& host);
    void setGpu(GpuState state);

    SessionBackends m_backends;
    BackendChoice m_backend = BackendChoice::Simulator;
    GpuState m_gpu;
    QString m_host;
    int m_runs = 0;
    std::uint64_t m_job = 0; ///< 0: none whose end is awaited
    bool m_jobIsRun = false, m_waiting = false, m_proving = false;
    QString m_what;
    Work m_work;
    std::shared_ptr<Outcome> m_outcome;
    /// A run that is shown while its job goes on. Its job is m_job until it has yielded.
    struct Refining {
        std::uint64_t job = 0;
        view::ViewDataPtr shown;
        std::shared_ptr<Outcome> outcome;
    } m_refining;
    QTimer m_abandonTimer, m_retryTimer;
    std::unique_ptr<Engines> m_engines; ///< outlives the runner, whose jobs use it
    std::unique_ptr<run::Runner> m_runner;
};

} // namespace olab::ui
