// Lessons: where a step runs (on the GPU, on the simulator, or as a recording), and its start.
#include "window/rooms/lesson_room.h"

#include "experiment/experiment_panel.h"
#include "window/files.h"
#include "window/jobs.h"
#include "window/window_parts.h"

#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>
#include <olab/ui/window_options.h>

namespace olab::ui {

bool LessonRoom::onGpu(const lesson::LessonExperiment& experiment) const {
    return m_session.backend() == BackendChoice::Gpu &&
           experiment::simulatorOnly(experiment.experiment).empty();
}

QString LessonRoom::recordingOf(const lesson::LessonExperiment& experiment) const {
    return nameOf(lesson::recordingFile(experiment, fileOf(m_options.recordings), m_lesson.folder));
}

bool LessonRoom::prefersRecording(const lesson::LessonExperiment& experiment) const {
    return !onGpu(experiment) && !recordingOf(experiment).isEmpty();
}

void LessonRoom::describeRun() {
    m_state.runs.clear();
    m_state.runsElse.clear();
    m_state.onlySimulated = false;
    if (!m_state.now().experiment)
        return;
    const lesson::LessonExperiment& experiment = *m_state.now().experiment;
    const QString recorded =
        tr("Open the %1's run").arg(fromText(experiment.recording).section(QLatin1Char('-'), -1).toUpper());
    m_state.onlySimulated = !onGpu(experiment) && recordingOf(experiment).isEmpty();
    if (onGpu(experiment))
        m_state.runs = tr("Run on the GPU");
    else
        m_state.runs = prefersRecording(experiment) ? recorded : tr("Run on the simulator");
    if (onGpu(experiment) && !recordingOf(experiment).isEmpty())
        m_state.runsElse = recorded;
    else if (prefersRecording(experiment))
        m_state.runsElse = tr("Run on the simulator");
    if (m_state.outcome && m_otherWay)
        m_state.runsElse = m_state.runs; // that was made already
}

void LessonRoom::run(bool otherWay) {
    if (!shown() || !m_state.now().experiment || m_state.running)
        return;
    if (m_session.busy()) {
        m_state.problem = tr("Something else is running. Cancel it (Esc), then try again.");
        return refresh(false);
    }
    const lesson::LessonExperiment& experiment = *m_state.now().experiment;
    m_otherWay = otherWay != (m_state.outcome && m_otherWay); // of what was made, the other one
    startRun(experiment, prefersRecording(experiment) != m_otherWay);
}

void LessonRoom::startRun(const lesson::LessonExperiment& experiment, bool recorded) {
    m_state.outcome.reset();
    m_state.revealed = false;
    m_state.problem.clear();
    m_state.running = true;
    m_waits = Waits::Step;
    m_state.simulated.reset();
    m_state.attempt.reset();
    m_alsoRun.reset();
    m_panel->focusForward(); // answers and the other button go
    refresh(false);
    shareRoom();
    if (recorded)
        return m_parts.files.open(recordingOf(experiment));
    m_parts.panel.form().setExperiment(experiment.experiment); // what runs is what the form shows
    m_parts.jobs.run();
    if (!m_session.busy())
        ended();
}

} // namespace olab::ui
