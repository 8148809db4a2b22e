#include "lesson_reader.h"

#include <olab/lesson/lesson_file.h>
#include <olab/trace/error.h>

namespace olab::lesson::detail {

void LessonPlace::refuse(int line, const std::string& why) const {
    throw Error(ErrorKind::Usage, "bad-lesson",
                m_file.filename().string() + ":" + std::to_string(line) + ": " + why,
                "The format is described in lessons.md, which comes with the program.");
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

std::vector<LessonRow> rowsOf(const FencedBlock& block, const LessonPlace& place) {
    std::vector<LessonRow> rows;
    int line = block.line;
    for (const std::string_view text : block.lines) {
        ++line;
        const std::string_view words = trimmedText(text);
        if (words.empty())
            continue;
        if (text.front() == ' ' || text.front() == '\t') {
            if (rows.empty())
                place.refuse(line, "nothing stands before this line that it could continue");
            rows.back().value += " " + std::string(words);
            if (rows.back().value.size() > kMaxRowText)
                place.refuse(line, "this row is too long");
            continue;
        }
        if (words.size() > kMaxRowText)
            place.refuse(line, "this row is too long");
        if (rows.size() >= kMaxLessonRows)
            place.refuse(line, "a block has " + std::to_string(kMaxLessonRows) + " rows at most");
        if (words.starts_with("- ")) {
            rows.push_back({"-", std::string(trimmedText(words.substr(2))), line});
            continue;
        }
        const auto colon = words.find(':');
        if (colon == words.npos)
            place.refuse(line, "a row of this block is \"key: value\"");
        rows.push_back({std::string(trimmedText(words.substr(0, colon))),
                        std::string(trimmedText(words.substr(colon + 1))), line});
    }
    return rows;
}

} // namespace olab::lesson::detail
