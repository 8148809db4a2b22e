#include "base/plain_text.h"
#include "experiment/experiment_panel.h"
#include "window/files.h"
#include "window/jobs.h"
#include "window/rooms/lesson_room.h"
#include "window/runs/runs.h"
#include "window/window_parts.h"

#include <olab/experiment/planned_change.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/texts.h>
#include <olab/ui/window_options.h>

#include <algorithm>

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

// Lessons: other runs than that of the step. What they are beside it: the same run again, an attempt at the
// exercise, the same experiment simulated, or something of which the step says nothing.
namespace {

constexpr std::size_t kMostAttempts = 50;

} // namespace

/// Another run is shown (F5, Try it, the list of runs): one with the settings of this step is judged anew,
/// one with a change that the exercise asks for is an attempt; of any other one the step says nothing.
void LessonRoom::follow() {
    if (!shown() || m_waits != Waits::No)
        return;
    const view::ViewDataPtr& now = m_parts.runs.current();
    m_state.attempt.reset();
    const bool isBeside = now && m_stepRun && m_state.outcome && now->run != m_stepRun->run &&
                          (!m_alsoRun || now->run != m_alsoRun->run) && now->recording->experiment;
    if (isBeside && isOfStep(*now)) {
        m_stepRun = now;
        m_state.place.reset();
        judge();
    } else if (isBeside && m_state.revealed) {
        if (const auto change = lesson::attemptedChange(m_state.now(), *now->recording->experiment))
            judgeAttempt(*now, *change);
    }
    refresh(false);
}

bool LessonRoom::isOfStep(const view::ViewData& shown) const {
    const auto& made = shown.recording->experiment;
    return made && m_state.now().experiment && *made == m_state.now().experiment->experiment;
}

void LessonRoom::showOwnRun() {
    Runs& list = m_parts.runs;
    for (int row = 0; m_stepRun && row < list.count(); ++row)
        if (list.runAt(row) == m_stepRun->run)
            return list.setCurrentRow(row, QItemSelectionModel::ClearAndSelect);
    if (m_stepRun) // it was removed from the list
        m_session.offer(m_stepRun);
}

bool LessonRoom::mayStart() {
    if (!shown() || !m_stepRun || m_state.running)
        return false;
    m_state.exerciseProblem.clear();
    m_state.problem.clear();
    if (m_session.busy())
        m_state.problem = tr("Something else is running. Cancel it (Esc), then try again.");
    return !m_session.busy();
}

// --- the exercise

void LessonRoom::attempt(const QString& key, const QString& value) {
    if (!mayStart())
        return refresh(false);
    const experiment::OptionChanges changes{{key.toStdString(), value.toStdString()}};
    const experiment::HeldExperiment& own = m_state.now().experiment->experiment;
    try {
        const experiment::HeldExperiment changed = experiment::withChanges(own, changes);
        if (changed == own)
            m_state.exerciseProblem = tr("That is what the run of this step has already.");
        else if (m_parts.jobs.tryChange(m_stepRun, changes)) {
            m_state.running = true;
            m_waits = Waits::Attempt;
        }
    } catch (const Error& error) {
        m_state.exerciseProblem = sentence(error.what());
    }
    refresh(false);
}

void LessonRoom::judgeAttempt(const view::ViewData& shown,
                              const std::pair<std::string, std::string>& change) {
    const lesson::LessonRun run(shown.recording);
    const LessonAttempt made{QStringLiteral("%1=%2").arg(fromText(change.first), fromText(change.second)),
                             lesson::judgeExercise(*m_state.now().exercise, run, m_runs.judged()),
                             sentence(lesson::originText(*shown.recording))};
    m_state.attempt = made;
    const auto isSame = [&](const LessonAttempt& one) {
        return one.change == made.change && one.origin == made.origin;
    };
    if (std::ranges::any_of(m_state.attempts, isSame) || m_state.attempts.size() >= kMostAttempts)
        return;
    m_state.attempts.push_back(made);
    const bool reached = made.outcome.outcome == lesson::Outcome::Holds;
    noted().attempts.push_back(
        (reached ? tr("%1: reached") : tr("%1: not reached")).arg(made.change).toStdString());
    m_memory.setAnswers(m_key, m_record);
}

// --- the same, simulated

void LessonRoom::simulateToo() {
    if (!mayStart())
        return refresh(false);
    const BackendChoice was = m_session.backend();
    m_session.setBackend(BackendChoice::Simulator);
    const bool runs = m_session.run(m_state.now().experiment->experiment);
    m_session.setBackend(was); // the run has begun where it was asked for
    if (runs) {
        m_state.running = true;
        m_waits = Waits::Simulated;
    }
    refresh(false);
}

void LessonRoom::takeBeside(const view::ViewDataPtr& shown, Waits was) {
    m_state.running = false;
    if (was == Waits::Attempt)
        return follow();
    m_alsoRun = shown;
    m_state.simulated = lesson::judgeStep(m_state.now(), lesson::LessonRun(shown->recording), {});
    m_parts.runs.compared(m_stepRun, shown);
    refresh(false);
}

} // namespace olab::ui
