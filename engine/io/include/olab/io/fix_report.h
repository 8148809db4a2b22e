// What a search for a faster pipeline found, as JSON.
#pragma once

#include <olab/comparison/fix.h>

#include <string>

namespace olab::io {

/// Indented with two spaces: {"format": "olab-fix", "measured": [{changes, set, predicted, makespan, ...}],
/// "predicted", "best", "experiment", "text"}.
std::string fixToJson(const comparison::Fix& fix);

} // namespace olab::io
