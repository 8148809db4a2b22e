// Reads a lesson file line by line and reports errors. Private to the module.
#pragma once

#include <olab/lesson/lesson.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace olab::lesson::detail {

/// A position in the file, for error messages.
class LessonPlace {
public:
    explicit LessonPlace(std::filesystem::path file)
        : m_file(std::move(file)) {}
    /// @throws Error kind Usage: "file.md:12: why"
    [[noreturn]] void refuse(int line, const std::string& why) const;

private:
    std::filesystem::path m_file;
};

/// "key: value" of a block, with the lines that continue it (they begin with a blank); "- text" has the key
/// "-".
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
std::vector<LessonRow> rowsOf(const FencedBlock& block, const LessonPlace& place);

/// Interprets the fenced blocks of a step. `known`: the names of results of earlier steps and of this one.
class BlockReader {
public:
    BlockReader(const LessonPlace& place, std::vector<std::string>& known)
        : m_place(place)
        , m_known(known) {}
    /// False: it is code to show. @throws Error
    bool take(const FencedBlock& block, LessonStep& step) const;

private:
    void experiment(const FencedBlock& block, LessonStep& step) const;
    void question(const FencedBlock& block, LessonStep& step) const;
    LessonAnswer answer(std::string_view row, int line) const;
    void bars(const FencedBlock& block, LessonStep& step) const;
    void addBar(LessonBars& made, const LessonRow& row) const;
    void myth(const FencedBlock& block, LessonStep& step) const;
    void check(const FencedBlock& block, LessonStep& step) const;
    void why(const FencedBlock& block, LessonStep& step) const;
    void setRow(LessonExperiment& made, const LessonRow& row) const;
    void checkAssertionText(const std::string& expression, int line) const;
    void checkValues(std::string_view text, int line) const;
    void checkName(std::string_view name, int line) const;
    const LessonPlace& m_place;
    std::vector<std::string>& m_known;
};

} // namespace olab::lesson::detail
