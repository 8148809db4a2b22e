// olab: the command line of Overlap Lab. Commands, exit codes and JSON are the contract of cli.md.
#include "command.h"

#include "traced_program.h"

#include <olab/run/programs.h>
#include <olab/run/runner.h>
#include <olab/trace/error.h>
#include <olab/trace/temporary_folder.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace olab::cli {
namespace {

std::string exitCodeText() {
    std::string text = "Exit codes:";
    std::size_t width = text.size();
    for (const ExitCode& row : exitCodes()) {
        const std::string item = " " + std::to_string(row.code) + " " + std::string(row.meaning) +
                                 (&row == &exitCodes().back() ? "." : ",");
        const bool breaks = width + item.size() > 105;
        text += breaks ? "\n" + item.substr(1) : item;
        width = breaks ? item.size() - 1 : width + item.size();
    }
    return text + "\n";
}

std::string padded(std::string_view text, std::size_t width) {
    return std::string(text) + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

std::string programHelp() {
    std::string text =
        "olab: did my CUDA copies, memsets and kernels really run at the same time, and if not, why?\n\n"
        "usage: olab COMMAND [ARGUMENTS]\n\n";
    for (const Command* command : commands())
        if (!command->isInternal)
            text += "  " + padded(command->name, 10) + std::string(command->summary) + "\n";
    return text + "\n'olab COMMAND --help' says more of each.\n" + exitCodeText();
}

std::string valueText(const OptionSpec& spec) {
    if (spec.value.empty())
        return {};
    return spec.mayStandAlone ? "[=" + std::string(spec.value) + "]" : " " + std::string(spec.value);
}

std::string commandHelp(const Command& command) {
    std::string text = "usage: olab " + std::string(command.name) + " " + std::string(command.usage) +
                       "\n\n" + std::string(command.summary) + "\n";
    if (!command.text.empty())
        text += "\n" + std::string(command.text) + "\n";
    text += "\n";
    for (const OptionSpec& spec : command.options) {
        std::string name = std::string(spec.alias) + (spec.alias.empty() ? "" : ", ") +
                           std::string(spec.name) + valueText(spec);
        text += "  " + padded(name, 28) + std::string(spec.help) + "\n";
    }
    return text + "  " + padded("-h, --help", 28) + "this text\n\n" + exitCodeText();
}

const Command& findCommand(const std::string& name) {
    for (const Command* command : commands())
        if (command->name == name)
            return *command;
    throw Error(ErrorKind::Usage, "bad-command", "There is no command '" + name + "'.",
                "'olab --help' lists the commands.");
}

int runCommand(const Command& command, std::span<const std::string> words) {
    if (Arguments::wantsHelp(words, command.options)) {
        print(Printed::ours(commandHelp(command)));
        return 0;
    }
    const Arguments arguments = Arguments::parse(words, command.options, command.dashesSeparate);
    const std::size_t count = arguments.positional().size();
    if (count < command.minPositional || count > command.maxPositional)
        throw Error(ErrorKind::Usage, "bad-usage",
                    count < command.minPositional
                        ? "Something is missing."
                        : "There is too much: '" + arguments.positional()[command.maxPositional] + "'.",
                    "usage: olab " + std::string(command.name) + " " + std::string(command.usage));
    return command.run(arguments);
}

int dispatch(const std::vector<std::string>& words) {
    if (words.empty()) {
        std::fputs(programHelp().c_str(), stderr);
        return static_cast<int>(ErrorKind::Usage);
    }
    const std::span<const std::string> rest(words.begin() + 1, words.end());
    if (words.front() == "--help" || words.front() == "-h" || (words.front() == "help" && rest.empty())) {
        print(Printed::ours(programHelp()));
        return 0;
    }
    if (words.front() == "--version") {
        print(Literal("olab " OLAB_VERSION "\n"));
        return 0;
    }
    if (words.front() == "help") {
        print(Printed::ours(commandHelp(findCommand(rest.front()))));
        return 0;
    }
    TemporaryFolder::sweep(); // of a command that was killed, whatever this one is
    return runCommand(findCommand(words.front()), rest);
}

} // namespace

void print(const Printed& text) {
    printJson(text.text());
}

void printJson(std::string_view json) {
    if (std::fwrite(json.data(), 1, json.size(), stdout) != json.size() || std::fflush(stdout) != 0)
        throw Error(ErrorKind::Usage, "cannot-write", "Cannot write to standard output.",
                    "Free some space, or write to another place.");
}

void say(const Printed& text) {
    std::fprintf(stderr, "olab: %s\n", text.text().c_str());
}

void say(Literal text) {
    say(Printed(text));
}

void say(const run::RunnerError& error) {
    Printed text = error.message;
    if (!error.hint.empty())
        text << "\n      " << error.hint;
    say(text);
}

} // namespace olab::cli

int main(int count, char** words) {
    olab::run::keepStandardFiles();
    olab::run::useLastWords(olab::cli::say);
    olab::cli::g_sizeLimitAtStart =
        std::signal(SIGXFSZ, SIG_IGN); // a limit on file sizes (ulimit -f) is a full disk: write() says so
    try {
        return olab::cli::dispatch({words + 1, words + std::max(1, count)});
    } catch (...) {
        return olab::run::reportCurrentError(olab::cli::say);
    }
}
