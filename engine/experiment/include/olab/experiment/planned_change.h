// What a change of options would make of what was planned, so that nobody who offers one needs to know any
// option. Pure functions of the plan.
#pragma once

#include <olab/experiment/option_changes.h>
#include <olab/experiment/plan.h>

namespace olab {

struct PlannedChange {
    enum class Outcome : std::uint8_t {
        Works,
        DoesNothing, ///< all of it is so already, or has no effect here
        CannotBe,    ///< conflicts with other options
        Races        ///< nothing would keep some step behind the data that it needs
    };
    OptionChanges changes; ///< those of the wanted ones that do something
    Outcome outcome = Outcome::DoesNothing;
};
/// Another number of streams brings another number of iterations with it, so that both do the same work; it
/// may be a smaller one, which shares it out evenly.
/// @throws Error (bad-key, bad-value)
PlannedChange changeOf(const Plan& plan, const OptionChanges& wanted);

/// As mayRace(), but with a look at a few passes only: one is like the next.
bool mayRaceInAFewPasses(const Plan& plan);

} // namespace olab
