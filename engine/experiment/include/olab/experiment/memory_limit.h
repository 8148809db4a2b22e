// How much memory the buffers of an experiment may take: the same rule for a real device, a simulated one and
// the host. Bytes; any thread.
#pragma once

#include <cstdint>

namespace olab::experiment {

/// @param free the free memory; @param where "device" or "host"
/// @throws Error kind Usage (too-big) when `wanted` is more than 80 % of it
void refuseIfTooBig(std::uint64_t wanted, std::uint64_t free, const char* where);

} // namespace olab::experiment
