// How much of a memory the buffers of an experiment may take: the same for a device, for one that is played,
// and for the host. Bytes; any thread.
#pragma once

#include <cstdint>

namespace olab {

/// @param free what the memory has left; @param where "device" or "host"
/// @throws Error kind Usage (too-big) when `wanted` is more than 80 % of it
void refuseIfTooBig(std::uint64_t wanted, std::uint64_t free, const char* where);

} // namespace olab
