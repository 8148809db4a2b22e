#include "command.h"
#include "console.h"

#include <olab/code/cuda_code.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/presets.h>
#include <olab/io/recording_file.h>
#include <olab/trace/input_file.h>
#include <olab/trace/output_file.h>

#include <filesystem>
#include <span>

namespace olab::cli {
namespace {

constexpr OptionSpec kExportOptions[] = {
    {"--set", "", "KEY=VALUE", "change one option; may be given often ('olab options' lists them)"},
};

constexpr std::string_view kExportText =
    "The shortest CUDA program that does what an experiment does: of a preset, of the experiment in a "
    "recording\n"
    "of this lab, or of the defaults with options changed by KEY=VALUE. It is one file that needs nothing "
    "but\n"
    "nvcc:\n"
    "\n"
    "    olab export-cu full-grid streams=4 out.cu && nvcc -arch=native out.cu -o out && ./out\n"
    "\n"
    "It calibrates its kernel as the lab does, prints the makespan and checks the data; its exit code is 0, "
    "1\n"
    "if data was wrong (a race), or 2 if a CUDA call failed. OUT may be /dev/stdout. Options that a\n"
    "standalone program cannot follow are listed at its top and on standard error.";

bool isAssignment(const std::string& word) {
    const std::size_t equals = word.find('=');
    return equals != std::string::npos && experiment::findOption(word.substr(0, equals)) != nullptr;
}

experiment::HeldExperiment experimentIn(const std::string& file, const RunControl& control) {
    if (file.ends_with(".json"))
        return experiment::experimentFromJson(readTextFile(file, control));
    if (const auto known = io::readRecording(file, control).experiment)
        return *known;
    throw Error(ErrorKind::Usage, "no-experiment",
                file + " holds no experiment: it was recorded of a program that is not the lab's.",
                "Give a preset ('olab presets'), a recording of the lab, or options as KEY=VALUE.");
}

experiment::HeldExperiment startingPoint(const std::string& name, const RunControl& control) {
    if (const experiment::Preset* preset = experiment::findPreset(name))
        return preset->experiment;
    std::error_code ignored;
    if (std::filesystem::exists(name, ignored))
        return experimentIn(name, control);
    throw Error(ErrorKind::Usage, "bad-preset",
                "'" + name + "' is neither a preset nor a file nor KEY=VALUE.",
                "'olab presets' lists the presets, 'olab options' the options.");
}

experiment::HeldExperiment exportedExperiment(const Arguments& arguments, const RunControl& control) {
    std::span<const std::string> words(arguments.positional());
    words = words.first(words.size() - 1); // the last one is the file to write
    experiment::HeldExperiment experiment;
    if (!words.empty() && !isAssignment(words.front())) {
        experiment = startingPoint(words.front(), control);
        words = words.subspan(1);
    }
    for (const std::string& assignment : words)
        experiment::setOption(experiment, assignment);
    for (const std::string& assignment : arguments.values("--set"))
        experiment::setOption(experiment, assignment);
    return experiment;
}

/// Who leaves the file out would get one that is called like a preset.
void checkIsFile(const std::string& out) {
    if (experiment::findPreset(out) || isAssignment(out))
        throw Error(ErrorKind::Usage, "no-file",
                    "No file to write is named: '" + out + "' is " +
                        (experiment::findPreset(out) ? "a preset." : "an option."),
                    "Give its name last, such as out.cu or /dev/stdout.");
}

int runExport(const Arguments& arguments) {
    checkIsFile(arguments.positional().back());
    const Console console;
    const code::CudaCode code = code::cudaCode(exportedExperiment(arguments, console.control()));
    writeFile(arguments.positional().back(), code::codeText(code));
    for (const std::string& sentence : code.missing)
        say(Printed() << sentence);
    return 0;
}

} // namespace

extern const Command kExportCuCommand{"export-cu",
                                      "[PRESET or FILE.olab] [KEY=VALUE]... OUT.cu",
                                      "Writes the CUDA program that does what an experiment does.",
                                      kExportText,
                                      kExportOptions,
                                      1,
                                      64,
                                      runExport};

} // namespace olab::cli
