// Whether the data of a simulated run would be right: each kernel needs the results of the copy and the
// memset of its own pass, and each copy out needs the output of the kernel of its pass, before another pass
// writes over it. If nothing orders them, the simulated times decide, as on a real device.
#pragma once

#include "program.h"

namespace olab::sim {

/// The number of ops whose data was not there yet, or no longer. `program` has run.
std::uint64_t racesIn(const experiment::Schedule& schedule, const Program& program);

} // namespace olab::sim
