// Which options have no effect, or cannot be changed, with the current values of the others: the form
// disables them.
#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>

#include <algorithm>

namespace olab::experiment {
namespace {

/// If each other value would conflict, the sentence of the first: the control cannot be changed.
std::string lockedBecause(const Experiment& experiment, const OptionRow& row) {
    const bool step =
        row.group == "Steps"; // can be turned off first: the conflict then says what else to change
    if (step || (row.type != OptionType::Choice && row.type != OptionType::Switch))
        return {};
    const std::string current = row.get(experiment);
    std::string first;
    for (const std::string_view choice : row.choices) {
        if (choice == current)
            continue;
        std::string sentence = conflictOf(experiment, row.key, choice);
        if (sentence.empty())
            return {};
        if (first.empty())
            first = std::move(sentence);
    }
    return first;
}

} // namespace

std::string disabledBecause(const Experiment& experiment, std::string_view key) {
    const OptionRow* row = findOption(key);
    if (!row)
        static_cast<void>(optionText(experiment, key)); // throws bad-key
    if (experiment.work)
        if (const std::string_view because = idleForRecordedWork(key); !because.empty())
            return std::string(because);
    const auto rule = std::ranges::find_if(row->idle, [&](const IdleRule& r) { return r.holds(experiment); });
    if (rule != row->idle.end())
        return std::string(rule->because);
    return lockedBecause(experiment, *row);
}

} // namespace olab::experiment
