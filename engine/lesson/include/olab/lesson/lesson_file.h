// Lessons as files (the format: resources/doc/lessons.md), the built-in ones, and the user's own folder.
// Files are untrusted: text is bounded, nothing in it is run or loaded, and an invalid file is refused with
// its name and line. Any thread.
#pragma once

#include <olab/lesson/lesson.h>
#include <olab/trace/error.h>

#include <filesystem>
#include <string_view>

namespace olab::lesson {

inline constexpr std::size_t kMaxLessonBytes = 1 << 20, kMaxLessonSteps = 60, kMaxLessonRows = 24,
                             kMaxStepText = 32 << 10, kMaxRowText = 2'000, kMostBars = 8,
                             kMaxFigureBytes = 256 << 10, kMostProblems = 50;

/// All that is wrong in a lesson, each with its line: "file.md:12: ...". Its code is "bad-lesson".
class LessonError : public Error {
public:
    explicit LessonError(std::vector<std::string> problems);
    const std::vector<std::string>& problems() const { return m_problems; }

private:
    std::vector<std::string> m_problems;
};

/// `file` is the name for messages; without its extension it is the lesson's id. Pictures are those of the
/// program.
/// @throws LessonError kind Usage
Lesson parseLesson(std::string_view markdown, const std::filesystem::path& file);
/// The same for a file, whose folder may contain pictures too. `recordings`: folder of the shipped
/// recordings; the lesson's recordings are then checked as in recordingProblems(). Empty: not checked.
/// @throws Error kind Usage
Lesson readLesson(const std::filesystem::path& file, const std::filesystem::path& recordings = {});
/// Missing recordings, and recordings whose settings differ from their experiment: "file.md:12: ...". Opens
/// each of them. `folder`: of the shipped ones.
std::vector<std::string> recordingProblems(const Lesson& lesson, const std::filesystem::path& folder);
/// The recording of exactly these settings that a shipped lesson shows; its name ends with a part of `device`
/// ("h200" of "NVIDIA H200"), or is arbitrary if that is empty. Empty: none. Reads no file.
std::filesystem::path lessonRecordingOf(const experiment::Experiment& experiment, std::string_view device,
                                        const std::filesystem::path& folder);
/// For one experiment, without file and line; empty: its recording exists with these settings, or it names
/// none.
std::string recordingProblem(const LessonExperiment& experiment, const std::filesystem::path& folder,
                             const std::filesystem::path& own);
/// Why a lesson must not show this picture; empty: it may. Pictures that load or run anything are refused.
std::string figureProblem(std::string_view svg);

/// Markdown as far as lessons use it: headings, paragraphs, items, `code`, **strong**, *emphasis*. Links keep
/// only their text; images and HTML are shown as plain text.
LessonText lessonText(std::string_view markdown);
/// One line of plain text.
std::string plainWords(const LessonText& text);

struct FoundLesson {
    std::filesystem::path file;          ///< empty: built in
    std::optional<Lesson> lesson;        ///< none: the file cannot be read
    std::vector<std::string> problems{}; ///< why
};
/// The built-in lessons, in the recommended order.
const std::vector<Lesson>& shippedLessons();
/// Null for an unknown id.
const Lesson* findShippedLesson(std::string_view id);
/// $XDG_DATA_HOME/overlap-lab/lessons, else the same in ~/.local/share; empty: there is no home folder.
std::filesystem::path ownLessonFolder();
/// All *.md files of a folder, by name; empty if the folder does not exist.
std::vector<FoundLesson> lessonsIn(const std::filesystem::path& folder);

} // namespace olab::lesson
