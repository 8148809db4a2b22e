// What a lesson says, held against the runs that were made. Pure; the runs are shared and const.
#pragma once

#include <olab/lesson/lesson.h>
#include <olab/lesson/lesson_bars.h>

#include <olab/assertion/assertion.h>
#include <olab/recording/recording.h>

#include <map>

namespace olab {

/// A recording as assertions see it.
class LessonRun {
public:
    explicit LessonRun(RecordingPtr recording);
    LessonRun(const LessonRun&) = delete;
    LessonRun& operator=(const LessonRun&) = delete;
    const Judged& judged() const { return m_judged; }
    const RecordingPtr& recording() const { return m_recording; }

private:
    RecordingPtr m_recording;
    ReportDocument m_document;
    Judged m_judged;
};
using LessonRunPtr = std::shared_ptr<const LessonRun>;
/// The runs of a lesson by the names of their experiments.
using LessonRuns = std::map<std::string, LessonRunPtr, std::less<>>;

enum class Outcome : std::uint8_t {
    Holds,
    Differs,
    Unknown ///< it cannot be judged: what it is held against was not run, or on another kind of machine
};
struct CheckOutcome {
    Outcome outcome = Outcome::Unknown;
    std::string text;  ///< what the lesson says of it, with the values found
    std::string found; ///< the assertions with the values found, or why it cannot be judged
};
struct StepOutcome {
    std::vector<CheckOutcome> answers; ///< of the question, in order: Holds is a right one
    std::vector<CheckOutcome> checks;  ///< in order
    BarTimes bars{};                   ///< where the operations of the step's bars ran
    LessonText why;                    ///< with the values found
};
/// `runs` are those of earlier steps. A simulated and a measured run are never held against each other: how
/// much faster one is would be the simulator's doing.
StepOutcome judgeStep(const LessonStep& step, const LessonRun& run, const LessonRuns& runs);
/// Whether the step holds its run against that of an earlier experiment, or shows it beside it.
bool refersTo(const LessonStep& step, std::string_view name);
/// The finding that the step's statements expect, by `finding(ID)>=1`: what its answer is seen at. Empty:
/// none.
std::string expectedFinding(const LessonStep& step);
/// "simulated", "recorded on NVIDIA H200", "measured on NVIDIA H200".
std::string originText(const Recording& recording);

} // namespace olab
