// What programs put into CUDA graphs.
#pragma once

#include <olab/replay/ledger.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace olab::replay {

/// Per row: whether it is a call that makes a graph or lets one go: it captures or is captured, puts nodes
/// together, instantiates. Empty: there is none.
std::vector<std::uint8_t> callsThatMakeGraphs(const Trace& trace);

} // namespace olab::replay
