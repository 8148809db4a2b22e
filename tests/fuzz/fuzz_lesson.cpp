// Any text as a lesson: one that can be shown and judged, or a refusal with its line. What is accepted is
// within the bounds that the window lays out.
#include "fuzz.h"
#include "made.h"

#include <olab/lesson/lesson_check.h>
#include <olab/lesson/lesson_file.h>

using namespace olab;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto run = std::make_shared<const lesson::LessonRun>(fuzz::simulated());
    lesson::Lesson lesson;
    if (!fuzz::accepted([&] { lesson = lesson::parseLesson(fuzz::textOf(data, size), "lesson.md"); }))
        return 0;
    require(!lesson.title.empty() && lesson.minutes > 0);
    require(!lesson.steps.empty() && lesson.steps.size() <= lesson::kMaxLessonSteps);
    for (const lesson::LessonStep& step : lesson.steps) {
        require(lesson::plainWords(step.text).size() <= lesson::kMaxStepText);
        require(step.experiment || (!step.question && step.checks.empty()));
        if (!step.experiment)
            continue;
        const lesson::StepOutcome outcome = lesson::judgeStep(step, *run, {});
        require(outcome.checks.size() == step.checks.size());
        require(!step.question || outcome.answers.size() == step.question->answers.size());
    }
    return 0;
}
