#include "option_values.h"
#include "plan_size.h"

#include <olab/experiment/option_table.h>

#include <algorithm>
#include <array>

namespace olab {
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

/// An option without effect: while `idle` holds, the form disables `key` and shows `because`.
struct IdleRule {
    std::string_view key;
    bool (*idle)(const Experiment&);
    std::string_view because;
};

bool withoutH2d(const Experiment& e) {
    return !e.h2d;
}
bool withoutMemset(const Experiment& e) {
    return !e.memset;
}
bool withoutKernel(const Experiment& e) {
    return !e.kernel;
}
bool withoutD2h(const Experiment& e) {
    return !e.d2h;
}
bool oneStream(const Experiment& e) {
    return e.streams == 1;
}
/// NULL-stream ops stand between passes, so a single pass has none.
bool onePass(const Experiment& e) {
    return detail::passCount(e) == 1;
}
constexpr std::string_view kNoH2d = "There is no H2D copy: h2d is off.";
constexpr std::string_view kNoMemset = "There is no memset: memset is off.";
constexpr std::string_view kNoKernel = "There is no kernel: kernel is off.";
constexpr std::string_view kNoD2h = "There is no D2H copy: d2h is off.";

constexpr std::array kIdleRules{
    IdleRule{"h2d.bytes", withoutH2d, kNoH2d},
    IdleRule{"h2d.memory", withoutH2d, kNoH2d},
    IdleRule{"memset.bytes", withoutMemset, kNoMemset},
    IdleRule{"kernel.kind", withoutKernel, kNoKernel},
    IdleRule{"kernel.us", withoutKernel, kNoKernel},
    IdleRule{"kernel.blocks", withoutKernel, kNoKernel},
    IdleRule{"kernel.threads", withoutKernel, kNoKernel},
    IdleRule{"d2h.bytes", withoutD2h, kNoD2h},
    IdleRule{"d2h.memory", withoutD2h, kNoD2h},
    IdleRule{"order", oneStream, "With one stream both orders issue the same ops."},
    IdleRule{"null_op", onePass, "The op goes between passes, and there is only one pass."},
};

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

std::string disabledBecause(const Experiment& experiment, std::string_view key) {
    const OptionRow& row = requireOption(key);
    const auto rule = std::find_if(kIdleRules.begin(), kIdleRules.end(),
                                   [&](const IdleRule& r) { return r.key == key && r.idle(experiment); });
    if (rule != kIdleRules.end())
        return std::string(rule->because);
    if (row.type == OptionType::Choice && row.choices.size() == 1)
        return std::string(row.choices[0]) + " is the only choice.";
    return {};
}

std::vector<std::string> differsFromDefault(const Experiment& experiment) {
    std::vector<std::string> out;
    for (const OptionRow& row : optionTable())
        if (const std::string value = row.get(experiment); value != optionDefault(row))
            out.push_back(std::string(row.key) + "=" + value);
    return out;
}

} // namespace olab
