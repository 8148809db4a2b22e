#include "lesson_reader.h"

#include <olab/lesson/lesson_file.h>
#include <olab/trace/error.h>

#include <algorithm>

namespace olab::lesson::detail {

void LessonPlace::note(int line, const std::string& why) {
    if (++m_count <= kMostProblems)
        m_problems.push_back({line, m_file.filename().string() + ":" + std::to_string(line) + ": " + why});
}

void LessonPlace::refuse(int line, const std::string& why) {
    note(line, why);
    throw Refused{};
}

void LessonPlace::finish() const {
    if (m_count == 0)
        return;
    std::vector<Problem> sorted = m_problems;
    std::ranges::stable_sort(sorted, {}, &Problem::line);
    std::vector<std::string> texts;
    for (const Problem& one : sorted)
        texts.push_back(one.text);
    if (m_count > kMostProblems)
        texts.push_back("and " + std::to_string(m_count - kMostProblems) + " more");
    throw LessonError(std::move(texts));
}

std::string_view trimmedText(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        if (lines.back().ends_with('\r'))
            lines.back().remove_suffix(1);
        at = end + 1;
    }
    return lines;
}

namespace {

/// Appends a continuation line to the last row.
void continueRow(std::vector<LessonRow>& rows, std::string_view words, int line, LessonPlace& place) {
    if (rows.empty())
        place.refuse(line, "nothing stands before this line that it could continue");
    if (rows.back().value.size() + words.size() + 1 > kMaxRowText)
        place.refuse(line, "this row is too long");
    rows.back().value += " " + std::string(words);
}

LessonRow rowOf(std::string_view words, int line, LessonPlace& place) {
    if (words.size() > kMaxRowText)
        place.refuse(line, "this row is too long");
    if (words.starts_with("- "))
        return {"-", std::string(trimmedText(words.substr(2))), line};
    const auto colon = words.find(':');
    if (colon == words.npos)
        place.refuse(line, "a row of this block is \"key: value\"");
    return {std::string(trimmedText(words.substr(0, colon))),
            std::string(trimmedText(words.substr(colon + 1))), line};
}

} // namespace

std::vector<LessonRow> rowsOf(const FencedBlock& block, LessonPlace& place) {
    std::vector<LessonRow> rows;
    int line = block.line;
    for (const std::string_view text : block.lines) {
        ++line;
        const std::string_view words = trimmedText(text);
        if (words.empty())
            continue;
        const bool continues = text.front() == ' ' || text.front() == '\t';
        place.attempt([&] {
            if (continues)
                return continueRow(rows, words, line, place);
            if (rows.size() >= kMaxLessonRows)
                place.refuse(line, "a block has " + std::to_string(kMaxLessonRows) + " rows at most");
            rows.push_back(rowOf(words, line, place));
        });
    }
    return rows;
}

namespace {

std::string_view trimmedPlace(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

ValuePlace placeIn(std::string_view text) {
    constexpr std::string_view kPercent = "percent ";
    ValuePlace place;
    text = trimmedPlace(text);
    place.isPercent = text.starts_with(kPercent);
    if (place.isPercent)
        text.remove_prefix(kPercent.size());
    place.other = otherOf(text);
    place.left = trimmedPlace(text.substr(0, text.find('@')));
    return place;
}

} // namespace

std::string withValues(std::string_view text, const std::function<std::string(const ValuePlace&)>& say) {
    std::string made;
    for (;;) {
        const auto open = text.find("{{"), close = text.find("}}", open == text.npos ? open : open + 2);
        if (close == text.npos)
            return made + std::string(text);
        made += text.substr(0, open);
        made += say(placeIn(text.substr(open + 2, close - open - 2)));
        text.remove_prefix(close + 2);
    }
}

std::string_view otherOf(std::string_view assertion) {
    const auto at = assertion.find('@');
    if (at == assertion.npos)
        return {};
    const std::string_view rest = assertion.substr(at + 1);
    return rest.substr(
        0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"));
}

} // namespace olab::lesson::detail
