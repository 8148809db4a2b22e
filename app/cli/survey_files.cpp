#include "survey_files.h"

#include "command.h"
#include "console.h"
#include "text/printed.h"
#include "text_report.h"

#include <olab/survey/standing.h>
#include <olab/survey/survey_table.h>
#include <olab/trace/error.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <system_error>

namespace olab::cli {
namespace {

// A table of many recordings for a person at a terminal.

/// At most `top` rows.
Printed surveyText(const survey::Survey& survey, std::size_t top);

using survey::Survey;
using Cells = std::vector<std::string>; ///< visible text

Cells headOf(const Survey& survey) {
    Cells cells;
    for (const survey::Column& column : survey.columns)
        cells.push_back(visibleText(column.head));
    cells.push_back("file");
    return cells;
}

Cells cellsOf(const Survey& survey, const survey::Row& row) {
    Cells cells;
    for (std::size_t i = 0; i < survey.columns.size(); ++i)
        cells.push_back(visibleText(survey::valueText(survey.columns[i], row.values[i])));
    cells.push_back(visibleText(row.file.string()) + (row.loss.empty() ? "" : "  (not whole)"));
    return cells;
}

/// Letters of UTF-8, not bytes.
std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string lineOf(const Cells& cells, const std::vector<std::size_t>& widths) {
    std::string line = " ";
    for (std::size_t i = 0; i < cells.size(); ++i) {
        line += " " + cells[i];
        if (i + 1 < cells.size())
            line += std::string(widths[i] - widthOf(cells[i]) + 1, ' ');
    }
    return line + "\n";
}

std::span<const survey::Row> judgedRows(const Survey& survey) {
    const auto end =
        std::ranges::find_if(survey.rows, [](const survey::Row& r) { return !r.problem.empty(); });
    return {survey.rows.begin(), end};
}

Printed table(const Survey& survey, std::size_t top) {
    const auto rows = judgedRows(survey);
    std::vector<Cells> lines{headOf(survey)};
    for (const survey::Row& row : rows.first(std::min(top, rows.size())))
        lines.push_back(cellsOf(survey, row));
    std::vector<std::size_t> widths(lines.front().size(), 0);
    for (const Cells& cells : lines)
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(cells[i]));
    std::string text;
    for (const Cells& cells : lines)
        text += lineOf(cells, widths);
    if (rows.size() > top)
        text += "  ... and " + std::to_string(rows.size() - top) + " more\n";
    return rows.empty() ? Printed() : Printed::ours(text);
}

Printed problems(const Survey& survey, std::size_t top) {
    Printed text;
    const auto judged = judgedRows(survey).size();
    const auto rows = std::span(survey.rows).subspan(judged);
    for (const survey::Row& row : rows.first(std::min(top, rows.size())))
        text << "  " << row.file.string() << ": " << row.problem << "\n";
    if (rows.size() > top)
        text << "  ... and " << rows.size() - top << " more\n";
    return text;
}

constexpr std::size_t kMostOutliers = 20, kMostHistories = 20;

Printed outliers(const Survey& survey) {
    Printed text;
    const std::size_t shown = std::min(kMostOutliers, survey.outliers.size());
    for (const survey::Outlier& one : std::span(survey.outliers).first(shown)) {
        text << "  " << survey.rows[one.row].file.string() << ": "
             << survey::outlierText(one, survey.columns[one.column]) << "\n";
    }
    if (survey.outliers.size() > shown)
        text << "  ... and " << survey.outliers.size() - shown << " more\n";
    return text;
}

/// "2026-01-01" of "2026-01-01T10:00:00Z".
std::string dayOf(const std::string& time) {
    return time.substr(0, time.find('T'));
}

/// Eight heights for up to so many points.
std::string sparkline(const Survey& survey, const survey::History& history) {
    constexpr std::string_view kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    constexpr std::size_t kMost = 40;
    const long double range = history.highest - history.lowest;
    const std::size_t count = std::min(kMost, history.rows.size());
    std::string line;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = history.rows[i * history.rows.size() / count];
        const long double value = survey.rows[row].number(survey.by).value_or(history.lowest);
        const long double share = range > 0 ? (value - history.lowest) / range : 0;
        line += kBars[static_cast<std::size_t>(share * 7.0L + 0.5L)];
    }
    return line;
}

Printed history(const Survey& survey) {
    Printed text;
    const survey::Column& column = survey.columns[survey.by];
    const std::size_t shown = std::min(kMostHistories, survey.histories.size());
    for (const survey::History& one : std::span(survey.histories).first(shown)) {
        const survey::Group& group = survey.groups[one.group];
        const std::string change = survey::changeText(one, column);
        text << "  " << group.program << (group.machine.empty() ? Literal("") : Literal(" on "))
             << group.machine << "\n    " << Printed::ours(sparkline(survey, one)) << "  " << one.rows.size()
             << " from " << dayOf(one.first) << " to " << dayOf(one.last) << ": " << column.head << " "
             << survey::numberText(column, one.median) << " (" << survey::numberText(column, one.lowest)
             << " to " << survey::numberText(column, one.highest) << ")"
             << (change.empty() ? Literal("") : Literal("; ")) << change << "\n";
    }
    if (survey.histories.size() > shown)
        text << "  ... and " << survey.histories.size() - shown << " more\n";
    return text;
}

void add(Printed& text, Literal head, const Printed& part) {
    if (!part.empty())
        text << head << part;
}

Printed surveyText(const Survey& survey, std::size_t top) {
    const std::size_t judged = judgedRows(survey).size();
    Printed text;
    text << judged << (judged == 1 ? Literal(" recording") : Literal(" recordings")) << " judged";
    if (judged < survey.rows.size())
        text << ", " << survey.rows.size() - judged << " could not be";
    text << "\n";
    add(text, "\n", table(survey, top));
    add(text, "\nnot judged\n", problems(survey, top));
    add(text, "\nfar from the others of its program and machine\n", outliers(survey));
    add(text, "\nhistory\n", history(survey));
    return text;
}

namespace fs = std::filesystem;

bool isFolder(const std::string& name) {
    std::error_code problem;
    return fs::is_directory(name, problem);
}

[[noreturn]] void refuse(const std::string& message, const std::string& hint) {
    throw Error(ErrorKind::Usage, "bad-option", message, hint);
}

/// They ask for something else than a table.
void refuseOtherOptions(const Arguments& arguments) {
    for (const char* const name :
         {"--merge", "--numbers", "--from", "--to", "--select", "--skip", "--waits", "--assert"})
        if (arguments.has(name))
            refuse(std::string(name) + " is for single recordings, not for a table of many.",
                   "Name files, not folders, and leave out --table.");
    const bool isJson = arguments.has("--json"), isCsv = arguments.has("--csv");
    if (isJson + isCsv + arguments.has("--json-lines") > 1)
        refuse("The table is wanted in more than one format.",
               "Choose one of --json, --json-lines and --csv.");
}

std::size_t topOf(const Arguments& arguments) {
    if (!arguments.has("--top"))
        return std::numeric_limits<std::size_t>::max();
    const std::string text = arguments.value("--top");
    std::size_t top = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), top);
    if (error != std::errc() || end != text.data() + text.size() || top == 0)
        refuse("--top takes a number of rows, not '" + text + "'.", "Write 20, for example.");
    return top;
}

/// A leading '-': the smallest first.
survey::RowOrder orderOf(const Arguments& arguments, std::vector<survey::Column>& columns) {
    std::string named = arguments.value("--sort");
    if (named.empty())
        named = columns.front().head;
    const bool isAscending = arguments.has("--ascending");
    return {survey::columnOf(columns, named), isAscending};
}

survey::SurveyPlan planOf(const Arguments& arguments, survey::FoundFiles found) {
    survey::SurveyPlan plan;
    plan.files = std::move(found.files);
    plan.accountUpTo = arguments.has("--steady") ? std::numeric_limits<std::size_t>::max() : kAccountUpTo;
    for (const std::string& pointer : arguments.values("--column"))
        survey::columnOf(plan.columns, pointer);
    return plan;
}

survey::FoundFiles foundFiles(const Arguments& arguments, const RunControl& control) {
    const auto& names = arguments.positional();
    const std::vector<fs::path> places(names.begin(), names.end());
    survey::FoundFiles found = survey::filesIn(places, control);
    if (found.files.empty())
        throw Error(ErrorKind::Usage, "no-traces",
                    "There is no recording and no trace in " + names.front() + ".",
                    "Name a folder that has some, or the files themselves.");
    if (found.stopped)
        say(Literal("A folder has more entries than were looked at: files may be missing."));
    return found;
}

void show(const Arguments& arguments, const survey::Survey& survey, std::size_t top) {
    if (arguments.has("--json"))
        printJson(survey::surveyToJson(survey, top));
    else if (arguments.has("--json-lines"))
        printJson(survey::surveyToJsonLines(survey, top));
    else if (arguments.has("--csv"))
        printJson(survey::surveyToCsv(survey, top));
    else
        print(surveyText(survey, top));
}

} // namespace

bool wantsSurvey(const Arguments& arguments) {
    if (arguments.has("--table"))
        return true;
    for (const char* const name : {"--sort", "--ascending", "--column", "--csv", "--json-lines"})
        if (arguments.has(name))
            return true;
    return std::ranges::any_of(arguments.positional(), isFolder);
}

int runSurvey(const Arguments& arguments) {
    refuseOtherOptions(arguments);
    const std::size_t top = topOf(arguments);
    survey::SurveyPlan plan;
    survey::RowOrder order;
    std::vector<survey::Row> rows;
    {
        const Console console;
        plan = planOf(arguments, foundFiles(arguments, console.control()));
        order = orderOf(arguments, plan.columns);
        rows = survey::survey(plan, console.control());
    }
    const survey::Survey survey = survey::surveyOf(std::move(rows), plan.columns, order);
    show(arguments, survey, top);
    const bool isAnyJudged =
        std::ranges::any_of(survey.rows, [](const survey::Row& row) { return row.problem.empty(); });
    return isAnyJudged ? 0 : static_cast<int>(ErrorKind::Usage);
}

} // namespace olab::cli
