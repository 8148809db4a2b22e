// Runs of a session: the run, what is measured behind it, and the proof of a change.
#include "base/call_later.h"
#include "base/plain_text.h"
#include "window/runs/engines.h"

#include <olab/comparison/comparison.h>
#include <olab/experiment/held_experiment.h>
#include <olab/intervention/prove.h>
#include <olab/ui/format.h>

#include <utility>

namespace olab::ui {

bool Session::run(const experiment::Experiment& experiment, const view::ViewDataPtr& before) {
    if (busy())
        return false;
    const std::string title = tr("Run %1").arg(++m_runs).toStdString();
    // What no GPU can be is never measured on one: the run is simulated, and marked so.
    const BackendChoice chosen = backendFor(experiment);
    return start(*this,
                 {chosen == m_backend ? tr("Running the experiment") : tr("Simulating what no GPU can be"),
                  [this, experiment = experiment::HeldExperiment(experiment), title, before,
                   chosen](const JobTools& tools, JobResult& out) {
                      out.before = before;
                      measure(experiment, title, chosen, tools, out);
                  },
                  true});
}

/// On the engine thread.
void Session::measure(const experiment::Experiment& experiment, const std::string& title,
                      BackendChoice choice, const JobTools& tools, JobResult& out) {
    const run::JobControl& control = tools.control;
    recording::ExperimentHooks hooks;
    view::RunPtr run; // one, however often more of it is known
    hooks.preview = [&](recording::RecordingPtr recording) {
        control.report(-1, tr("preparing the view").toStdString());
        m_preview = std::make_shared<const view::ViewData>(std::move(recording), control, run);
        run = m_preview->run;
        control.preview(m_preview->recording);
    };
    bool hasYielded = false;
    hooks.yield = [&] {
        hasYielded = true;
        control.yield();
    };
    hooks.memory = &tools.engines.memory();
    if (choice == BackendChoice::Gpu)
        hooks.place = tools.engines.place();
    recording::RecordingPtr recording =
        recording::runExperiment(experiment, tools.engines.pair(choice, control), title, control, hooks);
    control.report(-1, tr("preparing the view").toStdString());
    out.shown = std::make_shared<const view::ViewData>(std::move(recording), control, run);
    if (out.before && out.before->recording->experiment) {
        callLater(this, [this] { m_proving = true; });
        m_preview = out.shown;
        control.preview(out.shown->recording);
        if (!hasYielded)
            control.yield();
        proveChange(choice, tools, out);
        if (control.cancelled())
            return;
    }
    tools.engines.makeReady(experiment, choice);
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
void Session::proveChange(BackendChoice choice, const JobTools& tools, const JobResult& out) {
    const recording::Recording &before = *out.before->recording, &after = *out.shown->recording;
    ProofNews news{out.before, out.shown, {}, comparison::kFewestPairs};
    RunControl quiet;
    quiet.stop = tools.control.stop;
    quiet.progress = tools.control.progress;
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
        news.proof = intervention::prove(before, claim, tools.engines.pair(choice, quiet),
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

} // namespace olab::ui
