// Lessons: what was answered, by one person or by a class, kept and written as CSV.
#include "window/rooms/lesson_room.h"

#include "lessons/bars_board.h"
#include "window/messages/messages.h"
#include "window/runs/save_name.h"
#include "window/window_parts.h"

#include <olab/lesson/lesson_bars.h>
#include <olab/trace/output_file.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QDateTime>
#include <QMainWindow>

#include <algorithm>

namespace olab::ui {

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
    const QString path = shown() ? askSaveName(m_parts.window, {title, name, filter}).path : QString();
    if (!path.isEmpty())
        saveInto(path, make);
}

void LessonRoom::saveInto(const QString& path, const std::function<QByteArray()>& make) {
    try {
        const QByteArray bytes = make();
        writeFile(fileOf(path), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        m_parts.messages.wrote(path);
    } catch (const Error& error) {
        m_parts.messages.caught(error);
    }
}

} // namespace olab::ui
