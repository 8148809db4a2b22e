#include "lesson_blocks.h"
#include "lesson_reader.h"
#include "value_places.h"

#include <olab/assertion/assertion.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/presets.h>
#include <olab/lesson/lesson_file.h>
#include <olab/trace/error.h>

#include <algorithm>
#include <charconv>

namespace olab::lesson::detail {
namespace {

bool isName(std::string_view name) {
    return !name.empty() && name.size() <= 64 &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == name.npos;
}

std::string joinedLines(const FencedBlock& block) {
    std::string text;
    for (const std::string_view line : block.lines)
        text += std::string(line) + "\n";
    return text;
}

/// "h2d 1": a class and a number. @returns false if it is not
bool readOp(std::string_view which, LessonOp& op) {
    const auto blank = which.find(' ');
    const auto cls = std::ranges::find(kClassRows, which.substr(0, blank), &ClassRow::brief);
    const auto number = blank == which.npos ? std::string_view() : which.substr(blank + 1);
    const auto read = std::from_chars(number.data(), number.data() + number.size(), op.number);
    if (cls == kClassRows.end() || !isDeviceClass(cls->cls) || read.ec != std::errc() ||
        read.ptr != number.data() + number.size() || op.number < 1 || op.number > 10'000)
        return false;
    op.cls = cls->cls;
    return true;
}

} // namespace

std::vector<std::string> partsOf(std::string_view text) {
    std::vector<std::string> parts;
    for (;;) {
        const auto bar = text.find(" | ");
        parts.emplace_back(trimmedText(text.substr(0, bar)));
        if (bar == text.npos)
            return parts;
        text.remove_prefix(bar + 3);
    }
}

bool BlockReader::take(const FencedBlock& block, LessonStep& step) const {
    if (block.word == "experiment")
        experiment(block, step);
    else if (block.word == "predict")
        question(block, step);
    else if (block.word == "bars")
        bars(block, step);
    else if (block.word == "myth")
        myth(block, step);
    else if (block.word == "check")
        check(block, step);
    else if (block.word == "why")
        why(block, step);
    else if (const auto near = experiment::nearestOf(kBlockWords, block.word);
             block.word.size() > 3 && !near.empty())
        m_place.refuse(block.line,
                       "there is no block '" + block.word + "'; the nearest is '" + std::string(near) + "'");
    else
        return false;
    return true;
}

void BlockReader::checkName(std::string_view name, int line) const {
    if (std::ranges::find(m_known, name) == m_known.end())
        m_place.refuse(line, "no earlier experiment has the name '" + std::string(name) + "'");
}

void BlockReader::setRow(LessonExperiment& made, const LessonRow& row) const {
    if (row.key == "name" || row.key == "recording") {
        if (!isName(row.value))
            m_place.refuse(row.line, row.key + " is made of small letters, digits, - and _");
        (row.key == "name" ? made.name : made.recording) = row.value;
    } else if (row.key == "compare") {
        checkName(row.value, row.line);
        made.compare = row.value;
    } else if (row.key != "preset") {
        try {
            experiment::setOption(made.experiment, row.key, row.value);
        } catch (const Error& error) {
            m_place.refuse(row.line, error.what() + std::string(" ") + error.hint());
        }
    }
}

void BlockReader::experiment(const FencedBlock& block, LessonStep& step) const {
    if (step.experiment)
        m_place.refuse(block.line, "a step has one experiment; begin another step (# Title)");
    LessonExperiment made;
    const std::vector<LessonRow> rows = rowsOf(block, m_place);
    for (const LessonRow& row : rows) // first: the others change it
        if (row.key == "preset") {
            const experiment::Preset* preset = experiment::findPreset(row.value);
            if (!preset)
                m_place.refuse(row.line,
                               "there is no preset '" + row.value + "' ('olab presets' lists them)");
            made.preset = row.value;
            made.experiment = preset->experiment;
        }
    for (const LessonRow& row : rows)
        setRow(made, row);
    if (const auto why = experiment::conflicts(made.experiment); !why.empty())
        m_place.refuse(block.line, "this experiment cannot be: " + why.front());
    if (!made.name.empty()) {
        if (std::ranges::find(m_known, made.name) != m_known.end())
            m_place.refuse(block.line, "an earlier experiment has the name '" + made.name + "'");
        m_known.push_back(made.name);
    }
    step.experiment = std::move(made);
}

void BlockReader::checkAssertionText(const std::string& expression, int line) const {
    try {
        assertion::checkAssertion({analysis::Report{}, io::ReportDocument{}}, expression);
    } catch (const Error& error) {
        m_place.refuse(line, error.what());
    }
    if (const std::string_view other = otherOf(expression); !other.empty())
        checkName(other, line);
}

void BlockReader::checkValues(std::string_view text, int line) const {
    withValues(text, [&](const ValuePlace& place) {
        try {
            assertion::valueText({analysis::Report{}, io::ReportDocument{}}, place.left);
        } catch (const Error& error) {
            m_place.refuse(line, error.what());
        }
        if (!place.other.empty())
            checkName(place.other, line);
        return std::string();
    });
}

LessonAnswer BlockReader::answer(std::string_view row, int line) const {
    std::vector<std::string> parts = partsOf(row);
    if (parts.size() < 2)
        m_place.refuse(line, "an answer is \"- words | assertion\": the run decides whether it is right");
    for (std::size_t i = 1; i < parts.size(); ++i)
        checkAssertionText(parts[i], line);
    return {parts.front(), {parts.begin() + 1, parts.end()}};
}

void BlockReader::question(const FencedBlock& block, LessonStep& step) const {
    if (step.question)
        m_place.refuse(block.line, "a step asks one question");
    LessonQuestion made;
    for (const LessonRow& row : rowsOf(block, m_place)) {
        if (row.key == "question") {
            made.text = row.value;
        } else if (row.key == "hint") {
            made.hint = row.value;
        } else if (row.key == "-") {
            made.answers.push_back(answer(row.value, row.line));
        } else if (row.key == "why" && !made.answers.empty()) {
            checkValues(row.value, row.line);
            made.answers.back().why = row.value;
        } else {
            m_place.refuse(row.line, "a question has the rows question:, hint:, - answers, and why: after an "
                                     "answer, not '" +
                                         row.key + "'");
        }
    }
    if (made.text.empty() || made.answers.size() < 2)
        m_place.refuse(block.line, "a prediction needs question: and two answers or more");
    step.question = std::move(made);
}

/// "- H2D of stream 1 | h2d 1 | 2": a label, a class, a number and optionally a length.
void BlockReader::addBar(LessonBars& made, const LessonRow& row) const {
    const std::vector<std::string> parts = partsOf(row.value);
    LessonOp op;
    if (parts.size() < 2 || parts.size() > 3 || !readOp(parts[1], op))
        m_place.refuse(row.line,
                       "a bar is \"- label | h2d 1\": a class (h2d, memset, kernel, d2h, d2d, p2p) and "
                       "which of it in the run, from 1; perhaps \" | 2\", its length");
    LessonBar bar{parts.front(), op};
    if (parts.size() == 3) {
        const std::string& length = parts[2];
        const auto end = std::from_chars(length.data(), length.data() + length.size(), bar.length);
        if (end.ec != std::errc() || end.ptr != length.data() + length.size() ||
            !(bar.length >= 0.25 && bar.length <= 8))
            m_place.refuse(row.line, "the length of a bar is a number from 0.25 to 8");
    }
    made.bars.push_back(std::move(bar));
}

void BlockReader::bars(const FencedBlock& block, LessonStep& step) const {
    if (step.bars)
        m_place.refuse(block.line, "a step has one block of bars");
    LessonBars made;
    for (const LessonRow& row : rowsOf(block, m_place)) {
        if (row.key == "question")
            made.text = row.value;
        else if (row.key == "-")
            addBar(made, row);
        else
            m_place.refuse(row.line,
                           "bars have the rows question: and - label | class number, not '" + row.key + "'");
    }
    if (made.text.empty() || made.bars.size() < 2 || made.bars.size() > kMostBars)
        m_place.refuse(block.line, "bars need question: and 2 to 8 bars");
    step.bars = std::move(made);
}

void BlockReader::check(const FencedBlock& block, LessonStep& step) const {
    LessonCheck made;
    for (const LessonRow& row : rowsOf(block, m_place)) {
        if (row.key == "holds") {
            checkAssertionText(row.value, row.line);
            made.holds.push_back(row.value);
        } else if (row.key == "says" || row.key == "differs") {
            checkValues(row.value, row.line);
            (row.key == "says" ? made.says : made.differs) = row.value;
        } else if (row.key == "shows") {
            if (LessonOp op; readOp(row.value, op))
                made.shows = op;
            else
                m_place.refuse(row.line, "shows: is a class (h2d, memset, kernel, d2h, d2d, p2p) and which "
                                         "of it in the run, from 1: \"memset 12\"");
        } else {
            m_place.refuse(row.line, "a statement has the rows says:, holds:, differs: and shows:, not '" +
                                         row.key + "'");
        }
    }
    if (made.says.empty() || made.holds.empty())
        m_place.refuse(block.line, "a statement needs says: and holds: (what decides it)");
    if (step.checks.size() >= kMaxLessonRows)
        m_place.refuse(block.line, "a step has too many statements");
    step.checks.push_back(std::move(made));
}

void BlockReader::why(const FencedBlock& block, LessonStep& step) const {
    const std::string text = joinedLines(block);
    if (text.size() > kMaxStepText)
        m_place.refuse(block.line, "this block is too long to be read");
    checkValues(text, block.line);
    step.why = lessonText(text);
}

} // namespace olab::lesson::detail
