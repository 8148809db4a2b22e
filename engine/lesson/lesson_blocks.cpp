#include "lesson_reader.h"

#include <olab/assertion/assertion.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/presets.h>
#include <olab/lesson/lesson_file.h>
#include <olab/trace/error.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace olab::lesson::detail {
namespace {

/// The words that begin a block of a lesson.
constexpr std::array<std::string_view, 10> kBlockWords{"experiment", "predict",  "bars",  "myth", "check",
                                                       "why",        "exercise", "write", "code", "figure"};

/// The draft's text including its pending Markdown.
LessonText joinedText(StepDraft& draft) {
    LessonText all = std::move(draft.step.text);
    for (TextBlock& block : lessonText(std::exchange(draft.text, {})))
        all.push_back(std::move(block));
    return all;
}

std::string joinedLines(const FencedBlock& block) {
    std::string text;
    for (const std::string_view line : block.lines)
        text += std::string(line) + "\n";
    return text;
}

/// Languages of code to show; any other unknown word is an error.
constexpr std::array<std::string_view, 14> kCodeWords{
    "", "c", "cpp", "c++", "cu", "cuda", "text", "txt", "sh", "bash", "console", "python", "py", "cmake"};

} // namespace

bool isName(std::string_view text) {
    return !text.empty() && text.size() <= 64 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == text.npos;
}

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

bool BlockReader::take(const FencedBlock& block, StepDraft& draft) {
    using Reads = void (BlockReader::*)(const FencedBlock&, LessonStep&);
    constexpr std::array<std::pair<std::string_view, Reads>, 8> kReads{
        {{"experiment", &BlockReader::experiment},
         {"predict", &BlockReader::question},
         {"bars", &BlockReader::bars},
         {"myth", &BlockReader::myth},
         {"check", &BlockReader::check},
         {"why", &BlockReader::why},
         {"exercise", &BlockReader::exercise},
         {"write", &BlockReader::writing}}};
    for (const auto& [word, read] : kReads)
        if (word == block.word)
            return (this->*read)(block, draft.step), true;
    if (block.word == "figure") {
        draft.step.text = joinedText(draft);
        return figure(block, draft), true;
    }
    if (block.word == "code") {
        draft.step.text = joinedText(draft);
        draft.excerpts.push_back({draft.step.text.size(), block});
        draft.step.text.push_back({BlockKind::Excerpt, {}});
        return true;
    }
    if (std::ranges::find(kCodeWords, block.word) != kCodeWords.end())
        return false;
    const auto near = experiment::nearestOf(kBlockWords, block.word);
    m_place.refuse(block.line, "there is no block '" + block.word + "'" +
                                   (near.empty() ? "" : "; the nearest is '" + std::string(near) + "'"));
}

void BlockReader::finish(StepDraft& draft) {
    draft.step.text = joinedText(draft);
    for (const StepDraft::Excerpt& asked : draft.excerpts)
        m_place.attempt([&] { excerpt(asked, draft.step); });
    if (draft.step.exercise)
        m_place.attempt([&] { checkSolution(*draft.step.exercise, draft.step); });
}

const experiment::HeldExperiment* BlockReader::known(std::string_view name) const {
    const auto at = std::ranges::find(m_known, name, &Known::value_type::first);
    return at == m_known.end() ? nullptr : &at->second;
}

void BlockReader::checkName(std::string_view name, int line) {
    if (!known(name))
        m_place.refuse(line, "no earlier experiment has the name '" + std::string(name) + "'");
}

void BlockReader::setRow(LessonExperiment& made, const LessonRow& row) {
    if (row.key == "name" || row.key == "recording") {
        if (!isName(row.value))
            m_place.refuse(row.line, row.key + " is made of small letters, digits, - and _");
        (row.key == "name" ? made.name : made.recording) = row.value;
        if (row.key == "recording")
            made.line = row.line;
    } else if (row.key == "compare") {
        checkName(row.value, row.line);
        made.compare = row.value;
    } else if (row.key == "also") {
        if (row.value != "simulated")
            m_place.refuse(row.line, "also: is simulated");
        made.alsoSimulated = true;
    } else if (row.key == "rows") {
        if (row.value != "engines" && row.value != "streams" && row.value != "host")
            m_place.refuse(row.line, "rows: is engines, streams or host");
        made.rows = row.value;
    } else if (row.key != "preset") {
        try {
            experiment::setOption(made.experiment, row.key, row.value);
        } catch (const Error& error) {
            m_place.refuse(row.line, error.what() + std::string(" ") + error.hint());
        }
    }
}

/// First: the others change it.
void BlockReader::setPreset(const std::vector<LessonRow>& rows, LessonExperiment& made) {
    for (const LessonRow& row : rows)
        if (row.key == "preset")
            m_place.attempt([&] {
                const experiment::Preset* const preset = experiment::findPreset(row.value);
                if (!preset)
                    m_place.refuse(row.line,
                                   "there is no preset '" + row.value + "' ('olab presets' lists them)");
                made.preset = row.value;
                made.experiment = preset->experiment;
            });
}

void BlockReader::experiment(const FencedBlock& block, LessonStep& step) {
    if (step.experiment)
        m_place.refuse(block.line, "a step has one experiment; begin another step (# Title)");
    LessonExperiment made;
    const std::size_t before = m_place.count();
    const std::vector<LessonRow> rows = rowsOf(block, m_place);
    setPreset(rows, made);
    for (const LessonRow& row : rows)
        m_place.attempt([&] { setRow(made, row); });
    if (known(made.name))
        m_place.refuse(block.line, "an earlier experiment has the name '" + made.name + "'");
    if (!made.name.empty())
        m_known.emplace_back(made.name, made.experiment);
    if (const auto why = experiment::conflicts(made.experiment); m_place.count() == before && !why.empty())
        m_place.refuse(block.line, "this experiment cannot be: " + why.front());
    if (m_place.count() == before && !m_recordings.empty())
        if (const std::string why = recordingProblem(made, m_recordings, m_folder); !why.empty())
            m_place.note(made.line, why);
    step.experiment = std::move(made);
}

void BlockReader::checkAssertionText(const std::string& expression, int line) {
    try {
        assertion::checkAssertion({analysis::Report{}, io::ReportDocument{}}, expression);
    } catch (const Error& error) {
        m_place.refuse(line, error.what());
    }
    if (const std::string_view other = otherOf(expression); !other.empty())
        checkName(other, line);
}

void BlockReader::checkValues(std::string_view text, int line) {
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

LessonAnswer BlockReader::answer(std::string_view row, int line) {
    std::vector<std::string> parts = partsOf(row);
    if (parts.size() < 2)
        m_place.refuse(line, "an answer is \"- words | assertion\": the run decides whether it is right");
    for (std::size_t i = 1; i < parts.size(); ++i)
        checkAssertionText(parts[i], line);
    return {parts.front(), {parts.begin() + 1, parts.end()}};
}

void BlockReader::questionRow(LessonQuestion& made, const LessonRow& row) {
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

void BlockReader::question(const FencedBlock& block, LessonStep& step) {
    if (step.question)
        m_place.refuse(block.line, "a step asks one question");
    LessonQuestion made;
    const std::size_t before = m_place.count();
    for (const LessonRow& row : rowsOf(block, m_place))
        m_place.attempt([&] { questionRow(made, row); });
    if (m_place.count() == before && (made.text.empty() || made.answers.size() < 2))
        m_place.refuse(block.line, "a prediction needs question: and two answers or more");
    step.question = std::move(made);
}

/// "- H2D of stream 1 | h2d 1 | 2": a label, a class, a number and optionally a length.
void BlockReader::addBar(LessonBars& made, const LessonRow& row) {
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

void BlockReader::bars(const FencedBlock& block, LessonStep& step) {
    if (step.bars)
        m_place.refuse(block.line, "a step has one block of bars");
    LessonBars made;
    const std::size_t before = m_place.count();
    for (const LessonRow& row : rowsOf(block, m_place))
        m_place.attempt([&] {
            if (row.key == "question")
                made.text = row.value;
            else if (row.key == "-")
                addBar(made, row);
            else
                m_place.refuse(row.line, "bars have the rows question: and - label | class number, not '" +
                                             row.key + "'");
        });
    if (m_place.count() == before &&
        (made.text.empty() || made.bars.size() < 2 || made.bars.size() > kMostBars))
        m_place.refuse(block.line, "bars need question: and 2 to 8 bars");
    step.bars = std::move(made);
}

/// @returns false: it is no row of a statement
bool BlockReader::checkRow(LessonCheck& made, const LessonRow& row) {
    if (row.key == "holds") {
        checkAssertionText(row.value, row.line);
        made.holds.push_back(row.value);
    } else if (row.key == "says" || row.key == "differs") {
        checkValues(row.value, row.line);
        (row.key == "says" ? made.says : made.differs) = row.value;
    } else {
        return false;
    }
    return true;
}

void BlockReader::check(const FencedBlock& block, LessonStep& step) {
    LessonCheck made;
    const std::size_t before = m_place.count();
    for (const LessonRow& row : rowsOf(block, m_place))
        m_place.attempt([&] {
            if (checkRow(made, row))
                return;
            if (row.key != "shows")
                m_place.refuse(row.line,
                               "a statement has the rows says:, holds:, differs: and shows:, not '" +
                                   row.key + "'");
            if (LessonOp op; readOp(row.value, op))
                made.shows = op;
            else
                m_place.refuse(row.line, "shows: is a class (h2d, memset, kernel, d2h, d2d, p2p) and which "
                                         "of it in the run, from 1: \"memset 12\"");
        });
    if (m_place.count() == before && (made.says.empty() || made.holds.empty()))
        m_place.refuse(block.line, "a statement needs says: and holds: (what decides it)");
    if (step.checks.size() >= kMaxLessonRows)
        m_place.refuse(block.line, "a step has too many statements");
    step.checks.push_back(std::move(made));
}

void BlockReader::why(const FencedBlock& block, LessonStep& step) {
    const std::string text = joinedLines(block);
    if (text.size() > kMaxStepText)
        m_place.refuse(block.line, "this block is too long to be read");
    checkValues(text, block.line);
    step.why = lessonText(text);
}

} // namespace olab::lesson::detail
