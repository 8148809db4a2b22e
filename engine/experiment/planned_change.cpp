#include <olab/experiment/planned_change.h>

#include <olab/experiment/data_flow.h>

#include <algorithm>

namespace olab {
namespace {

/// What two passes and a last one keep in order, all do.
constexpr int kIterationsThatTell = 3;

OptionChanges effective(const OptionChanges& wanted, const Experiment& experiment) {
    OptionChanges kept;
    for (const auto& [key, value] : wanted) {
        Experiment changed = experiment;
        setOption(changed, key, value);
        if (changed != experiment && disabledBecause(experiment, key).empty())
            kept.emplace_back(key, value);
    }
    return kept;
}

bool wouldRace(Experiment experiment, int devices) {
    experiment.iterations = std::min(experiment.iterations, kIterationsThatTell);
    return mayRace(plan(experiment, devices));
}

} // namespace

PlannedChange changeOf(const Plan& plan, const OptionChanges& wanted) {
    using enum PlannedChange::Outcome;
    PlannedChange change{effective(wanted, plan.experiment)};
    if (change.changes.empty())
        return change;
    Experiment changed = plan.experiment;
    for (const auto& [key, value] : change.changes)
        setOption(changed, key, value);
    change.outcome = !conflicts(changed).empty()        ? CannotBe
                     : wouldRace(changed, plan.devices) ? Races
                                                        : Works;
    return change;
}

bool mayRaceInAFewPasses(const Plan& plan) {
    return wouldRace(plan.experiment, plan.devices);
}

} // namespace olab
