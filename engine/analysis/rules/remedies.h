// Chooses which remedy of a rule or cause is offered: the first one whose plan can run, differs from the
// current plan, and keeps every step behind the data that it needs. An imported trace has no plan to check:
// there the first remedy is offered that changes something for the classes in question.
#pragma once

#include <olab/analysis/rules.h>
#include <olab/experiment/planned_change.h>

namespace olab::analysis {

struct Offer {
    experiment::OptionChanges changes; ///< empty: nothing can be tried
    std::string remedy;                ///< the same in words
};
/// `advice`: used if no remedy has a text; `evidence`: classes of the activities at which the cause was
/// found. `schedule` may be null.
Offer offerOf(std::string_view advice, std::span<const Remedy> remedies, ClassMask evidence,
              const experiment::Plan* schedule);

} // namespace olab::analysis
