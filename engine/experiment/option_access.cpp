#include "option_groups.h"
#include "option_values.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>

namespace olab::experiment {
namespace {

[[noreturn]] void throwBadKey(std::string_view key, std::string_view value) {
    const std::string_view nearest = nearestKey(key);
    std::string message = "There is no option '" + detail::shownText(key) + "'";
    message += value.empty() ? "" : " (value '" + detail::shownText(value) + "')";
    message += nearest.empty() ? "." : "; did you mean '" + std::string(nearest) + "'?";
    std::string keys;
    for (const OptionRow& row : optionTable())
        keys.append(keys.empty() ? "" : ", ").append(row.key);
    throw Error(ErrorKind::Usage, "bad-key", message, "The options are " + keys + ".");
}

const OptionRow& requireOption(std::string_view key, std::string_view value = {}) {
    const OptionRow* row = findOption(key);
    if (!row)
        throwBadKey(key, value);
    return *row;
}

} // namespace

std::string optionText(const Experiment& experiment, std::string_view key) {
    return requireOption(key).get(experiment);
}

void setOption(Experiment& experiment, std::string_view key, std::string_view value) {
    requireOption(key, value).set(experiment, value);
}

void setOption(Experiment& experiment, std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    const bool hasValue = equals != std::string_view::npos;
    const std::string_view value = hasValue ? assignment.substr(equals + 1) : std::string_view{};
    const OptionRow& row = requireOption(assignment.substr(0, equals), value);
    const std::string key(row.key);
    if (!hasValue)
        throw Error(ErrorKind::Usage, "bad-value",
                    key + " was given without a value: " + key + " is " + optionAllowed(row) + ".",
                    "Write " + key + "=VALUE, such as " + key + "=" + optionDefault(row) + ".");
    row.set(experiment, value);
}

std::int64_t optionNumber(const Experiment& experiment, std::string_view key) {
    const OptionRow& row = requireOption(key);
    if (row.type != OptionType::Integer && row.type != OptionType::Bytes)
        throw Error(ErrorKind::Internal, "no-number", std::string(key) + " is no number.");
    const std::string text = row.get(experiment);
    return row.type == OptionType::Bytes ? bytesFromText(key, text)
                                         : detail::integerFromText(key, text, {row.min, row.max, row.step});
}

void setNumber(Experiment& experiment, std::string_view key, std::int64_t value) {
    const OptionRow& row = requireOption(key);
    row.set(experiment, std::to_string(value) + (row.type == OptionType::Bytes ? "B" : ""));
}

std::vector<std::string> differsFromDefault(const Experiment& experiment) {
    std::vector<std::string> out;
    for (const OptionRow& row : optionTable())
        if (const std::string value = row.get(experiment); value != optionDefault(row))
            out.push_back(std::string(row.key) + "=" + value);
    return out;
}

std::vector<std::string> environmentOf(const Experiment& e) {
    std::vector<std::string> out;
    for (const OptionRow& row : optionTable())
        if (const std::string value = environmentValue(row, e); !value.empty())
            out.push_back(std::string(row.environment.name) + "=" + value);
    return out;
}

std::string environmentValue(const OptionRow& row, const Experiment& e) {
    const std::string text = row.get(e);
    if (row.environment.name.empty() || text == optionDefault(row))
        return {};
    return row.environment.value ? row.environment.value(text) : text;
}

std::vector<std::string> simulatorOnly(const Experiment& e) {
    std::vector<std::string> out;
    for (const OptionRow& row : optionTable())
        if (row.group == detail::kSimulatorGroup && row.get(e) != optionDefault(row))
            out.push_back(std::string(row.key) + "=" + row.get(e));
    return out;
}

bool needsFreshProcess(const Experiment& e) {
    return e.interfere == Interfere::FirstLaunch;
}

} // namespace olab::experiment
