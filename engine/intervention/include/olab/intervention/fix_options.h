// The changes of options that a search for a faster pipeline may try for an experiment, from the rows of the
// option table (FixRole). Pure.
#pragma once

#include <olab/experiment/option_changes.h>

#include <vector>

namespace olab::intervention {

/// All these options may be changed.
bool keepsWork(const experiment::OptionChanges& changes);

/// Every change of one option that does the same work, including impossible and racing ones: see changeOf().
/// A different number of streams also changes the number of iterations to keep the total number of passes.
std::vector<experiment::OptionChanges> singleChanges(const experiment::Experiment& experiment);

} // namespace olab::intervention
