#include "experiment_json.h"

#include "option_values.h"

#include <olab/experiment/experiment.h>
#include <olab/trace/limits.h>

#include <functional>

namespace olab::experiment {
namespace {

using detail::Json;
using detail::ReadJson;

constexpr int kIndent = 2;
constexpr std::string_view kWorkKey = "recorded"; // with the options: what runs instead of the pipeline
constexpr std::size_t kMostWithWork = std::size_t{8} << 20;

/// Recorded work has thousands of operations; options alone are never that long.
JsonLimits limitsOf(std::string_view json) {
    return json.find("\"recorded\"") == json.npos ? JsonLimits{} : JsonLimits{.bytes = kMostWithWork};
}

bool isNumeric(OptionType type) {
    return type == OptionType::Integer || type == OptionType::Bytes;
}

[[noreturn]] void throwBadJson(const std::string& what) {
    throw Error(ErrorKind::Usage, "bad-json", "The experiment cannot be read: " + what,
                "An experiment is one JSON object of option keys, such as {\"streams\": 2, \"h2d.bytes\": "
                "\"16MiB\"}.");
}

/// A JSON value as the text that the command line would contain.
std::string textOf(const ReadJson& value) {
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_boolean())
        return value.get<bool>() ? "on" : "off";
    if (value.is_structured()) // never printed: it may be of any size and depth
        return "a JSON " + std::string(value.type_name());
    return value.dump(); // a number or null; the option reports it if that is invalid
}

template <typename Include>
Json experimentObject(const Experiment& experiment, Include include) {
    Json object = Json::object();
    for (const OptionRow& row : optionTable())
        if (include(row))
            object[std::string(row.key)] = detail::optionToJson(row, experiment);
    return object;
}

Json rowToJson(const OptionRow& row) {
    Json out{{"key", row.key},     {"group", row.group},
             {"label", row.label}, {"type", optionTypeName(row.type)},
             {"unit", row.unit},   {"help", row.help}};
    if (!row.choices.empty()) {
        out["values"] = row.choices;
    } else {
        out["min"] = row.min;
        out["max"] = row.max;
        out["step"] = row.step;
    }
    if (row.type == OptionType::Blocks)
        out["max_fill"] = kMaxFill;
    out["default"] = detail::optionToJson(row, Experiment{});
    return out;
}

} // namespace

namespace detail {

Json optionToJson(const OptionRow& row, const Experiment& experiment) {
    const std::string text = row.get(experiment);
    if (!isNumeric(row.type))
        return text;
    return olab::experiment::bytesFromText(row.key, text); // reads a bare number as well
}

Json differingToJson(const Experiment& experiment) {
    return experimentObject(experiment,
                            [&](const OptionRow& row) { return row.get(experiment) != optionDefault(row); });
}

HeldExperiment experimentFromObject(const ReadJson& object) {
    if (!object.is_object())
        throwBadJson("it is not an object of option keys.");
    Experiment experiment;
    for (const auto& [key, value] : object.items())
        if (key == kWorkKey)
            experiment.work = RecordedWorkPtr(workFromJson(value));
        else
            setOption(experiment, key, textOf(value));
    return experiment;
}

} // namespace detail

std::string experimentToJson(const Experiment& experiment) {
    Json object = experimentObject(experiment, [](const OptionRow&) { return true; });
    if (experiment.work)
        object[std::string(kWorkKey)] = detail::workToJson(*experiment.work);
    return object.dump(kIndent, ' ', false, Json::error_handler_t::replace);
}

HeldExperiment experimentFromJson(std::string_view json) {
    std::string why;
    const auto object = parsedJson<ReadJson>(json, why, limitsOf(json));
    if (!object)
        throwBadJson(why);
    return detail::experimentFromObject(*object);
}

std::string optionTableJson() {
    Json out = Json::array();
    for (const OptionRow& row : optionTable())
        out.push_back(rowToJson(row));
    return out.dump(kIndent, ' ', false, Json::error_handler_t::replace);
}

} // namespace olab::experiment
