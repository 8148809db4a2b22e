// The block "myth": what many believe, and what of the run would make it true, false or partly true.
#include "lesson_reader.h"

#include <olab/lesson/lesson_file.h>

#include <algorithm>

namespace olab::lesson::detail {
namespace {

/// "001-9": a source text and a number.
bool isClaim(std::string_view id) {
    constexpr std::size_t kSource = 3;
    const auto digits = [](std::string_view text) {
        return !text.empty() && text.size() <= kSource &&
               text.find_first_not_of("0123456789") == std::string_view::npos;
    };
    return id.size() > kSource + 1 && id[kSource] == '-' && digits(id.substr(0, kSource)) &&
           digits(id.substr(kSource + 1));
}

} // namespace

void BlockReader::mythRow(LessonMyth& made, LessonQuestion& asked, const LessonRow& row) {
    if (row.key == "claim") {
        if (!isClaim(row.value))
            m_place.refuse(row.line, "claim: is a claim's id, as 001-9 ('olab claims --list')");
        made.claim = row.value;
    } else if (row.key == "says") {
        asked.text = row.value;
    } else if (row.key == "true" || row.key == "false" || row.key == "partly") {
        const std::string word = row.key == "true"    ? "True | "
                                 : row.key == "false" ? "False | "
                                                      : "Partly | ";
        asked.answers.push_back(answer(word + row.value, row.line));
    } else {
        m_place.refuse(row.line,
                       "a myth has the rows claim:, says:, true:, false: and partly:, not '" + row.key + "'");
    }
}

/// The verdicts are the answers of the step's question.
void BlockReader::myth(const FencedBlock& block, LessonStep& step) {
    if (step.question)
        m_place.refuse(block.line, "a step asks one question: a myth is one");
    LessonMyth made;
    LessonQuestion asked;
    const std::size_t before = m_place.count();
    for (const LessonRow& row : rowsOf(block, m_place))
        m_place.attempt([&] { mythRow(made, asked, row); });
    if (m_place.count() == before && (made.claim.empty() || asked.text.empty() || asked.answers.size() < 2))
        m_place.refuse(block.line, "a myth needs claim:, says:, and two of true:, false: and partly:");
    step.myth = std::move(made);
    step.question = std::move(asked);
}

} // namespace olab::lesson::detail
