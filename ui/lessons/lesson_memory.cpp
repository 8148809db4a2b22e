#include "lessons/lesson_memory.h"

#include "lessons/kept_answers.h"

#include <QSettings>

#include <algorithm>

namespace olab::ui {

namespace {

QString stepsSetting(const QString& lesson) {
    return QStringLiteral("lessons/") + lesson;
}

QString answersSetting(const QString& lesson) {
    return QStringLiteral("lessonAnswers/") + lesson;
}

} // namespace

int LessonMemory::stepsDone(const QString& lesson) const {
    if (m_isKept)
        return QSettings().value(stepsSetting(lesson)).toInt();
    const auto at = m_done.find(lesson);
    return at == m_done.end() ? 0 : at->second;
}

void LessonMemory::setStepsDone(const QString& lesson, std::size_t steps) {
    const int most = std::max(stepsDone(lesson), static_cast<int>(steps));
    if (m_isKept)
        QSettings().setValue(stepsSetting(lesson), most);
    else
        m_done[lesson] = most;
}

lesson::LessonRecord LessonMemory::answers(const QString& lesson) const {
    if (m_isKept)
        return answersFromJson(QSettings().value(answersSetting(lesson)).toByteArray());
    const auto at = m_answers.find(lesson);
    return at == m_answers.end() ? lesson::LessonRecord{} : answersFromJson(at->second);
}

void LessonMemory::setAnswers(const QString& lesson, const lesson::LessonRecord& record) {
    const QByteArray json = answersToJson(record);
    if (m_isKept)
        QSettings().setValue(answersSetting(lesson), json);
    else
        m_answers[lesson] = json;
}

} // namespace olab::ui
