// Calls that put things into CUDA graphs.
#pragma once

#include <olab/replay/ledger.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace olab::replay {

/// Per row: whether it is a call that makes or destroys a graph: capturing, captured, adding nodes,
/// instantiating. Empty: none.
std::vector<std::uint8_t> callsThatMakeGraphs(const Trace& trace);

} // namespace olab::replay
