// Checks the statements of a lesson against the actual runs. Pure; the runs are shared and const.
#pragma once

#include <olab/lesson/lesson.h>
#include <olab/lesson/lesson_bars.h>

#include <olab/assertion/judged_recording.h>

#include <map>

namespace olab::lesson {

using LessonRun = assertion::JudgedRecording;
using LessonRunPtr = std::shared_ptr<const LessonRun>;
/// The runs of a lesson by the names of their experiments.
using LessonRuns = std::map<std::string, LessonRunPtr, std::less<>>;

enum class Outcome : std::uint8_t {
    Holds,
    Differs,
    Unknown ///< it cannot be judged: the run to compare with is missing, or was made on another kind of
            ///< machine
};
struct CheckOutcome {
    Outcome outcome = Outcome::Unknown;
    std::string text;  ///< the lesson's sentence, with the measured values
    std::string found; ///< the assertions with the measured values, or why it cannot be judged
    std::string why{}; ///< of an answer: why it is right or wrong; or empty
};
struct StepOutcome {
    std::vector<CheckOutcome> answers; ///< of the question, in order: Holds is a right one
    std::vector<CheckOutcome> checks;  ///< in order
    BarTimes bars{};                   ///< where the operations of the step's bars ran
    std::string model{};               ///< a good answer in words, with the measured values
    LessonText why;                    ///< with the measured values
};
/// Both simulated, or both of a device of that name: other differences say nothing of a change of the
/// program.
bool ofOneMachine(const recording::Recording& a, const recording::Recording& b);
/// `runs` are those of earlier steps; it is compared only with those ofOneMachine().
StepOutcome judgeStep(const LessonStep& step, const LessonRun& run, const LessonRuns& runs);
/// A change of the exercise: the run with it, held against its statement.
CheckOutcome judgeExercise(const LessonExercise& exercise, const LessonRun& run, const LessonRuns& runs);
/// The option of the exercise that alone differs between the step's experiment and that of a run; nothing: it
/// is no attempt at the exercise.
std::optional<std::pair<std::string, std::string>> attemptedChange(const LessonStep& step,
                                                                   const experiment::Experiment& made);
/// Whether the step compares its run with that of an earlier experiment, or shows the two together.
bool refersTo(const LessonStep& step, std::string_view name);
/// The finding that the step's statements expect with `finding(ID)>=1`; it is shown with the answer. Empty:
/// none.
std::string expectedFinding(const LessonStep& step);
/// "simulated", "recorded on NVIDIA H200", "measured on NVIDIA H200".
std::string originText(const recording::Recording& recording);

} // namespace olab::lesson
