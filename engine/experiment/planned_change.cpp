#include <olab/experiment/planned_change.h>

#include <olab/experiment/data_flow.h>
#include <olab/experiment/experiment.h>
#include <olab/experiment/schedule.h>

#include <algorithm>

namespace olab::experiment {

HeldExperiment withChanges(HeldExperiment experiment, const OptionChanges& changes) {
    for (const auto& [key, value] : changes)
        setOption(experiment, key, value);
    if (const auto reasons = conflicts(experiment); !reasons.empty())
        throw Error(ErrorKind::Usage, "conflict", reasons.front(),
                    "Change that first, run it, then try again.");
    return experiment;
}

namespace {

/// If two passes and a last one are in order, all are.
constexpr int kIterationsThatTell = 3;

/// Each stream does its iterations, so a different number of streams alone would change the amount of work:
/// the iterations change with it. Uses the number of streams nearest to the requested one, between it and the
/// current one, that divides the work evenly; without one, the streams stay as they are.
OptionChanges withEqualWork(OptionChanges wanted, const Experiment& experiment) {
    const auto of = [&](std::string_view key) {
        return std::ranges::find(wanted, key, &OptionChanges::value_type::first);
    };
    const auto streams = of("streams");
    if (streams == wanted.end() || of("iterations") != wanted.end())
        return wanted;
    Experiment changed = experiment;
    setOption(changed, streams->first, streams->second);
    const int work = experiment.streams * experiment.iterations;
    const int step = changed.streams > experiment.streams ? -1 : 1;
    int count = changed.streams;
    while (count != experiment.streams && work % count != 0)
        count += step;
    const bool firstDiffers =
        experiment.h2dFirstBytes != 0 && experiment.h2dFirstBytes != experiment.h2dBytes;
    if (count == experiment.streams || firstDiffers) {
        wanted.erase(streams);
        return wanted;
    }
    streams->second = std::to_string(count);
    wanted.emplace(streams + 1, "iterations", std::to_string(work / count));
    return wanted;
}

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
    PlannedChange change{effective(withEqualWork(wanted, plan.experiment), plan.experiment)};
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

} // namespace olab::experiment
