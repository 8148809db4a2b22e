#include <olab/lesson/lesson_file.h>

#include "lesson_reader.h"
#include "lesson_texts.h"

#include <olab/trace/error.h>
#include <olab/trace/input_file.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace olab::lesson {

namespace fs = std::filesystem;

namespace {

using detail::FencedBlock;

constexpr int kMostMinutes = 240;

/// Reads a file once, from the first line to the last.
class Reading {
public:
    Reading(std::string_view markdown, const fs::path& file)
        : m_place(file)
        , m_blocks(m_place, m_known)
        , m_lines(detail::linesOf(markdown)) {
        m_lesson.id = file.stem().string();
    }
    Lesson read() {
        frontMatter();
        while (m_at < m_lines.size())
            takeLine();
        endStep();
        if (m_lesson.steps.empty())
            m_place.refuse(number(), "a lesson needs a step; each begins with a line \"# Title\"");
        return std::move(m_lesson);
    }

private:
    int number() const { return static_cast<int>(m_at) + 1; }
    void frontMatter() {
        if (m_lines.empty() || detail::trimmedText(m_lines[0]) != "---")
            m_place.refuse(1, "a lesson begins with a line --- and then title:, minutes: and about:");
        FencedBlock head{"", {}, 1};
        for (m_at = 1; m_at < m_lines.size() && detail::trimmedText(m_lines[m_at]) != "---"; ++m_at)
            head.lines.push_back(m_lines[m_at]);
        if (m_at == m_lines.size())
            m_place.refuse(1, "the lines after --- do not end with another ---");
        ++m_at;
        for (const detail::LessonRow& row : detail::rowsOf(head, m_place))
            setHead(row);
        if (m_lesson.title.empty() || m_lesson.minutes == 0)
            m_place.refuse(1, "title: and minutes: are needed between the lines ---");
    }
    void setHead(const detail::LessonRow& row) {
        if (row.key == "title")
            m_lesson.title = row.value;
        else if (row.key == "about")
            m_lesson.about = row.value;
        else if (row.key == "minutes")
            m_lesson.minutes = minutesOf(row);
        else
            m_place.refuse(row.line, "'" + row.key + "' is none of title, minutes and about");
    }
    int minutesOf(const detail::LessonRow& row) const {
        int minutes = 0;
        const char* const end = row.value.data() + row.value.size();
        const auto [at, error] = std::from_chars(row.value.data(), end, minutes);
        if (error != std::errc() || at != end || minutes < 1 || minutes > kMostMinutes)
            m_place.refuse(row.line, "minutes is a whole number from 1 to " + std::to_string(kMostMinutes));
        return minutes;
    }
    void takeLine() {
        const std::string_view line = m_lines[m_at];
        if (line.starts_with("# "))
            beginStep(line.substr(2));
        else if (line.starts_with("```"))
            return fence();
        else if (!detail::trimmedText(line).empty() && m_lesson.steps.empty())
            m_place.refuse(number(), "text before the first step; each begins with a line \"# Title\"");
        else
            m_text += std::string(line) + "\n";
        ++m_at;
    }
    void beginStep(std::string_view title) {
        endStep();
        if (m_lesson.steps.size() >= kMaxLessonSteps)
            m_place.refuse(number(), "a lesson has " + std::to_string(kMaxLessonSteps) + " steps at most");
        m_stepLine = number();
        m_lesson.steps.emplace_back().title = detail::trimmedText(title);
        m_text.clear();
    }
    void fence() {
        const std::string_view open = detail::trimmedText(m_lines[m_at]);
        const auto ticks = std::min(open.find_first_not_of('`'), open.size());
        FencedBlock block{std::string(detail::trimmedText(open.substr(ticks))), {}, number()};
        if (m_lesson.steps.empty())
            m_place.refuse(block.line, "a block before the first step; each begins with a line \"# Title\"");
        const std::string_view mark = open.substr(0, ticks);
        for (++m_at; m_at < m_lines.size() && detail::trimmedText(m_lines[m_at]) != mark; ++m_at)
            block.lines.push_back(m_lines[m_at]);
        if (m_at == m_lines.size())
            m_place.refuse(block.line, "this block has no end (" + std::string(mark) + ")");
        ++m_at;
        if (!m_blocks.take(block, m_lesson.steps.back()))
            keepCode(block);
    }
    void keepCode(const FencedBlock& block) {
        m_text += "\n```\n";
        for (const std::string_view line : block.lines)
            m_text += std::string(line) + "\n";
        m_text += "```\n";
    }
    void endStep() {
        if (m_lesson.steps.empty())
            return;
        LessonStep& step = m_lesson.steps.back();
        if (m_text.size() > kMaxStepText)
            m_place.refuse(m_stepLine, "this step is too long to be read; make several of it");
        step.text = lessonText(m_text);
        if (!step.experiment && (step.question || !step.checks.empty() || !step.why.empty()))
            m_place.refuse(m_stepLine, "this step asks or says something about a run, and has no experiment");
        if (step.experiment && step.title.empty())
            m_place.refuse(m_stepLine, "a step needs a title");
    }
    Lesson m_lesson;
    detail::LessonPlace m_place;
    std::vector<std::string> m_known;
    detail::BlockReader m_blocks;
    std::vector<std::string_view> m_lines;
    std::size_t m_at = 0;
    int m_stepLine = 1;
    std::string m_text;
};

std::vector<Lesson> readShipped() {
    std::vector<Lesson> all;
    for (const auto& [id, markdown] : detail::lessonTexts())
        all.push_back(parseLesson(markdown, std::string(id) + ".md"));
    return all;
}

FoundLesson foundAt(const fs::path& file) {
    try {
        return {file, readLesson(file), {}};
    } catch (const Error& error) {
        return {file, {}, error.what()};
    }
}

} // namespace

Lesson parseLesson(std::string_view markdown, const fs::path& file) {
    if (markdown.starts_with("\xEF\xBB\xBF")) // some editors start files with it
        markdown.remove_prefix(3);
    if (markdown.size() > kMaxLessonBytes)
        detail::LessonPlace(file).refuse(1, "a lesson has a mebibyte at most");
    return Reading(markdown, file).read();
}

Lesson readLesson(const fs::path& file) {
    return parseLesson(readTextFile(file, {}, kMaxLessonBytes), file);
}

const std::vector<Lesson>& shippedLessons() {
    static const std::vector<Lesson> all = readShipped();
    return all;
}

const Lesson* findShippedLesson(std::string_view id) {
    const auto& all = shippedLessons();
    const auto at = std::ranges::find(all, id, &Lesson::id);
    return at == all.end() ? nullptr : &*at;
}

fs::path ownLessonFolder() {
    const char* const data = std::getenv("XDG_DATA_HOME");
    if (data && fs::path(data).is_absolute())
        return fs::path(data) / "overlap-lab" / "lessons";
    const char* const home = std::getenv("HOME");
    return home && *home ? fs::path(home) / ".local/share/overlap-lab/lessons" : fs::path();
}

std::vector<FoundLesson> lessonsIn(const fs::path& folder) {
    constexpr std::size_t kMost = 200;
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end && files.size() < kMost;
         at.increment(error))
        if (at->path().extension() == ".md" && at->is_regular_file(error))
            files.push_back(at->path());
    std::ranges::sort(files);
    std::vector<FoundLesson> found;
    for (const fs::path& file : files)
        found.push_back(foundAt(file));
    return found;
}

} // namespace olab::lesson
