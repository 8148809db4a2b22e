// Options changed together, as offered by a finding or requested by the user. Pure.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/plan.h>

#include <string>
#include <utility>
#include <vector>

namespace olab::experiment {

using OptionChanges = std::vector<std::pair<std::string, std::string>>; ///< key, value

/// The experiment with these options changed. @throws Error kind Usage for an unknown key, an invalid value,
/// or incompatible options ("conflict")
HeldExperiment withChanges(HeldExperiment experiment, const OptionChanges& changes);

/// The effect of a change of options on a plan, so that code that offers a change needs no knowledge of
/// options. Pure functions of the plan.
struct PlannedChange {
    enum class Outcome : std::uint8_t {
        Works,
        DoesNothing, ///< it is already set, or has no effect here
        CannotBe,    ///< conflicts with other options
        Races        ///< some step would no longer be ordered after the data that it needs
    };
    OptionChanges changes; ///< those of the requested ones that have an effect
    Outcome outcome = Outcome::DoesNothing;
};
/// A different number of streams also changes the number of iterations, so that both do the same work; a
/// smaller number of streams may be used that divides it evenly.
/// @throws Error (bad-key, bad-value)
PlannedChange changeOf(const Plan& plan, const OptionChanges& wanted);

/// As mayRace(), but checks only a few passes: they are all alike.
bool mayRaceInAFewPasses(const Plan& plan);

} // namespace olab::experiment
