#include <olab/experiment/held_experiment.h>
#include <olab/experiment/option_table.h>
#include <olab/intervention/fix_options.h>

#include <algorithm>

namespace olab::intervention {
namespace {

std::vector<std::string> valuesOf(const experiment::OptionRow& option,
                                  const experiment::Experiment& experiment) {
    if (option.fix.values)
        return option.fix.values(experiment);
    return {option.choices.begin(), option.choices.end()};
}

/// Keeps the total number of passes.
experiment::OptionChanges changeTo(const experiment::OptionRow& option, const std::string& value,
                                   const experiment::Experiment& experiment) {
    experiment::OptionChanges changes{{std::string(option.key), value}};
    if (option.key == "streams") {
        experiment::HeldExperiment changed = experiment;
        experiment::setOption(changed, "streams", value);
        const std::int64_t passes = experiment::optionNumber(experiment, "streams") *
                                    experiment::optionNumber(experiment, "iterations");
        changes.emplace_back("iterations",
                             std::to_string(passes / experiment::optionNumber(changed, "streams")));
    }
    return changes;
}

} // namespace

bool keepsWork(const experiment::OptionChanges& changes) {
    return std::ranges::all_of(changes, [](const auto& change) {
        const experiment::OptionRow* option = experiment::findOption(change.first);
        return option && option->fix.keptBecause.empty();
    });
}

std::vector<experiment::OptionChanges> singleChanges(const experiment::Experiment& experiment) {
    std::vector<experiment::OptionChanges> found;
    for (const experiment::OptionRow& option : experiment::optionTable()) {
        if (!option.fix.keptBecause.empty())
            continue;
        const std::string now = option.get(experiment);
        for (const std::string& value : valuesOf(option, experiment))
            if (value != now)
                found.push_back(changeTo(option, value, experiment));
    }
    return found;
}

} // namespace olab::intervention
