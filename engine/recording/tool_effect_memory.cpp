#include <olab/experiment/held_experiment.h>
#include <olab/recording/tool_effect_memory.h>

#include <olab/recording/recording.h>

#include <functional>
#include <unistd.h>

extern char** environ;

namespace olab::recording {
namespace {

std::string keyOf(experiment::HeldExperiment experiment, const std::string& place) {
    const experiment::HeldExperiment usual;
    for (const std::string_view key : {"trace", "repeat"})
        experiment::setOption(experiment, key, experiment::optionText(usual, key));
    return experiment::experimentToJson(experiment) + "\n" + place;
}

} // namespace

std::string ToolEffectMemory::placeOf(const std::filesystem::path& program) {
    const FileStamp stamp = FileStamp::of(program);
    std::string text = program.string() + "\n" + std::to_string(stamp.size) + " " +
                       std::to_string(stamp.time.time_since_epoch().count());
    for (char** entry = environ; *entry != nullptr; ++entry)
        text.append("\n").append(*entry);
    return text;
}

std::string ToolEffectMemory::deviceTextOf(const Trace& trace) {
    std::string text;
    for (const DeviceRecord& device : trace.devices())
        text += device.name + " " + device.uuid + "\n";
    for (const char* key : {"device_uuid", "driver", "runtime", "platform"})
        if (const auto found = trace.environment().find(key); found != trace.environment().end())
            text += found->second + "\n";
    return text;
}

std::optional<MeasuredEffect> ToolEffectMemory::find(const experiment::Experiment& experiment,
                                                     const std::string& place) const {
    const auto found = m_measured.find(keyOf(experiment, place));
    return found == m_measured.end() ? std::nullopt : std::optional(found->second);
}

void ToolEffectMemory::keep(const experiment::Experiment& experiment, const std::string& place,
                            MeasuredEffect measured) {
    m_measured.insert_or_assign(keyOf(experiment, place), std::move(measured));
}

void ToolEffectMemory::forget(const experiment::Experiment& experiment, const std::string& place) {
    m_measured.erase(keyOf(experiment, place));
}

} // namespace olab::recording
