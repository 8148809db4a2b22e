#include <olab/experiment/held_experiment.h>
#include <olab/experiment/option_table.h>
#include <olab/intervention/fix_options.h>

#include <algorithm>

namespace olab {
namespace {

std::vector<std::string> valuesOf(const OptionRow& option, const Experiment& experiment) {
    if (option.fix.values)
        return option.fix.values(experiment);
    return {option.choices.begin(), option.choices.end()};
}

/// Keeps the total number of passes.
OptionChanges changeTo(const OptionRow& option, const std::string& value, const Experiment& experiment) {
    OptionChanges changes{{std::string(option.key), value}};
    if (option.key == "streams") {
        HeldExperiment changed = experiment;
        setOption(changed, "streams", value);
        const std::int64_t passes =
            optionNumber(experiment, "streams") * optionNumber(experiment, "iterations");
        changes.emplace_back("iterations", std::to_string(passes / optionNumber(changed, "streams")));
    }
    return changes;
}

} // namespace

bool keepsWork(const OptionChanges& changes) {
    return std::ranges::all_of(changes, [](const auto& change) {
        const OptionRow* option = findOption(change.first);
        return option && option->fix.keptBecause.empty();
    });
}

std::vector<OptionChanges> singleChanges(const Experiment& experiment) {
    std::vector<OptionChanges> found;
    for (const OptionRow& option : optionTable()) {
        if (!option.fix.keptBecause.empty())
            continue;
        const std::string now = option.get(experiment);
        for (const std::string& value : valuesOf(option, experiment))
            if (value != now)
                found.push_back(changeTo(option, value, experiment));
    }
    return found;
}

} // namespace olab
