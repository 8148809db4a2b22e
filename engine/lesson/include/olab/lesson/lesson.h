// Lessons: Markdown with experiments in it. A lesson has steps; a step is text and optionally an experiment,
// a question about its outcome, statements about the result, and an explanation. No statement about a result
// is fixed: which answer is right and which statement holds is decided by assertions
// (olab/assertion/assertion.h) on the actual run. Plain values; lesson_file.h reads them, lesson_check.h
// judges them.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/trace/activity_classes.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace olab::lesson {

enum class SpanStyle : std::uint8_t { Plain, Strong, Emphasis, Code };
struct TextSpan {
    SpanStyle style{};
    std::string text; ///< plain text: no markup left
    friend bool operator==(const TextSpan&, const TextSpan&) = default;
};
enum class BlockKind : std::uint8_t {
    Paragraph,
    Heading,
    Item,
    Numbered,
    Code,
    Excerpt, ///< of the CUDA program of an experiment: a span is a line, a Strong one is lit
    Figure   ///< three spans: a picture as SVG, its description, and its caption
};
struct TextBlock {
    BlockKind kind{};
    std::vector<TextSpan> spans;
    friend bool operator==(const TextBlock&, const TextBlock&) = default;
};
using LessonText = std::vector<TextBlock>;

struct LessonExperiment {
    std::string name;   ///< the name by which later steps refer to its result: @NAME; empty: none
    std::string preset; ///< starting point; empty: the defaults
    experiment::HeldExperiment experiment;
    std::string recording;      ///< for machines without a GPU: file name without extension; or empty
    std::string compare;        ///< the earlier result to show next to it; or empty
    bool alsoSimulated = false; ///< show a recording or a measurement next to the simulator's run
    std::string rows;           ///< rows to show with the result: engines, streams or host; or empty
    int line = 0;               ///< line of the row "recording" in the file; 0: it has none
};

/// The file of its recording: among the shipped ones, in `folder` with those of presets, or in its subfolder
/// lessons/; else in `own`, the folder of the lesson's file. Empty: it names none, or the file does not
/// exist.
std::filesystem::path recordingFile(const LessonExperiment& experiment, const std::filesystem::path& folder,
                                    const std::filesystem::path& own = {});

struct LessonAnswer {
    std::string text;
    std::vector<std::string> holds; ///< it is right if all of them hold
    std::string why{};              ///< why it is right or wrong, shown with the result; or empty
};
struct LessonQuestion {
    std::string text;
    std::vector<LessonAnswer> answers;
    std::string hint{}; ///< shown on demand before the answer; or empty
};

/// A common belief. The step shows its code first, then asks whether it is true.
struct LessonMyth {
    std::string claim; ///< its number in the Claims Lab, which measured it: "001-9"
};

/// An operation of a future run.
struct LessonOp {
    ActivityClass cls{};
    int number = 1; ///< of its class in the run, by begin, from 1
};

/// An operation whose bar the learner drags to where it will run.
struct LessonBar {
    std::string label;
    LessonOp op;
    double length = 1; ///< relative length before the run; 1: as the others
};
struct LessonBars {
    std::string text; ///< what is asked
    std::vector<LessonBar> bars;
};

struct LessonCheck {
    std::string says;                ///< a sentence; {{LEFT}} in it is the measured value
    std::vector<std::string> holds;  ///< the assertions that decide it
    std::string differs;             ///< the sentence if it does not hold; or empty
    std::optional<LessonOp> shows{}; ///< the operation of the run that shows it
};

/// One option of the step's experiment is to be changed; the run with the change decides.
struct LessonExercise {
    std::string task, hint;                       ///< the hint is shown on demand; or empty
    std::vector<std::string> options;             ///< of which one may be changed
    LessonCheck check;                            ///< for the run with the change
    std::pair<std::string, std::string> solution; ///< key and value of a change for which it holds
};

/// A question to be answered in one's own words.
struct LessonWriting {
    std::string text;
    std::string model; ///< a good answer, shown with the result; or empty
};

struct LessonStep {
    std::string title;
    LessonText text;
    std::optional<LessonExperiment> experiment;
    std::optional<LessonQuestion> question;
    std::optional<LessonBars> bars;
    std::optional<LessonMyth> myth; ///< if set, `question` asks whether it is true
    std::vector<LessonCheck> checks;
    std::optional<LessonExercise> exercise;
    std::optional<LessonWriting> writing;
    LessonText why; ///< shown with the result
};

struct Lesson {
    std::string id; ///< the file name without extension
    std::string title, about;
    int minutes = 0;
    std::vector<LessonStep> steps;
    std::filesystem::path folder{}; ///< folder of its file; empty: shipped
};

} // namespace olab::lesson
