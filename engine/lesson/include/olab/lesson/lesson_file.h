// Lessons as files (the format: resources/doc/lessons.md), those that are built in, and the folder of a
// person's own. A file may come from anybody: it is text, bounded, nothing of it is run or loaded, and a bad
// one is refused with its name and line. Any thread.
#pragma once

#include <olab/lesson/lesson.h>

#include <filesystem>
#include <string_view>

namespace olab {

inline constexpr std::size_t kMaxLessonBytes = 1 << 20, kMaxLessonSteps = 60, kMaxLessonRows = 24,
                             kMaxStepText = 32 << 10, kMaxRowText = 2'000, kMostBars = 8;

/// `file` is how messages call it, and its name without ending the lesson's id.
/// @throws Error kind Usage "bad-lesson": "file.md:12: ..."
Lesson parseLesson(std::string_view markdown, const std::filesystem::path& file);
/// @throws Error kind Usage
Lesson readLesson(const std::filesystem::path& file);

/// Markdown as far as lessons use it: headings, paragraphs, items, `code`, **strong**, *emphasis*. Links keep
/// their words, pictures and HTML stay letters.
LessonText lessonText(std::string_view markdown);
/// One line without marks.
std::string plainWords(const LessonText& text);

struct FoundLesson {
    std::filesystem::path file;   ///< empty: built in
    std::optional<Lesson> lesson; ///< none: it cannot be read
    std::string problem;          ///< why
};
/// Those of the program, in the order they are meant to be taken.
const std::vector<Lesson>& shippedLessons();
/// Null for an unknown id.
const Lesson* findShippedLesson(std::string_view id);
/// $XDG_DATA_HOME/overlap-lab/lessons, else that of ~/.local/share; empty: there is no home.
std::filesystem::path ownLessonFolder();
/// All *.md of a folder, by name; empty where there is none.
std::vector<FoundLesson> lessonsIn(const std::filesystem::path& folder);

} // namespace olab
