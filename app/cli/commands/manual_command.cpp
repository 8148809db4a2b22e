// `olab manual FILE`: a page of the documentation with its tables filled in from those of the program. What
// stands between a line that holds "olab manual: NAME" and one that holds "olab manual end" is made anew, in
// Markdown for *.md and in mdoc for any other file.
#include "command.h"

#include <olab/analysis/cause_table.h>
#include <olab/experiment/option_table.h>
#include <olab/trace/error.h>
#include <olab/trace/input_file.h>

#include <algorithm>
#include <sstream>

namespace olab::cli {
namespace {

constexpr std::string_view kBegin = "olab manual: ", kEnd = "olab manual end";

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

std::string capitalised(std::string_view text) {
    std::string sentence(text);
    if (!sentence.empty() && sentence.front() >= 'a' && sentence.front() <= 'z')
        sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
    return sentence;
}

std::vector<const Command*> listed() {
    std::vector<const Command*> found;
    std::ranges::copy_if(commands(), std::back_inserter(found),
                         [](const Command* c) { return !c->isInternal; });
    return found;
}

// --- Markdown

std::string cell(std::string_view text) {
    return replaced(replaced(std::string(text), "\n", " "), "|", "\\|");
}

std::string mdRow(std::string_view first, std::string_view second, std::string_view third = {}) {
    return "| " + cell(first) + " | " + cell(second) + " |" +
           (third.empty() ? "" : " " + cell(third) + " |") + "\n";
}

std::string code(std::string_view text) {
    return "`" + std::string(text) + "`";
}

std::string mdCommands() {
    std::string text = "| command | does |\n|---|---|\n";
    for (const Command* command : listed())
        text += mdRow(code("olab " + std::string(command->name) + " " + std::string(command->usage)),
                      command->summary);
    return text;
}

std::string mdKeys() {
    std::string text = "| key | default | may be |\n|---|---|---|\n";
    for (const experiment::OptionRow& row : experiment::optionTable())
        text += mdRow(code(row.key), code(experiment::optionDefault(row)), experiment::optionAllowed(row));
    return text;
}

std::string mdExitCodes() {
    std::string text = "| code | means |\n|---|---|\n";
    for (const ExitCode& row : exitCodes())
        text += mdRow(std::to_string(row.code), row.meaning);
    return text;
}

std::string mdRules() {
    std::string text = "| id | what it finds |\n|---|---|\n";
    for (const std::string_view id : analysis::findingIds())
        text += mdRow(code(id), analysis::findingTitle(id));
    return text;
}

// --- mdoc: a line that begins with a dot or a quote would be a request, a dash would become a hyphen

std::string mdocLine(std::string_view text) {
    std::string line = replaced(replaced(std::string(text), "\\", "\\e"), "-", "\\-");
    return (line.starts_with('.') || line.starts_with('\'') ? "\\&" : "") + line + "\n";
}

std::string mdocText(std::string_view text) {
    std::string out;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);)
        out += line.empty() ? ".Pp\n" : mdocLine(line);
    return out;
}

/// "Fl \-output", "Fl o": the first dash is the macro's.
std::string flag(std::string_view name) {
    return "Fl " + replaced(std::string(name.substr(1)), "-", "\\-");
}

std::string mdocOption(const OptionSpec& spec) {
    const std::string value = spec.value.empty()   ? ""
                              : spec.mayStandAlone ? " Ns Op = Ns Ar " + std::string(spec.value)
                                                   : " Ar " + std::string(spec.value);
    std::string tag = ".It ";
    if (!spec.alias.empty())
        tag += flag(spec.alias) + value + " , ";
    return tag + flag(spec.name) + value + "\n" + mdocLine(capitalised(spec.help));
}

std::string mdocSynopsis() {
    std::string text;
    for (const Command* command : listed())
        text += ".Nm\n.Cm " + std::string(command->name) + "\n" +
                (command->usage.empty() ? "" : mdocLine(command->usage)) + ".br\n";
    return text;
}

std::string mdocCommands() {
    std::string text;
    for (const Command* command : listed()) {
        text += ".Ss " + std::string(command->name) + "\n" + mdocText(command->summary);
        if (!command->text.empty())
            text += ".Pp\n" + mdocText(command->text);
        text += ".Bl -tag -width Ds\n";
        for (const OptionSpec& spec : command->options)
            text += mdocOption(spec);
        text += ".It Fl h , Fl \\-help\nPrint what the command takes.\n.El\n";
    }
    return text;
}

std::string mdocKeys() {
    std::string text = ".Bl -tag -width Ds -compact\n";
    for (const experiment::OptionRow& row : experiment::optionTable())
        text += ".It Cm " + std::string(row.key) + "=" + experiment::optionDefault(row) + "\n" +
                mdocLine(std::string(row.label) + ": " + experiment::optionAllowed(row) + ".");
    return text + ".El\n";
}

std::string mdocExitCodes() {
    std::string text = ".Bl -tag -width Ds -compact\n";
    for (const ExitCode& row : exitCodes())
        text += ".It " + std::to_string(row.code) + "\n" + mdocLine(row.meaning);
    return text + ".El\n";
}

// ---

struct Block {
    std::string_view name;
    bool isMarkdown;
    std::string (*make)();
};
constexpr Block kBlocks[] = {
    {"commands", true, mdCommands},    {"keys", true, mdKeys},
    {"exit codes", true, mdExitCodes}, {"rules", true, mdRules},
    {"synopsis", false, mdocSynopsis}, {"commands", false, mdocCommands},
    {"keys", false, mdocKeys},         {"exit codes", false, mdocExitCodes},
};

std::string blockNamed(std::string_view line, bool isMarkdown) {
    const std::string_view rest = line.substr(line.find(kBegin) + kBegin.size());
    for (const Block& block : kBlocks)
        if (block.isMarkdown == isMarkdown && rest.starts_with(block.name))
            return block.make();
    throw Error(ErrorKind::Usage, "bad-page", "There is no table '" + std::string(rest) + "'.",
                "app/cli/commands/manual_command.cpp lists them.");
}

int runManual(const Arguments& arguments) {
    const std::string& file = arguments.positional().front();
    const bool isMarkdown = file.ends_with(".md");
    std::istringstream page(readTextFile(file, {}));
    std::string text;
    bool isInside = false;
    for (std::string line; std::getline(page, line);) {
        isInside = isInside && line.find(kEnd) == line.npos;
        if (isInside)
            continue;
        text += line + "\n";
        if (line.find(kBegin) != line.npos) {
            text += blockNamed(line, isMarkdown);
            isInside = true;
        }
    }
    printJson(text);
    return 0;
}

} // namespace

extern const Command kManualCommand{
    "manual",  "FILE", "Prints a page of the documentation with its tables filled in.", "", {}, 1, 1,
    runManual, true};

} // namespace olab::cli
