// Lessons: Markdown with experiments in it. A lesson has steps; a step is text, perhaps an experiment, a
// question what it will show, statements about what it showed, and why. Nothing that a lesson says of a
// result is a constant: which answer is right and which statement holds is decided by assertions
// (olab/assertion/assertion.h) on the run that was made. Plain values; what reads them is lesson_file.h, what
// judges them lesson_check.h.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/trace/activity_classes.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace olab {

enum class SpanStyle : std::uint8_t { Plain, Strong, Emphasis, Code };
struct TextSpan {
    SpanStyle style{};
    std::string text; ///< letters: nothing in it is markup any more
    friend bool operator==(const TextSpan&, const TextSpan&) = default;
};
enum class BlockKind : std::uint8_t { Paragraph, Heading, Item, Numbered, Code };
struct TextBlock {
    BlockKind kind{};
    std::vector<TextSpan> spans;
    friend bool operator==(const TextBlock&, const TextBlock&) = default;
};
using LessonText = std::vector<TextBlock>;

struct LessonExperiment {
    std::string name;   ///< what later steps call its result: @NAME; empty: none does
    std::string preset; ///< it started from; empty: the defaults
    HeldExperiment experiment;
    std::string recording; ///< of a GPU, by its file's name without ending: for machines without; or empty
    std::string compare;   ///< the earlier result that it is shown beside; or empty
};

/// The file of its recording among those that come with the program: in `folder`, where those of presets
/// are, or in lessons/ there. Empty: it names none, or none is there.
std::filesystem::path recordingFile(const LessonExperiment& experiment, const std::filesystem::path& folder);

struct LessonAnswer {
    std::string text;
    std::vector<std::string> holds; ///< it is right where all of them hold
};
struct LessonQuestion {
    std::string text;
    std::vector<LessonAnswer> answers;
};

/// An operation of a run that was not made yet.
struct LessonOp {
    ActivityClass cls{};
    int number = 1; ///< of its class in the run, by begin, from 1
};

/// One whose bar is dragged to where a person thinks it will run.
struct LessonBar {
    std::string label;
    LessonOp op;
    double length = 1; ///< that it is drawn with before the run; 1: as the others
};
struct LessonBars {
    std::string text; ///< what is asked
    std::vector<LessonBar> bars;
};

struct LessonCheck {
    std::string says;                ///< a sentence; {{LEFT}} in it is the value found
    std::vector<std::string> holds;  ///< what decides it
    std::string differs;             ///< what is to be said where it does not hold; or empty
    std::optional<LessonOp> shows{}; ///< where it is seen in the run
};

struct LessonStep {
    std::string title;
    LessonText text;
    std::optional<LessonExperiment> experiment;
    std::optional<LessonQuestion> question;
    std::optional<LessonBars> bars;
    std::vector<LessonCheck> checks;
    LessonText why; ///< shown with the result
};

struct Lesson {
    std::string id; ///< the file's name without ending
    std::string title, about;
    int minutes = 0;
    std::vector<LessonStep> steps;
};

} // namespace olab
