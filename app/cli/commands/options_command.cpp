#include "command.h"

#include <olab/experiment/option_table.h>

namespace olab::cli {
namespace {

constexpr OptionSpec kOptionsOptions[] = {{"--json", "", "", "print the table as JSON"}};

Printed rowText(const experiment::OptionRow& row) {
    Printed text;
    text << "  " << row.key << "=" << experiment::optionDefault(row) << "\n";
    text << "      " << row.label << ": " << experiment::optionAllowed(row) << "\n";
    return text << "      " << row.help << "\n";
}

int runOptions(const Arguments& arguments) {
    if (arguments.has("--json")) {
        printJson(experiment::optionTableJson() + "\n");
        return 0;
    }
    Printed text = Literal("Options of an experiment (olab run --set KEY=VALUE), with their defaults.\n");
    std::string_view group;
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        if (row.group != group)
            text << "\n" << row.group << "\n";
        group = row.group;
        text << rowText(row);
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
    kOptionsOptions,
    0,
    0,
    runOptions};

} // namespace olab::cli
