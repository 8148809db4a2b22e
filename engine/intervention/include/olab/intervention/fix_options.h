// The changes of options that a search for a faster pipeline may try: what the rows of the option table say
// (FixRole), for an experiment. Pure.
#pragma once

#include <olab/experiment/option_changes.h>

#include <vector>

namespace olab {

/// No option among them has to stay as it is.
bool keepsWork(const OptionChanges& changes);

/// Every change of one option that does the same work, whether or not it can be or races: changeOf() says.
/// Another number of streams brings the number of iterations with it that keeps the passes in all.
std::vector<OptionChanges> singleChanges(const Experiment& experiment);

} // namespace olab
