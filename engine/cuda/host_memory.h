// The host side of copies, of each kind an experiment can ask for.
#pragma once

#include "handles.h"

#include <olab/experiment/experiment.h>

namespace olab {

/// `portable`: page-locked for all devices, not only the current one. @throws Error when there is no room
Memory hostMemory(HostMemory kind, std::size_t bytes, bool portable);
/// Where kernels of the current device find memory that is used in place; null for other kinds.
std::uint32_t* deviceView(HostMemory kind, const Memory& memory);

} // namespace olab
