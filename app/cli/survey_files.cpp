#include "survey_files.h"

#include "command.h"
#include "console.h"
#include "survey_text.h"
#include "text_report.h"

#include <olab/trace/error.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <system_error>

namespace olab::cli {
namespace {

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
