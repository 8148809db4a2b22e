// Whether the data of a simulated run would be right: each kernel needs what the copy and the memset of its
// own pass left, and each copy out what the kernel of its pass wrote. Where nothing orders them, what
// happened decides, as on a real device.
#pragma once

#include "program.h"

namespace olab::sim {

/// Ops that met data that was not there yet, or no longer. `program` has run.
std::uint64_t racesIn(const Schedule& schedule, const Program& program);

} // namespace olab::sim
