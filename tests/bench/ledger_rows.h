// How long the account of lost time takes (engine/replay).
#pragma once

#include <cstddef>

namespace olab::bench {

/// Of a simulated run of about `count` activities, half of them API calls: its graph, one pass, the ledger.
void benchLedger(std::size_t count, int rounds);

} // namespace olab::bench
