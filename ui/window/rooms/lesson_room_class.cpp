#include "lessons/bars_board.h"
#include "lessons/hand_out.h"
#include "window/messages/messages.h"
#include "window/pages.h"
#include "window/rooms/lesson_room.h"
#include "window/runs/runs.h"
#include "window/runs/save_name.h"
#include "window/runs/summary.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/lesson/lesson_check.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <QAction>
#include <QDateTime>
#include <QGuiApplication>
#include <QMainWindow>
#include <QSplitter>
#include <QTimer>

#include <algorithm>

namespace olab::ui {

// Lessons: what was answered, by one person or by a class, kept and written as CSV.
namespace {

constexpr qsizetype kMostWritten = 4'000;

} // namespace

/// Of this step; what is written there is of now.
lesson::StepRecord& LessonRoom::noted() {
    lesson::StepRecord& step = m_record[m_state.step];
    step.when = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd hh:mm")).toStdString();
    return step;
}

void LessonRoom::predict(int answer) {
    m_state.predicted = answer;
    noted().predicted = answer;
    m_memory.setAnswers(m_key, m_record);
}

void LessonRoom::place(const std::vector<double>& at) {
    m_state.placed = at;
    noted().placed = at;
    m_memory.setAnswers(m_key, m_record);
}

void LessonRoom::write(const QString& words) {
    m_state.written = words.left(kMostWritten);
    noted().written = m_state.written.toStdString();
    m_memory.setAnswers(m_key, m_record);
}

void LessonRoom::vote(int answer, int count) {
    m_state.votes.resize(m_state.now().question->answers.size());
    m_state.votes[static_cast<std::size_t>(answer)] = count;
    noted().votes = m_state.votes;
    m_memory.setAnswers(m_key, m_record);
}

/// Words and votes are put back; the prediction is asked for again.
void LessonRoom::recall() {
    const auto at = m_record.find(m_state.step);
    if (at == m_record.end())
        return;
    m_state.written = fromText(at->second.written);
    if (m_state.now().question && at->second.votes.size() == m_state.now().question->answers.size())
        m_state.votes = at->second.votes;
}

/// What the run says of what was predicted.
void LessonRoom::noteOutcome() {
    const lesson::StepOutcome& outcome = *m_state.outcome;
    lesson::StepRecord step = m_record[m_state.step];
    step.rightAnswer.reset();
    for (std::size_t i = 0; i < outcome.answers.size(); ++i)
        if (outcome.answers[i].outcome == lesson::Outcome::Holds && !step.rightAnswer)
            step.rightAnswer = static_cast<int>(i);
    step.origin = lesson::originText(*m_stepRun->recording);
    if (m_state.placed && m_state.now().bars && outcome.bars.missing.empty()) {
        const auto pairs =
            lesson::barPairs(BarsBoard::spansOf(*m_state.now().bars, *m_state.placed), outcome.bars.times);
        step.pairs = static_cast<int>(pairs.size());
        step.pairsRight = static_cast<int>(std::ranges::count_if(pairs, &lesson::BarPair::right));
    }
    m_record[m_state.step] = std::move(step);
    m_memory.setAnswers(m_key, m_record);
}

void LessonRoom::forgetAnswers() {
    if (!shown())
        return;
    m_record.clear();
    m_state.votes.clear();
    m_state.written.clear();
    m_state.attempts.clear();
    m_memory.setAnswers(m_key, m_record);
    refresh(false);
    m_parts.messages.log(tr("The answers of this lesson are forgotten."));
}

QByteArray LessonRoom::answersCsv() const {
    const std::string csv = shown() ? lesson::recordCsv(m_lesson, m_record) : std::string();
    return {csv.data(), static_cast<qsizetype>(csv.size())};
}

void LessonRoom::chooseAnswers() {
    save(tr("Answers as CSV"), plainFileName(fromText(m_lesson.title)) + QStringLiteral(".csv"),
         tr("Table (*.csv)"), [this] { return answersCsv(); });
}

void LessonRoom::save(const QString& title, const QString& name, const QString& filter,
                      const std::function<QByteArray()>& make) {
    if (shown())
        saveFileAs(
            m_parts.window, {title, name, filter}, [&make](const QString&) { return make(); },
            m_parts.messages);
}

void LessonRoom::saveHandOut(const QString& path) {
    saveInto(
        path, [this](const QString&) { return handOutPdf(); }, m_parts.messages);
}

namespace {

constexpr int kPanelWidth = 270, kTeacherWidth = 215; // in usual type, the least beside a result
constexpr int kReadingWidth = 470; // before there is one, at most half of the room; the most beside one

} // namespace

// --- teacher's mode, and the room on the screen

void LessonRoom::setTeaches(bool teaches) {
    m_teaches->setChecked(teaches);
    m_state.teaches = teaches;
    if (teaches != m_parts.layout.projector())
        m_parts.layout.setProjector(teaches);
    if (!teaches)
        m_parts.layout.settle();
    shareRoom();
    refresh(false);
    if (shown() && !m_state.running)
        focusNext();
}

/// The class sees the lanes; headline, verdicts and findings once the answer was asked for, which they tell.
/// Form, inspector and runs make room.
void LessonRoom::shareRoom() {
    const bool isClass = teaches() && shown(), keepsAnswer = isClass && !m_state.revealed;
    m_parts.summary.setTellsAnswer(!keepsAnswer);
    m_parts.timeline.canvas().ghosts().setKeepsAnswer(keepsAnswer); // the legend names the causes
    if (isClass) {
        m_parts.layout.show(Part::Form, false);
        m_parts.layout.show(Part::Right, false);
        m_parts.layout.show(Part::Pages, m_state.revealed);
        if (m_state.revealed)
            m_parts.pages.open(QStringLiteral("findings"));
    }
    const bool isLarge = shown() && m_state.now().myth && !m_state.outcome && !m_state.running;
    m_beside->widget(1)->setVisible(!isLarge); // a myth before its verdict has the window for itself
    QTimer::singleShot(0, this, [this] {       // when the type has its new size
        if (!shown())
            return;
        m_panel->fitLeastWidth(); // that of the large type would keep it wide
        const int wide = panelWidth();
        m_beside->setSizes({wide, std::max(m_beside->width() - wide, 1)});
    });
}

/// Before the result the text comes first, with it the timeline; or what a person chose.
int LessonRoom::panelWidth() const {
    if (const int chosen = m_chosenWidths[m_state.outcome ? 1 : 0]; chosen > 0 && !teaches())
        return chosen;
    const ViewStyle sizes = ViewStyle::of(m_panel->font());
    if (m_state.outcome || m_state.running)
        return std::clamp(m_beside->width() / 4,
                          sizes.scaled(m_parts.layout.projector() ? kTeacherWidth : kPanelWidth),
                          sizes.scaled(kReadingWidth));
    const bool isEmpty = teaches() && !m_parts.runs.current(); // nothing is shown beside it yet
    return std::min(sizes.scaled(kReadingWidth), m_beside->width() * (isEmpty ? 3 : 2) / 4);
}

// --- the hand-out

QByteArray LessonRoom::handOutPdf() const {
    return handOut(m_state, m_stepRun);
}

void LessonRoom::chooseHandOut() {
    const QString name = plainFileName(fromText(m_lesson.title + " " + std::to_string(m_state.step + 1)));
    save(tr("Hand-out of this step"), name + QStringLiteral(".pdf"), tr("PDF page (*.pdf)"),
         [this] { return handOutPdf(); });
}

// --- the whole lesson on paper

void LessonRoom::choosePaper(bool isTeachers) {
    const QString name = plainFileName(fromText(m_lesson.title)) +
                         (isTeachers ? QStringLiteral(" (teacher).pdf") : QStringLiteral(".pdf"));
    save(isTeachers ? tr("Lesson as PDF, for the teacher") : tr("Lesson as PDF, for students"), name,
         tr("PDF pages (*.pdf)"), [this, isTeachers] { return lessonPaper(isTeachers); });
}

QByteArray LessonRoom::lessonPaper(bool isTeachers) {
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    const std::vector<PaperStep> steps =
        paperSteps(m_lesson, isTeachers, [this](std::size_t step) { return runFor(step); });
    QGuiApplication::restoreOverrideCursor();
    return lessonPdf(steps);
}

/// The run that was made of this step, else its recording; null: there is neither.
view::ViewDataPtr LessonRoom::runFor(std::size_t step) const {
    if (const view::ViewDataPtr made = m_runs.of(step))
        return made;
    const auto& experiment = m_lesson.steps[step].experiment;
    const QString file = experiment ? recordingOf(*experiment) : QString();
    if (file.isEmpty())
        return nullptr;
    try {
        return std::make_shared<const view::ViewData>(recording::openRecording(fileOf(file)));
    } catch (const Error& error) { // the page of this step has no result, and it is said why
        m_parts.messages.caught(error);
        return nullptr;
    }
}

} // namespace olab::ui
