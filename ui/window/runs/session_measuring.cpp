// The jobs of a session that measure or watch: runs with their proofs, fixes, live runs, claims, programs.
#include "base/call_later.h"
#include "base/plain_text.h"
#include "window/runs/session_engines.h"

#include <olab/comparison/comparison.h>
#include <olab/experiment/held_experiment.h>
#include <olab/intervention/find_fix.h>
#include <olab/intervention/prove.h>
#include <olab/recording/last_seconds.h>
#include <olab/recording/live_run.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <atomic>
#include <mutex>
#include <utility>

namespace olab::ui {

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
        hooks.place = m_engines->placeOf(m_backends);
    recording::RecordingPtr recording = recording::runExperiment(
        experiment, m_engines->pair(choice, m_backends, control), title, control, hooks);
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

/// On the engine thread, behind the run that is shown: without and with the change, alternately. How it ends
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
        news.proof = intervention::prove(before, claim, m_engines->pair(choice, m_backends, quiet),
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
                    ? intervention::simulatedModel(experiment)
                    : intervention::nearestModel(device, experiment::optionText(experiment, "sim.device"));
            out.fix = std::make_shared<const comparison::Fix>(
                olab::intervention::findFix(experiment, title, m_engines->pair(chosen, m_backends, control),
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
            : m_engines->makeChild(m_backends, run::ChildKind::Traced, run::makeDeparture(), control);
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

bool Session::watch(const std::shared_ptr<recording::LastSeconds>& seconds) {
    return start(tr("Watching the program"), false,
                 [this, seconds](const run::JobControl& control, Outcome&) { runWatch(*seconds, control); });
}

/// On the engine thread. Where the window does not come to it, only the newest look waits.
void Session::runWatch(recording::LastSeconds& seconds, const run::JobControl& control) {
    struct Waiting {
        std::mutex mutex;
        std::shared_ptr<TraceNews> news;
        TraceNewsPtr take() {
            const std::lock_guard taking(mutex);
            return std::exchange(news, nullptr);
        }
    };
    const auto waiting = std::make_shared<Waiting>();
    RunControl quiet;
    quiet.stop = control.stop;
    view::RunPtr run; // one, however often it is looked at
    recording::watch(seconds, quiet, [&](const recording::LastLook& look) {
        auto news = std::make_shared<TraceNews>();
        news->look = look;
        if (look.recording) {
            news->shown = std::make_shared<const view::ViewData>(look.recording, quiet, run);
            run = news->shown->run;
            news->judged = look.judged == look.recording
                               ? news->shown
                               : std::make_shared<const view::ViewData>(look.judged, quiet);
        }
        const std::lock_guard lock(waiting->mutex);
        const std::shared_ptr<TraceNews> before = std::exchange(waiting->news, news);
        if (before && !news->shown)
            news->shown = before->shown, news->judged = before->judged,
            news->look.seconds = before->look.seconds, news->look.isShortened = before->look.isShortened;
        if (before)
            return;
        callLater(this, [this, waiting] { emit watched(waiting->take()); });
    });
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
    const recording::BackendPair pair = m_engines->pair(choice, m_backends, control);
    if (choice == BackendChoice::Simulator) {
        news->results = claims::runClaims(told, {pair.traced, nullptr, nullptr, true}, control);
    } else {
        const auto serial =
            m_engines->makeChild(m_backends, run::ChildKind::Traced, run::makeDeparture(), control, true);
        news->results = claims::runClaims(told, {pair.traced, serial.get(), pair.plain, false}, control);
        serial->settle(control);
    }
    out.claims = std::move(news);
}

} // namespace olab::ui
