// Which of the remedies of a rule or a cause is offered to be tried: the first whose plan can run, does
// something else than the plan there is, and keeps every step behind the data that it needs. What nobody
// planned (an imported trace) cannot be judged so: there the first stands that changes something for what was
// found.
#pragma once

#include <olab/analysis/rules.h>
#include <olab/experiment/planned_change.h>

namespace olab::analysis {

struct Offer {
    experiment::OptionChanges changes; ///< empty: nothing can be tried
    std::string remedy;                ///< says the same in words
};
/// `advice` is what is said where no remedy says more; `evidence`: the classes of the activities that the
/// cause was found at. `schedule` may be null.
Offer offerOf(std::string_view advice, std::span<const Remedy> remedies, ClassMask evidence,
              const experiment::Plan* schedule);

} // namespace olab::analysis
