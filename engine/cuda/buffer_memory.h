// Memory allocated by the calls of a run (runtime or driver API): for a row of the schedule's table, and what
// else a device needs. The calls must outlive it; its device must be current at construction.
#pragma once

#include "calls.h"
#include "handles.h"

#include <olab/experiment/buffer_table.h>

namespace olab::cuda {

/// @throws Error if there is no room
Memory deviceMemory(std::size_t bytes, std::int32_t device, Calls& calls);
/// Empty for Constant rows: their array already exists. @throws Error if there is no room
Memory memoryFor(const experiment::Buffer& buffer, Calls& calls);
/// The device address of host memory used in place; null for all other memory.
std::uint32_t* deviceView(const experiment::Buffer& buffer, const Memory& memory, Calls& calls);

} // namespace olab::cuda
