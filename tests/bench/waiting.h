// Waits to draw on a recording, without the account of lost time, whose analysis of ten million activities
// takes minutes.
#pragma once

#include "loaded.h"

#include <olab/analysis/facts.h>
#include <olab/view/account.h>

namespace olab::bench {

struct Waiting {
    analysis::FactsPtr facts; ///< of `account`
    view::AccountPtr account;
};

/// Each operation waits from the end of the one before it in its stream, for one cause of three: more waits
/// than an account finds. `loaded` must outlive them.
Waiting waitingIn(const Loaded& loaded);

} // namespace olab::bench
