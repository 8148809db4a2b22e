// How far a person is in each lesson, and what was answered there: from one start of the program to the next,
// or as long as it runs where settings are not kept. GUI thread.
#pragma once

#include "lessons/lesson_panel.h"

#include <olab/lesson/lesson_record.h>
#include <olab/view/place.h>
#include <olab/view/view_data.h>
#include <olab/view/view_data_ptr.h>

#include <QByteArray>
#include <QString>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace olab::ui {

/// The runs of the steps of a lesson: those that were made, and the recordings of earlier steps that a step
/// speaks of. Plain values, GUI thread.
class StepRuns {
public:
    void clear();
    /// What the run says of its step, which has it from now on.
    lesson::StepOutcome judge(const lesson::Lesson& lesson, std::size_t step, const view::ViewDataPtr& shown);
    /// The file of an experiment's recording; empty: it has none.
    using RecordingOf = std::function<QString(const lesson::LessonExperiment&)>;
    /// Who continues a lesson on another day has not run the steps before: what this step speaks of is read
    /// from its recordings. They come with the program, some dozen KiB each.
    void readEarlier(const lesson::Lesson& lesson, std::size_t step, const RecordingOf& recordingOf);

    const lesson::LessonRuns& judged() const { return m_judged; } ///< by the name of their experiments
    view::ViewDataPtr named(const std::string& experiment) const; ///< null: it was not run
    view::ViewDataPtr of(std::size_t step) const;                 ///< null: it was not run
    /// How long this step took, beside the step before it that was run and those that it speaks of, all of
    /// one kind of machine; empty: there is nothing beside it.
    std::vector<LessonLength> lengths(const lesson::Lesson& lesson, std::size_t step) const;

private:
    void add(const lesson::Lesson& lesson, std::size_t step, const view::ViewDataPtr& shown,
             lesson::LessonRunPtr run);
    QString lengthText(const view::ViewData& shown, const view::ViewData& ofStep) const;
    lesson::LessonRuns m_judged;
    std::map<std::string, view::ViewDataPtr, std::less<>> m_named;
    std::map<std::size_t, view::ViewDataPtr> m_ofStep;
};

// Where in the run of a step its answer is seen. Pure.

/// What the step is about, among all that the run has; null: it is not there, or nothing was seen of it.
const analysis::Finding* meantFinding(const lesson::LessonStep& step, const view::ViewData& shown);
/// Where a statement that holds says that it is seen: the operation, and what ran beside it on its device.
std::optional<view::Place> placeSeen(const lesson::LessonStep& step, const lesson::StepOutcome& outcome,
                                     const view::ViewData& shown);

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
