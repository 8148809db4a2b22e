// The answers of a learner or of a class in a lesson, and their export as CSV for a spreadsheet. Plain values
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
    std::optional<int> predicted;      ///< the chosen answer, from 0
    std::optional<int> rightAnswer;    ///< according to the run; nothing: not run, or no answer is right
    std::vector<double> placed;        ///< positions to which the bars were dragged
    int pairsRight = 0, pairs = 0;     ///< right pairs of these bars, according to the run; 0 of 0: not run
    std::string written;               ///< in the learner's own words
    std::vector<std::string> attempts; ///< at the exercise: "kernel.blocks=64: reached"
    std::vector<int> votes;            ///< of a class, per answer
    std::string origin;                ///< of the run: "recorded on NVIDIA H200"
    std::string when;                  ///< time of the last entry, "2026-03-01 10:15"
    bool empty() const;
    friend bool operator==(const StepRecord&, const StepRecord&) = default;
};
/// By the step's index, from 0.
using LessonRecord = std::map<std::size_t, StepRecord>;

/// A row for each prediction, each answer with votes, bars, words and attempts; with a header.
std::string recordCsv(const Lesson& lesson, const LessonRecord& record);

} // namespace olab::lesson
