// Reads a lesson file line by line and reports errors. Private to the module.
#pragma once

#include <olab/assertion/assertion.h>
#include <olab/lesson/lesson.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace olab::lesson::detail {

/// Thrown for unreadable content, after it was noted.
struct Refused {};

/// A position in the file, for error messages. All errors are reported at once: refused content is noted, and
/// reading continues after it.
class LessonPlace {
public:
    explicit LessonPlace(std::filesystem::path file)
        : m_file(std::move(file)) {}
    /// "file.md:12: why"
    void note(int line, const std::string& why);
    /// @throws Refused
    [[noreturn]] void refuse(int line, const std::string& why);
    /// @returns false: something in it was refused
    template <class Read>
    bool attempt(Read&& read) {
        const std::size_t before = m_count;
        try {
            read();
        } catch (const Refused&) { // it is noted already
        }
        return m_count == before;
    }
    std::size_t count() const { return m_count; }
    /// @throws LessonError if anything was noted
    void finish() const;

private:
    struct Problem {
        int line = 0;
        std::string text;
    };
    std::filesystem::path m_file;
    std::vector<Problem> m_problems; ///< the first ones
    std::size_t m_count = 0;
};

/// "key: value" of a block, including continuation lines (they begin with a blank); "- text" has the key "-".
struct LessonRow {
    std::string key, value;
    int line = 0;
};
/// A fenced block: ```word, its lines, ```.
struct FencedBlock {
    std::string word;
    std::vector<std::string_view> lines;
    int line = 0; ///< of the fence
};
/// "Text | assertion | assertion".
std::vector<std::string> partsOf(std::string_view text);
std::string_view trimmedText(std::string_view text);
std::vector<std::string_view> linesOf(std::string_view text);
std::vector<LessonRow> rowsOf(const FencedBlock& block, LessonPlace& place);

/// Lower-case letters, digits, - and _: cannot be a path.
bool isName(std::string_view text);
/// "h2d 1": a class and a number. @returns false: invalid
bool readOp(std::string_view which, LessonOp& op);
/// A shipped picture or one in `folder`; nothing: no picture with this name.
std::optional<std::string> figureText(std::string_view name, const std::filesystem::path& folder);

/// The text of a step read so far, and the blocks between its paragraphs.
struct StepDraft {
    LessonStep& step;
    std::string text{}; ///< Markdown that follows step.text
    struct Excerpt {
        std::size_t at = 0; ///< its position in step.text
        FencedBlock block;
    };
    std::vector<Excerpt> excerpts{}; ///< created when the whole step is known
};

/// Interprets the fenced blocks of a step. `known`: the names of results of earlier steps and of this one.
class BlockReader {
public:
    using Known = std::vector<std::pair<std::string, experiment::HeldExperiment>>;
    /// `folder`: of the lesson's file; `recordings`: folder of the shipped ones, empty: do not check them.
    BlockReader(LessonPlace& place, const std::filesystem::path& folder,
                const std::filesystem::path& recordings)
        : m_place(place)
        , m_folder(folder)
        , m_recordings(recordings) {}
    /// False: it is code to show. @throws Refused
    bool take(const FencedBlock& block, StepDraft& draft);
    /// Checks that need the whole step.
    void finish(StepDraft& draft);

private:
    void experiment(const FencedBlock& block, LessonStep& step);
    void setPreset(const std::vector<LessonRow>& rows, LessonExperiment& made);
    void question(const FencedBlock& block, LessonStep& step);
    void questionRow(LessonQuestion& made, const LessonRow& row);
    LessonAnswer answer(std::string_view row, int line);
    void bars(const FencedBlock& block, LessonStep& step);
    void addBar(LessonBars& made, const LessonRow& row);
    void myth(const FencedBlock& block, LessonStep& step);
    void mythRow(LessonMyth& made, LessonQuestion& asked, const LessonRow& row);
    void check(const FencedBlock& block, LessonStep& step);
    bool checkRow(LessonCheck& made, const LessonRow& row);
    void why(const FencedBlock& block, LessonStep& step);
    void exercise(const FencedBlock& block, LessonStep& step);
    void exerciseRow(LessonExercise& made, const LessonRow& row);
    void checkSolution(const LessonExercise& exercise, const LessonStep& step);
    void writing(const FencedBlock& block, LessonStep& step);
    std::string picture(const LessonRow& row);
    void figure(const FencedBlock& block, StepDraft& draft);
    void excerpt(const StepDraft::Excerpt& asked, LessonStep& step);
    void setRow(LessonExperiment& made, const LessonRow& row);
    void checkAssertionText(const std::string& expression, int line);
    void checkValues(std::string_view text, int line);
    void checkName(std::string_view name, int line);
    const experiment::HeldExperiment* known(std::string_view name) const;
    LessonPlace& m_place;
    const std::filesystem::path &m_folder, &m_recordings;
    Known m_known;
    int m_exerciseLine = 0; ///< of the step being read
};

/// A place {{LEFT}}, {{percent LEFT}} or {{LEFT @NAME}} in a sentence of a lesson, LEFT as in assertions.
struct ValuePlace {
    std::string_view left;
    std::string_view other; ///< the run referred to; empty: the step's own
    bool isPercent = false;
};
/// `text` with the result of `say` in each place; an unclosed {{ stays plain text.
std::string withValues(std::string_view text, const std::function<std::string(const ValuePlace&)>& say);
/// The @NAME that an assertion compares with; empty: none.
std::string_view otherOf(std::string_view assertion);

} // namespace olab::lesson::detail
