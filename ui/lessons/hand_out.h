// Steps of a lesson as a PDF of 16:9: of each first its text, question and answers; if it was run, its
// statements and a picture of the run, or of the part of it in which the answer is seen. What the window
// keeps back (answers nobody asked for yet) is kept back here too. Of a whole lesson there are two: for
// students, with room to write, and for the teacher, with all that the runs say. GUI thread.
#pragma once

#include "lessons/lesson_panel.h"

#include <olab/ui/picture.h>
#include <olab/view/view_data.h>

#include <QByteArray>

#include <functional>
#include <vector>

namespace olab::ui {

struct PaperStep {
    LessonState state;
    view::ViewDataPtr run{}; ///< null: none was made
    bool isTeachers = false; ///< hints, why each answer is right or wrong, solutions
};

/// The picture of the run: the part in which the answer is seen, else all of it.
PictureRequest handOutPicture(const LessonState& state, const view::ViewData& shown);
/// `shown`: the run of the step; null: none was made. @throws Error
QByteArray handOut(const LessonState& state, const view::ViewDataPtr& shown);
/// All steps of a lesson; for the teacher with what the run of each says, where runOf() has one.
std::vector<PaperStep> paperSteps(const lesson::Lesson& lesson, bool isTeachers,
                                  const std::function<view::ViewDataPtr(std::size_t)>& runOf);
/// All of them, each on pages of its own. @throws Error
QByteArray lessonPdf(const std::vector<PaperStep>& steps);

} // namespace olab::ui
