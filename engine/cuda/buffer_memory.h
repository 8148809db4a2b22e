// Memory by the calls of a run (runtime or driver API): that of a row of the schedule's table, and what a
// device needs beside it. The calls must outlive it; its device must be current when it is made.
#pragma once

#include "calls.h"
#include "handles.h"

#include <olab/experiment/buffer_table.h>

namespace olab {

/// @throws Error when there is no room
Memory deviceMemory(std::size_t bytes, std::int32_t device, Calls& calls);
/// Of Constant rows an empty one: their array is there already. @throws Error when there is no room
Memory memoryFor(const Buffer& buffer, Calls& calls);
/// Where kernels of its device find host memory that is used in place; null for all other.
std::uint32_t* deviceView(const Buffer& buffer, const Memory& memory, Calls& calls);

} // namespace olab
