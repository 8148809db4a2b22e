// Recordings that do not depend on the input: what expressions are judged on, and what seeds are made of.
#pragma once

#include "fuzz.h"

namespace olab::fuzz {

/// A small run of the simulator, with bookmarks, a label and a tool effect.
std::shared_ptr<const Recording> simulated();
/// The same, but records of it were lost.
std::shared_ptr<const Recording> damaged();

} // namespace olab::fuzz
