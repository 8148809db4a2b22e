#include "command.h"

#include "mcp_inbox.h"
#include "mcp_session.h"

#include <olab/trace/error.h>

#include <nlohmann/json.hpp>
#include <unistd.h>

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
    McpSession session([](const std::string& line) { printJson(line + "\n"); });
    McpInbox inbox(STDIN_FILENO);
    while (const auto question = inbox.next())
        session.answer(question->line, question->stop);
    return 0;
}

} // namespace

extern const Command kServeCommand{
    "serve", "--mcp", "Answers the questions of an assistant about recordings.", kServeText, kServeOptions, 0,
    0,       runServe};

} // namespace olab::cli
