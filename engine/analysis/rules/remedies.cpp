#include "rules/remedies.h"

#include <olab/experiment/plan.h>

namespace olab::analysis {
namespace {

experiment::OptionChanges changesFor(const Remedy& remedy, ClassMask evidence) {
    experiment::OptionChanges changes;
    for (const OptionChange& change : remedy.changes)
        if (change.where == kAllClasses || (change.where & evidence) != 0)
            changes.emplace_back(change.key, change.value);
    return changes;
}

std::string changesText(const experiment::OptionChanges& changes) {
    std::string text;
    for (const auto& [key, value] : changes)
        text += (text.empty() ? "" : ", ") + key + "=" + value;
    return text;
}

/// The changes that can run and have an effect; may be empty. Those that would race go to `racing`.
experiment::OptionChanges offerable(const experiment::OptionChanges& wanted, const experiment::Plan& schedule,
                                    experiment::OptionChanges& racing) {
    experiment::PlannedChange change = experiment::changeOf(schedule, wanted);
    if (change.outcome == experiment::PlannedChange::Outcome::Works)
        return std::move(change.changes);
    if (change.outcome == experiment::PlannedChange::Outcome::Races && racing.empty())
        racing = std::move(change.changes);
    return {};
}

/// Explains to readers who know the usual remedy why it is not offered.
std::string whyNot(const experiment::OptionChanges& racing, const experiment::Plan& schedule,
                   bool offersAnother) {
    if (!offersAnother && experiment::mayRaceInAFewPasses(schedule))
        return " Mend the race first: with " + changesText(racing) +
               " too, some steps could then run before their data is ready.";
    return " Not " + changesText(racing) + ": some steps could then run before their data is ready (a race).";
}

} // namespace

Offer offerOf(std::string_view advice, std::span<const Remedy> remedies, ClassMask evidence,
              const experiment::Plan* schedule) {
    Offer offer{{}, std::string(advice)};
    experiment::OptionChanges racing;
    for (const Remedy& remedy : remedies) {
        const experiment::OptionChanges wanted = changesFor(remedy, evidence);
        offer.changes = schedule ? offerable(wanted, *schedule, racing) : wanted;
        if (offer.changes.empty())
            continue;
        if (!remedy.text.empty())
            offer.remedy = remedy.text;
        break;
    }
    if (!racing.empty())
        offer.remedy += whyNot(racing, *schedule, !offer.changes.empty());
    return offer;
}

} // namespace olab::analysis
