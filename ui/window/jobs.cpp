#include "window/jobs.h"

#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "experiment/preset_fit.h"
#include "window/messages/message_bars.h"
#include "window/messages/messages.h"
#include "window/runs/engines.h"
#include "window/runs/run_store.h"
#include "window/runs/runs.h"
#include "window/window_parts.h"

#include <olab/comparison/comparison.h>
#include <olab/intervention/find_fix.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/window_options.h>

#include <QMainWindow>

namespace olab::ui {

namespace {

constexpr qsizetype kMostDifferences = 2; // named beside the button; its tooltip has them all

} // namespace

Jobs::Jobs(const WindowParts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_session(parts.session)
    , m_panel(parts.panel)
    , m_runs(parts.runs)
    , m_messages(parts.messages) {
    connectPanel();
    connectSession();
    connect(&m_messages, &Messages::runAgainRequested, this, &Jobs::runAgain);
    connect(&m_runs.store(), &RunStore::changed, this, &Jobs::changed);
    connect(&m_runs, &Runs::shownChanged, this, &Jobs::tellWhose);
}

ExperimentForm& Jobs::form() const {
    return m_panel.form();
}

void Jobs::connectPanel() {
    connect(&m_panel, &ExperimentPanel::runRequested, this, &Jobs::run);
    connect(&m_panel, &ExperimentPanel::cancelRequested, &m_session, &Session::cancel);
    connect(&m_panel, &ExperimentPanel::settingsRequested, this, &Jobs::useShownSettings);
    connect(&m_panel, &ExperimentPanel::backendChosen, &m_session, &Session::setBackend);
    connect(&m_panel, &ExperimentPanel::hostChosen, &m_session, &Session::setHost);
    connect(&m_panel, &ExperimentPanel::filled, this, &Jobs::formWanted);
    connect(&form(), &ExperimentForm::edited, this, &Jobs::changed);
    connect(&form(), &ExperimentForm::edited, this, &Jobs::tellWhose);
}

void Jobs::connectSession() {
    connect(&m_session, &Session::gpuProbed, this, &Jobs::tellMachine);
    connect(&m_session, &Session::backendChanged, this, &Jobs::tellBackend);
    connect(&m_session, &Session::started, this, [this](const QString& what) {
        m_messages.log(what);
        m_panel.setRunning(true);
        emit changed();
    });
    connect(&m_session, &Session::progressed, &m_panel, &ExperimentPanel::setProgress);
    connect(&m_session, &Session::ended, this, [this](const QString& outcome) {
        if (!outcome.isEmpty())
            m_messages.log(outcome);
        m_panel.setRunning(m_session.busy());
        emit changed();
    });
    connect(&m_session, &Session::failed, &m_messages,
            [this](const run::RunnerError& error, bool wasRun) { m_messages.error(error, wasRun); });
}

bool Jobs::canRun() const {
    return !m_session.busy() && form().valid();
}

bool Jobs::canCancel() const {
    return m_session.busy() || m_runs.store().fetching();
}

void Jobs::start(const view::ViewDataPtr& before) {
    if (!canRun())
        return;
    m_messages.errors().clear();
    settle(); // kept with the run: nothing is lost when the form changes
    m_last = {form().experiment(), before ? before->run : nullptr};
    if (const QString file = before ? recordingInstead(*before, form().experiment()) : QString();
        !file.isEmpty())
        m_session.open(file, tr("Opening the recording of this change"), before);
    else
        m_session.run(form().experiment(), before);
}

/// A measured run is compared with a measured one where that can be had.
QString Jobs::recordingInstead(const view::ViewData& before, const experiment::Experiment& experiment) const {
    const auto& devices = before.trace().devices();
    if (m_session.backend() != BackendChoice::Simulator || m_parts.options.recordings.isEmpty() ||
        devices.empty() || before.trace().provenance().source != SourceKind::Cuda)
        return {};
    return shippedRunOf(experiment, fromText(devices.front().name), m_parts.options.recordings);
}

bool Jobs::tryChange(const view::ViewDataPtr& shown, const experiment::OptionChanges& changes) {
    if (m_session.busy() || !shown->recording->experiment)
        return false;
    form().setExperiment(
        experiment::withChanges(experiment::HeldExperiment(*shown->recording->experiment), changes));
    start(shown);
    return m_session.busy();
}

QString Jobs::recordingOfTry(const view::ViewData& shown, const experiment::OptionChanges& changes) const {
    if (!shown.recording->experiment)
        return {};
    try {
        return recordingInstead(
            shown,
            experiment::withChanges(experiment::HeldExperiment(*shown.recording->experiment), changes));
    } catch (const Error&) { // said when it is tried
        return {};
    }
}

/// A try that failed is tried again, unless the form says something else by now.
void Jobs::runAgain() {
    if (!m_last.before || form().experiment() != m_last.experiment)
        return start(nullptr);
    m_runs.store().fetch({m_last.before}, [this](const std::vector<view::ViewDataPtr>& came) {
        if (!came.empty()) // else it has been said why
            start(came.front());
    });
}

void Jobs::tryChanges(const experiment::OptionChanges& changes) {
    if (m_session.busy())
        return m_messages.busy(tr("try it"));
    const view::ViewDataPtr& shown = m_runs.current();
    const bool known = shown && shown->recording->experiment;
    try {
        form().setExperiment(experiment::withChanges(
            known ? experiment::HeldExperiment(*shown->recording->experiment) : form().experiment(),
            changes));
    } catch (const Error& error) { // the form keeps what is in it
        return m_messages.caught(error);
    }
    start(shown);
}

bool Jobs::mayStart(const QString& next) {
    if (m_session.busy())
        m_messages.busy(next);
    else if (!form().valid())
        m_messages.error({ErrorKind::Usage, "conflict",
                          tr("These settings cannot be run together.").toStdString(),
                          tr("The form shows which: fix that first.").toStdString()});
    return canRun();
}

void Jobs::findFix() {
    if (m_session.busy())
        return m_messages.busy(tr("search for the fix"));
    const view::ViewDataPtr& shown = m_runs.current();
    if (shown && !shown->recording->experiment)
        return m_messages.error(
            {ErrorKind::Usage, "no-settings",
             tr("%1 does not say with which settings it was made, so none can be changed.")
                 .arg(titleText(*shown))
                 .toStdString(),
             tr("Ctrl+E recreates it as an experiment: its fix can be searched for.").toStdString()});
    if (shown)
        return startFix(*shown->recording->experiment, titleText(*shown), shown->run);
    if (mayStart(tr("search for the fix")))
        startFix(form().experiment(), tr("the settings of the form"), nullptr);
}

void Jobs::startFix(const experiment::Experiment& experiment, const QString& title, const view::RunPtr& of) {
    m_messages.errors().settle();
    const BackendChoice choice = m_session.backendFor(experiment);
    const auto find = [this, experiment = experiment::HeldExperiment(experiment), title = title.toStdString(),
                       choice, of,
                       device = m_session.gpu().name.toStdString()](const JobTools& tools, JobResult& out) {
        const std::unique_ptr<experiment::Backend> simulator = tools.engines.backends().simulator();
        intervention::FixOptions options;
        options.model =
            choice == BackendChoice::Simulator
                ? intervention::simulatedModel(experiment)
                : intervention::nearestModel(device, experiment::optionText(experiment, "sim.device"));
        out.then = [this, of,
                    fix = std::make_shared<const comparison::Fix>(intervention::findFix(
                        experiment, title, tools.engines.pair(choice, tools.control), {simulator.get(), {}},
                        tools.control, options))] { emit fixFound(fix, of); };
    };
    m_session.start(*this, {tr("Searching for the fix"), find, true});
}

void Jobs::cancel() {
    m_session.cancel();
    m_runs.store().stopFetching();
}

// --- the settings of the form

void Jobs::settle() {
    m_untouched = form().experiment();
}

void Jobs::choosePreset(const experiment::Experiment& experiment) {
    m_panel.choose(experiment);
    m_messages.log(tr("The form has the settings of the preset. Ctrl+Z in the form brings yours back."));
}

void Jobs::takeSettingsOf(const recording::Recording& shown) {
    if (!shown.experiment || *shown.experiment == form().experiment())
        return;
    const QString title = fromText(shown.title);
    if (form().experiment() != m_untouched)
        return m_messages.log(
            tr("The form keeps your settings, which differ from those of %1. \"Use the settings shown\" "
               "takes them over.")
                .arg(title));
    form().setExperiment(*shown.experiment);
    settle();
    m_messages.log(tr("The form shows the settings of %1.").arg(title));
}

void Jobs::useShownSettings() {
    const view::ViewDataPtr& shown = m_runs.current();
    if (!shown || !shown->recording->experiment)
        return;
    form().setExperiment(*shown->recording->experiment);
    settle();
    m_messages.log(tr("The form shows the settings of %1.").arg(titleText(*shown)));
}

bool Jobs::formIsOfShown() const {
    const view::ViewDataPtr& shown = m_runs.current();
    return shown && shown->recording->experiment && form().valid() &&
           *shown->recording->experiment == form().experiment();
}

/// Beside the button that runs the form, which a person may take for one that runs what is seen.
void Jobs::tellWhose() {
    const view::ViewDataPtr& shown = m_runs.current();
    m_panel.setShownDiffers(shown && shown->recording->experiment && !formIsOfShown());
    if (!shown || !form().valid())
        return m_panel.setWhose({}, {});
    if (formIsOfShown()) {
        const bool warns = m_session.backend() == BackendChoice::Simulator &&
                           shown->trace().provenance().source != SourceKind::Simulated;
        return m_panel.setWhose(warns ? tr("The run shown is a recording. Run simulates it.") : QString(),
                                {});
    }
    if (!shown->recording->experiment)
        return m_panel.setWhose(tr("The trace shown has no settings."),
                                tr("Ctrl+E makes an experiment of the run shown, whose options can be "
                                   "changed."));
    QStringList changes;
    for (const auto& each : comparison::optionDifferences(*shown->recording->experiment, form().experiment()))
        changes << tr("%1 %2 → %3").arg(fromText(each.key), fromText(each.before), fromText(each.after));
    const QString some = changes.size() <= kMostDifferences
                             ? changes.join(QStringLiteral(", "))
                             : tr("%1 and %2 more")
                                   .arg(changes.mid(0, kMostDifferences).join(QStringLiteral(", ")))
                                   .arg(changes.size() - kMostDifferences);
    m_panel.setWhose(
        tr("Changed from the run shown: %1").arg(some),
        tr("From the run shown to the form: %1\nFind the fix is of the run shown, not of the form.")
            .arg(changes.join(QStringLiteral(", "))));
}

// --- what there is to run on

void Jobs::tellMachine() {
    const GpuState& gpu = m_session.gpu();
    const QString host = shownText(m_session.host());
    m_panel.setHost(m_session.host());
    m_panel.setGpu(host.isEmpty() ? gpu.name : tr("%1 on %2").arg(gpu.name, host),
                   gpu.usable  ? QString()
                   : gpu.known ? gpu.why
                               : tr("Looking for a GPU..."));
    tellBackend();
    if (gpu.known)
        m_messages.log(gpu.usable ? tr("GPU: %1").arg(gpu.name) : tr("No GPU: %1").arg(gpu.why));
    if (gpu.known && !gpu.usable && !host.isEmpty()) // a person asked for it
        m_messages.error({ErrorKind::NoDevice, "no-device", gpu.why.toStdString(), {}}, false);
}

/// Another backend, or the answer what GPUs there are.
void Jobs::tellBackend() {
    const bool simulates = m_session.backend() == BackendChoice::Simulator;
    const PresetMachine machine{m_session.gpu().usable ? m_session.gpu().count : 0, simulates};
    m_panel.setBackend(m_session.backend());
    tellWhose();
    m_panel.setMachine(machine);
    emit machineChanged(machine);
}

} // namespace olab::ui
