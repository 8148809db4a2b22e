// The blocks "exercise", in which the learner changes one option, and "write", a question to be answered in
// one's own words.
#include "lesson_reader.h"

#include <olab/experiment/option_table.h>
#include <olab/experiment/planned_change.h>
#include <olab/lesson/lesson_file.h>
#include <olab/trace/error.h>

#include <algorithm>

namespace olab::lesson::detail {

void BlockReader::exerciseRow(LessonExercise& made, const LessonRow& row) {
    if (row.key == "task" || row.key == "hint") {
        (row.key == "task" ? made.task : made.hint) = row.value;
    } else if (row.key == "option") {
        if (!experiment::findOption(row.value))
            m_place.refuse(row.line, "there is no option '" + row.value + "' ('olab options' lists them)");
        made.options.push_back(row.value);
    } else if (row.key == "solution") {
        const auto equals = row.value.find('=');
        if (equals == std::string::npos)
            m_place.refuse(row.line,
                           "solution: is a change with which the statement holds: kernel.blocks=64");
        made.solution = {std::string(trimmedText(std::string_view(row.value).substr(0, equals))),
                         std::string(trimmedText(std::string_view(row.value).substr(equals + 1)))};
    } else if (!checkRow(made.check, row)) {
        m_place.refuse(row.line,
                       "an exercise has the rows task:, option:, hint:, says:, holds:, differs: and "
                       "solution:, not '" +
                           row.key + "'");
    }
}

void BlockReader::exercise(const FencedBlock& block, LessonStep& step) {
    if (step.exercise)
        m_place.refuse(block.line, "a step has one exercise");
    LessonExercise made;
    m_exerciseLine = block.line;
    const std::size_t before = m_place.count();
    for (const LessonRow& row : rowsOf(block, m_place))
        m_place.attempt([&] { exerciseRow(made, row); });
    if (m_place.count() != before)
        return;
    if (made.task.empty() || made.options.empty() || made.check.says.empty() || made.check.holds.empty() ||
        made.solution.first.empty())
        m_place.refuse(block.line, "an exercise needs task:, option:, says:, holds: and solution:");
    step.exercise = std::move(made);
}

void BlockReader::checkSolution(const LessonExercise& exercise, const LessonStep& step) {
    if (!step.experiment)
        return; // reported for the step
    if (std::ranges::find(exercise.options, exercise.solution.first) == exercise.options.end())
        m_place.refuse(m_exerciseLine, "the solution changes '" + exercise.solution.first +
                                           "', which is none of its options");
    try {
        if (experiment::withChanges(step.experiment->experiment, {exercise.solution}) ==
            step.experiment->experiment)
            m_place.refuse(m_exerciseLine, "the solution changes nothing");
    } catch (const Error& error) {
        m_place.refuse(m_exerciseLine, std::string("the solution cannot be: ") + error.what());
    }
}

void BlockReader::writing(const FencedBlock& block, LessonStep& step) {
    if (step.writing)
        m_place.refuse(block.line, "a step has one question for one's own words");
    LessonWriting made;
    const std::size_t before = m_place.count();
    for (const LessonRow& row : rowsOf(block, m_place))
        m_place.attempt([&] {
            if (row.key == "answer")
                checkValues(row.value, row.line);
            if (row.key != "question" && row.key != "answer")
                m_place.refuse(row.line,
                               "this block has the rows question: and answer:, not '" + row.key + "'");
            (row.key == "question" ? made.text : made.model) = row.value;
        });
    if (m_place.count() == before && made.text.empty())
        m_place.refuse(block.line, "a question for one's own words needs question:");
    step.writing = std::move(made);
}

// The block "myth": a common belief, and what in the run would make it true, false or partly true.

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
