// Content between the paragraphs of a step: pictures, and excerpts of the CUDA program of an experiment.
#include "lesson_reader.h"
#include "lesson_texts.h"

#include <olab/code/cuda_code.h>
#include <olab/lesson/lesson_file.h>
#include <olab/trace/error.h>
#include <olab/trace/input_file.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <array>

namespace olab::lesson {
namespace {

using experiment::OpKind;

/// The kind of step that performs an operation of a class.
constexpr std::array<std::pair<std::string_view, OpKind>, 8> kRuns{{{"h2d", OpKind::CopyH2D},
                                                                    {"memset", OpKind::Memset},
                                                                    {"memset", OpKind::NullMemset},
                                                                    {"kernel", OpKind::Kernel},
                                                                    {"kernel", OpKind::NullKernel},
                                                                    {"d2h", OpKind::CopyD2H},
                                                                    {"d2d", OpKind::FillCopy},
                                                                    {"p2p", OpKind::PeerCopy}}};

/// Whether a line is highlighted: by an option, a class, or text of the line between backticks.
bool isLitBy(const code::CodeLine& line, const std::string& what) {
    if (what.size() > 2 && what.starts_with('`') && what.ends_with('`'))
        return line.text.find(what.substr(1, what.size() - 2)) != line.text.npos;
    return code::isMadeBy(line, what) || std::ranges::any_of(kRuns, [&](const auto& runs) {
               return runs.first == what && code::executes(line, runs.second);
           });
}

/// "static void issue(int rounds) {": "issue".
std::string_view functionAt(std::string_view line) {
    if (line.empty() || line.front() == ' ' || line.front() == '#' || !line.ends_with("{"))
        return {};
    const auto paren = line.find('(');
    if (paren == line.npos || line.starts_with("struct"))
        return {};
    const std::string_view head = line.substr(0, paren);
    const auto blank = head.find_last_of(" *");
    return blank == head.npos ? std::string_view() : head.substr(blank + 1);
}

/// Without the check of its result, which is the same for every call.
std::string withoutCheck(std::string_view line) {
    constexpr std::string_view kOpen = "CHECK(", kClose = "));";
    const auto at = line.find(kOpen);
    if (at == line.npos || !line.ends_with(kClose))
        return std::string(line);
    const std::string_view call = line.substr(at + kOpen.size());
    return std::string(line.substr(0, at)) + std::string(call.substr(0, call.size() - 2)) + ";";
}

struct Lines {
    std::size_t begin = 0, end = 0;
};
Lines linesOfFunction(const code::CudaCode& code, std::string_view name) {
    for (std::size_t begin = 0; begin < code.lines.size(); ++begin) {
        if (functionAt(code.lines[begin].text) != name)
            continue;
        std::size_t end = begin;
        while (end < code.lines.size() && code.lines[end].text != "}")
            ++end;
        return {begin, std::min(end + 1, code.lines.size())};
    }
    return {};
}

std::string functionNames(const code::CudaCode& code) {
    std::string names;
    for (const code::CodeLine& line : code.lines)
        if (const auto name = functionAt(line.text); !name.empty())
            names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
}

/// Whether it refers to anything other than a part of the picture.
bool refersOut(std::string_view svg) {
    for (const std::string_view word : {"href=", "url("})
        for (auto at = svg.find(word); at != svg.npos; at = svg.find(word, at + 1)) {
            const auto to = svg.find_first_not_of("\"' ", at + word.size());
            if (to == svg.npos || svg[to] != '#')
                return true;
        }
    return false;
}

} // namespace

std::string figureProblem(std::string_view svg) {
    if (svg.size() > kMaxFigureBytes)
        return "it is larger than " + std::to_string(kMaxFigureBytes >> 10) + " KiB";
    const std::string small = lowerText(svg);
    if (small.find("<svg") == small.npos || small.find("</svg>") == small.npos)
        return "it is no SVG";
    for (const std::string_view word : {"<!doctype", "<!entity", "<script", "<image", "<foreignobject",
                                        "<?xml-stylesheet", "@import", "<feimage"})
        if (small.find(word) != small.npos)
            return "it has '" + std::string(word) + "': a picture of a lesson loads and runs nothing";
    return refersOut(small) ? "it refers to something outside of itself" : std::string();
}

namespace detail {

std::optional<std::string> figureText(std::string_view name, const std::filesystem::path& folder) {
    if (!folder.empty()) {
        std::error_code ignored;
        const std::filesystem::path file = folder / (std::string(name) + ".svg");
        if (std::filesystem::is_regular_file(file, ignored))
            return readTextFile(file, {}, kMaxFigureBytes);
    }
    for (const ShippedText& figure : figureTexts())
        if (figure.id == name)
            return std::string(figure.markdown);
    return std::nullopt;
}

std::string BlockReader::picture(const LessonRow& row) {
    try {
        const auto found = isName(row.value) ? figureText(row.value, m_folder) : std::nullopt;
        if (!found)
            m_place.refuse(row.line, "there is no picture '" + row.value + ".svg' beside the lesson");
        if (const std::string why = figureProblem(*found); !why.empty())
            m_place.refuse(row.line, "the picture '" + row.value + ".svg' cannot be shown: " + why);
        return *found;
    } catch (const Error& error) { // too large or unreadable
        m_place.refuse(row.line, error.what());
    }
}

void BlockReader::figure(const FencedBlock& block, StepDraft& draft) {
    std::string svg, about, caption;
    const std::size_t before = m_place.count();
    for (const LessonRow& row : rowsOf(block, m_place))
        m_place.attempt([&] {
            if (row.key == "about" || row.key == "caption") {
                (row.key == "about" ? about : caption) = row.value;
                return;
            }
            if (row.key != "picture")
                m_place.refuse(row.line,
                               "a figure has the rows picture:, about: and caption:, not '" + row.key + "'");
            svg = picture(row);
        });
    if (m_place.count() == before && (svg.empty() || about.empty()))
        m_place.refuse(block.line,
                       "a figure needs picture: and about: (what is seen, for who does not see it)");
    draft.step.text.push_back(
        {BlockKind::Figure,
         {{SpanStyle::Plain, svg}, {SpanStyle::Plain, about}, {SpanStyle::Plain, caption}}});
}

/// show: and of: have defaults; lit: may occur more than once.
void BlockReader::excerpt(const StepDraft::Excerpt& asked, LessonStep& step) {
    std::string function = "issue", of;
    std::vector<LessonRow> lit;
    int line = asked.block.line;
    for (const LessonRow& row : rowsOf(asked.block, m_place)) {
        if (row.key == "lit")
            lit.push_back(row);
        else if (row.key == "show" || row.key == "of")
            (row.key == "show" ? function : of) = row.value;
        else
            m_place.refuse(row.line, "code has the rows show:, of: and lit:, not '" + row.key + "'");
        if (row.key == "of")
            checkName(row.value, row.line);
        if (row.key == "show")
            line = row.line;
    }
    if (of.empty() && !step.experiment)
        m_place.refuse(line, "this step has no experiment: of: NAME says of which one the code is");
    const experiment::HeldExperiment& shown = of.empty() ? step.experiment->experiment : *known(of);
    if (!experiment::conflicts(shown).empty())
        return; // reported for the experiment
    const code::CudaCode code = code::cudaCode(shown);
    const Lines part = linesOfFunction(code, function);
    if (part.end == 0)
        m_place.refuse(line, "the program has no function '" + function + "'; it has " + functionNames(code));
    for (const LessonRow& row : lit)
        if (std::none_of(code.lines.begin() + static_cast<std::ptrdiff_t>(part.begin),
                         code.lines.begin() + static_cast<std::ptrdiff_t>(part.end),
                         [&](const code::CodeLine& one) { return isLitBy(one, row.value); }))
            m_place.refuse(
                row.line,
                "no line shown is made by '" + row.value +
                    "': lit: is an option, a class (h2d, memset, kernel, d2h, d2d, p2p) or `letters of the "
                    "line`");
    for (std::size_t i = part.begin; i < part.end; ++i) {
        const bool isLit =
            std::ranges::any_of(lit, [&](const LessonRow& row) { return isLitBy(code.lines[i], row.value); });
        step.text[asked.at].spans.push_back(
            {isLit ? SpanStyle::Strong : SpanStyle::Plain, withoutCheck(code.lines[i].text)});
    }
}

} // namespace detail
} // namespace olab::lesson
