#include <olab/lesson/lesson_file.h>

#include "lesson_reader.h"
#include "lesson_texts.h"

#include <olab/experiment/option_table.h>
#include <olab/recording/recording.h>
#include <olab/recording/stored_recording.h>
#include <olab/trace/error.h>
#include <olab/trace/input_file.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

namespace olab::lesson {

namespace fs = std::filesystem;

namespace {

using detail::FencedBlock;

constexpr int kMostMinutes = 240;

/// Reads a file once, from the first line to the last.
class Reading {
public:
    Reading(std::string_view markdown, const fs::path& file, const fs::path& folder,
            const fs::path& recordings)
        : m_folder(folder)
        , m_recordings(recordings)
        , m_place(file)
        , m_blocks(m_place, m_folder, m_recordings)
        , m_lines(detail::linesOf(markdown)) {
        m_lesson.id = file.stem().string();
        m_lesson.folder = folder;
    }
    Lesson read() {
        m_place.attempt([this] { readAll(); });
        m_place.finish();
        return std::move(m_lesson);
    }

private:
    int number() const { return static_cast<int>(m_at) + 1; }
    void readAll() {
        m_place.attempt([this] { frontMatter(); });
        while (m_at < m_lines.size())
            m_place.attempt([this] { takeLine(); });
        endStep();
        if (m_lesson.steps.empty())
            m_place.note(number(), "a lesson needs a step; each begins with a line \"# Title\"");
    }
    void frontMatter() {
        if (m_lines.empty() || detail::trimmedText(m_lines[0]) != "---")
            m_place.refuse(1, "a lesson begins with a line --- and then title:, minutes: and about:");
        FencedBlock head{"", {}, 1};
        for (m_at = 1; m_at < m_lines.size() && detail::trimmedText(m_lines[m_at]) != "---"; ++m_at)
            head.lines.push_back(m_lines[m_at]);
        if (m_at == m_lines.size())
            m_place.refuse(1, "the lines after --- do not end with another ---");
        ++m_at;
        const std::size_t before = m_place.count();
        for (const detail::LessonRow& row : detail::rowsOf(head, m_place))
            m_place.attempt([&] { setHead(row); });
        if (m_place.count() == before && (m_lesson.title.empty() || m_lesson.minutes == 0))
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
    int minutesOf(const detail::LessonRow& row) {
        int minutes = 0;
        const char* const end = row.value.data() + row.value.size();
        const auto [at, error] = std::from_chars(row.value.data(), end, minutes);
        if (error != std::errc() || at != end || minutes < 1 || minutes > kMostMinutes)
            m_place.refuse(row.line, "minutes is a whole number from 1 to " + std::to_string(kMostMinutes));
        return minutes;
    }
    /// Takes the next line, or the block that it begins.
    void takeLine() {
        const int line = number();
        const std::string_view text = m_lines[m_at];
        if (text.starts_with("```"))
            return fence();
        ++m_at;
        if (text.starts_with("# "))
            beginStep(text.substr(2), line);
        else if (!detail::trimmedText(text).empty() && m_lesson.steps.empty())
            beforeSteps(line, "text");
        else if (m_draft)
            addText(text);
    }
    /// Reports only the first such line.
    void beforeSteps(int line, const std::string& what) {
        if (!std::exchange(m_saidBefore, true))
            m_place.note(line, what + " before the first step; each begins with a line \"# Title\"");
    }
    void beginStep(std::string_view title, int line) {
        endStep();
        if (m_lesson.steps.size() >= kMaxLessonSteps) {
            m_at = m_lines.size();
            m_place.refuse(line, "a lesson has " + std::to_string(kMaxLessonSteps) + " steps at most");
        }
        m_stepLine = line;
        m_problemsBefore = m_place.count();
        m_lesson.steps.emplace_back().title = detail::trimmedText(title);
        m_draft.emplace(detail::StepDraft{m_lesson.steps.back()});
        m_textSize = 0;
    }
    void fence() {
        const std::string_view open = detail::trimmedText(m_lines[m_at]);
        const auto ticks = std::min(open.find_first_not_of('`'), open.size());
        FencedBlock block{std::string(detail::trimmedText(open.substr(ticks))), {}, number()};
        const std::string_view mark = open.substr(0, ticks);
        for (++m_at; m_at < m_lines.size() && detail::trimmedText(m_lines[m_at]) != mark; ++m_at)
            block.lines.push_back(m_lines[m_at]);
        if (m_at == m_lines.size())
            m_place.refuse(block.line, "this block has no end (" + std::string(mark) + ")");
        ++m_at;
        if (!m_draft)
            return beforeSteps(block.line, "a block");
        if (!m_blocks.take(block, *m_draft))
            keepCode(block);
    }
    void keepCode(const FencedBlock& block) {
        addText("");
        addText("```");
        for (const std::string_view line : block.lines)
            addText(line);
        addText("```");
    }
    void addText(std::string_view line) {
        m_draft->text += std::string(line) + "\n";
        m_textSize += line.size() + 1;
    }
    void endStep() {
        if (!m_draft)
            return;
        LessonStep& step = m_lesson.steps.back();
        if (m_textSize > kMaxStepText)
            m_place.note(m_stepLine, "this step is too long to be read; make several of it");
        m_blocks.finish(*m_draft);
        m_draft.reset();
        if (m_place.count() != m_problemsBefore)
            return; // the missing part may have been refused
        if (!step.experiment &&
            (step.question || step.bars || step.exercise || !step.checks.empty() || !step.why.empty()))
            m_place.note(m_stepLine, "this step asks or says something about a run, and has no experiment");
        if (step.experiment && step.title.empty())
            m_place.note(m_stepLine, "a step needs a title");
    }
    fs::path m_folder, m_recordings;
    Lesson m_lesson;
    detail::LessonPlace m_place;
    detail::BlockReader m_blocks;
    std::vector<std::string_view> m_lines;
    std::size_t m_at = 0, m_problemsBefore = 0;
    std::size_t m_textSize = 0; ///< of the step's Markdown
    int m_stepLine = 1;
    bool m_saidBefore = false;
    std::optional<detail::StepDraft> m_draft; ///< of the last step
};

/// Some editors start files with a byte order mark.
Lesson parsed(std::string_view markdown, const fs::path& file, const fs::path& folder,
              const fs::path& recordings = {}) {
    if (markdown.starts_with("\xEF\xBB\xBF"))
        markdown.remove_prefix(3);
    if (markdown.size() > kMaxLessonBytes)
        throw LessonError({file.filename().string() + ":1: a lesson has a mebibyte at most"});
    return Reading(markdown, file, folder, recordings).read();
}

std::vector<Lesson> readShipped() {
    std::vector<Lesson> all;
    for (const auto& [id, markdown] : detail::lessonTexts())
        all.push_back(parseLesson(markdown, std::string(id) + ".md"));
    return all;
}

FoundLesson foundAt(const fs::path& file) {
    try {
        return {file, readLesson(file)};
    } catch (const LessonError& error) {
        return {file, {}, error.problems()};
    } catch (const Error& error) {
        return {file, {}, {error.what()}};
    }
}

std::string joined(const std::vector<std::string>& problems) {
    std::string text;
    for (const std::string& one : problems)
        text += (text.empty() ? "" : "; ") + one;
    return text;
}

} // namespace

LessonError::LessonError(std::vector<std::string> problems)
    : Error(ErrorKind::Usage, "bad-lesson", joined(problems),
            "The format is described in lessons.md, which comes with the program.")
    , m_problems(std::move(problems)) {}

Lesson parseLesson(std::string_view markdown, const fs::path& file) {
    return parsed(markdown, file, {});
}

Lesson readLesson(const fs::path& file, const fs::path& recordings) {
    const fs::path folder = file.parent_path();
    return parsed(readTextFile(file, {}, kMaxLessonBytes), file, folder.empty() ? fs::path(".") : folder,
                  recordings);
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

std::filesystem::path recordingFile(const LessonExperiment& experiment, const std::filesystem::path& folder,
                                    const std::filesystem::path& own) {
    if (experiment.recording.empty())
        return {};
    const std::string name = experiment.recording + ".olab";
    std::error_code ignored;
    for (const std::filesystem::path& place : {own, folder, folder.empty() ? folder : folder / "lessons"})
        if (!place.empty() && std::filesystem::is_regular_file(place / name, ignored))
            return place / name;
    return {};
}

std::string recordingProblem(const LessonExperiment& asked, const std::filesystem::path& folder,
                             const std::filesystem::path& own) {
    if (asked.recording.empty())
        return {};
    const std::filesystem::path file = recordingFile(asked, folder, own);
    if (file.empty())
        return "there is no recording '" + asked.recording +
               ".olab' among those of the program or beside the lesson";
    try {
        const recording::RecordingPtr found = recording::openRecording(file);
        if (!found->experiment)
            return "the recording '" + asked.recording + "' does not say with which settings it was made";
        for (const auto& row : experiment::optionTable())
            if (const std::string was = experiment::optionText(*found->experiment, row.key),
                is = experiment::optionText(asked.experiment, row.key);
                was != is)
                return "the recording '" + asked.recording +
                       "' is of another experiment: " + std::string(row.key) + "=" + was + ", and here " + is;
    } catch (const Error& error) {
        return "the recording '" + asked.recording + "' cannot be read: " + error.what();
    }
    return {};
}

std::filesystem::path lessonRecordingOf(const experiment::Experiment& experiment, std::string_view device,
                                        const std::filesystem::path& folder) {
    const std::string small = lowerText(device);
    for (const Lesson& lesson : shippedLessons())
        for (const LessonStep& step : lesson.steps) {
            if (!step.experiment || !(step.experiment->experiment == experiment::HeldExperiment(experiment)))
                continue;
            const std::string& name = step.experiment->recording;
            if (small.empty() || small.find(name.substr(name.rfind('-') + 1)) != small.npos)
                if (std::filesystem::path file = recordingFile(*step.experiment, folder); !file.empty())
                    return file;
        }
    return {};
}

std::vector<std::string> recordingProblems(const Lesson& lesson, const std::filesystem::path& folder) {
    std::vector<std::string> problems;
    for (const LessonStep& step : lesson.steps)
        if (step.experiment)
            if (const std::string why = recordingProblem(*step.experiment, folder, lesson.folder);
                !why.empty())
                problems.push_back(lesson.id + ".md:" + std::to_string(step.experiment->line) + ": " + why);
    return problems;
}

} // namespace olab::lesson
