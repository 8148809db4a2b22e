#include "lessons/lesson_memory.h"

#include "base/plain_text.h"

#include <olab/lesson/lesson_file.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kMostText = 4'000, kMostRows = 100, kMostCount = 100'000;

template <class Values>
QJsonArray arrayOf(const Values& values) {
    QJsonArray array;
    for (const auto& value : values)
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
            array << exactText(value);
        else
            array << value;
    return array;
}

QJsonObject objectOf(const lesson::StepRecord& step) {
    QJsonObject made{{QStringLiteral("placed"), arrayOf(step.placed)},
                     {QStringLiteral("pairsRight"), step.pairsRight},
                     {QStringLiteral("pairs"), step.pairs},
                     {QStringLiteral("written"), exactText(step.written)},
                     {QStringLiteral("attempts"), arrayOf(step.attempts)},
                     {QStringLiteral("votes"), arrayOf(step.votes)},
                     {QStringLiteral("origin"), exactText(step.origin)},
                     {QStringLiteral("when"), exactText(step.when)}};
    if (step.predicted)
        made[QStringLiteral("predicted")] = *step.predicted;
    if (step.rightAnswer)
        made[QStringLiteral("rightAnswer")] = *step.rightAnswer;
    return made;
}

std::string textOf(const QJsonValue& value) {
    return value.toString().left(kMostText).toStdString();
}

std::optional<int> numberOf(const QJsonValue& value) {
    return value.isDouble() ? std::optional(std::clamp(value.toInt(), 0, kMostCount)) : std::nullopt;
}

lesson::StepRecord stepOf(const QJsonObject& object) {
    lesson::StepRecord step;
    step.predicted = numberOf(object[QStringLiteral("predicted")]);
    step.rightAnswer = numberOf(object[QStringLiteral("rightAnswer")]);
    step.pairsRight = numberOf(object[QStringLiteral("pairsRight")]).value_or(0);
    step.pairs = numberOf(object[QStringLiteral("pairs")]).value_or(0);
    step.written = textOf(object[QStringLiteral("written")]);
    step.origin = textOf(object[QStringLiteral("origin")]);
    step.when = textOf(object[QStringLiteral("when")]);
    const auto each = [&](const char* key, auto&& take) {
        const QJsonArray array = object[QLatin1String(key)].toArray();
        for (int i = 0; i < std::min<int>(static_cast<int>(array.size()), kMostRows); ++i)
            take(array[i]);
    };
    each("placed",
         [&](const QJsonValue& v) { step.placed.push_back(std::clamp(v.toDouble(), 0.0, 1000.0)); });
    each("votes", [&](const QJsonValue& v) { step.votes.push_back(numberOf(v).value_or(0)); });
    each("attempts", [&](const QJsonValue& v) { step.attempts.push_back(textOf(v)); });
    return step;
}

} // namespace

QByteArray answersToJson(const lesson::LessonRecord& record) {
    QJsonObject all;
    for (const auto& [number, step] : record)
        if (!step.empty())
            all[QString::number(number)] = objectOf(step);
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

lesson::LessonRecord answersFromJson(const QByteArray& json) {
    lesson::LessonRecord record;
    const QJsonObject all = QJsonDocument::fromJson(json).object();
    for (auto at = all.begin(); at != all.end(); ++at) {
        bool isNumber = false;
        const auto number = at.key().toULongLong(&isNumber);
        if (isNumber && number < lesson::kMaxLessonSteps)
            record[number] = stepOf(at.value().toObject());
    }
    return record;
}

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
