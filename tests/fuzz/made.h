// Recordings that do not depend on the input: what expressions are judged on, and what seeds are made of.
#pragma once

#include "fuzz.h"

#include <initializer_list>

namespace olab::fuzz {

/// A small run of the simulator with these set ("key=value"), with bookmarks, a label and a tool effect.
std::shared_ptr<const recording::Recording> simulated(std::initializer_list<const char*> changed = {});
/// The same, but records of it were lost.
std::shared_ptr<const recording::Recording> damaged();

} // namespace olab::fuzz
