// What a backend must leave behind of calls that work on a stream: events, waits, synchronisations and host
// functions lead from the planned op to its call and its stream.
#pragma once

#include <backend_conformance.h>

namespace olab::conformance {

/// Everything wrong with what `trace` tells of them; empty too for graphs, of whose inside no record tells.
std::vector<std::string> streamCallProblems(const experiment::Schedule& schedule, const Trace& trace);

/// Options in whose runs calls work on streams in every way that there is.
std::vector<std::vector<std::string>> settingsWithStreamCalls();

} // namespace olab::conformance
