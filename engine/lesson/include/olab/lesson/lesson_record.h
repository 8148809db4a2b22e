// What a learner answered in a lesson, or a class did; and the same as CSV for a spreadsheet. Plain values
// and pure functions, any thread.
#pragma once

#include <olab/lesson/lesson.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace olab::lesson {

struct StepRecord {
    std::optional<int> predicted;      ///< the answer that was chosen, from 0
    std::optional<int> rightAnswer;    ///< by the run; nothing: it was not made, or decides for none
    std::vector<double> placed;        ///< where the bars were dragged to
    int pairsRight = 0, pairs = 0;     ///< of these bars, by the run; 0 of 0: it was not made
    std::string written;               ///< in one's own words
    std::vector<std::string> attempts; ///< at the exercise: "kernel.blocks=64: reached"
    std::vector<int> votes;            ///< of a class, by answer
    std::string origin;                ///< of the run: "recorded on NVIDIA H200"
    std::string when;                  ///< of the last entry, "2026-03-01 10:15"
    bool empty() const;
    friend bool operator==(const StepRecord&, const StepRecord&) = default;
};
/// By the number of the step, from 0.
using LessonRecord = std::map<std::size_t, StepRecord>;

/// A row for each prediction, each answer that was voted on, bars, words and attempts; with a head.
std::string recordCsv(const Lesson& lesson, const LessonRecord& record);

} // namespace olab::lesson
