// What programs put into CUDA graphs.
#pragma once

#include <olab/replay/ledger.h>

#include <string_view>

namespace olab::replay {

bool launchesGraph(std::string_view call);

} // namespace olab::replay
