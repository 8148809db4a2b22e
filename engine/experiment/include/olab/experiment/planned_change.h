// The effect of a change of options on a plan, so that code that offers a change needs no knowledge of
// options. Pure functions of the plan.
#pragma once

#include <olab/experiment/option_changes.h>
#include <olab/experiment/plan.h>

namespace olab::experiment {

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
