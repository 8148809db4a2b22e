#include "lessons/lesson_memory.h"

#include "base/plain_text.h"
#include "results/compare_page.h"

#include <olab/comparison/comparison.h>
#include <olab/lesson/lesson_file.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

Ns lengthOf(const view::ViewData& shown) {
    return shown.recording->report.bounds.measured.value_or(0);
}

} // namespace

void StepRuns::clear() {
    m_judged.clear();
    m_named.clear();
    m_ofStep.clear();
}

lesson::StepOutcome StepRuns::judge(const lesson::Lesson& lesson, std::size_t step,
                                    const view::ViewDataPtr& shown) {
    auto run = std::make_shared<const lesson::LessonRun>(shown->recording);
    lesson::StepOutcome outcome = lesson::judgeStep(lesson.steps[step], *run, m_judged);
    add(lesson, step, shown, std::move(run));
    return outcome;
}

void StepRuns::add(const lesson::Lesson& lesson, std::size_t step, const view::ViewDataPtr& shown,
                   lesson::LessonRunPtr run) {
    m_ofStep[step] = shown;
    const std::string& name = lesson.steps[step].experiment->name;
    if (name.empty())
        return;
    m_judged[name] = std::move(run);
    m_named[name] = shown;
}

void StepRuns::readEarlier(const lesson::Lesson& lesson, std::size_t step, const RecordingOf& recordingOf) {
    for (std::size_t i = 0; i < step; ++i) {
        const auto& earlier = lesson.steps[i].experiment;
        if (!earlier || m_judged.contains(earlier->name) ||
            !lesson::refersTo(lesson.steps[step], earlier->name))
            continue;
        const QString file = recordingOf(*earlier);
        if (file.isEmpty())
            continue;
        try {
            const auto shown = std::make_shared<const view::ViewData>(recording::openRecording(fileOf(file)));
            add(lesson, i, shown, std::make_shared<const lesson::LessonRun>(shown->recording));
        } catch (const Error&) { // the step says that it was not run yet, and to go back
        }
    }
}

view::ViewDataPtr StepRuns::named(const std::string& experiment) const {
    const auto at = m_named.find(experiment);
    return at == m_named.end() ? nullptr : at->second;
}

view::ViewDataPtr StepRuns::of(std::size_t step) const {
    const auto at = m_ofStep.find(step);
    return at == m_ofStep.end() ? nullptr : at->second;
}

/// With how much work it was, where that is another amount than in the run of the step.
QString StepRuns::lengthText(const view::ViewData& shown, const view::ViewData& ofStep) const {
    const QString length = durationText(lengthOf(shown));
    if (&shown == &ofStep)
        return length;
    const comparison::WorkChange work = compareShown(ofStep, shown).work;
    return !work.differs() ? length
           : work.amount   ? tr("%1 (%2× the work)").arg(length, QString::number(*work.amount, 'g', 3))
                           : tr("%1 (other work)").arg(length);
}

std::vector<LessonLength> StepRuns::lengths(const lesson::Lesson& lesson, std::size_t step) const {
    std::vector<LessonLength> all;
    const view::ViewData& mine = *m_ofStep.at(step);
    bool isNearest = true;
    for (auto at = m_ofStep.rbegin(); at != m_ofStep.rend(); ++at) {
        const auto& [number, one] = *at;
        if (number > step || !lesson::ofOneMachine(*one->recording, *mine.recording) || lengthOf(*one) <= 0)
            continue;
        const bool isNow = number == step;
        if (isNow || std::exchange(isNearest, false) ||
            lesson::refersTo(lesson.steps[step], lesson.steps[number].experiment->name))
            all.insert(all.begin(), {isNow ? tr("This step") : tr("Step %1").arg(number + 1),
                                     lengthText(*one, mine), lengthOf(*one), isNow});
    }
    return all.size() < 2 ? std::vector<LessonLength>{} : all;
}

namespace {

view::Place placeWithKernels(const Trace& trace, ActivityIndex op) {
    const Interval own = trace.time(op);
    view::Place place{op, kNoActivity, {own.begin, own.begin}, own};
    for (ActivityIndex at = 0; at < trace.size() && trace.begin(at) < own.end; ++at)
        if (trace.cls(at) == ActivityClass::Kernel && trace.device(at) == trace.device(op) &&
            trace.end(at) > own.begin)
            place.time = {std::min(place.time.begin, trace.begin(at)),
                          std::max(place.time.end, trace.end(at))};
    return place;
}

} // namespace

const analysis::Finding* meantFinding(const lesson::LessonStep& step, const view::ViewData& shown) {
    const auto& findings = shown.recording->report.findings;
    const auto at = std::ranges::find(findings, lesson::expectedFinding(step), &analysis::Finding::id);
    return at != findings.end() && !at->activities.empty() ? &*at : nullptr;
}

std::optional<view::Place> placeSeen(const lesson::LessonStep& step, const lesson::StepOutcome& outcome,
                                     const view::ViewData& shown) {
    for (std::size_t i = 0; i < step.checks.size() && i < outcome.checks.size(); ++i) {
        const bool holds = outcome.checks[i].outcome == lesson::Outcome::Holds && step.checks[i].shows;
        if (const auto op = holds ? lesson::findOp(*step.checks[i].shows, shown.trace()) : std::nullopt)
            return placeWithKernels(shown.trace(), *op);
    }
    return std::nullopt;
}

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
