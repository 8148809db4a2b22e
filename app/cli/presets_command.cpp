#include "command.h"

#include <olab/experiment/presets.h>

namespace olab::cli {
namespace {

constexpr OptionSpec kOptions[] = {{"--json", "", "", "print them as JSON"}};

std::string presetText(const Preset& preset) {
    std::string text = preset.id + ": " + preset.title + "\n    " + preset.text + "\n";
    std::string changes;
    for (const std::string& assignment : differsFromDefault(preset.experiment))
        changes += " " + assignment;
    return text + "   " + (changes.empty() ? " the defaults" : changes) + "\n\n";
}

int run(const Arguments& arguments) {
    std::string text;
    std::string_view group;
    for (const Preset& preset : presets()) {
        if (preset.group != group)
            text += "== " + preset.group + " ==\n\n";
        group = preset.group;
        text += presetText(preset);
    }
    print(arguments.has("--json") ? presetsJson() + "\n" : text);
    return 0;
}

} // namespace

extern const Command kPresetsCommand{
    "presets", "[--json]", "Lists the ready-made experiments.", "", kOptions, 0, 0, run};

} // namespace olab::cli
