// Checks the statements of a lesson against the actual runs. Pure; the runs are shared and const.
#pragma once

#include <olab/assertion/judged_recording.h>
#include <olab/lesson/lesson.h>
#include <olab/trace/trace.h>
#include <olab/trace/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace olab::lesson {

// Compares bars that the learner dragged to where operations will run with where they ran: pair by pair,
// whether the two overlap, and if not, which came first. The distance between them does not matter. Pure; any
// thread.

/// Nothing: the run has no operation with this number.
std::optional<ActivityIndex> findOp(const LessonOp& op, const Trace& trace);

/// Where the operations ran, in the order of the bars.
struct BarTimes {
    std::vector<Interval> times;
    std::string missing{}; ///< why there are none: "the run has no third memset"
};
BarTimes barTimes(const LessonBars& bars, const Trace& trace);

/// Two bars overlap if they share at least this part of the shorter one.
inline constexpr double kTogether = 0.2;

struct BarSpan {
    double begin = 0, end = 0; ///< in any unit
};
bool areTogether(const BarSpan& a, const BarSpan& b);

enum class BarOrder : std::uint8_t { Together, AFirst, BFirst };
BarOrder orderOf(const BarSpan& a, const BarSpan& b);

struct BarPair {
    std::size_t a = 0, b = 0; ///< indices of the bars
    BarOrder predicted{}, ran{};
    bool right() const { return predicted == ran; }
};
/// All pairs. Empty if the numbers of spans and times differ.
std::vector<BarPair> barPairs(const std::vector<BarSpan>& predicted, const std::vector<Interval>& ran);
/// "5 of 6 pairs right."
std::string scoreText(const std::vector<BarPair>& pairs);
/// "H2D 2 and kernel 1: you had them apart; they ran together."
std::string pairText(const LessonBars& bars, const BarPair& pair);

using LessonRun = assertion::JudgedRecording;
using LessonRunPtr = std::shared_ptr<const LessonRun>;
/// The runs of a lesson by the names of their experiments.
using LessonRuns = std::map<std::string, LessonRunPtr, std::less<>>;

enum class Outcome : std::uint8_t {
    Holds,
    Differs,
    Unknown ///< it cannot be judged: the run to compare with is missing, or comes from another kind of
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
/// Both simulated, or both from devices with the same name: otherwise a difference says nothing about a
/// change of the program.
bool ofOneMachine(const recording::Recording& a, const recording::Recording& b);
/// `runs` are those of earlier steps; only those ofOneMachine() are compared.
StepOutcome judgeStep(const LessonStep& step, const LessonRun& run, const LessonRuns& runs);
/// Judges the run of a changed exercise by its statement.
CheckOutcome judgeExercise(const LessonExercise& exercise, const LessonRun& run, const LessonRuns& runs);
/// The option of the exercise that is the only difference between the step's experiment and that of a run;
/// nothing: the run is no attempt at the exercise.
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
