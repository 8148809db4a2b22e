// Lessons as files (the format: resources/doc/lessons.md), the built-in ones, and the user's own folder.
// Files are untrusted: bounded text, nothing in it is run or loaded, and an invalid file is refused with its
// name and line. Any thread.
#pragma once

#include <olab/lesson/lesson.h>

#include <filesystem>
#include <string_view>

namespace olab::lesson {

inline constexpr std::size_t kMaxLessonBytes = 1 << 20, kMaxLessonSteps = 60, kMaxLessonRows = 24,
                             kMaxStepText = 32 << 10, kMaxRowText = 2'000, kMostBars = 8;

/// `file` is the name for messages; without its extension it is the lesson's id.
/// @throws Error kind Usage "bad-lesson": "file.md:12: ..."
Lesson parseLesson(std::string_view markdown, const std::filesystem::path& file);
/// @throws Error kind Usage
Lesson readLesson(const std::filesystem::path& file);

/// Markdown as far as lessons use it: headings, paragraphs, items, `code`, **strong**, *emphasis*. Links keep
/// only their text; images and HTML are shown as plain text.
LessonText lessonText(std::string_view markdown);
/// One line without marks.
std::string plainWords(const LessonText& text);

struct FoundLesson {
    std::filesystem::path file;   ///< empty: built in
    std::optional<Lesson> lesson; ///< none: the file cannot be read
    std::string problem;          ///< why
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
