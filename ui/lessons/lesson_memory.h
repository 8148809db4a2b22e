// How far a person is in each lesson, and what was answered there: from one start of the program to the next,
// or as long as it runs where settings are not kept. GUI thread.
#pragma once

#include <olab/lesson/lesson_record.h>

#include <QByteArray>
#include <QString>

#include <map>

namespace olab::ui {

// What was answered in a lesson, as it is kept between two starts of the program. Pure.
QByteArray answersToJson(const lesson::LessonRecord& record);
/// What cannot be read was not answered.
lesson::LessonRecord answersFromJson(const QByteArray& json);

class LessonMemory {
public:
    explicit LessonMemory(bool isKept)
        : m_isKept(isKept) {}
    int stepsDone(const QString& lesson) const;                  ///< 0: none yet
    void setStepsDone(const QString& lesson, std::size_t steps); ///< fewer than before are not taken back
    lesson::LessonRecord answers(const QString& lesson) const;
    void setAnswers(const QString& lesson, const lesson::LessonRecord& record);

private:
    bool m_isKept;
    std::map<QString, int> m_done; ///< this and the next: where settings are not kept
    std::map<QString, QByteArray> m_answers;
};

} // namespace olab::ui
