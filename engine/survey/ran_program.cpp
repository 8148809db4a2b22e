#include "ran_program.h"

#include <olab/comparison/comparison.h>
#include <olab/experiment/experiment.h>
#include <olab/experiment/held_experiment.h>

#include <algorithm>
#include <array>

namespace olab::survey {
namespace {

/// They change nothing of what runs.
constexpr std::array<std::string_view, 4> kOfRecording{"warmup", "repeat", "trace", "seed"};

std::string experimentText(const experiment::Experiment& experiment) {
    const experiment::HeldExperiment usual;
    std::string text;
    for (const comparison::OptionDifference& option : comparison::optionDifferences(*usual, experiment))
        if (std::ranges::find(kOfRecording, option.key) == kOfRecording.end())
            text += (text.empty() ? "" : " ") + std::string(option.key) + "=" + option.after;
    if (experiment.work)
        text = "recorded work" + (text.empty() ? text : " " + text);
    return text.empty() ? "defaults" : text;
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// "train_rank*.json" of "train_rank12.json".
std::string nameWithoutNumbers(const std::string& name) {
    std::string text;
    for (const char c : name)
        if (!isDigit(c))
            text += c;
        else if (text.empty() || text.back() != '*')
            text += '*';
    return text;
}

std::string factOf(const Trace& trace, std::string_view key) {
    const auto& facts = trace.environment();
    const auto at =
        std::ranges::find(facts, key, [](const auto& fact) { return std::string_view(fact.first); });
    return at == facts.end() ? std::string() : at->second;
}

} // namespace

std::string programOf(const recording::Recording& recording) {
    if (recording.experiment)
        return experimentText(*recording.experiment);
    const std::string command = factOf(recording.trace, "program.command");
    return command.empty() ? nameWithoutNumbers(recording.file.filename().string()) : command;
}

std::string machineOf(const recording::Recording& recording) {
    const auto devices = recording.trace.devices();
    std::string text = devices.empty() ? std::string() : devices.front().name;
    if (devices.size() > 1)
        text = std::to_string(devices.size()) + " x " + text;
    const std::string uuid = factOf(recording.trace, "device_uuid");
    const std::size_t end = uuid.find('-', 4); // "GPU-b09213ec-424b-..."
    if (uuid.starts_with("GPU-") && end != uuid.npos)
        text += " (" + uuid.substr(0, end) + ")";
    return text;
}

} // namespace olab::survey
