#include "command.h"

#include <olab/experiment/presets.h>

namespace olab::cli {
namespace {

constexpr OptionSpec kPresetsOptions[] = {{"--json", "", "", "print them as JSON"}};

Printed presetText(const experiment::Preset& preset) {
    Printed text;
    text << preset.id << ": " << preset.title << "\n    " << preset.text << "\n   ";
    const std::vector<std::string> changes = experiment::differsFromDefault(preset.experiment);
    for (const std::string& assignment : changes)
        text << " " << assignment;
    if (changes.empty())
        text << " the defaults";
    return text << "\n\n";
}

int runPresets(const Arguments& arguments) {
    if (arguments.has("--json")) {
        printJson(experiment::presetsJson() + "\n");
        return 0;
    }
    Printed text;
    std::string_view group;
    for (const experiment::Preset& preset : experiment::presets()) {
        if (preset.group != group)
            text << "== " << preset.group << " ==\n\n";
        group = preset.group;
        text << presetText(preset);
    }
    print(text);
    return 0;
}

} // namespace

extern const Command kPresetsCommand{
    "presets", "[--json]", "Lists the ready-made experiments.", "", kPresetsOptions, 0, 0, runPresets};

} // namespace olab::cli
