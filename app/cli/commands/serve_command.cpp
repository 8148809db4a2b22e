#include "command.h"

#include "mcp_session.h"

#include <olab/trace/error.h>

#include <iostream>
#include <nlohmann/json.hpp>

namespace olab::cli {
namespace {

constexpr OptionSpec kServeOptions[] = {
    {"--mcp", "", "", "by the Model Context Protocol: a JSON-RPC message on each line of standard input"},
};

constexpr std::string_view kServeText =
    "For assistants that start a program and ask it: a client is told to run 'olab serve --mcp'. It only "
    "reads.\n"
    "Tools: report, account, waits of a range, compare, and the recordings of a folder; each answer has the\n"
    "defects of the recording and what could not be judged. It ends with its standard input.";

int runServe(const Arguments& arguments) {
    if (!arguments.has("--mcp"))
        throw Error(ErrorKind::Usage, "bad-usage", "Nothing says by which protocol to serve.",
                    "Write olab serve --mcp.");
    McpSession session;
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        if (const std::string answer = session.answer(line); !answer.empty())
            printJson(answer + "\n");
    }
    return 0;
}

} // namespace

extern const Command kServeCommand{
    "serve", "--mcp", "Answers the questions of an assistant about recordings.", kServeText, kServeOptions, 0,
    0,       runServe};

} // namespace olab::cli
