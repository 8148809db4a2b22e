#include "command.h"

#include <olab/experiment/option_table.h>

namespace olab::cli {
namespace {

constexpr OptionSpec kOptions[] = {{"--json", "", "", "print the table as JSON"}};

std::string rowText(const OptionRow& row) {
    std::string text = "  " + std::string(row.key) + "=" + optionDefault(row) + "\n";
    text += "      " + std::string(row.label) + ": " + optionAllowed(row) + "\n";
    return text + "      " + std::string(row.help) + "\n";
}

int run(const Arguments& arguments) {
    if (arguments.has("--json")) {
        print(optionTableJson() + "\n");
        return 0;
    }
    std::string text = "Options of an experiment (olab run --set KEY=VALUE), with their defaults.\n";
    std::string_view group;
    for (const OptionRow& row : optionTable()) {
        if (row.group != group)
            text += "\n" + std::string(row.group) + "\n";
        group = row.group;
        text += rowText(row);
    }
    print(text);
    return 0;
}

} // namespace

extern const Command kOptionsCommand{
    "options",
    "[--json]",
    "Lists every option of an experiment: key, default, what is allowed, what it does.",
    "",
    kOptions,
    0,
    0,
    run};

} // namespace olab::cli
