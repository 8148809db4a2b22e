#include "remedies.h"

#include <olab/experiment/data_flow.h>

#include <algorithm>

namespace olab {
namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

/// One pass is like the next: what two of them and a last one keep in order, all do.
constexpr int kIterationsThatTell = 3;

/// Those that do something in this experiment.
Changes effective(const Changes& changes, const Experiment& experiment) {
    Changes kept;
    for (const auto& [key, value] : changes) {
        Experiment changed = experiment;
        setOption(changed, key, value);
        if (changed != experiment && disabledBecause(experiment, key).empty())
            kept.emplace_back(key, value);
    }
    return kept;
}

Experiment changedBy(const Changes& changes, Experiment experiment) {
    for (const auto& [key, value] : changes)
        setOption(experiment, key, value);
    return experiment;
}

bool wouldRace(Experiment experiment, int devices) {
    experiment.iterations = std::min(experiment.iterations, kIterationsThatTell);
    return mayRace(plan(experiment, devices));
}

std::string changesText(const Changes& changes) {
    std::string text;
    for (const auto& [key, value] : changes)
        text += (text.empty() ? "" : ", ") + key + "=" + value;
    return text;
}

/// Those of a remedy that run and do something; empty: there are none. What would race goes to `racing`.
Changes offerable(const Remedy& remedy, const Plan& schedule, Changes& racing) {
    const Changes changes = effective(remedy.changes, schedule.experiment);
    const Experiment changed = changedBy(changes, schedule.experiment);
    if (changes.empty() || !conflicts(changed).empty())
        return {};
    if (!wouldRace(changed, schedule.devices))
        return changes;
    if (racing.empty())
        racing = changes;
    return {};
}

/// Somebody who knows the usual remedy is told why it is none here.
std::string whyNot(const Changes& racing, const Plan& schedule, bool offersAnother) {
    if (!offersAnother && wouldRace(schedule.experiment, schedule.devices))
        return " Mend the race first: with " + changesText(racing) +
               " too, nothing would keep every step behind the data that it needs.";
    return " Not " + changesText(racing) +
           ": then nothing would keep every step behind the data that it needs (a race).";
}

} // namespace

Finding withRemedy(Diagnosis diagnosis, const Plan* schedule) {
    Finding finding = std::move(diagnosis.finding);
    Changes racing;
    for (const Remedy& remedy : diagnosis.remedies) {
        finding.tryChanges = schedule ? offerable(remedy, *schedule, racing) : remedy.changes;
        if (finding.tryChanges.empty())
            continue;
        if (!remedy.text.empty())
            finding.remedy = remedy.text;
        break;
    }
    if (!racing.empty())
        finding.remedy += whyNot(racing, *schedule, !finding.tryChanges.empty());
    return finding;
}

} // namespace olab
